/**
 * What was learned as a setting like any other, as one line of text, so that it goes into a link: nothing where the scene plays what it came with,
 * `anew` while it is being learned, or the numbers that were found: `0.1_-0.48_…`.
 */

/** The setting of a scene that is being learned. */
export const ANEW = 'anew';

/** Whether a text is a setting of this kind. */
export function isLearned(text: string): boolean {
  return text === ANEW || (text.length < 2000 && readLearned(text).length > 0);
}

/** Numbers as one line. */
export function writeLearned(values: ArrayLike<number>): string {
  return Array.from(values, (value) => String(Number(value.toPrecision(7)))).join('_');
}

/** The numbers of a line; none where one of them cannot be read. */
export function readLearned(text: string): readonly number[] {
  const values = text.split('_').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return values.every(Number.isFinite) ? values : [];
}
