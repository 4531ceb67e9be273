/**
 * The inverse of a 3x3 matrix (row-major, see `mat3.ts`) by cofactors, with an honest answer to "is it singular?". Used
 * for rest shapes of tetrahedra and for inertia tensors.
 */

import { setMat3 } from './mat3.js';
import { maxMagnitude, powerOfTwoScale } from './scale.js';
import type { MutableNumbers } from './vec3.js';

/**
 * A determinant smaller than this part of the sum of its terms' magnitudes cannot be told from zero: four roundings of
 * half a unit in the last place each, 4 * 2^-53.
 */
const DETERMINANT_NOISE = 4.440892098500626e-16;

/**
 * out = A^-1. Returns false, and leaves `out` as it was, when A is singular: when its determinant cannot be told from
 * rounding noise, when an entry of A is not finite, or when an entry of the inverse would not be. The test does not
 * change when a row or a column is scaled, so flat tetrahedra in any unit are judged alike.
 */
export function invertMat3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number): boolean {
  const scale = powerOfTwoScale(maxMagnitude(a, i, 9));
  const m00 = a[i] * scale;
  const m01 = a[i + 1] * scale;
  const m02 = a[i + 2] * scale;
  const m10 = a[i + 3] * scale;
  const m11 = a[i + 4] * scale;
  const m12 = a[i + 5] * scale;
  const m20 = a[i + 6] * scale;
  const m21 = a[i + 7] * scale;
  const m22 = a[i + 8] * scale;
  const c00 = m11 * m22 - m12 * m21;
  const c01 = m12 * m20 - m10 * m22;
  const c02 = m10 * m21 - m11 * m20;
  const determinant = m00 * c00 + m01 * c01 + m02 * c02;
  const terms =
    Math.abs(m00) * (Math.abs(m11 * m22) + Math.abs(m12 * m21)) +
    Math.abs(m01) * (Math.abs(m12 * m20) + Math.abs(m10 * m22)) +
    Math.abs(m02) * (Math.abs(m10 * m21) + Math.abs(m11 * m20));
  // Written so that NaN fails it as well.
  if (!(Math.abs(determinant) > DETERMINANT_NOISE * terms)) return false;
  // A^-1 = scale (scale A)^-1. Multiplying after the division keeps the intermediate numbers ordinary.
  const r00 = (c00 / determinant) * scale;
  const r01 = ((m02 * m21 - m01 * m22) / determinant) * scale;
  const r02 = ((m01 * m12 - m02 * m11) / determinant) * scale;
  const r10 = (c01 / determinant) * scale;
  const r11 = ((m00 * m22 - m02 * m20) / determinant) * scale;
  const r12 = ((m02 * m10 - m00 * m12) / determinant) * scale;
  const r20 = (c02 / determinant) * scale;
  const r21 = ((m01 * m20 - m00 * m21) / determinant) * scale;
  const r22 = ((m00 * m11 - m01 * m10) / determinant) * scale;
  // x - x is 0 for a finite number and NaN for any other; the sum is 0 only if all nine are finite.
  const finite =
    r00 - r00 + (r01 - r01) + (r02 - r02) + (r10 - r10) + (r11 - r11) + (r12 - r12) + (r20 - r20) + (r21 - r21);
  if (finite + (r22 - r22) !== 0) return false;
  setMat3(out, o, r00, r01, r02, r10, r11, r12, r20, r21, r22);
  return true;
}
