/**
 * Unit quaternions x, y, z, w inside flat arrays, `(array, index of x)`. The product `a b` turns by b first, then by a,
 * like matrices. Same rules as `vec3.ts`. Ways to make one are in `rotation.ts`.
 */

import type { MutableNumbers } from './vec3.js';

/** out = (x, y, z, w). */
export function setQuat(out: MutableNumbers, o: number, x: number, y: number, z: number, w: number): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

/** out = no rotation. */
export function identityQuat(out: MutableNumbers, o: number): void {
  setQuat(out, o, 0, 0, 0, 1);
}

/** out = q. */
export function copyQuat(out: MutableNumbers, o: number, q: ArrayLike<number>, i: number): void {
  setQuat(out, o, q[i], q[i + 1], q[i + 2], q[i + 3]);
}

/** out = the opposite rotation of a unit quaternion. */
export function conjugateQuat(out: MutableNumbers, o: number, q: ArrayLike<number>, i: number): void {
  // read before anything is written, and written here: numbers handed to a function that is not inlined are boxed
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  out[o] = -x;
  out[o + 1] = -y;
  out[o + 2] = -z;
  out[o + 3] = w;
}

/** out = a b: turn by b, then by a. */
export function multiplyQuat(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const aw = a[i + 3];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = q / |q|. A quaternion without a direction (zero, overflowing or NaN) becomes the identity: returns false. */
export function normaliseQuat(out: MutableNumbers, o: number, q: ArrayLike<number>, i: number): boolean {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  const lengthSq = x * x + y * y + z * z + w * w;
  if (!(lengthSq > 1e-300 && lengthSq <= Number.MAX_VALUE)) {
    identityQuat(out, o);
    return false;
  }
  const length = Math.sqrt(lengthSq);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
  return true;
}

/** out = the vector v turned by the unit quaternion q. */
export function rotateVec3(
  out: MutableNumbers,
  o: number,
  q: ArrayLike<number>,
  i: number,
  v: ArrayLike<number>,
  j: number,
): void {
  rotate(out, o, q, i, 1, v, j);
}

/** out = the vector v turned by the opposite of the unit quaternion q: world to body. */
export function unrotateVec3(
  out: MutableNumbers,
  o: number,
  q: ArrayLike<number>,
  i: number,
  v: ArrayLike<number>,
  j: number,
): void {
  rotate(out, o, q, i, -1, v, j);
}

/** v' = v + w t + u x t with u = sign (x, y, z) and t = 2 u x v: fewer products than q v q*. */
function rotate(
  out: MutableNumbers,
  o: number,
  q: ArrayLike<number>,
  i: number,
  sign: 1 | -1,
  v: ArrayLike<number>,
  j: number,
): void {
  const x = sign * q[i];
  const y = sign * q[i + 1];
  const z = sign * q[i + 2];
  const w = q[i + 3];
  const vx = v[j];
  const vy = v[j + 1];
  const vz = v[j + 2];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[o] = vx + w * tx + (y * tz - z * ty);
  out[o + 1] = vy + w * ty + (z * tx - x * tz);
  out[o + 2] = vz + w * tz + (x * ty - y * tx);
}

/** out = the rotation matrix (nine numbers, row-major) of a unit quaternion. */
export function quatToMat3(out: MutableNumbers, o: number, q: ArrayLike<number>, i: number): void {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y - w * z);
  out[o + 2] = 2 * (x * z + w * y);
  out[o + 3] = 2 * (x * y + w * z);
  out[o + 4] = 1 - 2 * (x * x + z * z);
  out[o + 5] = 2 * (y * z - w * x);
  out[o + 6] = 2 * (x * z - w * y);
  out[o + 7] = 2 * (y * z + w * x);
  out[o + 8] = 1 - 2 * (x * x + y * y);
}

/**
 * out = the unit quaternion of a rotation matrix [Shepperd1978]: of the four components the largest is found from the
 * diagonal, so that the root is never of a small difference. Which of the two signs comes
 * out depends on the branch; both are the same rotation.
 */
export function mat3ToQuat(out: MutableNumbers, o: number, m: ArrayLike<number>, i: number): void {
  const m00 = m[i];
  const m11 = m[i + 4];
  const m22 = m[i + 8];
  const x = m[i + 7] - m[i + 5];
  const y = m[i + 2] - m[i + 6];
  const z = m[i + 3] - m[i + 1];
  const trace = m00 + m11 + m22;
  const xy = m[i + 1] + m[i + 3];
  const xz = m[i + 2] + m[i + 6];
  const yz = m[i + 5] + m[i + 7];
  // Each line is the quaternion times four times its largest component; normalising removes the factor.
  if (trace >= m00 && trace >= m11 && trace >= m22) setQuat(out, o, x, y, z, 1 + trace);
  else if (m00 >= m11 && m00 >= m22) setQuat(out, o, 1 + m00 - m11 - m22, xy, xz, x);
  else if (m11 >= m22) setQuat(out, o, xy, 1 + m11 - m00 - m22, yz, y);
  else setQuat(out, o, xz, yz, 1 + m22 - m00 - m11, z);
  normaliseQuat(out, o, out, o);
}
