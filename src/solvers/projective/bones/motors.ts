/**
 * Motors of joints in the bone step: torques that lead a joint to a rotation, to a rate, or simply push, taken at the end of the step so that no
 * gain is too high. With q the second bone's rotation against the first, q_n that at the start of the step:
 *
 *     τ = k log(target q*) + d (rate + log(q_n q*)/h) + feed          κ = k + d/h
 *
 * τ goes to the right-hand side, κ to the turning of both bones and between them (about the axis alone for a hinge). A motor whose largest torque is
 * near leaves both for the rest of the step and becomes soft rows with bounds (active-rows.ts).
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { JOINT_TABLE, JOINT_TYPES } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { MOTOR, MOTOR_STRIDE } from '../../../body/joints/motor-state.js';
import { conjugateQuat, multiplyQuat } from '../../../math/quat.js';
import { quatToRotationVector } from '../../../math/rotation-vector.js';
import { dotVec3 } from '../../../math/vec3.js';
import type { Actuator } from './actuator.js';
import type { BoneSystem } from './bone-system.js';

/** Share of its largest torque from which a motor counts as one that may reach it. */
const NEAR_CAP = 0.9;

/** Motors of one body in one step. */
export class Motors {
  /** Torque on the second bone of each pair at the poses last measured, world axes, 3 per pair [N m]. */
  readonly torque: Float64Array;
  /** κ of each pair [N m/rad]; 0 where there is no motor. */
  readonly stiffness: Float64Array;
  /** 1 where the motor is made of rows with bounds. */
  readonly bounded: Uint8Array;
  /** Directions of the joint in the first bone, world axes, 9 per pair; filled where a motor is. */
  readonly axes: Float64Array;
  /** Whether anything pushes in this step. */
  any = false;
  /** What pushes beside the motors. */
  readonly others: Actuator[] = [];
  readonly #joints: Joints;
  readonly #world: number;
  readonly #on: Uint8Array;
  /** q_n of each pair, and the torque that counts as balanced while contacts are answered. */
  readonly #start: Float64Array;
  readonly #base: Float64Array;
  #state: Float64Array | undefined;
  #h = 1;
  #based = false;
  readonly #q = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #way = new Float64Array(3);
  readonly #local = new Float64Array(3);
  readonly #k = new Float64Array(9);

  /** `world`: the number that stands for the world among the bones. */
  constructor(joints: Joints, world: number) {
    const { count } = joints;
    this.#joints = joints;
    this.#world = world;
    this.torque = new Float64Array(count * 3);
    this.stiffness = new Float64Array(count);
    this.bounded = new Uint8Array(count);
    this.axes = new Float64Array(count * 9);
    this.#on = new Uint8Array(count);
    this.#start = new Float64Array(count * 4);
    this.#base = new Float64Array(count * 3);
  }

  /** Starts a step of `h` [s] from these poses with the motors of the body's state; what pushes beside them has started. */
  restart(motors: Float64Array | undefined, poses: BonePoses, h: number): void {
    this.#state = motors;
    this.#h = h;
    this.any = this.others.some(({ any }) => any);
    this.bounded.fill(0);
    this.releaseBase();
    this.torque.fill(0);
    for (let pair = 0; pair < this.#joints.count; pair++) {
      const on = motors !== undefined && this.#isOn(motors, pair);
      this.#on[pair] = on ? 1 : 0;
      this.stiffness[pair] = on
        ? motors[pair * MOTOR_STRIDE + MOTOR.stiffness] + motors[pair * MOTOR_STRIDE + MOTOR.damping] / h
        : 0;
      if (!on) continue;
      this.any = true;
      this.readTurn(poses, pair, this.#start, pair * 4);
    }
  }

  /** The first bone of a pair as limits and motors see it: what the other one hangs on. */
  parent(pair: number): number {
    const { boneA, boneB } = this.#joints;
    return boneB[pair] === this.#world ? boneB[pair] : boneA[pair];
  }

  child(pair: number): number {
    const { boneA, boneB } = this.#joints;
    return boneB[pair] === this.#world ? boneA[pair] : boneB[pair];
  }

  /** Torques as they are now count as balanced: from here on only what changes them pulls. */
  keepBase(poses: BonePoses): void {
    this.releaseBase();
    if (!this.any) return;
    this.measure(poses);
    for (const other of this.others) other.keepBase(poses);
    this.#based = true;
    // the rows of a bounded motor know what they have pushed so far
    for (let i = 0; i < this.torque.length; i++) if (!this.bounded[Math.floor(i / 3)]) this.#base[i] = this.torque[i];
  }

  releaseBase(): void {
    this.#based = false;
    this.#base.fill(0);
    for (const other of this.others) other.releaseBase();
  }

  /** Fills torques and directions at these poses; says which motors are near their largest torque. */
  measure(poses: BonePoses): void {
    if (!this.any) return;
    for (const other of this.others) other.measure(poses);
    for (let pair = 0; pair < this.#joints.count; pair++) if (this.#on[pair]) this.#measurePair(poses, pair);
  }

  /** Largest torque of a bounded motor about direction `axis` of its joint [N m]. */
  cap(pair: number, axis: number): number {
    return this.#state ? this.#state[pair * MOTOR_STRIDE + MOTOR.cap + axis] : 0;
  }

  /** Adds κ to the matrix. */
  addStiffness(system: BoneSystem, poses: BonePoses): void {
    for (const other of this.others) other.addStiffness(system, poses);
    for (let pair = 0; this.any && pair < this.#joints.count; pair++) {
      const kappa = this.stiffness[pair];
      if (kappa === 0 || this.bounded[pair]) continue;
      this.#k.fill(0);
      if (this.motorAxes(pair).length === 3) for (let i = 0; i < 9; i += 4) this.#k[i] = kappa;
      else {
        const n = pair * 9;
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++) this.#k[i * 3 + j] = kappa * this.axes[n + i] * this.axes[n + j];
      }
      system.addTurnSpring(poses, this.parent(pair), this.child(pair), this.#k);
    }
  }

  /** Adds `share` of the torques to the right-hand side. */
  addTorques(system: BoneSystem, poses: BonePoses, share: number): void {
    for (const other of this.others) other.addForces(system, poses, share);
    for (let pair = 0; this.any && pair < this.#joints.count; pair++) {
      if (!this.#on[pair] || this.bounded[pair]) continue;
      system.addMoment(poses, this.child(pair), this.torque, pair * 3, share);
      system.addMoment(poses, this.parent(pair), this.torque, pair * 3, -share);
    }
  }

  /** Root of the mean square of the angle between joints and the rotations their motors lead to [rad]; 0 where none leads anywhere. */
  error(poses: BonePoses): number {
    const motors = this.#state;
    let [sum, count] = [0, 0];
    for (let pair = 0; motors && pair < this.#joints.count; pair++) {
      const o = pair * MOTOR_STRIDE;
      if (!this.#on[pair] || motors[o + MOTOR.stiffness] === 0) continue;
      this.readTurn(poses, pair, this.#q, 0);
      conjugateQuat(this.#q, 0, this.#q, 0);
      multiplyQuat(this.#turn, 0, motors, o + MOTOR.target, this.#q, 0);
      quatToRotationVector(this.#way, 0, this.#turn, 0);
      sum += dotVec3(this.#way, 0, this.#way, 0);
      count++;
    }
    return count > 0 ? Math.sqrt(sum / count) : 0;
  }

  #isOn(motors: Float64Array, pair: number): boolean {
    if (this.motorAxes(pair).length === 0) return false;
    const o = pair * MOTOR_STRIDE;
    return (
      motors[o + MOTOR.stiffness] !== 0 ||
      motors[o + MOTOR.damping] !== 0 ||
      motors[o + MOTOR.feed] !== 0 ||
      motors[o + MOTOR.feed + 1] !== 0 ||
      motors[o + MOTOR.feed + 2] !== 0
    );
  }

  /** Whether a pair has a motor in this step. */
  isOn(pair: number): boolean {
    return this.#on[pair] === 1;
  }

  /** Directions of the joint that its motor turns about. */
  motorAxes(pair: number): readonly number[] {
    return JOINT_TABLE[JOINT_TYPES[this.#joints.types[pair]]].motor;
  }

  /** q of a pair, to out[o..o + 4): the second bone in the axes of the first. */
  readTurn({ quats }: BonePoses, pair: number, out: Float64Array, o: number): void {
    conjugateQuat(this.#turn, 0, quats, this.parent(pair) * 4);
    multiplyQuat(out, o, this.#turn, 0, quats, this.child(pair) * 4);
  }

  #measurePair(poses: BonePoses, pair: number): void {
    const motors = this.#state as Float64Array;
    const o = pair * MOTOR_STRIDE;
    const { rotations } = poses;
    const parent = this.parent(pair) * 9;
    const local = this.#local;
    this.readTurn(poses, pair, this.#q, 0);
    conjugateQuat(this.#q, 0, this.#q, 0);
    for (let k = 0; k < 3; k++)
      local[k] = motors[o + MOTOR.feed + k] + motors[o + MOTOR.damping] * motors[o + MOTOR.rate + k];
    this.#addWay(motors, o + MOTOR.target, motors[o + MOTOR.stiffness]);
    this.#addWay(this.#start, pair * 4, motors[o + MOTOR.damping] / this.#h);
    for (let i = 0; i < 3; i++) {
      const f = pair * 9 + i * 3;
      for (let k = 0; k < 3; k++) {
        const r = parent + k * 3;
        const { frame } = this.#joints;
        this.axes[f + k] = rotations[r] * frame[f] + rotations[r + 1] * frame[f + 1] + rotations[r + 2] * frame[f + 2];
      }
    }
    this.#clamp(pair, o);
    for (let k = 0; k < 3; k++) this.torque[pair * 3 + k] -= this.#base[pair * 3 + k];
  }

  /** local += factor log(to q*). */
  #addWay(to: Float64Array, o: number, factor: number): void {
    if (factor === 0) return;
    multiplyQuat(this.#turn, 0, to, o, this.#q, 0);
    quatToRotationVector(this.#way, 0, this.#turn, 0);
    for (let k = 0; k < 3; k++) this.#local[k] += factor * this.#way[k];
  }

  /** Torque about each direction of the joint that the motor turns about; without stiffness it is cut here, with some it becomes rows. */
  #clamp(pair: number, o: number): void {
    const { frame } = this.#joints;
    const motors = this.#state as Float64Array;
    const axes = this.motorAxes(pair);
    const to = pair * 3;
    this.torque.fill(0, to, to + 3);
    for (let n = 0; n < axes.length; n++) {
      const f = pair * 9 + axes[n] * 3;
      const cap = motors[o + MOTOR.cap + axes[n]];
      let along = frame[f] * this.#local[0] + frame[f + 1] * this.#local[1] + frame[f + 2] * this.#local[2];
      if (this.stiffness[pair] > 0) {
        if (Math.abs(along) > NEAR_CAP * cap && !this.#based) this.bounded[pair] = 1;
      } else if (Math.abs(along) > cap) along = along < 0 ? -cap : cap;
      for (let k = 0; k < 3; k++) this.torque[to + k] += along * this.axes[f + k];
    }
  }
}
