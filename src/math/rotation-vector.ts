/**
 * The rotation vector of a unit quaternion, axis times angle, without trigonometry: part of the step (motors measure how far a joint is from
 * its target by it). The tangent of an eighth of the half angle is so small that few terms of the series for its angle do.
 */
import type { MutableNumbers } from './vec3.js';

/** Below this sine of half the angle the vector is twice the quaternion's to the last bit. */
const SMALL = 1e-9;

/** out = log of the unit quaternion q as a rotation vector [rad], at most half a turn long; right to 4e-14 rad. */
export function quatToRotationVector(out: MutableNumbers, o: number, q: ArrayLike<number>, i: number): void {
  const sign = q[i + 3] < 0 ? -1 : 1;
  const x = sign * q[i];
  const y = sign * q[i + 1];
  const z = sign * q[i + 2];
  const sine = Math.sqrt(x * x + y * y + z * z);
  let factor = 2;
  if (sine > SMALL) {
    // halve the half angle three times: tan of a quarter, an eighth and a sixteenth of the angle
    let t = sine / (1 + sign * q[i + 3]);
    t = t / (1 + Math.sqrt(1 + t * t));
    t = t / (1 + Math.sqrt(1 + t * t));
    factor = (16 * smallArcTangent(t)) / sine;
  }
  out[o] = factor * x;
  out[o + 1] = factor * y;
  out[o + 2] = factor * z;
}

/** atan t = t − t³/3 + ... + t¹⁷/17 for t ≤ tan(π/16): the first term left out is below 3e-15. */
function smallArcTangent(t: number): number {
  const s = t * t;
  let sum = 1 / 17;
  for (let n = 15; n > 0; n -= 2) sum = 1 / n - s * sum;
  return t * sum;
}
