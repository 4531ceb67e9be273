/**
 * A unit quaternion turned by a rotation vector as it is, not to second order: q ← (w/|w| sin |w|/2, cos |w|/2) q, with sine and
 * cosine by their series, which every engine works out to the same bits.
 */
import { normaliseQuat, setQuat } from '../../../math/quat.js';
import type { MutableNumbers } from '../../../math/vec3.js';

/** Terms of the series; with the half angle at most 1 rad the first one left out is below 1e-17. */
const TERMS = 9;

/** Turns q[o..] further by w[i..] [rad], in the world's frame. False, and nothing turned, where w is not finite. */
export function turnByVector(q: MutableNumbers, o: number, w: ArrayLike<number>, i: number): boolean {
  const angleSq = w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2];
  if (!(angleSq <= Number.MAX_VALUE)) return false;
  // halved until the series converges fast, then doubled by (c, s/a) → (2c² − 1, 2 c s/a), in steps the data decides
  let a = 0.25 * angleSq;
  let doublings = 0;
  while (a > 1) {
    a *= 0.25;
    doublings++;
  }
  let sinc = 0;
  let cosine = 0;
  for (let n = TERMS; n > 0; n--) {
    sinc = 1 - (a / (2 * n * (2 * n + 1))) * (n === TERMS ? 1 : sinc);
    cosine = 1 - (a / (2 * n * (2 * n - 1))) * (n === TERMS ? 1 : cosine);
  }
  for (let n = 0; n < doublings; n++) {
    sinc *= cosine;
    cosine = 2 * cosine * cosine - 1;
  }
  const half = 0.5 * sinc;
  const a0 = half * w[i];
  const b0 = half * w[i + 1];
  const c0 = half * w[i + 2];
  const x = q[o];
  const y = q[o + 1];
  const z = q[o + 2];
  const s = q[o + 3];
  setQuat(
    q,
    o,
    cosine * x + a0 * s + b0 * z - c0 * y,
    cosine * y + b0 * s + c0 * x - a0 * z,
    cosine * z + c0 * s + a0 * y - b0 * x,
    cosine * s - a0 * x - b0 * y - c0 * z,
  );
  return normaliseQuat(q, o, q, o);
}
