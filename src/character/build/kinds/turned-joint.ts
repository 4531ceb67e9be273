/**
 * A joint of two bones told from its second bone: limits and motors are those of the second bone against the first, and where a skeleton hangs the
 * first one on the second all of them turn round. With q the turn of the second bone against the first, the other way it is q*.
 *
 * A ball's turn is q = m s t: the middle, a lean across the axis a, a twist about it. Then q* = m* (m t* s* t m*) (m t* m*): the middle m*, a lean
 * across m a by the same angle, and the opposite twist about it. An ellipse of leans is turned by the twist meanwhile, which is left out.
 */
import type { JointDef, JointLimitsDef, JointMotorDef, Vec3 } from '../../../body/body-def.js';
import { conjugateQuat, rotateVec3 } from '../../../math/quat.js';
import { perpendicularVec3 } from '../../../math/vec3.js';

type Quat = readonly [number, number, number, number];
type Range = readonly [number, number];

/** Axis of joints that name none. */
const Z: Vec3 = [0, 0, 1];

/** The same joint with its bones in the other order. */
export function turnJoint(joint: JointDef): JointDef {
  const { type, axis = Z, secondAxis = across(axis), limits, motor } = joint;
  const bones = [joint.bones[1], joint.bones[0]];
  const swaps = type === 'universal';
  const turned = {
    ...joint,
    bones,
    // of a universal joint one axis is fixed in each bone
    ...(swaps && { axis: secondAxis, secondAxis: axis }),
    ...(limits && { limits: turnLimits(limits, swaps) }),
    ...(motor && { motor: turnMotor(motor, swaps) }),
  };
  if (type !== 'ball' || limits?.middle === undefined) return turned;
  const { middle } = limits;
  return {
    ...turned,
    axis: rotated(middle, axis),
    secondAxis: rotated(middle, secondAxis),
  };
}

function turnLimits({ range, secondRange, cone, twist, middle }: JointLimitsDef, swaps: boolean): JointLimitsDef {
  const first = swaps ? secondRange : range;
  const second = swaps ? range : secondRange;
  return {
    ...(first && { range: opposite(first) }),
    ...(second && { secondRange: opposite(second) }),
    ...(cone !== undefined && { cone }),
    ...(twist && { twist: opposite(twist) }),
    ...(middle && { middle: conjugate(middle) }),
  };
}

function turnMotor(motor: JointMotorDef, swaps: boolean): JointMotorDef {
  const { target, speed, torque, maxTorque } = motor;
  return {
    ...motor,
    ...(target !== undefined && { target: typeof target === 'number' ? -target : conjugate(target) }),
    ...(speed !== undefined && { speed: minus(speed) }),
    ...(torque !== undefined && { torque: minus(torque) }),
    ...(swaps && typeof maxTorque === 'object' && { maxTorque: [maxTorque[1], maxTorque[0], maxTorque[2]] as const }),
  };
}

/** Second axis of joints that name none. */
function across(axis: Vec3): Vec3 {
  const out = new Float64Array(3);
  perpendicularVec3(out, 0, axis, 0);
  return [out[0], out[1], out[2]];
}

function opposite([least, most]: Range): Range {
  return [-most, -least];
}

function minus(value: number | Vec3): number | Vec3 {
  return typeof value === 'number' ? -value : [-value[0], -value[1], -value[2]];
}

function conjugate(q: Quat): Quat {
  const out = new Float64Array(4);
  conjugateQuat(out, 0, q, 0);
  return [out[0], out[1], out[2], out[3]];
}

function rotated(q: Quat, v: Vec3): Vec3 {
  const out = new Float64Array(3);
  rotateVec3(out, 0, q, 0, v, 0);
  return [out[0], out[1], out[2]];
}
