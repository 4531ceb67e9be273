/**
 * How the torques of motors change: with the turns of their two bones, with the rotation they lead to, and with where the step began. With
 * φ = log(target q*), q the second bone's rotation against the first, a turn δ of q (axes of the first bone) takes φ to φ − J_r⁻¹(φ) δ, a turn of the
 * target to φ + J_l⁻¹(φ) δ, where
 *
 *     J_r⁻¹, J_l⁻¹ = 1 ± ½[φ] + c [φ]²,     c = (1 − ½|φ| cot ½|φ|)/|φ|²
 *
 * Motors at their largest torque do not change. Called by the adjoint of the step; the torques themselves are in bones/motors.ts.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { JOINT_TABLE, JOINT_TYPES } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { MOTOR, MOTOR_STRIDE } from '../../../body/joints/motor-state.js';
import { crossMat3, multiplyMat3Vec3, transposeMultiplyMat3Vec3 } from '../../../math/mat3.js';
import { multiplyMat3 } from '../../../math/mat3-product.js';
import { conjugateQuat, multiplyQuat } from '../../../math/quat.js';
import { quatToRotationVector } from '../../../math/rotation-vector.js';
import { lengthSqVec3 } from '../../../math/vec3.js';

/** Below this square of an angle [rad²] c is its limit, a twelfth. */
const SMALL = 1e-8;

/** Slopes of the motors of one body at the end of a step. */
export class MotorSlopes {
  /** 1 where a motor acts, per pair. */
  readonly on: Uint8Array;
  /** Torque on the second bone, world axes, 3 per pair [N m]. */
  readonly torque: Float64Array;
  /** Minus its change with a turn of the second bone against the first, axes of the first, 9 per pair [N m/rad]. */
  readonly stiffness: Float64Array;
  /** Its change with a turn of the target, and of the rotation at the start of the step; same axes, 9 each per pair. */
  readonly byTarget: Float64Array;
  readonly byStart: Float64Array;
  readonly #joints: Joints;
  readonly #world: number;
  readonly #q = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #way = new Float64Array(3);
  readonly #local = new Float64Array(3);
  readonly #matrix = new Float64Array(9);
  readonly #square = new Float64Array(9);
  readonly #kept = new Float64Array(9);

  constructor(joints: Joints, world: number) {
    const { count } = joints;
    this.#joints = joints;
    this.#world = world;
    this.on = new Uint8Array(count);
    this.torque = new Float64Array(count * 3);
    this.stiffness = new Float64Array(count * 9);
    this.byTarget = new Float64Array(count * 9);
    this.byStart = new Float64Array(count * 9);
  }

  /** The bone that the other one of a pair hangs on. */
  parent(pair: number): number {
    const { boneA, boneB } = this.#joints;
    return boneB[pair] === this.#world ? boneB[pair] : boneA[pair];
  }

  child(pair: number): number {
    const { boneA, boneB } = this.#joints;
    return boneB[pair] === this.#world ? boneA[pair] : boneB[pair];
  }

  /** Fills everything for motors (MOTOR_STRIDE numbers per pair) in a step of `h` [s] between two sets of poses. */
  prepare(motors: Float64Array, start: BonePoses, end: BonePoses, h: number): void {
    for (const all of [this.torque, this.stiffness, this.byTarget, this.byStart]) all.fill(0);
    for (let pair = 0; pair < this.#joints.count; pair++) {
      const o = pair * MOTOR_STRIDE;
      const { length } = this.#axes(pair);
      let any = false;
      for (let k = MOTOR.feed; k <= MOTOR.damping; k++) any ||= motors[o + k] !== 0;
      this.on[pair] = length > 0 && any ? 1 : 0;
      if (this.on[pair]) this.#prepare(motors, start, end, h, pair);
    }
  }

  #axes(pair: number): readonly number[] {
    return JOINT_TABLE[JOINT_TYPES[this.#joints.types[pair]]].motor;
  }

  #prepare(motors: Float64Array, start: BonePoses, end: BonePoses, h: number, pair: number): void {
    const o = pair * MOTOR_STRIDE;
    const [k, d] = [motors[o + MOTOR.stiffness], motors[o + MOTOR.damping]];
    const local = this.#local;
    for (let i = 0; i < 3; i++) local[i] = motors[o + MOTOR.feed + i] + d * motors[o + MOTOR.rate + i];
    this.#relative(end, pair, this.#q);
    conjugateQuat(this.#q, 0, this.#q, 0);
    multiplyQuat(this.#turn, 0, motors, o + MOTOR.target, this.#q, 0);
    this.#addWay(pair, k, this.byTarget);
    this.#relative(start, pair, this.#turn);
    multiplyQuat(this.#turn, 0, this.#turn, 0, this.#q, 0);
    this.#addWay(pair, d / h, this.byStart);
    this.#project(motors, end, pair);
  }

  /** q of a pair: the second bone in the axes of the first. */
  #relative({ quats }: BonePoses, pair: number, out: Float64Array): void {
    conjugateQuat(out, 0, quats, this.parent(pair) * 4);
    multiplyQuat(out, 0, out, 0, quats, this.child(pair) * 4);
  }

  /** Adds `gain` times the way in #turn to the torque, and its slopes; those by the far end go to `byEnd`. */
  #addWay(pair: number, gain: number, byEnd: Float64Array): void {
    if (gain === 0) return;
    const way = this.#way;
    quatToRotationVector(way, 0, this.#turn, 0);
    const angleSq = lengthSqVec3(way, 0);
    const sine = Math.sqrt(lengthSqVec3(this.#turn, 0));
    const half = 0.5 * Math.sqrt(angleSq);
    const c = angleSq < SMALL ? 1 / 12 : (1 - (half * Math.abs(this.#turn[3])) / sine) / angleSq;
    crossMat3(this.#matrix, 0, way, 0);
    multiplyMat3(this.#square, 0, this.#matrix, 0, this.#matrix, 0);
    for (let i = 0; i < 9; i++) {
      const even = (i % 4 === 0 ? 1 : 0) + c * this.#square[i];
      this.stiffness[pair * 9 + i] += gain * (even + 0.5 * this.#matrix[i]);
      byEnd[pair * 9 + i] += gain * (even - 0.5 * this.#matrix[i]);
    }
    for (let i = 0; i < 3; i++) this.#local[i] += gain * way[i];
  }

  /** Keeps what turns about the motor's directions and is not at its largest torque. */
  #project(motors: Float64Array, { rotations }: BonePoses, pair: number): void {
    const { frame } = this.#joints;
    const kept = this.#kept.fill(0);
    const along = this.#way.fill(0);
    for (const axis of this.#axes(pair)) {
      const f = pair * 9 + axis * 3;
      const cap = motors[pair * MOTOR_STRIDE + MOTOR.cap + axis];
      let torque = 0;
      for (let i = 0; i < 3; i++) torque += frame[f + i] * this.#local[i];
      const isFree = Math.abs(torque) < cap;
      if (!isFree) torque = torque < 0 ? -cap : cap;
      for (let i = 0; i < 3; i++) {
        along[i] += torque * frame[f + i];
        for (let j = 0; isFree && j < 3; j++) kept[i * 3 + j] += frame[f + i] * frame[f + j];
      }
    }
    multiplyMat3Vec3(this.torque, pair * 3, rotations, this.parent(pair) * 9, along, 0);
    for (const slopes of [this.stiffness, this.byTarget, this.byStart]) {
      multiplyMat3(this.#square, 0, kept, 0, slopes, pair * 9);
      for (let i = 0; i < 9; i++) slopes[pair * 9 + i] = this.#square[i];
    }
  }

  /**
   * What a weight on the torque (world axes, at `weight`) makes of the turns of the target, to out[o..o+3) in the axes of the first bone; and of those of
   * the bones at the start of the step, added to `turns` (3 per bone, own axes).
   */
  pullBack(
    pair: number,
    weight: Float64Array,
    start: BonePoses,
    end: BonePoses,
    out: Float64Array,
    o: number,
    turns: Float64Array,
  ): void {
    const [parent, child] = [this.parent(pair), this.child(pair)];
    const local = this.#local;
    transposeMultiplyMat3Vec3(local, 0, end.rotations, parent * 9, weight, 0);
    transposeMultiplyMat3Vec3(out, o, this.byTarget, pair * 9, local, 0);
    transposeMultiplyMat3Vec3(this.#way, 0, this.byStart, pair * 9, local, 0);
    for (let i = 0; parent < this.#world && i < 3; i++) turns[parent * 3 + i] -= this.#way[i];
    multiplyMat3Vec3(local, 0, start.rotations, parent * 9, this.#way, 0);
    transposeMultiplyMat3Vec3(this.#way, 0, start.rotations, child * 9, local, 0);
    for (let i = 0; i < 3; i++) turns[child * 3 + i] += this.#way[i];
  }
}
