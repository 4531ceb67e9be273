/**
 * Motors of joints: torques that lead a joint to a rotation, to a rate, or simply push. Part of the free step.
 *
 *     τ = k log(target q*) + d rate + feed − (d + h k) ω'        q: the bone's rotation against its parent, ω' its rate at the end of the step
 *
 * Taken at the end of the step, so that no gain is too high: h (d + h k) is a damping of the turnings, the rest a push on them. A motor
 * that is near its largest torque, or was in the last step, is left out here and becomes rows with bounds (`joint-rows.ts`). So does one that contacts
 * drive beyond it: the step is then begun anew.
 */
import { JOINT_TABLE, JOINT_TYPES } from '../../../body/joints/joint-table.js';
import { MOTOR, MOTOR_STRIDE } from '../../../body/joints/motor-state.js';
import { conjugateQuat, multiplyQuat } from '../../../math/quat.js';
import { quatToRotationVector } from '../../../math/rotation-vector.js';
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';

/** Share of its largest torque from which a motor counts as one that may reach it. */
const NEAR_CAP = 0.9;

const Q = new Float64Array(4);
const WAY = new Float64Array(3);
const LOCAL = new Float64Array(3);

/** Motors of one body in one step; joints by their bone. */
export class JointMotors {
  /** Torque at no rate, on the bone, world axes, 3 per bone [N m]. */
  readonly torque: Float64Array;
  /** d + h k of each bone's joint [N m s/rad]. */
  readonly slowing: Float64Array;
  /** 1 where a motor is, 2 where it is made of rows. */
  readonly kind: Uint8Array;
  readonly #model: LayerModel;
  /** 1 for motors that contacts drove beyond their largest torque in this step. */
  readonly #overdriven: Uint8Array;

  constructor(model: LayerModel) {
    const { count } = model.bones;
    this.#model = model;
    this.torque = new Float64Array(3 * count);
    this.slowing = new Float64Array(count);
    this.kind = new Uint8Array(count);
    this.#overdriven = new Uint8Array(count);
  }

  /** A new step: what the last one found out is forgotten. */
  forget(): void {
    this.#overdriven.fill(0);
  }

  /**
   * Finds motors that give more than they can at the velocities that contacts lead to; whether there are any. They are rows from the next `begin`
   * on, until `forget`. After the solve of contacts.
   */
  findOverdriven({ state, model, fronts, mobility, needed }: LayerBody): boolean {
    const { velocity } = fronts;
    const { change } = mobility;
    // nothing changed the free velocities where nothing pushed
    const pushed = needed[0] === 1;
    let any = false;
    for (let bone = 1; bone < this.kind.length; bone++) {
      if (this.kind[bone] !== 1) continue;
      const p = 6 * model.bones.parents[bone];
      for (let k = 0; k < 3; k++) {
        const b = 6 * bone + k;
        LOCAL[k] = velocity[b] - velocity[p + k] + (pushed ? change[b] - change[p + k] : 0);
      }
      const o = MOTOR_STRIDE * (bone - 1);
      if (!this.#exceeds(state.motors, o, model, state.poses.rotations, bone)) continue;
      this.#overdriven[bone] = 1;
      any = true;
    }
    return any;
  }

  /** Whether the torque at the rate LOCAL is beyond the largest about any direction of the joint. */
  #exceeds(motors: Float64Array, o: number, model: LayerModel, rotations: Float64Array, bone: number): boolean {
    const axes = this.axes(bone);
    for (let n = 0; n < axes.length; n++) {
      const cap = motors[o + MOTOR.cap + axes[n]];
      if (cap === Number.POSITIVE_INFINITY) continue;
      readAxis(model, rotations, bone, axes[n], WAY);
      let torque = 0;
      for (let k = 0; k < 3; k++) torque += WAY[k] * (this.torque[3 * bone + k] - this.slowing[bone] * LOCAL[k]);
      if (Math.abs(torque) > cap) return true;
    }
    return false;
  }

  /** Fills torques at the start of a step of h [s]. */
  begin(body: LayerBody, h: number): void {
    const { motors } = body.state;
    for (let bone = 1; bone < this.kind.length; bone++) {
      const o = MOTOR_STRIDE * (bone - 1);
      this.kind[bone] = 0;
      if (!isOn(motors, o) || this.axes(bone).length === 0) continue;
      this.slowing[bone] = motors[o + MOTOR.damping] + h * motors[o + MOTOR.stiffness];
      this.#measure(body, bone, motors, o);
      this.kind[bone] = this.#overdriven[bone] === 1 || this.#mayReachCap(body, bone, motors, o) ? 2 : 1;
    }
  }

  /** Directions of the joint's frame that its motor turns about. */
  axes(bone: number): readonly number[] {
    return JOINT_TABLE[JOINT_TYPES[this.#model.joints.types[bone - 1]]].motor;
  }

  /** Whether the motor of a joint does more than push: then nothing else draws the joint anywhere. */
  leads(bone: number): boolean {
    return this.kind[bone] !== 0 && this.slowing[bone] > 0;
  }

  /** Adds a motor that is no row to turning j of its joint. */
  addTo(body: LayerBody, bone: number, j: number, h: number): void {
    if (this.kind[bone] !== 1) return;
    const { fronts } = body;
    const at = 3 * bone + j;
    const t = 3 * bone;
    const a = 3 * at;
    const { axes } = fronts;
    fronts.damping[at] += h * this.slowing[bone];
    fronts.push[at] +=
      h * (axes[a] * this.torque[t] + axes[a + 1] * this.torque[t + 1] + axes[a + 2] * this.torque[t + 2]);
  }

  #measure({ state, model }: LayerBody, bone: number, motors: Float64Array, o: number): void {
    const { quats, rotations: r } = state.poses;
    const parent = model.bones.parents[bone];
    readWay(quats, bone, parent, motors, o);
    for (let k = 0; k < 3; k++) {
      LOCAL[k] =
        motors[o + MOTOR.stiffness] * WAY[k] +
        motors[o + MOTOR.damping] * motors[o + MOTOR.rate + k] +
        motors[o + MOTOR.feed + k];
    }
    for (let k = 0; k < 3; k++) {
      const row = 9 * parent + 3 * k;
      this.torque[3 * bone + k] = r[row] * LOCAL[0] + r[row + 1] * LOCAL[1] + r[row + 2] * LOCAL[2];
    }
  }

  /** By the torque it would have at the present rate, or had in the last step. */
  #mayReachCap({ state, model }: LayerBody, bone: number, motors: Float64Array, o: number): boolean {
    const { spins, jointTorques } = state;
    const parent = model.bones.parents[bone];
    const axes = this.axes(bone);
    for (let n = 0; n < axes.length; n++) {
      const cap = motors[o + MOTOR.cap + axes[n]];
      if (cap === Number.POSITIVE_INFINITY) continue;
      readAxis(model, state.poses.rotations, bone, axes[n], WAY);
      let now = 0;
      let last = 0;
      for (let k = 0; k < 3; k++) {
        const rate = spins[3 * bone + k] - spins[3 * parent + k];
        now += WAY[k] * (this.torque[3 * bone + k] - this.slowing[bone] * rate);
        last += WAY[k] * jointTorques[6 * (bone - 1) + 3 + k];
      }
      if (Math.abs(now) > NEAR_CAP * cap || Math.abs(last) > NEAR_CAP * cap) return true;
    }
    return false;
  }
}

/** out = direction i of the frame of a bone's joint, in the world, as the parent carries it. */
export function readAxis(model: LayerModel, r: Float64Array, bone: number, i: number, out: Float64Array): void {
  const { frame } = model.joints;
  const f = 9 * (bone - 1) + 3 * i;
  for (let k = 0; k < 3; k++) {
    const row = 9 * model.bones.parents[bone] + 3 * k;
    out[k] = r[row] * frame[f] + r[row + 1] * frame[f + 1] + r[row + 2] * frame[f + 2];
  }
}

function isOn(motors: Float64Array, o: number): boolean {
  const f = o + MOTOR.feed;
  const pushes = motors[f] !== 0 || motors[f + 1] !== 0 || motors[f + 2] !== 0;
  return pushes || motors[o + MOTOR.stiffness] !== 0 || motors[o + MOTOR.damping] !== 0;
}

/** Root of the mean square of the angle between joints and the rotations their motors lead to [rad]; 0 where none leads anywhere. */
export function motorError({ state, model }: LayerBody): number {
  const { motors } = state;
  let sum = 0;
  let count = 0;
  for (let bone = 1; bone < model.bones.count; bone++) {
    const o = MOTOR_STRIDE * (bone - 1);
    if (motors[o + MOTOR.stiffness] === 0) continue;
    readWay(state.poses.quats, bone, model.bones.parents[bone], motors, o);
    sum += WAY[0] * WAY[0] + WAY[1] * WAY[1] + WAY[2] * WAY[2];
    count++;
  }
  return count > 0 ? Math.sqrt(sum / count) : 0;
}

/** WAY = log(target q*) with q = conj(parent) bone, in the parent's axes. */
function readWay(quats: Float64Array, bone: number, parent: number, motors: Float64Array, o: number): void {
  conjugateQuat(Q, 0, quats, 4 * bone);
  multiplyQuat(Q, 0, Q, 0, quats, 4 * parent);
  multiplyQuat(Q, 0, motors, o + MOTOR.target, Q, 0);
  quatToRotationVector(WAY, 0, Q, 0);
}
