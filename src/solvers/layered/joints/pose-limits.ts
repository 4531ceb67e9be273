/**
 * Joints that ended a step beyond their limits, put back on them: the last word after the rows of limits have ended the motion. Called
 * when bones are moved, from the root outwards, before a bone is hung on its parent; the velocities are left alone.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { LimitRows } from '../../../body/joints/limit-rows.js';
import { turnQuat } from '../../../math/rotation.js';
import { dotVec3 } from '../../../math/vec3.js';
import type { LayerModel } from '../layer-model.js';

/** Rounds over the rows of a joint: a range is met in one, a cone in three or four, both together in up to ten. */
const ROUNDS = 40;
/** What is beyond a limit by less than this is rounding [rad]. */
const ROUNDING = 1e-13;

/** Rows whose directions are less than this apart (squared sine) are met one by one. */
const LEAST_ANGLE = 1e-6;

const TURN = new Float64Array(3);
/** Numbers that a joint's rows were measured at: quaternions of its bone and of the parent. */
const MEASURED = 8;

/** Limits of the joints of one body. */
export class PoseLimits {
  readonly #model: LayerModel;
  readonly #rows: LimitRows;
  /** MEASURED numbers per bone; no numbers where nothing was measured yet. */
  readonly #measured: Float64Array;
  /** First row of each bone's joint, and the row behind its last. Of a cone's tangents the one where the joint leans is enough here. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** Farthest a joint was left beyond its limits since it was last set to zero [rad]. */
  excess = 0;

  constructor(model: LayerModel) {
    this.#model = model;
    this.#rows = new LimitRows(model.joints, -1);
    this.#measured = new Float64Array(MEASURED * model.bones.count).fill(Number.NaN);
    this.first = new Int32Array(model.bones.count);
    this.end = new Int32Array(model.bones.count);
    const { pair, count } = model.joints.limits;
    for (let row = count - 1; row >= 0; row--) {
      const bone = pair[row] + 1;
      this.first[bone] = row;
      if (this.#rows.isLaterTangent(row)) this.end[bone] = row;
      else if (this.end[bone] === 0) this.end[bone] = row + 1;
    }
  }

  /** How far joints are from their limits where they were last measured. */
  get rows(): Pick<LimitRows, 'value' | 'slope'> {
    return this.#rows;
  }

  /** Measures the rows of a bone's joint; a step begins where the last one ended, and mostly they are known from there. */
  measure(bone: number, poses: BonePoses): void {
    const from = this.first[bone];
    const to = this.end[bone];
    if (from < to && !this.#isMeasured(bone, poses.quats)) this.#measure(bone, poses, from, to);
  }

  #isMeasured(bone: number, q: Float64Array): boolean {
    const at = this.#measured;
    const m = MEASURED * bone;
    const o = 4 * bone;
    const p = 4 * this.#model.bones.parents[bone];
    for (let k = 0; k < 4; k++) if (at[m + k] !== q[o + k] || at[m + 4 + k] !== q[p + k]) return false;
    return true;
  }

  #measure(bone: number, poses: BonePoses, from: number, to: number): void {
    const at = this.#measured;
    const { quats } = poses;
    const m = MEASURED * bone;
    const o = 4 * bone;
    const p = 4 * this.#model.bones.parents[bone];
    for (let k = 0; k < 4; k++) {
      at[m + k] = quats[o + k];
      at[m + 4 + k] = quats[p + k];
    }
    this.#rows.measure(poses, from, to);
  }

  /** Turns a bone back to where its joint may be; its parent's pose is final. */
  keep(bone: number, poses: BonePoses): void {
    const from = this.first[bone];
    const to = this.end[bone];
    if (from === to) return;
    let beyond = 0;
    for (let round = 0; round < ROUNDS; round++) {
      poses.updateRotation(bone);
      this.#measure(bone, poses, from, to);
      const worst = this.#worst(from, to, -1);
      if (worst < 0) return;
      beyond = this.#beyond(worst, 0);
      this.#turnBack(worst, this.#worst(from, to, worst), bone, poses);
    }
    this.excess = Math.max(this.excess, beyond);
  }

  /** How far a row is beyond its limit after a turn that adds `more` to what is left [rad]. */
  #beyond(row: number, more: number): number {
    const left = this.#rows.value[row] + more;
    return this.#model.joints.limits.locked[row] === 1 ? Math.abs(left) : -left;
  }

  /** The row that is farthest beyond its limit, or would be once `first` is turned back; -1 where none is. */
  #worst(from: number, to: number, first: number): number {
    const { value } = this.#rows;
    const back = first < 0 ? 0 : -value[first] / this.#along(first, first);
    let worst = -1;
    let most = ROUNDING;
    for (let row = from; row < to; row++) {
      if (row === first) continue;
      const beyond = this.#beyond(row, first < 0 ? 0 : back * this.#along(first, row));
      if (!(beyond > most) || !(this.#along(row, row) > 0)) continue;
      most = beyond;
      worst = row;
    }
    return worst;
  }

  /** g·g of two rows. */
  #along(a: number, b: number): number {
    return dotVec3(this.#rows.slope, 3 * a, this.#rows.slope, 3 * b);
  }

  /** The shortest turn that meets one row, or two at once: one after the other would go on for long where they are nearly opposite. */
  #turnBack(first: number, second: number, bone: number, poses: BonePoses): void {
    const { value, slope } = this.#rows;
    const own = this.#along(first, first);
    let a = -value[first] / own;
    let b = 0;
    if (second >= 0) {
      const between = this.#along(first, second);
      const other = this.#along(second, second);
      const determinant = own * other - between * between;
      if (determinant > LEAST_ANGLE * own * other) {
        a = (between * value[second] - other * value[first]) / determinant;
        b = (between * value[first] - own * value[second]) / determinant;
      }
    }
    for (let k = 0; k < 3; k++) TURN[k] = a * slope[3 * first + k] + (b === 0 ? 0 : b * slope[3 * second + k]);
    turnQuat(poses.quats, 4 * bone, TURN, 0);
  }
}
