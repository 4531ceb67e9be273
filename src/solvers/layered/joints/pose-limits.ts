/**
 * Joints that ended a step beyond their limits, put back on them: the last word after the rows of limits have ended the motion. Called
 * when bones are moved, from the root outwards, before a bone is hung on its parent; the velocities are left alone.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { LimitRows } from '../../../body/joints/limit-rows.js';
import { turnQuat } from '../../../math/rotation.js';
import type { LayerModel } from '../layer-model.js';

/** Rounds over the rows of a joint: a range is met in one, a cone in three or four. */
const ROUNDS = 12;
/** What is beyond a limit by less than this is rounding [rad]. */
const ROUNDING = 1e-13;

const TURN = new Float64Array(3);

/** Limits of the joints of one body. */
export class PoseLimits {
  readonly #model: LayerModel;
  readonly #rows: LimitRows;
  /** First row of each bone's joint, bones+1 offsets. */
  readonly #first: Int32Array;
  /** Farthest a joint was left beyond its limits since it was last set to zero [rad]. */
  excess = 0;

  constructor(model: LayerModel) {
    this.#model = model;
    this.#rows = new LimitRows(model.joints, -1);
    this.#first = new Int32Array(model.bones.count + 1);
    const { pair, count } = model.joints.limits;
    for (let row = 0; row < count; row++) this.#first[pair[row] + 2]++;
    for (let bone = 0; bone < model.bones.count; bone++) this.#first[bone + 1] += this.#first[bone];
  }

  /** Turns a bone back to where its joint may be; its parent's pose is final. */
  keep(bone: number, poses: BonePoses): void {
    const from = this.#first[bone];
    const to = this.#first[bone + 1];
    if (from === to) return;
    const { value } = this.#rows;
    const { locked } = this.#model.joints.limits;
    let worst = 0;
    for (let round = 0; round < ROUNDS; round++) {
      poses.updateRotation(bone);
      this.#rows.measure(poses, from, to);
      worst = 0;
      for (let row = from; row < to; row++) {
        const beyond = locked[row] === 1 ? Math.abs(value[row]) : -value[row];
        if (beyond <= ROUNDING) continue;
        worst = Math.max(worst, beyond);
        this.#turnBack(row, bone, poses);
        break;
      }
      if (worst === 0) return;
    }
    this.excess = Math.max(this.excess, worst);
  }

  #turnBack(row: number, bone: number, poses: BonePoses): void {
    const { value, slope } = this.#rows;
    const o = 3 * row;
    const square = slope[o] * slope[o] + slope[o + 1] * slope[o + 1] + slope[o + 2] * slope[o + 2];
    if (!(square > 0)) return;
    for (let k = 0; k < 3; k++) TURN[k] = (-value[row] / square) * slope[o + k];
    turnQuat(poses.quats, 4 * bone, TURN, 0);
  }
}
