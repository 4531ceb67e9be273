/**
 * Ways to make a unit quaternion: from a small rotation vector, from two directions, from an axis and an angle. The
 * first is the update of every rigid body in the step; the others are for building.
 */

import { identityQuat, normaliseQuat, setQuat } from './quat.js';
import { cos, sin } from './trig.js';
import { lengthVec3, type MutableNumbers, perpendicularVec3, setVec3 } from './vec3.js';

/** The sine below which two directions count as parallel: their cross product is then mostly rounding error. */
const PARALLEL_SINE = 1e-15;
/** Smallest cosine of half an angle that `turnRate` divides by: turns of 179.9 degrees. */
const LEAST_COSINE = 1e-3;

/**
 * out = normalise(w / 2, 1), the Cayley map of the rotation vector w (three numbers, axis times angle [rad]).
 *
 * It turns by 2 atan(|w| / 2) = |w| - |w|^3 / 12 + ... : the exponential map to second order, without trigonometry,
 * exact for the midpoint rule and never beyond half a turn. A w that is not finite gives the identity: returns false.
 */
export function smallRotationQuat(out: MutableNumbers, o: number, w: ArrayLike<number>, i: number): boolean {
  setQuat(out, o, 0.5 * w[i], 0.5 * w[i + 1], 0.5 * w[i + 2], 1);
  return normaliseQuat(out, o, out, o);
}

/**
 * q turned further by the small rotation vector w [rad], in place, by the same Cayley map. `w` is given in the world
 * frame, as an angular velocity times the time step is. When w is not finite q stays as it was: returns false.
 */
export function turnQuat(q: MutableNumbers, o: number, w: ArrayLike<number>, i: number): boolean {
  const a = 0.5 * w[i];
  const b = 0.5 * w[i + 1];
  const c = 0.5 * w[i + 2];
  const lengthSq = a * a + b * b + c * c;
  if (!(lengthSq <= Number.MAX_VALUE)) return false;
  const x = q[o];
  const y = q[o + 1];
  const z = q[o + 2];
  const s = q[o + 3];
  // (a, b, c, 1) times q, normalised once at the end.
  q[o] = x + a * s + b * z - c * y;
  q[o + 1] = y + b * s + c * x - a * z;
  q[o + 2] = z + c * s + a * y - b * x;
  q[o + 3] = s - a * x - b * y - c * z;
  return normaliseQuat(q, o, q, o);
}

/**
 * out = the angular velocity [rad/s] whose Cayley step of length h [s], as `turnQuat` takes it, leads from one unit quaternion to
 * another exactly; a half turn or more, which no such step reaches, is cut short.
 */
export function turnRate(
  from: ArrayLike<number>,
  i: number,
  to: ArrayLike<number>,
  j: number,
  h: number,
  out: MutableNumbers,
): void {
  const ax = -from[i];
  const ay = -from[i + 1];
  const az = -from[i + 2];
  const aw = from[i + 3];
  const bx = to[j];
  const by = to[j + 1];
  const bz = to[j + 2];
  const bw = to[j + 3];
  const w = bw * aw - bx * ax - by * ay - bz * az;
  const scale = Math.abs(w) > LEAST_COSINE ? 2 / (h * w) : (w < 0 ? -2 : 2) / (h * LEAST_COSINE);
  out[0] = scale * (bw * ax + bx * aw + by * az - bz * ay);
  out[1] = scale * (bw * ay - bx * az + by * aw + bz * ax);
  out[2] = scale * (bw * az + bx * ay - by * ax + bz * aw);
}

/**
 * out = the shortest rotation that takes the direction a to the direction b; neither needs unit length. Opposite
 * directions turn by half a turn about an axis that depends on a alone. Returns false, and gives the identity, when
 * one of them has no direction.
 */
export function betweenDirectionsQuat(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): boolean {
  const lengthA = lengthVec3(a, i);
  const lengthB = lengthVec3(b, j);
  if (!(lengthA > 1e-150 && lengthB > 1e-150 && lengthA <= Number.MAX_VALUE && lengthB <= Number.MAX_VALUE)) {
    identityQuat(out, o);
    return false;
  }
  const ax = a[i] / lengthA;
  const ay = a[i + 1] / lengthA;
  const az = a[i + 2] / lengthA;
  const bx = b[j] / lengthB;
  const by = b[j + 1] / lengthB;
  const bz = b[j + 2] / lengthB;
  let x = ay * bz - az * by;
  let y = az * bx - ax * bz;
  let z = ax * by - ay * bx;
  if (x * x + y * y + z * z < PARALLEL_SINE * PARALLEL_SINE) {
    // a and b have been read, so `out` is free to hold the axis for a moment, even if it is one of them.
    setVec3(out, o, ax, ay, az);
    perpendicularVec3(out, o, out, o);
    x = out[o];
    y = out[o + 1];
    z = out[o + 2];
  }
  // The axis must be perpendicular to a to the last bit: a nearly opposite b leaves a cross product full of rounding
  // error. An error of the axis within the plane perpendicular to a is harmless, because b hardly leaves the line of a.
  const overlap = (x * ax + y * ay + z * az) / (ax * ax + ay * ay + az * az);
  x -= overlap * ax;
  y -= overlap * ay;
  z -= overlap * az;
  const length = Math.sqrt(x * x + y * y + z * z);
  // With unit vectors |a - b| = 2 sin(angle / 2) and |a + b| = 2 cos(angle / 2); no cancellation at either end.
  const sine = Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz));
  const cosine = Math.sqrt((ax + bx) * (ax + bx) + (ay + by) * (ay + by) + (az + bz) * (az + bz));
  setQuat(out, o, (x / length) * sine, (y / length) * sine, (z / length) * sine, cosine);
  return normaliseQuat(out, o, out, o);
}

/**
 * out = the rotation by `angle` [rad] about the axis at `axis[i]`, which needs no unit length. For authoring and
 * loading: sine and cosine are outside the rule of the step, even though these are the same in every engine. Returns
 * false, and gives the identity, when the axis has no direction or the angle is not finite.
 */
export function axisAngleQuat(
  out: MutableNumbers,
  o: number,
  axis: ArrayLike<number>,
  i: number,
  angle: number,
): boolean {
  const length = lengthVec3(axis, i);
  if (!(length > 1e-150 && length <= Number.MAX_VALUE)) {
    identityQuat(out, o);
    return false;
  }
  const half = sin(0.5 * angle) / length;
  setQuat(out, o, axis[i] * half, axis[i + 1] * half, axis[i + 2] * half, cos(0.5 * angle));
  return normaliseQuat(out, o, out, o);
}
