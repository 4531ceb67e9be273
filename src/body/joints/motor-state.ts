/**
 * Motors of joints as arrays of the state: MOTOR_STRIDE numbers per pair of bones. What they mean is in motors.ts of the projective solver; all
 * directions are in the axes of the first bone (of the world for a bone that is pinned to it).
 */
import { requireFinite, requireList, TendonError } from '../../errors.js';
import { identityQuat, normaliseQuat } from '../../math/quat.js';
import { axisAngleQuat } from '../../math/rotation.js';
import type { JointDef, JointMotorDef, JointType } from '../body-def.js';
import { JOINT_TABLE } from './joint-table.js';

/** Where in a pair's numbers each thing begins. */
export const MOTOR = {
  /** Rotation of the second bone against the first to go to, from the rest pose: quaternion. */
  target: 0,
  /** Rate to go at [rad/s]. */
  rate: 4,
  /** Torque that acts whatever the joint does [N m]. */
  feed: 7,
  /** Stiffness [N m/rad] and damping [N m s/rad]. */
  stiffness: 10,
  damping: 11,
  /** Largest torque about each direction of the joint's frame [N m]. */
  cap: 12,
} as const;

export const MOTOR_STRIDE = 15;

/** The motors joints start with. `frame`: 9 per pair. */
export function buildMotors(
  defs: readonly JointDef[],
  ofPair: Int32Array,
  frame: Float64Array,
  place: string,
): Float64Array {
  const motors = new Float64Array(ofPair.length * MOTOR_STRIDE);
  ofPair.forEach((joint, pair) => {
    const { type, motor } = defs[joint];
    const o = pair * MOTOR_STRIDE;
    clearMotor(motors, o);
    if (motor) writeMotor(motors, o, motor, type, frame, pair * 9, `${place}/${joint}/motor`);
  });
  return motors;
}

/** A motor that does nothing. */
export function clearMotor(motors: Float64Array, o: number): void {
  motors.fill(0, o, o + MOTOR_STRIDE);
  identityQuat(motors, o + MOTOR.target);
  motors.fill(Number.POSITIVE_INFINITY, o + MOTOR.cap, o + MOTOR_STRIDE);
}

/** Checks what is given and writes it; what is not given stays. Nothing is written where something is wrong. */
export function writeMotor(
  motors: Float64Array,
  o: number,
  given: JointMotorDef,
  type: JointType,
  frame: Float64Array,
  f: number,
  place: string,
): void {
  if (JOINT_TABLE[type].motor.length === 0) {
    throw new TendonError('E_JOINT', place, type, 'a joint of this type does not turn');
  }
  const next = motors.slice(o, o + MOTOR_STRIDE);
  const axis = frame.subarray(f, f + 3);
  if (given.target !== undefined) writeTarget(next, given.target, type, axis, `${place}/target`);
  writeVector(next, MOTOR.rate, given.speed, type, axis, `${place}/speed`);
  writeVector(next, MOTOR.feed, given.torque, type, axis, `${place}/torque`);
  writeGain(next, MOTOR.stiffness, given.stiffness, `${place}/stiffness`);
  writeGain(next, MOTOR.damping, given.damping, `${place}/damping`);
  if (given.maxTorque !== undefined) {
    const caps =
      typeof given.maxTorque === 'number' ? [given.maxTorque, given.maxTorque, given.maxTorque] : given.maxTorque;
    // no bound at all is a bound at infinity
    if (
      !requireList(caps, `${place}/maxTorque`).every((cap) => typeof cap === 'number' && cap >= 0) ||
      caps.length !== 3
    ) {
      throw new TendonError('E_RANGE', `${place}/maxTorque`, given.maxTorque, 'a largest torque is 0 or more [N m]');
    }
    next.set(caps, MOTOR.cap);
  }
  motors.set(next, o);
}

function writeTarget(
  next: Float64Array,
  target: number | ArrayLike<number>,
  type: JointType,
  axis: Float64Array,
  place: string,
): void {
  if (typeof target === 'number') {
    requireHinge(type, target, place);
    requireFinite([target], place);
    axisAngleQuat(next, MOTOR.target, axis, 0, target);
    return;
  }
  requireFinite(target, place);
  if (target.length !== 4 || !normaliseQuat(next, MOTOR.target, target, 0)) {
    throw new TendonError('E_RANGE', place, target, 'a rotation is a quaternion x, y, z, w with a length');
  }
}

function writeVector(
  next: Float64Array,
  at: number,
  given: number | ArrayLike<number> | undefined,
  type: JointType,
  axis: Float64Array,
  place: string,
): void {
  if (given === undefined) return;
  if (typeof given === 'number') {
    requireHinge(type, given, place);
    requireFinite([given], place);
    for (let k = 0; k < 3; k++) next[at + k] = given * axis[k];
    return;
  }
  requireFinite(given, place);
  if (given.length !== 3) throw new TendonError('E_RANGE', place, given, 'a vector has three numbers');
  for (let k = 0; k < 3; k++) next[at + k] = given[k];
}

function writeGain(next: Float64Array, at: number, given: number | undefined, place: string): void {
  if (given === undefined) return;
  requireFinite([given], place);
  if (given < 0) throw new TendonError('E_RANGE', place, given, 'a negative gain would push away from the target');
  next[at] = given;
}

function requireHinge(type: JointType, value: number, place: string): void {
  if (type === 'hinge') return;
  throw new TendonError('E_JOINT', place, value, `a ${type} joint has no single axis: give a quaternion or a vector`);
}
