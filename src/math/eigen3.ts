/**
 * Eigenvalues and eigenvectors of a symmetric 3x3 matrix by cyclic Jacobi rotations [Golub2013 §8.5]: each rotation
 * removes one entry off the diagonal, and what is left shrinks quadratically. Used for principal axes of inertia and
 * for making Hessians positive definite.
 */

import { identityMat3 } from './mat3.js';
import { exchangeColumnsMat3, rotateColumnsMat3 } from './mat3-product.js';
import { maxMagnitude, powerOfTwoScale } from './scale.js';
import { type MutableNumbers, setVec3 } from './vec3.js';

/** Half a unit in the last place, 2^-53: an entry this small beside its two diagonal entries no longer changes them. */
const TOLERANCE = 1.1102230246251565e-16;

/** Convergence takes 4 to 6 rounds of three rotations; the limit only guarantees an end. */
const MAX_ROTATIONS = 3 * 20;

/**
 * A = Q diag(values) Q^T for a symmetric A (nine numbers, of which the upper triangle is read).
 *
 * `values` gets three numbers, largest first; the columns of `vectors` (nine numbers) get the unit eigenvectors, with
 * determinant +1. Both must be f64. Returns false when an entry is not finite or a value would overflow: then the
 * values are zero and the vectors are the identity.
 */
export function eigenSymmetricMat3(
  values: MutableNumbers,
  o: number,
  vectors: MutableNumbers,
  v: number,
  a: ArrayLike<number>,
  i: number,
): boolean {
  const max = maxMagnitude(a, i, 9);
  const scale = powerOfTwoScale(max);
  // The names turn: after each rotation (p, q, r) become (q, r, p), so one block of code serves all three pairs.
  let p = 0;
  let q = 1;
  let r = 2;
  let pp = a[i] * scale;
  let qq = a[i + 4] * scale;
  let rr = a[i + 8] * scale;
  let pq = a[i + 1] * scale;
  let qr = a[i + 5] * scale;
  let rp = a[i + 2] * scale;
  if (Number.isNaN(max)) return giveUp(values, o, vectors, v);
  identityMat3(vectors, v);
  // Three rotations in a row with nothing to do: finished, and the names are back where they began or turned alike.
  let idle = 0;
  for (let rotation = 0; rotation < MAX_ROTATIONS && idle < 3; rotation++) {
    idle++;
    if (Math.abs(pq) > TOLERANCE * (Math.abs(pp) + Math.abs(qq))) {
      idle = 0;
      // The tangent of the smaller of the two angles that make pq vanish.
      const zeta = (qq - pp) / (2 * pq);
      const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
      const c = 1 / Math.sqrt(1 + t * t);
      const s = t * c;
      pp -= t * pq;
      qq += t * pq;
      pq = 0;
      const rpBefore = rp;
      rp = c * rp - s * qr;
      qr = s * rpBefore + c * qr;
      rotateColumnsMat3(vectors, v, p, q, c, s);
    }
    const index = p;
    p = q;
    q = r;
    r = index;
    const diagonal = pp;
    pp = qq;
    qq = rr;
    rr = diagonal;
    const beside = pq;
    pq = qr;
    qr = rp;
    rp = beside;
  }
  const back = 1 / scale;
  values[o + p] = pp * back;
  values[o + q] = qq * back;
  values[o + r] = rr * back;
  if (Number.isNaN(maxMagnitude(values, o, 3))) return giveUp(values, o, vectors, v);
  sortDescending(values, o, vectors, v, 0, 1);
  sortDescending(values, o, vectors, v, 1, 2);
  sortDescending(values, o, vectors, v, 0, 1);
  return true;
}

function giveUp(values: MutableNumbers, o: number, vectors: MutableNumbers, v: number): false {
  setVec3(values, o, 0, 0, 0);
  identityMat3(vectors, v);
  return false;
}

function sortDescending(
  values: MutableNumbers,
  o: number,
  vectors: MutableNumbers,
  v: number,
  p: number,
  q: number,
): void {
  const x = values[o + p];
  const y = values[o + q];
  if (x >= y) return;
  values[o + p] = y;
  values[o + q] = x;
  exchangeColumnsMat3(vectors, v, p, q);
}
