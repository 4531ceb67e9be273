/** What actuators add to the matrix of the bones' system: to single bones, and between two of them. Called once the system is assembled. */
import type { BoneSystem } from './bone-system.js';

/** Adds to how a bone resists being turned and shifted, alike in all directions. */
export function addDiagonal({ ldlt, order }: BoneSystem, bone: number, turn: number, shift: number): void {
  const { values, origin } = ldlt;
  const first = order.start[bone];
  for (let k = first; k < first + 6; k++) values[origin[k] + k] += k < first + 3 ? turn : shift;
}

/**
 * Adds κ times the product of a row over bone a and one over bone b, 6 numbers each in the axes of the bone; `twice`: and its mirror image. Where
 * the two are too far apart in the matrix, what is surely no less goes to their own blocks.
 */
export function addOuter(
  system: BoneSystem,
  a: number,
  b: number,
  p: Float64Array,
  q: Float64Array,
  kappa: number,
  twice: boolean,
): void {
  const { start, first } = system.order;
  const { values, origin } = system.ldlt;
  if (a === b) {
    for (let r = 0; r < 6; r++) {
      const at = origin[start[a] + r] + start[a];
      for (let c = 0; c <= r; c++) values[at + c] += kappa * (p[r] * q[c] + (twice ? q[r] * p[c] : 0));
    }
    return;
  }
  const isLater = start[a] > start[b];
  const later = isLater ? a : b;
  const earlier = isLater ? b : a;
  if (first[start[later]] > start[earlier]) {
    addOuter(system, a, a, p, p, kappa, false);
    addOuter(system, b, b, q, q, kappa, false);
    return;
  }
  const x = isLater ? p : q;
  const y = isLater ? q : p;
  for (let r = 0; r < 6; r++) {
    const at = origin[start[later] + r] + start[earlier];
    for (let c = 0; c < 6; c++) values[at + c] += kappa * x[r] * y[c];
  }
}
