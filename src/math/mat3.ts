/**
 * 3x3 matrices inside flat arrays: nine numbers, row-major, `(array, index of the first)`. Row r, column c is at
 * `index + 3 r + c`. Same rules as `vec3.ts`: results first, aliasing allowed, nothing allocates.
 */

import type { MutableNumbers } from './vec3.js';

/** out = the nine numbers, row by row. */
export function setMat3(
  out: MutableNumbers,
  o: number,
  m00: number,
  m01: number,
  m02: number,
  m10: number,
  m11: number,
  m12: number,
  m20: number,
  m21: number,
  m22: number,
): void {
  out[o] = m00;
  out[o + 1] = m01;
  out[o + 2] = m02;
  out[o + 3] = m10;
  out[o + 4] = m11;
  out[o + 5] = m12;
  out[o + 6] = m20;
  out[o + 7] = m21;
  out[o + 8] = m22;
}

/** out = I. */
export function identityMat3(out: MutableNumbers, o: number): void {
  setMat3(out, o, 1, 0, 0, 0, 1, 0, 0, 0, 1);
}

/** out = A. */
export function copyMat3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number): void {
  for (let k = 0; k < 9; k++) out[o + k] = a[i + k];
}

/** out = A + B * factor. */
export function addScaledMat3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  factor: number,
): void {
  for (let k = 0; k < 9; k++) out[o + k] = a[i + k] + b[j + k] * factor;
}

/** out = A v, three numbers. */
export function multiplyMat3Vec3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  v: ArrayLike<number>,
  j: number,
): void {
  const x = v[j];
  const y = v[j + 1];
  const z = v[j + 2];
  const r0 = a[i] * x + a[i + 1] * y + a[i + 2] * z;
  const r1 = a[i + 3] * x + a[i + 4] * y + a[i + 5] * z;
  const r2 = a[i + 6] * x + a[i + 7] * y + a[i + 8] * z;
  out[o] = r0;
  out[o + 1] = r1;
  out[o + 2] = r2;
}

/** out = A^T v, three numbers. */
export function transposeMultiplyMat3Vec3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  v: ArrayLike<number>,
  j: number,
): void {
  const x = v[j];
  const y = v[j + 1];
  const z = v[j + 2];
  const r0 = a[i] * x + a[i + 3] * y + a[i + 6] * z;
  const r1 = a[i + 1] * x + a[i + 4] * y + a[i + 7] * z;
  const r2 = a[i + 2] * x + a[i + 5] * y + a[i + 8] * z;
  out[o] = r0;
  out[o + 1] = r1;
  out[o + 2] = r2;
}

/** out += factor * a b^T, the step that builds covariance matrices and inertia tensors. */
export function addOuterMat3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  factor: number,
): void {
  const x = b[j] * factor;
  const y = b[j + 1] * factor;
  const z = b[j + 2] * factor;
  for (let r = 0; r < 3; r++) {
    const ar = a[i + r];
    out[o + 3 * r] += ar * x;
    out[o + 3 * r + 1] += ar * y;
    out[o + 3 * r + 2] += ar * z;
  }
}

/** out = [v], the matrix with [v] u = v x u. */
export function crossMat3(out: MutableNumbers, o: number, v: ArrayLike<number>, i: number): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  setMat3(out, o, 0, -z, y, z, 0, -x, -y, x, 0);
}

/** The sum of the diagonal. */
export function traceMat3(a: ArrayLike<number>, i: number): number {
  return a[i] + a[i + 4] + a[i + 8];
}

/** det A; the volume by which A multiplies. */
export function determinantMat3(a: ArrayLike<number>, i: number): number {
  return (
    a[i] * (a[i + 4] * a[i + 8] - a[i + 5] * a[i + 7]) +
    a[i + 1] * (a[i + 5] * a[i + 6] - a[i + 3] * a[i + 8]) +
    a[i + 2] * (a[i + 3] * a[i + 7] - a[i + 4] * a[i + 6])
  );
}
