/** Hands a file to the visitor. Nothing else leaves the page. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not at once: the browser has to get hold of it first.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
