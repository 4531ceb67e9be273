/**
 * The three products of two 3x3 matrices (row-major, see `mat3.ts`), and the column operations of the Jacobi methods.
 * The transposed ones save a pass over memory where a rotation meets a deformation.
 */

import { setMat3 } from './mat3.js';
import type { MutableNumbers } from './vec3.js';

/** out = A B. */
export function multiplyMat3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  multiplyStrided(out, o, a, i, 3, 1, b, j, 3, 1);
}

/** out = A^T B. */
export function transposeMultiplyMat3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  multiplyStrided(out, o, a, i, 1, 3, b, j, 3, 1);
}

/** out = A B^T. */
export function multiplyTransposeMat3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  multiplyStrided(out, o, a, i, 3, 1, b, j, 1, 3);
}

/** Columns p and q of the matrix at `m[o]` become c p - s q and s p + c q. */
export function rotateColumnsMat3(m: MutableNumbers, o: number, p: number, q: number, c: number, s: number): void {
  for (let k = o; k < o + 9; k += 3) {
    const x = m[k + p];
    const y = m[k + q];
    m[k + p] = c * x - s * y;
    m[k + q] = s * x + c * y;
  }
}

/** Columns p and q become q and -p: exchanged, and the determinant keeps its sign. */
export function exchangeColumnsMat3(m: MutableNumbers, o: number, p: number, q: number): void {
  for (let k = o; k < o + 9; k += 3) {
    const x = m[k + p];
    m[k + p] = m[k + q];
    m[k + q] = -x;
  }
}

/** A and B are read with the step between rows and between columns given; swapping the two reads the transpose. */
function multiplyStrided(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  aRow: number,
  aColumn: number,
  b: ArrayLike<number>,
  j: number,
  bRow: number,
  bColumn: number,
): void {
  const a00 = a[i];
  const a01 = a[i + aColumn];
  const a02 = a[i + 2 * aColumn];
  const a10 = a[i + aRow];
  const a11 = a[i + aRow + aColumn];
  const a12 = a[i + aRow + 2 * aColumn];
  const a20 = a[i + 2 * aRow];
  const a21 = a[i + 2 * aRow + aColumn];
  const a22 = a[i + 2 * aRow + 2 * aColumn];
  const b00 = b[j];
  const b01 = b[j + bColumn];
  const b02 = b[j + 2 * bColumn];
  const b10 = b[j + bRow];
  const b11 = b[j + bRow + bColumn];
  const b12 = b[j + bRow + 2 * bColumn];
  const b20 = b[j + 2 * bRow];
  const b21 = b[j + 2 * bRow + bColumn];
  const b22 = b[j + 2 * bRow + 2 * bColumn];
  setMat3(
    out,
    o,
    a00 * b00 + a01 * b10 + a02 * b20,
    a00 * b01 + a01 * b11 + a02 * b21,
    a00 * b02 + a01 * b12 + a02 * b22,
    a10 * b00 + a11 * b10 + a12 * b20,
    a10 * b01 + a11 * b11 + a12 * b21,
    a10 * b02 + a11 * b12 + a12 * b22,
    a20 * b00 + a21 * b10 + a22 * b20,
    a20 * b01 + a21 * b11 + a22 * b21,
    a20 * b02 + a21 * b12 + a22 * b22,
  );
}
