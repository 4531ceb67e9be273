/** Names of the files of a sequence. */

/** Digits in their numbers. */
const DIGITS = 4;

/** walk.obj, frame 7 -> walk.0007.obj */
export function numbered(path: string, frame: number): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot)}.${String(frame).padStart(DIGITS, '0')}${path.slice(dot)}`;
}
