/**
 * Limits of joints, and motors at their largest torque, as rows of the contact solve: one turning impulse each, equal and opposite on a bone
 * and its parent. Filled after the free step, relaxed by `touch-solver.ts` when its walk enters the bone.
 *
 *     limit      v + h g·ω ≥ 0  ⊥  λ ≥ 0            v: way left at the start of the step [rad], g its slope, ω the bone's rate against its parent
 *     locked     v + h g·ω = 0
 *     motor      λ = h (τ − (d + h k) g·ω), |λ| ≤ h cap
 */
import type { LimitRows } from '../../../body/joints/limit-rows.js';
import { MOTOR, MOTOR_STRIDE } from '../../../body/joints/motor-state.js';
import { lengthVec3 } from '../../../math/vec3.js';
import { KINEMATIC, type LayerBody } from '../layer-body.js';
import type { LayerRoom } from '../layer-room.js';
import { readAxis } from './joint-motors.js';

/** A limit takes no part in a step that would end farther from it than this without contact [rad]. */
const NEAR = 0.05;

const LIMIT = 0;
const LOCKED = 1;
const MOTOR_ROW = 2;

const AXIS = new Float64Array(3);

/** Rows of one body in one step. */
export class JointRows {
  count = 0;
  /** First row of each bone, bones+1 offsets: rows come in the order of bones. */
  readonly first: Int32Array;
  readonly #body: LayerBody;
  readonly #limits: Pick<LimitRows, 'value' | 'slope'>;
  readonly #kind: Int32Array;
  /** g, 3 per row. */
  readonly #direction: Float64Array;
  /** Way left of limits [rad]; torque at no rate of motors [N m]. */
  readonly #value: Float64Array;
  /** Rate per impulse [1/(kg m²)]. */
  readonly #yield: Float64Array;
  /** Motors: d + h k [N m s/rad] and the largest impulse. */
  readonly #slowing: Float64Array;
  readonly #most: Float64Array;
  readonly #impulse: Float64Array;
  #h = 0;
  /** Largest change of an angle by a row since it was last set to zero [rad]. */
  moved = 0;

  constructor(body: LayerBody, room: LayerRoom) {
    const most = room.kinds.length;
    this.#body = body;
    this.#limits = body.limits.rows;
    this.first = room.bones.takeWhole(1, 1);
    this.#kind = room.kinds;
    // the kernel knows them in this order
    this.#direction = room.rows.subarray(0, 3 * most);
    this.#value = room.rows.subarray(3 * most, 4 * most);
    this.#yield = room.rows.subarray(4 * most, 5 * most);
    this.#slowing = room.rows.subarray(5 * most, 6 * most);
    this.#most = room.rows.subarray(6 * most, 7 * most);
    this.#impulse = room.rows.subarray(7 * most, 8 * most);
  }

  /** Finds the rows of a step of h [s]; poses are those of its start, velocities the free ones. */
  find(h: number): void {
    const { model, state, motors, limits } = this.#body;
    this.#h = h;
    this.count = 0;
    for (let bone = 0; bone < model.bones.count; bone++) {
      this.first[bone] = this.count;
      limits.measure(bone, state.poses);
      for (let row = limits.first[bone]; row < limits.end[bone]; row++) {
        if (!this.#isGiven(bone) && this.#takesPart(row, bone)) this.#addLimit(row, bone);
      }
      if (motors.kind[bone] === 2) this.#addMotor(bone);
    }
    this.first[model.bones.count] = this.count;
  }

  /** Whether both bones of a joint go where they are sent, whatever its limits say. */
  #isGiven(bone: number): boolean {
    const { model, state } = this.#body;
    return state.drive[bone] === KINEMATIC && state.drive[model.bones.parents[bone]] === KINEMATIC;
  }

  #takesPart(row: number, bone: number): boolean {
    const { value, slope } = this.#limits;
    const { model, fronts } = this.#body;
    if (model.joints.limits.locked[row] === 1) return true;
    const p = 6 * model.bones.parents[bone];
    const { velocity } = fronts;
    let end = value[row];
    for (let k = 0; k < 3; k++) end += this.#h * slope[3 * row + k] * (velocity[6 * bone + k] - velocity[p + k]);
    return end < NEAR;
  }

  #addLimit(row: number, bone: number): void {
    const { slope, value } = this.#limits;
    const { locked } = this.#body.model.joints.limits;
    const steep = lengthVec3(slope, 3 * row);
    if (!(steep > 0)) return;
    const i = this.count++;
    this.#kind[i] = locked[row] === 1 ? LOCKED : LIMIT;
    for (let k = 0; k < 3; k++) this.#direction[3 * i + k] = slope[3 * row + k] / steep;
    this.#value[i] = value[row] / steep;
    this.#impulse[i] = this.#warm(i, 6 * (bone - 1));
    if (this.#kind[i] === LIMIT && this.#impulse[i] < 0) this.#impulse[i] = 0;
  }

  #addMotor(bone: number): void {
    const { model, state, motors } = this.#body;
    const axes = motors.axes(bone);
    for (let n = 0; n < axes.length; n++) {
      const i = this.count++;
      readAxis(model, state.poses.rotations, bone, axes[n], AXIS);
      const { torque } = motors;
      this.#kind[i] = MOTOR_ROW;
      this.#value[i] = AXIS[0] * torque[3 * bone] + AXIS[1] * torque[3 * bone + 1] + AXIS[2] * torque[3 * bone + 2];
      for (let k = 0; k < 3; k++) this.#direction[3 * i + k] = AXIS[k];
      this.#slowing[i] = motors.slowing[bone];
      this.#most[i] = this.#h * state.motors[MOTOR_STRIDE * (bone - 1) + MOTOR.cap + axes[n]];
      this.#impulse[i] = within(this.#warm(i, 6 * (bone - 1) + 3), this.#most[i]);
    }
  }

  /** The impulse a row had in the last step, by the torque that was kept. */
  #warm(i: number, t: number): number {
    const { jointTorques } = this.#body.state;
    const d = this.#direction;
    const along = d[3 * i] * jointTorques[t] + d[3 * i + 1] * jointTorques[t + 1] + d[3 * i + 2] * jointTorques[t + 2];
    return this.#h * along;
  }

  /** How far rows yield, and their first impulses; bones' compliances must be there, and no impulses yet. */
  begin(): void {
    const { mobility, model } = this.#body;
    for (let bone = 1; bone < model.bones.count; bone++) {
      for (let i = this.first[bone]; i < this.first[bone + 1]; i++) {
        const d = 3 * i;
        this.#yield[i] = mobility.jointYield(bone, this.#direction[d], this.#direction[d + 1], this.#direction[d + 2]);
      }
    }
    for (let bone = 1; bone < model.bones.count; bone++) {
      for (let i = this.first[bone]; i < this.first[bone + 1]; i++) this.#push(bone, i, this.#impulse[i]);
    }
  }

  /** Makes the rows of a bone's joint right, one after the other; the walk has entered the bone. */
  relax(bone: number): void {
    const { mobility } = this.#body;
    const to = this.first[bone + 1];
    for (let i = this.first[bone]; i < to; i++) {
      mobility.settle(bone);
      const change = this.#wanted(bone, i) - this.#impulse[i];
      if (change === 0) continue;
      this.#impulse[i] += change;
      this.moved = Math.max(this.moved, Math.abs(change) * this.#yield[i] * this.#h);
      this.#push(bone, i, change);
    }
    mobility.settle(bone);
  }

  #wanted(bone: number, i: number): number {
    const rate = this.#rate(bone, i);
    const old = this.#impulse[i];
    const give = this.#yield[i];
    const h = this.#h;
    if (this.#kind[i] === MOTOR_ROW) {
      const slowing = h * this.#slowing[i];
      const right = old + (h * this.#value[i] - slowing * rate - old) / (1 + slowing * give);
      return within(right, this.#most[i]);
    }
    if (!(give > 0)) return 0;
    const right = old - (this.#value[i] / h + rate) / give;
    return this.#kind[i] === LIMIT && right < 0 ? 0 : right;
  }

  /** g·ω with all impulses so far [rad/s]. */
  #rate(bone: number, i: number): number {
    const { fronts, mobility, model } = this.#body;
    const p = 6 * model.bones.parents[bone];
    const b = 6 * bone;
    const { velocity } = fronts;
    const { change } = mobility;
    let rate = 0;
    for (let k = 0; k < 3; k++) {
      rate += this.#direction[3 * i + k] * (velocity[b + k] + change[b + k] - velocity[p + k] - change[p + k]);
    }
    return rate;
  }

  #push(bone: number, i: number, impulse: number): void {
    if (impulse === 0) return;
    const { mobility, model } = this.#body;
    const x = impulse * this.#direction[3 * i];
    const y = impulse * this.#direction[3 * i + 1];
    const z = impulse * this.#direction[3 * i + 2];
    mobility.push(bone, x, y, z, 0, 0, 0);
    mobility.push(model.bones.parents[bone], -x, -y, -z, 0, 0, 0);
  }

  /** Writes torques of limits and motors on the bone of every joint; `velocity` is that of the end of the step. */
  writeTorques(velocity: Float64Array): void {
    const { model, state, motors } = this.#body;
    const out = state.jointTorques;
    out.fill(0);
    for (let bone = 1; bone < model.bones.count; bone++) {
      const t = 6 * (bone - 1);
      const p = 6 * model.bones.parents[bone];
      for (let k = 0; k < 3 && motors.kind[bone] === 1; k++) {
        const rate = velocity[6 * bone + k] - velocity[p + k];
        out[t + 3 + k] = motors.torque[3 * bone + k] - motors.slowing[bone] * rate;
      }
      for (let i = this.first[bone]; i < this.first[bone + 1]; i++) {
        const o = this.#kind[i] === MOTOR_ROW ? t + 3 : t;
        for (let k = 0; k < 3; k++) out[o + k] += (this.#impulse[i] * this.#direction[3 * i + k]) / this.#h;
      }
    }
  }
}

function within(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
