/** What several tests of this folder share: test matrices with known answers, and measures of error. */

import { determinantMat3 } from '../../../src/math/mat3.js';
import { quatToMat3 } from '../../../src/math/quat.js';
import type { Random } from '../../../src/math/random.js';

export const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const quaternion = new Float64Array(4);
const left = new Float64Array(9);
const right = new Float64Array(9);

/** out = a rotation matrix, uniform over all rotations. */
export function randomRotation(out: Float64Array, random: Random): void {
  random.unitQuaternion(quaternion, 0);
  quatToMat3(out, 0, quaternion, 0);
}

/** out = L diag(s) P^T with random rotations L and P: its signed singular values are known, and so is its L P^T. */
export function randomWithSingularValues(
  out: Float64Array,
  random: Random,
  s0: number,
  s1: number,
  s2: number,
  rotation?: Float64Array,
): void {
  randomRotation(left, random);
  randomRotation(right, random);
  compose(out, left, s0, s1, s2, right);
  if (rotation !== undefined) compose(rotation, left, 1, 1, 1, right);
}

/** out = U diag(s) V^T. */
export function compose(
  out: Float64Array,
  u: ArrayLike<number>,
  s0: number,
  s1: number,
  s2: number,
  v: ArrayLike<number>,
): void {
  for (let r = 0; r < 3; r++) {
    const x = u[3 * r] * s0;
    const y = u[3 * r + 1] * s1;
    const z = u[3 * r + 2] * s2;
    for (let c = 0; c < 3; c++) out[3 * r + c] = x * v[3 * c] + y * v[3 * c + 1] + z * v[3 * c + 2];
  }
}

/** The largest entry of |A - B| over nine numbers; NaN if one is NaN. */
export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let k = 0; k < 9; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
  return worst;
}

/** How far a matrix is from a rotation: the largest entry of |A^T A - I|, or |det A - 1| if that is more. */
export function rotationError(a: ArrayLike<number>): number {
  let worst = Math.abs(determinantMat3(a, 0) - 1);
  for (let p = 0; p < 3; p++) {
    for (let q = p; q < 3; q++) {
      const dot = a[p] * a[q] + a[3 + p] * a[3 + q] + a[6 + p] * a[6 + q];
      worst = Math.max(worst, Math.abs(dot - (p === q ? 1 : 0)));
    }
  }
  return worst;
}

/** A whole-number matrix with entries from -size to size. */
export function randomIntegers(out: Float64Array, random: Random, size: number): void {
  for (let k = 0; k < 9; k++) out[k] = random.integer(2 * size + 1) - size;
}

/** det F of a whole-number matrix, exactly. */
export function exactDeterminant(f: ArrayLike<number>): bigint {
  const [a, b, c, d, e, g, h, i, j] = Array.from(f, BigInt);
  return a * (e * j - g * i) + b * (g * h - d * j) + c * (d * i - e * h);
}
