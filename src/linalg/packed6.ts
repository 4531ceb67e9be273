/**
 * Symmetric 6x6 matrices as the 21 numbers of their lower triangle, row by row: entry (i, j), i >= j, is number i (i + 1) / 2 + j.
 * Inertia of rigid bodies: the first three coordinates turn, the last three move.
 */

/** Numbers per matrix. */
export const PACKED6 = 21;

/** Smallest pivot, as a share of its diagonal entry, that is more than rounding. */
const PIVOT_TOLERANCE = 1e-14;

const L = new Float64Array(PACKED6);
const COLUMN = new Float64Array(6);

/** The matrix at a[o] becomes its inverse. False, and the matrix untouched, where it is not positive definite. */
export function invertPacked6(a: Float64Array, o: number): boolean {
  for (let i = 0; i < 6; i++) {
    const row = (i * (i + 1)) / 2;
    for (let j = 0; j <= i; j++) {
      const other = (j * (j + 1)) / 2;
      let sum = a[o + row + j];
      for (let k = 0; k < j; k++) sum -= L[row + k] * L[other + k];
      if (j < i) L[row + j] = sum / L[other + j];
      else if (sum > PIVOT_TOLERANCE * a[o + row + i]) L[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  for (let c = 0; c < 6; c++) {
    COLUMN.fill(0);
    COLUMN[c] = 1;
    for (let i = c; i < 6; i++) {
      const row = (i * (i + 1)) / 2;
      let sum = COLUMN[i];
      for (let k = c; k < i; k++) sum -= L[row + k] * COLUMN[k];
      COLUMN[i] = sum / L[row + i];
    }
    for (let i = 5; i >= c; i--) {
      let sum = COLUMN[i];
      for (let k = i + 1; k < 6; k++) sum -= L[(k * (k + 1)) / 2 + i] * COLUMN[k];
      COLUMN[i] = sum / L[(i * (i + 1)) / 2 + i];
    }
    for (let i = c; i < 6; i++) a[o + (i * (i + 1)) / 2 + c] = COLUMN[i];
  }
  return true;
}

/** Adds a body of mass m [kg] at the arm r from the reference point, with inertia I about its centre (9, row by row) [kg m²]. */
export function addRigidPacked6(
  a: Float64Array,
  o: number,
  m: number,
  rx: number,
  ry: number,
  rz: number,
  inertia: Float64Array,
  i: number,
): void {
  const square = rx * rx + ry * ry + rz * rz;
  a[o] += inertia[i] + m * (square - rx * rx);
  a[o + 1] += inertia[i + 3] - m * ry * rx;
  a[o + 2] += inertia[i + 4] + m * (square - ry * ry);
  a[o + 3] += inertia[i + 6] - m * rz * rx;
  a[o + 4] += inertia[i + 7] - m * rz * ry;
  a[o + 5] += inertia[i + 8] + m * (square - rz * rz);
  // the lower left block is m [r]ᵀ: its rows move, its columns turn
  a[o + 7] += m * rz;
  a[o + 8] -= m * ry;
  a[o + 9] += m;
  a[o + 10] -= m * rz;
  a[o + 12] += m * rx;
  a[o + 14] += m;
  a[o + 15] += m * ry;
  a[o + 16] -= m * rx;
  a[o + 20] += m;
}

/** out[o..o + 6) = A x with x at x[i]. */
export function multiplyPacked6(
  a: Float64Array,
  m: number,
  x: Float64Array,
  i: number,
  out: Float64Array,
  o: number,
): void {
  multiplyRowsPacked6(a, m, x, i, out, o, 0);
}

/** The same for rows `from` and on; others of `out` are left alone. */
export function multiplyRowsPacked6(
  a: Float64Array,
  m: number,
  x: Float64Array,
  i: number,
  out: Float64Array,
  o: number,
  from: number,
): void {
  const x0 = x[i];
  const x1 = x[i + 1];
  const x2 = x[i + 2];
  const x3 = x[i + 3];
  const x4 = x[i + 4];
  const x5 = x[i + 5];
  // sums begin with zero, so that no result is minus zero
  if (from <= 0)
    out[o] = 0 + a[m] * x0 + a[m + 1] * x1 + a[m + 3] * x2 + a[m + 6] * x3 + a[m + 10] * x4 + a[m + 15] * x5;
  if (from <= 1)
    out[o + 1] = 0 + a[m + 1] * x0 + a[m + 2] * x1 + a[m + 4] * x2 + a[m + 7] * x3 + a[m + 11] * x4 + a[m + 16] * x5;
  if (from <= 2)
    out[o + 2] = 0 + a[m + 3] * x0 + a[m + 4] * x1 + a[m + 5] * x2 + a[m + 8] * x3 + a[m + 12] * x4 + a[m + 17] * x5;
  if (from <= 3)
    out[o + 3] = 0 + a[m + 6] * x0 + a[m + 7] * x1 + a[m + 8] * x2 + a[m + 9] * x3 + a[m + 13] * x4 + a[m + 18] * x5;
  if (from <= 4)
    out[o + 4] =
      0 + a[m + 10] * x0 + a[m + 11] * x1 + a[m + 12] * x2 + a[m + 13] * x3 + a[m + 14] * x4 + a[m + 19] * x5;
  out[o + 5] = 0 + a[m + 15] * x0 + a[m + 16] * x1 + a[m + 17] * x2 + a[m + 18] * x3 + a[m + 19] * x4 + a[m + 20] * x5;
}
