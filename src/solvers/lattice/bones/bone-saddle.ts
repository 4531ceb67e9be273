/**
 * The linear problem of jointed bones: least ½ δᵀ S δ − b·δ over turns and shifts δ of the bones that keep their joints closed,
 *
 *     [ JᵀSJ  Cᵀ ] [ δ ]   [ Jᵀb  ]
 *     [ C     0  ] [ λ ] = [ −gap ]
 *
 * with JᵀSJ the metric that free-bones.ts fills once per step and C the rows of the joints of the house. Bones that are driven are left
 * out. Filled, factored and solved anew wherever bones are.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { pullOnBone } from '../../../body/joints/bone-metric.js';
import { fillJointRows, ROW_STRIDE } from '../../../body/joints/joint-rows.js';
import type { Model } from '../../../body/model.js';
import { JOINT_TOLERANCE } from '../../../constants.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import { SkylineLdlt, SkylineRoom } from '../../../linalg/skyline-ldlt.js';

/** Times joints are closed for one pose; two or three are usual. */
const CLOSINGS = 12;

/** The bones of one body. */
export class BoneSaddle {
  /** 1 for bones that do not move by themselves. */
  readonly fixed: Uint8Array;
  /** Turn and shift of each bone, in its own axes, six numbers each: the last solution. */
  readonly moves: Float64Array;
  /** What moves of the bones cost, 6 m rows of 6 m numbers. */
  readonly metric: Float64Array;
  /** Redundant rows that were left out of the last system. */
  dropped = 0;
  readonly #model: Model;
  readonly #room: SkylineRoom;
  readonly #size: number;
  /** First unknown of each bone, then of each pair of joined bones: right after the later of its two. */
  readonly #start: Int32Array;
  readonly #jacobian: Float64Array;
  readonly #gaps: Float64Array;
  readonly #unknowns: Float64Array;
  #ldlt!: SkylineLdlt;

  constructor(plan: MemoryPlan, model: Model) {
    const { bones, joints } = model;
    this.#model = model;
    this.fixed = new Uint8Array(bones.count);
    this.moves = new Float64Array(6 * bones.count);
    this.metric = new Float64Array(36 * bones.count * bones.count);
    this.#start = new Int32Array(bones.count + joints.count);
    let next = 0;
    for (let bone = 0; bone < bones.count; bone++) {
      this.#start[bone] = next;
      next += 6;
      for (let pair = 0; pair < joints.count; pair++) {
        const [a, b] = [joints.boneA[pair], joints.boneB[pair]];
        const later = b === bones.count ? a : Math.max(a, b);
        if (later !== bone) continue;
        this.#start[bones.count + pair] = next;
        next += joints.rows[pair];
      }
    }
    this.#size = next;
    this.#room = new SkylineRoom(plan, next);
    this.#jacobian = new Float64Array(ROW_STRIDE * joints.rowStart[joints.count]);
    this.#gaps = new Float64Array(joints.rowStart[joints.count]);
    this.#unknowns = new Float64Array(next);
  }

  /** Once the memory exists. */
  begin(kernels: KernelTable): void {
    this.#room.kernels = kernels;
    this.#ldlt = new SkylineLdlt(new Int32Array(this.#size), this.#room);
  }

  /** moves = what `pull` (twelve numbers per bone) asks for with joints as closed as they are. */
  respond(poses: BonePoses, pull: Float64Array): void {
    this.#readJoints(poses);
    this.#gaps.fill(0);
    this.#assemble();
    this.#solve(poses, pull);
  }

  /** Closes the joints of these poses; returns the largest gap that is left where a free bone is [m]. */
  close(poses: BonePoses): number {
    let gap = this.#readJoints(poses);
    for (let n = 0; n < CLOSINGS && gap > JOINT_TOLERANCE * this.#model.size; n++) {
      this.#assemble();
      this.#solve(poses, undefined);
      for (let bone = 0; bone < this.fixed.length; bone++) {
        if (!this.fixed[bone]) poses.move(bone, this.moves, 6 * bone);
      }
      gap = this.#readJoints(poses);
    }
    return gap;
  }

  /** Multipliers of the joint rows in the last solution, for pulls that are gradients: the force on the first bone is their negative. */
  readMultipliers(out: Float64Array): void {
    const { joints } = this.#model;
    for (let pair = 0; pair < joints.count; pair++) {
      const first = this.#start[this.fixed.length + pair] - joints.rowStart[pair];
      for (let row = joints.rowStart[pair]; row < joints.rowStart[pair + 1]; row++)
        out[row] = -this.#unknowns[first + row];
    }
  }

  #isFree(bone: number): boolean {
    return bone < this.fixed.length && this.fixed[bone] === 0;
  }

  /** Rows and gaps at these poses; largest gap of a joint that a free bone has. */
  #readJoints({ rotations, translations }: BonePoses): number {
    const { joints, size } = this.#model;
    fillJointRows(joints, rotations, translations, size, this.#jacobian, this.#gaps);
    let most = 0;
    for (let pair = 0; pair < joints.count; pair++) {
      if (!this.#isFree(joints.boneA[pair]) && !this.#isFree(joints.boneB[pair])) continue;
      for (let row = joints.rowStart[pair]; row < joints.rowStart[pair + 1]; row++) {
        most = Math.max(most, Math.abs(this.#gaps[row]));
      }
    }
    return most;
  }

  #assemble(): void {
    const { values, origin } = this.#ldlt;
    const count = this.fixed.length;
    values.fill(0);
    for (let j = 0; j < count; j++) {
      const at = this.#start[j];
      for (let k = 0; k <= j; k++) {
        if (this.fixed[j] || this.fixed[k]) continue;
        for (let r = 0; r < 6; r++) {
          const columns = j === k ? r + 1 : 6;
          for (let c = 0; c < columns; c++) {
            values[origin[at + r] + this.#start[k] + c] = this.metric[(6 * j + r) * 6 * count + 6 * k + c];
          }
        }
      }
      for (let r = 0; r < 6 && this.fixed[j]; r++) values[origin[at + r] + at + r] = 1;
    }
    const { joints } = this.#model;
    for (let pair = 0; pair < joints.count; pair++) {
      for (let row = joints.rowStart[pair]; row < joints.rowStart[pair + 1]; row++) {
        const at = origin[this.#start[count + pair] + row - joints.rowStart[pair]];
        const [a, b] = [joints.boneA[pair], joints.boneB[pair]];
        for (let k = 0; k < 6; k++) {
          if (this.#isFree(a)) values[at + this.#start[a] + k] = this.#jacobian[ROW_STRIDE * row + k];
          if (this.#isFree(b)) values[at + this.#start[b] + k] = this.#jacobian[ROW_STRIDE * row + 6 + k];
        }
      }
    }
    this.dropped = this.#ldlt.factor();
  }

  #solve({ rotations }: BonePoses, pull: Float64Array | undefined): void {
    const unknowns = this.#unknowns;
    const count = this.fixed.length;
    unknowns.fill(0);
    for (let bone = 0; bone < count; bone++) {
      if (pull && !this.fixed[bone]) pullOnBone(unknowns, this.#start[bone], pull, 12 * bone, rotations, bone);
    }
    const { joints } = this.#model;
    for (let pair = 0; pair < joints.count; pair++) {
      const first = this.#start[count + pair] - joints.rowStart[pair];
      for (let row = joints.rowStart[pair]; row < joints.rowStart[pair + 1]; row++) {
        unknowns[first + row] = -this.#gaps[row];
      }
    }
    this.#ldlt.solve(unknowns);
    for (let bone = 0; bone < count; bone++) {
      for (let k = 0; k < 6; k++) this.moves[6 * bone + k] = unknowns[this.#start[bone] + k];
    }
  }
}
