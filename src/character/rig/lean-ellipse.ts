/**
 * The smallest simple limits that hold a motion of a ball joint: the middle is the mean direction of the bone, the cone an ellipse along the spread of
 * its leans, the twist as measured. The rest pose counts as part of the motion, because characters start in it.
 */
import type { Vec3 } from '../../body/body-def.js';
import { square } from '../../math/powers.js';
import { multiplyQuat, rotateVec3 } from '../../math/quat.js';
import { axisAngleQuat, betweenDirectionsQuat } from '../../math/rotation.js';
import { atan2 } from '../../math/trig.js';
import { crossVec3, dotVec3, normaliseVec3, perpendicularVec3 } from '../../math/vec3.js';

/** What is found: angles in rad. */
export interface LeanEllipse {
  readonly secondAxis: Vec3;
  readonly middle: readonly [number, number, number, number];
  readonly swing: number;
  readonly swingAside: number;
  readonly twist: readonly [number, number];
}

/** `turns`: rotation vectors of the bone against its parent, 3 each; `along`: the bone's direction at rest; `room`: what is added [rad]. */
export function fitLeanEllipse(turns: readonly number[], along: Vec3, room: number): LeanEllipse {
  const quats = quaternionsOf(turns);
  const mean = new Float64Array(3);
  const u = new Float64Array(3);
  for (const q of quats) {
    rotateVec3(u, 0, q, 0, along, 0);
    for (let k = 0; k < 3; k++) mean[k] += u[k];
  }
  const middle = new Float64Array(4);
  if (normaliseVec3(mean, 0, mean, 0) > 0) betweenDirectionsQuat(middle, 0, along, 0, mean, 0);
  else middle[3] = 1;
  const back = Float64Array.of(-middle[0], -middle[1], -middle[2], middle[3]);
  for (const q of quats) multiplyQuat(q, 0, back, 0, q, 0);
  const frame = frameAlong(along, quats);
  const leans = quats.map((q) => leanOf(q, frame));
  // half sines: the widest of each, then wider by as much as the ellipse through them misses the farthest
  const widest = [0, 1].map((i) => Math.max(1e-3, ...leans.map((lean) => Math.abs(lean[i]))));
  const reach = Math.max(
    1,
    ...leans.map((lean) => Math.sqrt(square(lean[0] / widest[0]) + square(lean[1] / widest[1]))),
  );
  const [swing, swingAside] = widest.map((sine) => angleOf(Math.min(1, sine * reach)) + room);
  const twists = leans.map((lean) => lean[2]);
  return {
    secondAxis: [frame[3], frame[4], frame[5]],
    middle: [middle[0], middle[1], middle[2], middle[3]],
    swing: Math.min(Math.PI, swing),
    swingAside: Math.min(Math.PI, swingAside),
    twist: [Math.min(...twists) - room, Math.max(...twists) + room],
  };
}

/** The turns as quaternions, the rest pose first. */
function quaternionsOf(turns: readonly number[]): Float64Array[] {
  const quats = [Float64Array.of(0, 0, 0, 1)];
  for (let i = 0; i < turns.length; i += 3) {
    const axis = turns.slice(i, i + 3);
    const angle = Math.sqrt(dotVec3(axis, 0, axis, 0));
    const q = Float64Array.of(0, 0, 0, 1);
    if (angle > 1e-9) axisAngleQuat(q, 0, axis, 0, angle);
    quats.push(q);
  }
  return quats;
}

/** The bone's direction and two perpendicular to it, the second along which leans spread most. */
function frameAlong(along: Vec3, quats: readonly Float64Array[]): Float64Array {
  const frame = new Float64Array(9);
  frame.set(along);
  perpendicularVec3(frame, 3, frame, 0);
  crossVec3(frame, 6, frame, 0, frame, 3);
  let [xx, xy, yy] = [0, 0, 0];
  for (const q of quats) {
    const [a, b] = leanOf(q, frame);
    xx += a * a;
    xy += a * b;
    yy += b * b;
  }
  // half the angle of (xx − yy, 2 xy) is that of the longer axis
  const half = atan2(2 * xy, xx - yy) / 2;
  const turn = new Float64Array(4);
  axisAngleQuat(turn, 0, along, 0, half);
  rotateVec3(frame, 3, turn, 0, frame, 3);
  crossVec3(frame, 6, frame, 0, frame, 3);
  return frame;
}

/** Sines of half the lean about the second and third direction, and the twist [rad]. */
function leanOf(q: Float64Array, frame: Float64Array): [number, number, number] {
  const x = dotVec3(q, 0, frame, 0);
  const y = dotVec3(q, 0, frame, 3);
  const z = dotVec3(q, 0, frame, 6);
  // swing times twist: the swing has no part along the axis
  const length = Math.sqrt(x * x + q[3] * q[3]) || 1;
  const s = x / length;
  const c = q[3] / length;
  const sign = c < 0 ? -1 : 1;
  return [c * y - s * z, c * z + s * y, 2 * atan2(sign * s, sign * c)];
}

function angleOf(halfSine: number): number {
  return 2 * atan2(halfSine, Math.sqrt(Math.max(0, 1 - halfSine * halfSine)));
}
