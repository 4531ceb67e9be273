/** Round ends for axes. */

/** The next of 1, 2, 5 times a power of ten; at least a thousandth. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-3, value)));
  return power * ([1, 2, 5].find((step) => step * power >= value * (1 - 1e-9)) ?? 10);
}
