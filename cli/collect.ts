/** For options that may be given several times. */
export function collect(value: string, all: string[]): string[] {
  return [...all, value];
}
