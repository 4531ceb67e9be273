/**
 * Signed singular value decomposition of a 3x3 matrix, F = U diag(s) V^T, with U and V rotations.
 *
 * Method: one-sided Jacobi [Hestenes1958]. Rotations from the right make the columns of F V orthogonal to each other;
 * their lengths are the singular values and their directions are U. Unlike the eigenvalues of F^T F this never squares
 * the condition number, so the small singular values and their directions keep full accuracy. U is then finished with
 * a cross product, which makes it a rotation and gives the last singular value the sign of det F for nothing.
 */

import { identityMat3 } from './mat3.js';
import { exchangeColumnsMat3, rotateColumnsMat3 } from './mat3-product.js';
import { maxMagnitude, powerOfTwoScale } from './scale.js';
import { setVec3 } from './vec3.js';

/**
 * Two columns count as orthogonal when the square of the cosine between them is below (2^-51)^2. A computed scalar
 * product of three terms is itself uncertain by 3 * 2^-53 of the lengths, so a smaller bound might never be met.
 */
const COSINE_SQ_TOLERANCE = 1.9721522630525295e-31;

/** Random matrices need 3 to 5 sweeps; the limit only guarantees an end. */
const MAX_SWEEPS = 20;

/** A column with a squared length below this, beside entries near 1, is nothing but underflow. */
const NO_LENGTH_SQ = 1e-280;

/**
 * F = U diag(s) V^T for the nine numbers at `f[i]`, row-major.
 *
 * `u` and `v` get nine numbers each, with determinant +1; `s` gets three numbers sorted by magnitude, of which only
 * the last can be negative: it has the sign of det F. All three must be f64 and must not overlap, except that `u` may
 * be `f`. For any finite input U and V are orthonormal to 1e-14 and F is reproduced to 1e-13 of its largest singular
 * value; multiplying F by a power of two changes nothing but the exponents of s, as long as nothing underflows.
 *
 * Returns false when an entry is not finite, or a singular value would overflow: then U = V = I and s = 0.
 */
export function svd3(
  u: Float64Array,
  o: number,
  s: Float64Array,
  k: number,
  v: Float64Array,
  j: number,
  f: ArrayLike<number>,
  i: number,
): boolean {
  const max = maxMagnitude(f, i, 9);
  if (!(max > 0)) {
    identityMat3(u, o);
    identityMat3(v, j);
    setVec3(s, k, 0, 0, 0);
    return max === 0;
  }
  const scale = powerOfTwoScale(max);
  for (let e = 0; e < 9; e++) u[o + e] = f[i + e] * scale;
  identityMat3(v, j);

  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const rotated01 = orthogonaliseColumns(u, o, v, j, 0, 1);
    const rotated02 = orthogonaliseColumns(u, o, v, j, 0, 2);
    const rotated12 = orthogonaliseColumns(u, o, v, j, 1, 2);
    if (!rotated01 && !rotated02 && !rotated12) break;
  }
  sortColumns(u, o, v, j, 0, 1);
  sortColumns(u, o, v, j, 1, 2);
  sortColumns(u, o, v, j, 0, 1);

  // Each rotation leaves V off by a rounding error or two. Removing what has piled up halves the worst error of a million
  // matrices, from 2.2e-15 to 1.1e-15.
  finishRotation(v, j);
  const back = 1 / scale;
  const s0 = Math.sqrt(columnDot(u, o, 0, 0));
  const s1 = Math.sqrt(columnDot(u, o, 1, 1));
  const x = u[o + 2];
  const y = u[o + 5];
  const z = u[o + 8];
  finishRotation(u, o);
  // The third column is parallel to the cross product but for rounding; its sign is that of det F.
  const along = x * u[o + 2] + y * u[o + 5] + z * u[o + 8];
  const s2 = along > s1 ? s1 : along < -s1 ? -s1 : along;
  // + 0 turns -0 into 0.
  setVec3(s, k, s0 * back, s1 * back, s2 * back + 0);
  if (!(s[k] <= Number.MAX_VALUE)) {
    identityMat3(u, o);
    identityMat3(v, j);
    setVec3(s, k, 0, 0, 0);
    return false;
  }
  return true;
}

/** The scalar product of columns p and q of the matrix at `m[o]`. */
function columnDot(m: Float64Array, o: number, p: number, q: number): number {
  return m[o + p] * m[o + q] + m[o + 3 + p] * m[o + 3 + q] + m[o + 6 + p] * m[o + 6 + q];
}

/** Rotates columns p and q of `a`, and of `v` with them, until they are orthogonal. False if they already were. */
function orthogonaliseColumns(a: Float64Array, o: number, v: Float64Array, j: number, p: number, q: number): boolean {
  const pp = columnDot(a, o, p, p);
  const qq = columnDot(a, o, q, q);
  const pq = columnDot(a, o, p, q);
  if (pq * pq <= COSINE_SQ_TOLERANCE * pp * qq) return false;
  // The tangent of the smaller of the two angles: the same equation as one rotation of Jacobi on A^T A.
  const zeta = (qq - pp) / (2 * pq);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  rotateColumnsMat3(a, o, p, q, c, s);
  rotateColumnsMat3(v, j, p, q, c, s);
  return true;
}

/** Exchanges columns p and q in both matrices when the second is longer. */
function sortColumns(a: Float64Array, o: number, v: Float64Array, j: number, p: number, q: number): void {
  if (columnDot(a, o, p, p) >= columnDot(a, o, q, q)) return;
  exchangeColumnsMat3(a, o, p, q);
  exchangeColumnsMat3(v, j, p, q);
}

/**
 * Turns a matrix with nearly orthogonal columns, longest first, into a rotation: the first column is normalised, the
 * second made orthogonal to it and normalised, the third is their cross product. When the second has no direction of
 * its own (F has rank 1) any perpendicular direction is as good.
 */
function finishRotation(m: Float64Array, o: number): void {
  const length0 = Math.sqrt(columnDot(m, o, 0, 0));
  const x0 = m[o] / length0;
  const y0 = m[o + 3] / length0;
  const z0 = m[o + 6] / length0;
  const lengthSq = columnDot(m, o, 1, 1);
  const overlap = x0 * m[o + 1] + y0 * m[o + 4] + z0 * m[o + 7];
  let x1 = m[o + 1] - overlap * x0;
  let y1 = m[o + 4] - overlap * y0;
  let z1 = m[o + 7] - overlap * z0;
  // The second test is for columns so short that underflow hid from the sweeps that they are parallel to the first.
  if (lengthSq < NO_LENGTH_SQ || x1 * x1 + y1 * y1 + z1 * z1 < 0.5 * lengthSq) {
    // The cross product of the first column and the axis of its smallest component.
    const ax = Math.abs(x0);
    const ay = Math.abs(y0);
    const az = Math.abs(z0);
    const useX = ax <= ay && ax <= az;
    const useY = !useX && ay <= az;
    x1 = useX ? 0 : useY ? -z0 : y0;
    y1 = useX ? z0 : useY ? 0 : -x0;
    z1 = useX ? -y0 : useY ? x0 : 0;
  }
  const length1 = Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
  x1 /= length1;
  y1 /= length1;
  z1 /= length1;
  m[o] = x0;
  m[o + 3] = y0;
  m[o + 6] = z0;
  m[o + 1] = x1;
  m[o + 4] = y1;
  m[o + 7] = z1;
  m[o + 2] = y0 * z1 - z0 * y1;
  m[o + 5] = z0 * x1 - x0 * z1;
  m[o + 8] = x0 * y1 - y0 * x1;
}
