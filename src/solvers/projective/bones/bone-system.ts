/**
 * The saddle-point system of the bone problem at given poses: the metric in the six unknowns of each bone, curvature, the joint rows, and
 * whatever resists bones turning against each other. Assembled, factored and solved with by the bone step.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { BONE_BLOCK_LENGTH, fillBoneBlock, pullOnBone } from '../../../body/joints/bone-metric.js';
import { fillJointRows, ROW_STRIDE } from '../../../body/joints/joint-rows.js';
import type { Joints } from '../../../body/joints/joints.js';
import { MAX_BONE_MOVE } from '../../../constants.js';
import { SkylineLdlt, type SkylineRoom } from '../../../linalg/skyline-ldlt.js';
import { type BoneOrder, DENSE_BONES, orderBones } from './bone-order.js';

/** Matrix, factor and right-hand side of one body's bones. */
export class BoneSystem {
  readonly order: BoneOrder;
  readonly ldlt: SkylineLdlt;
  /** Derivatives of the joint rows, and their gaps [m], at the poses last measured. */
  readonly jacobian: Float64Array;
  readonly gaps: Float64Array;
  /** Right-hand side, then solution: turn and shift of each bone in its own axes, multipliers of joint rows. */
  readonly unknowns: Float64Array;
  /** What turning flesh takes off the metric, six rows and columns per bone; nothing where it does not turn. */
  eased: Float64Array | undefined;
  readonly #boneCount: number;
  readonly #joints: Joints;
  readonly #metric: Float64Array;
  readonly #fixed: Uint8Array;
  readonly #size: number;
  readonly #block = new Float64Array(BONE_BLOCK_LENGTH);
  readonly #turned = new Float64Array(9);
  readonly #force = new Float64Array(6);

  /** `metric`: 4m x 4m, row major; `fixed`: 1 for bones that must not move now; `size`: length of the body [m]; `dense` and `all`: which pairs are coupled (bone-order.ts). */
  constructor(
    boneCount: number,
    joints: Joints,
    metric: Float64Array,
    fixed: Uint8Array,
    size: number,
    room?: SkylineRoom,
    dense = DENSE_BONES,
    all = false,
  ) {
    this.#boneCount = boneCount;
    this.#joints = joints;
    this.#metric = metric;
    this.#fixed = fixed;
    this.#size = size;
    this.order = orderBones(boneCount, joints, metric, dense, all);
    this.ldlt = new SkylineLdlt(this.order.first, room);
    const rows = joints.rowStart[joints.count];
    this.jacobian = new Float64Array(rows * ROW_STRIDE);
    this.gaps = new Float64Array(rows);
    this.unknowns = new Float64Array(this.ldlt.size);
  }

  /** Measures the joint rows at these poses; returns the largest gap [m]. */
  measureGap(poses: BonePoses): number {
    return fillJointRows(this.#joints, poses.rotations, poses.translations, this.#size, this.jacobian, this.gaps);
  }

  /** Whether a bone can move: neither fixed nor the world. */
  isMovable(bone: number): boolean {
    return bone < this.#boneCount && this.#fixed[bone] === 0;
  }

  /** Fills the saddle-point matrix [JᵀSJ + curvature, Cᵀ; C, -give]. A fixed bone becomes a unit block with nothing beside it. */
  assemble(poses: BonePoses, curvature: Float64Array, give: number): void {
    const { start, coupledStart, coupled, slack } = this.order;
    const { values, origin } = this.ldlt;
    const m = this.#boneCount;
    values.fill(0);
    for (let j = 0; j < m; j++) {
      for (let n = coupledStart[j]; n < coupledStart[j + 1]; n++) {
        const k = coupled[n];
        if (this.#fixed[j] || this.#fixed[k]) continue;
        fillBoneBlock(this.#block, this.#metric, m * 4, poses.rotations, j, k);
        this.#addBlock(j, k);
      }
      for (let r = 0; r < 3 && !this.#fixed[j]; r++) {
        for (let c = 0; c <= r; c++) values[origin[start[j] + r] + start[j] + c] += curvature[j * 9 + r * 3 + c];
      }
      for (let r = 0; r < 6; r++) {
        const at = origin[start[j] + r] + start[j] + r;
        values[at] = this.#fixed[j] ? 1 : values[at] + slack[j * 2 + (r < 3 ? 0 : 1)];
      }
    }
    const { boneA, boneB, rowStart, count } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      for (let row = rowStart[pair]; row < rowStart[pair + 1]; row++) {
        const at = origin[start[m + pair] + row - rowStart[pair]];
        const a = boneA[pair];
        const b = boneB[pair];
        const c = row * ROW_STRIDE;
        if (!this.#fixed[a]) for (let k = 0; k < 6; k++) values[at + start[a] + k] = this.jacobian[c + k];
        if (b < m && !this.#fixed[b]) for (let k = 0; k < 6; k++) values[at + start[b] + k] = this.jacobian[c + 6 + k];
        if (give === 0) continue;
        const reach = this.#reach(c, a) + (b < m ? this.#reach(c + 6, b) : 0);
        values[at + start[m + pair] + row - rowStart[pair]] = -give * reach;
      }
    }
  }

  /** Writes the block of bones j and k, less what turning flesh takes off it, to the rows of j; of a bone with itself what is on and below the diagonal. */
  #addBlock(j: number, k: number): void {
    const { values, origin } = this.ldlt;
    const { start } = this.order;
    const [eased, block] = [this.eased, this.#block];
    for (let r = 0; r < 6; r++) {
      const columns = j === k ? r + 1 : 6;
      const at = origin[start[j] + r] + start[k];
      const from = (j * 6 + r) * this.#boneCount * 6 + k * 6;
      if (eased) for (let c = 0; c < columns; c++) values[at + c] = block[r * 6 + c] - eased[from + c];
      else for (let c = 0; c < columns; c++) values[at + c] = block[r * 6 + c];
    }
  }

  /** How far a unit force along a joint row moves a bone, its block taken as diagonal; 0 for a fixed one. */
  #reach(c: number, bone: number): number {
    if (this.#fixed[bone]) return 0;
    const { values, origin } = this.ldlt;
    const first = this.order.start[bone];
    let sum = 0;
    for (let k = 0; k < 6; k++) {
      const slope = this.jacobian[c + k];
      sum += (slope * slope) / values[origin[first + k] + first + k];
    }
    return sum;
  }

  /** Adds ½ ωᵀ K ω of the turn ω between two bones, K (3x3, world axes) symmetric; the world does not turn. */
  addTurnSpring(poses: BonePoses, a: number, b: number, k: Float64Array): void {
    this.addTurnBlock(poses, a, k);
    this.addTurnBlock(poses, b, k);
    if (!this.isMovable(a) || !this.isMovable(b)) return;
    const { start } = this.order;
    const { values, origin } = this.ldlt;
    const later = start[a] > start[b] ? a : b;
    const earlier = later === a ? b : a;
    this.#turnInto(poses, later, earlier, k);
    for (let r = 0; r < 3; r++) {
      const at = origin[start[later] + r] + start[earlier];
      for (let c = 0; c < 3; c++) values[at + c] -= this.#turned[r * 3 + c];
    }
  }

  /** Adds K (3x3, world axes) to how a bone resists being turned. */
  addTurnBlock(poses: BonePoses, bone: number, k: Float64Array): void {
    if (!this.isMovable(bone)) return;
    const first = this.order.start[bone];
    const { values, origin } = this.ldlt;
    this.#turnInto(poses, bone, bone, k);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c <= r; c++) values[origin[first + r] + first + c] += this.#turned[r * 3 + c];
    }
  }

  /** R_jᵀ K R_k. */
  #turnInto({ rotations }: BonePoses, j: number, k: number, matrix: Float64Array): void {
    const out = this.#turned;
    out.fill(0);
    for (let p = 0; p < 3; p++) {
      for (let q = 0; q < 3; q++) {
        const value = matrix[p * 3 + q];
        if (value === 0) continue;
        for (let r = 0; r < 3; r++) {
          const left = rotations[j * 9 + p * 3 + r] * value;
          for (let c = 0; c < 3; c++) out[r * 3 + c] += left * rotations[k * 9 + q * 3 + c];
        }
      }
    }
  }

  /** Right-hand side: minus the gaps, and the pull on the transforms (four rows of three per bone) where there is one. */
  setRightSide(poses: BonePoses, pull: Float64Array | undefined): void {
    const { start } = this.order;
    const { unknowns } = this;
    unknowns.fill(0);
    for (let bone = 0; bone < this.#boneCount; bone++) {
      if (pull && !this.#fixed[bone]) pullOnBone(unknowns, start[bone], pull, bone * 12, poses.rotations, bone);
    }
    const { rowStart, count } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      const first = start[this.#boneCount + pair];
      for (let row = rowStart[pair]; row < rowStart[pair + 1]; row++)
        unknowns[first + row - rowStart[pair]] = -this.gaps[row];
    }
  }

  /** Adds `sign` times a moment (world axes) to the right-hand side of a bone. */
  addMoment({ rotations }: BonePoses, bone: number, moment: Float64Array, o: number, sign: number): void {
    if (!this.isMovable(bone)) return;
    this.turnedColumn(this.unknowns, this.order.start[bone], rotations, bone, moment, o, sign);
  }

  /** out += sign Rᵀ v: a direction of the world in a bone's own axes. */
  turnedColumn(
    out: Float64Array,
    to: number,
    rotations: Float64Array,
    bone: number,
    v: Float64Array,
    o: number,
    sign: number,
  ): void {
    for (let k = 0; k < 3; k++) {
      const r = bone * 9 + k;
      out[to + k] += sign * (rotations[r] * v[o] + rotations[r + 3] * v[o + 1] + rotations[r + 6] * v[o + 2]);
    }
  }

  /** Reads the multipliers of the joint rows off the solution. */
  readMultipliers(out: Float64Array): void {
    const { rowStart, count } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      const first = this.order.start[this.#boneCount + pair];
      for (let row = rowStart[pair]; row < rowStart[pair + 1]; row++)
        out[row] = this.unknowns[first + row - rowStart[pair]];
    }
  }

  /**
   * How bones turn and shift (in the world's axes) when bone `pushed` feels a unit moment about each axis (columns 0..2) or a unit
   * force along one (3..5): 6 rows for each of the first `count` of `bones`, to out[o + row * stride + column]. Call after the factor was kept.
   */
  respond(
    poses: BonePoses,
    pushed: number,
    bones: Int32Array,
    count: number,
    out: Float64Array,
    o: number,
    stride: number,
  ): void {
    const { start } = this.order;
    const { six } = this.ldlt;
    const { rotations } = poses;
    six.fill(0);
    // unknowns count in the axes of their bone
    for (let axis = 0; axis < 6 && !this.#fixed[pushed]; axis++) {
      const half = axis < 3 ? 0 : 3;
      for (let k = 0; k < 3; k++) {
        six[(start[pushed] + half + k) * 6 + axis] = rotations[pushed * 9 + (axis - half) * 3 + k];
      }
    }
    this.ldlt.solveSixKept(start[pushed]);
    for (let n = 0; n < count; n++) {
      const bone = bones[n];
      for (let i = 0; i < 6; i++) {
        const row = bone * 9 + (i % 3) * 3;
        const from = start[bone] + (i < 3 ? 0 : 3);
        for (let axis = 0; axis < 6; axis++) {
          let value = 0;
          for (let k = 0; k < 3 && !this.#fixed[bone]; k++) value += rotations[row + k] * six[(from + k) * 6 + axis];
          out[o + (n * 6 + i) * stride + axis] = value;
        }
      }
    }
  }

  /**
   * Shortens the step in `unknowns` where it turns or shifts any bone too far for the linearisation to mean anything. Joints that contradict
   * each other nearly cancel in the system and ask for such steps; without a limit bones between driven ones flew off.
   */
  limitStep(): void {
    const { unknowns } = this;
    const { start } = this.order;
    let longest = 0;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      for (let k = 0; k < 6 && !this.#fixed[bone]; k++) {
        longest = Math.max(longest, Math.abs(unknowns[start[bone] + k]) / (k < 3 ? 1 : this.#size));
      }
    }
    if (!(longest > MAX_BONE_MOVE)) return;
    const scale = MAX_BONE_MOVE / longest;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      for (let k = 0; k < 6; k++) unknowns[start[bone] + k] *= scale;
    }
  }

  /** Sum of squares of the shifting forces Jᵀ(b − S δ) − Cᵀλ that `pull` and the multipliers leave [N²]. */
  unbalanced(poses: BonePoses, pull: Float64Array, multipliers: Float64Array): number {
    const { boneA, boneB, rowStart, count } = this.#joints;
    const force = this.#force;
    let sum = 0;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      if (this.#fixed[bone]) continue;
      pullOnBone(force, 0, pull, bone * 12, poses.rotations, bone);
      for (let pair = 0; pair < count; pair++) {
        const side = boneA[pair] === bone ? 0 : boneB[pair] === bone ? 6 : -1;
        for (let row = rowStart[pair]; side >= 0 && row < rowStart[pair + 1]; row++) {
          for (let k = 3; k < 6; k++) force[k] -= this.jacobian[row * ROW_STRIDE + side + k] * multipliers[row];
        }
      }
      for (let k = 3; k < 6; k++) sum += force[k] * force[k];
    }
    return sum;
  }
}
