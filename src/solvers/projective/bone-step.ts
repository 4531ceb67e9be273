/**
 * The bone problem of one global step: of all rigid, jointed poses, the one that costs least in a given metric,
 *
 *     min ½⟨δ, S δ⟩ − ⟨b, δ⟩     over  T + δ,  T_k ∈ SE(3),  joints closed
 *
 * by Gauss-Newton steps on the six unknowns of each bone. With S the Schur complement of the flesh this is the exact
 * step; with S the mass of the bones it is the projection of [Li2019 §3.2, Alg. 1]. Called by the projective solver.
 */
import type { BonePoses } from '../../body/bone-poses.js';
import { fillJointRows, ROW_STRIDE } from '../../body/joint-rows.js';
import type { Joints } from '../../body/joints.js';
import { JOINT_TOLERANCE, MAX_BONE_MOVE, MAX_BONE_STEPS, PULLED_BONE_STEPS } from '../../constants.js';
import { SkylineLdlt, type SkylineRoom } from '../../linalg/skyline-ldlt.js';
import { BoneCurvature } from './bone-curvature.js';
import { BONE_BLOCK_LENGTH, fillBoneBlock, pullOnBone } from './bone-metric.js';
import { type BoneOrder, orderBones } from './bone-order.js';

/**
 * How much joint rows give way while only the joints are closed, relative to what they can move: at most, and per gap relative to the
 * body's size [Levenberg-Marquardt]. Rows that nearly repeat each other (a bone held at both ends by driven ones) have pivots so
 * small that without this the step flies off; it goes to zero with the gap, so that joints still close to the last digit.
 */
const MOST_GIVE = 1e-2;
const GIVE_PER_GAP = 0.1;

/** Owns the small saddle-point system of a body's bones. */
export class BoneStep {
  /** Change of the transforms since `begin`, four rows of three per bone. */
  readonly change: Float64Array;
  /** Multiplier of each joint row [N]; the force on bone A along the row is its negative. */
  readonly multipliers: Float64Array;
  /** Gap of each joint row [m], at the poses of the last step's start. */
  readonly gaps: Float64Array;
  /** Sum of squares of the force on the bones that neither joints nor flesh balance [N²], when the last solve began. */
  squareResidual = 0;
  /** Rows of the last system that were redundant. */
  redundantRows = 0;
  /**
   * Whether the pull is a change of contact forces. The contact solver counts on bones that answer by the compliance it was
   * given: the system is then that of `factorAt`, and where joints are closed it leaves out, as there, how the pull bends the problem.
   */
  answering = false;
  readonly #noPull: Float64Array;
  readonly #boneCount: number;
  readonly #joints: Joints;
  readonly #size: number;
  readonly #order: BoneOrder;
  readonly #system: SkylineLdlt;
  readonly #metric: Float64Array;
  readonly #fixed: Uint8Array;
  readonly #jacobian: Float64Array;
  readonly #unknowns: Float64Array;
  readonly #six: Float64Array;
  readonly #block = new Float64Array(BONE_BLOCK_LENGTH);
  readonly #pull: Float64Array;
  readonly #start: Float64Array;
  readonly #now = new Float64Array(12);
  readonly #force = new Float64Array(6);
  readonly #kept: Float64Array;
  readonly #curvature: BoneCurvature;
  /** Whether anything has changed since `begin`: the product S δ is dense, and the first one is with nothing. */
  #moved = false;
  /** Largest gap at the poses the system is built for [m]. */
  #largestGap = 0;
  /** Whether the multipliers belong to this time step. */
  #multipliersKnown = false;

  /**
   * `metric`: 4m x 4m, row major; `fixed`: 1 for bones that must not move now; `size`: length of the body [m]; `room`:
   * where the kernel can factor the system.
   */
  constructor(
    boneCount: number,
    joints: Joints,
    metric: Float64Array,
    fixed: Uint8Array,
    size: number,
    room?: SkylineRoom,
  ) {
    this.#boneCount = boneCount;
    this.#joints = joints;
    this.#size = size;
    this.#metric = metric;
    this.#fixed = fixed;
    this.#order = orderBones(boneCount, joints, metric);
    this.#system = new SkylineLdlt(this.#order.first, room);
    const rows = joints.rowStart[joints.count];
    this.#jacobian = new Float64Array(rows * ROW_STRIDE);
    this.gaps = new Float64Array(rows);
    this.multipliers = new Float64Array(rows);
    this.#kept = new Float64Array(rows);
    this.#unknowns = new Float64Array(this.#system.size);
    this.#noPull = new Float64Array(boneCount * 12);
    this.#six = new Float64Array(this.#system.size * 6);
    this.#pull = new Float64Array(boneCount * 12);
    this.#start = new Float64Array(boneCount * 12);
    this.change = new Float64Array(boneCount * 12);
    this.#curvature = new BoneCurvature(boneCount, joints, size);
  }

  /** Forgets the multipliers of the step before, so that a step depends on nothing but the state it starts from. */
  restart(): void {
    this.#multipliersKnown = false;
  }

  /** Remembers the poses that changes are counted from. */
  begin(poses: BonePoses): void {
    for (let bone = 0; bone < this.#boneCount; bone++) poses.writeAffine(bone, this.#start, bone * 12);
    this.change.fill(0);
    this.#moved = false;
  }

  /** Remembers the multipliers, for a second problem whose multipliers come on top of them. */
  keepMultipliers(): void {
    this.#kept.set(this.multipliers);
  }

  /** Adds the multipliers that were kept to those of the problem just solved. */
  addKeptMultipliers(): void {
    for (let i = 0; i < this.#kept.length; i++) this.multipliers[i] += this.#kept[i];
  }

  /** One step towards the solution of the bone problem with right-hand side `b` (four rows of three per bone). */
  stepOnce(poses: BonePoses, b: Float64Array): void {
    if (!this.answering) {
      this.#solve(poses, b, true);
      return;
    }
    this.measureGap(poses);
    this.#pullNow(b);
    this.#substitute(poses, true, true);
    this.#move(poses, true);
  }

  /**
   * Steps until every joint is closed, at least `atLeast` times; after PULLED_BONE_STEPS the pull is dropped and only the
   * joints count. Returns the largest gap that is left [m].
   */
  stepUntilClosed(poses: BonePoses, b: Float64Array, atLeast: number): number {
    const tolerance = JOINT_TOLERANCE * this.#size;
    let gap = this.measureGap(poses);
    for (let n = 0; n < MAX_BONE_STEPS && (n < atLeast || gap > tolerance); n++) {
      this.#solve(poses, b, n < PULLED_BONE_STEPS);
      if (n === 0) this.squareResidual = this.#unbalanced(poses);
      gap = this.measureGap(poses);
      if (!(gap < Number.POSITIVE_INFINITY)) break;
    }
    return gap;
  }

  /** Gets ready for `respond` and for answers: the system at these poses, with the joints' forces and without any pull. */
  factorAt(poses: BonePoses): void {
    this.measureGap(poses);
    this.#curvature.fill(poses.rotations, this.multipliers, this.#noPull);
    this.#assemble(poses, 0);
    this.#system.factor();
    this.#system.keep();
  }

  /**
   * How bones turn and shift (in the world's axes) when bone `pushed` feels a unit moment about each axis (columns 0..2) or a unit
   * force along one (3..5): 6 rows for each of the first `count` of `bones`, to out[o + row * stride + column]. Call after `factorAt`.
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
    const { start } = this.#order;
    const six = this.#six;
    const { rotations } = poses;
    six.fill(0);
    // unknowns count in the axes of their bone
    for (let axis = 0; axis < 6 && !this.#fixed[pushed]; axis++) {
      const half = axis < 3 ? 0 : 3;
      for (let k = 0; k < 3; k++) {
        six[(start[pushed] + half + k) * 6 + axis] = rotations[pushed * 9 + (axis - half) * 3 + k];
      }
    }
    this.#system.solveSixKept(six, start[pushed]);
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

  /** Largest joint gap at these poses [m]. */
  measureGap(poses: BonePoses): number {
    return fillJointRows(this.#joints, poses.rotations, poses.translations, this.#size, this.#jacobian, this.gaps);
  }

  #solve(poses: BonePoses, b: Float64Array, pulled: boolean): void {
    this.#largestGap = this.measureGap(poses);
    if (pulled) this.#pullNow(b);
    // the curvature needs forces of the joints: in the first solve of a time step, those of a solve without it
    if (pulled && !this.#multipliersKnown && this.#joints.count > 0) {
      this.#curvature.values.fill(0);
      this.#solveLinear(poses, true);
      this.#multipliersKnown = true;
    }
    if (pulled) this.#curvature.fill(poses.rotations, this.multipliers, this.answering ? this.#noPull : this.#pull);
    else this.#curvature.values.fill(0);
    this.#solveLinear(poses, pulled);
    this.#move(poses, pulled);
  }

  /** Moves the bones by the unknowns just found. */
  #move(poses: BonePoses, pulled: boolean): void {
    const { start } = this.#order;
    const unknowns = this.#unknowns;
    // forces alone may ask for any step: one that is too long for them must show as not finite
    if (!pulled || this.#fixed.includes(1)) this.#limitStep();
    for (let bone = 0; bone < this.#boneCount; bone++) {
      if (this.#fixed[bone]) continue;
      this.#moved = true;
      poses.move(bone, unknowns, start[bone]);
      poses.writeAffine(bone, this.#now, 0);
      for (let k = 0; k < 12; k++) this.change[bone * 12 + k] = this.#now[k] - this.#start[bone * 12 + k];
    }
  }

  /**
   * Shortens a step that turns or shifts any bone too far for the linearisation to mean anything. Joints that contradict
   * each other nearly cancel in the system and ask for such steps; without a limit bones between driven ones flew off.
   */
  #limitStep(): void {
    let longest = 0;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      const o = this.#order.start[bone];
      for (let k = 0; k < 6 && !this.#fixed[bone]; k++) {
        longest = Math.max(longest, Math.abs(this.#unknowns[o + k]) / (k < 3 ? 1 : this.#size));
      }
    }
    if (!(longest > MAX_BONE_MOVE)) return;
    const scale = MAX_BONE_MOVE / longest;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      const o = this.#order.start[bone];
      for (let k = 0; k < 6; k++) this.#unknowns[o + k] *= scale;
    }
  }

  /** Solves the saddle-point system at these poses; keeps the multipliers if the bones are pulled. */
  #solveLinear(poses: BonePoses, pulled: boolean): void {
    this.#assemble(poses, pulled ? 0 : Math.min(MOST_GIVE, (GIVE_PER_GAP * this.#largestGap) / this.#size));
    this.redundantRows = this.#system.factor();
    this.#substitute(poses, pulled, false);
  }

  /** Solves with the factor just made, or with the one that was kept, for the pull and gaps as they are. */
  #substitute(poses: BonePoses, pulled: boolean, kept: boolean): void {
    const m = this.#boneCount;
    const { start } = this.#order;
    const unknowns = this.#unknowns;
    unknowns.fill(0);
    for (let bone = 0; bone < m; bone++) {
      if (pulled && !this.#fixed[bone]) pullOnBone(unknowns, start[bone], this.#pull, bone * 12, poses.rotations, bone);
    }
    const { rowStart, count } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      for (let row = rowStart[pair]; row < rowStart[pair + 1]; row++) {
        unknowns[start[m + pair] + row - rowStart[pair]] = -this.gaps[row];
      }
    }
    if (kept) this.#system.solveKept(unknowns);
    else this.#system.solve(unknowns);
    for (let pair = 0; pulled && pair < count; pair++) {
      for (let row = rowStart[pair]; row < rowStart[pair + 1]; row++) {
        this.multipliers[row] = unknowns[start[m + pair] + row - rowStart[pair]];
      }
    }
  }

  /** Sum of squares of the shifting forces Jᵀ(b − S δ) − Cᵀλ of the solve just done [N²]. */
  #unbalanced(poses: BonePoses): number {
    const { boneA, boneB, rowStart, count } = this.#joints;
    const force = this.#force;
    let sum = 0;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      if (this.#fixed[bone]) continue;
      pullOnBone(force, 0, this.#pull, bone * 12, poses.rotations, bone);
      for (let pair = 0; pair < count; pair++) {
        const side = boneA[pair] === bone ? 0 : boneB[pair] === bone ? 6 : -1;
        for (let row = rowStart[pair]; side >= 0 && row < rowStart[pair + 1]; row++) {
          for (let k = 3; k < 6; k++) force[k] -= this.#jacobian[row * ROW_STRIDE + side + k] * this.multipliers[row];
        }
      }
      for (let k = 3; k < 6; k++) sum += force[k] * force[k];
    }
    return sum;
  }

  /** b − S δ: what still pulls after the change so far. */
  #pullNow(b: Float64Array): void {
    const rows = this.#boneCount * 4;
    const metric = this.#metric;
    if (!this.#moved) {
      this.#pull.set(b);
      return;
    }
    for (let i = 0; i < rows; i++) {
      let x = b[i * 3];
      let y = b[i * 3 + 1];
      let z = b[i * 3 + 2];
      for (let j = 0; j < rows; j++) {
        const s = metric[i * rows + j];
        x -= s * this.change[j * 3];
        y -= s * this.change[j * 3 + 1];
        z -= s * this.change[j * 3 + 2];
      }
      this.#pull[i * 3] = x;
      this.#pull[i * 3 + 1] = y;
      this.#pull[i * 3 + 2] = z;
    }
  }

  /** Fills the saddle-point matrix [JᵀSJ, Cᵀ; C, -give]. A fixed bone becomes a unit block with nothing beside it. */
  #assemble(poses: BonePoses, give: number): void {
    const { start, coupledStart, coupled, slack } = this.#order;
    const { values, origin } = this.#system;
    const m = this.#boneCount;
    const block = this.#block;
    const curvature = this.#curvature.values;
    values.fill(0);
    for (let j = 0; j < m; j++) {
      for (let n = coupledStart[j]; n < coupledStart[j + 1]; n++) {
        const k = coupled[n];
        if (this.#fixed[j] || this.#fixed[k]) continue;
        fillBoneBlock(block, this.#metric, m * 4, poses.rotations, j, k);
        for (let r = 0; r < 6; r++) {
          const columns = j === k ? r + 1 : 6;
          for (let c = 0; c < columns; c++) values[origin[start[j] + r] + start[k] + c] = block[r * 6 + c];
        }
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
        if (!this.#fixed[a]) for (let k = 0; k < 6; k++) values[at + start[a] + k] = this.#jacobian[c + k];
        if (b < m && !this.#fixed[b]) for (let k = 0; k < 6; k++) values[at + start[b] + k] = this.#jacobian[c + 6 + k];
        if (give === 0) continue;
        const reach = this.#reach(c, a) + (b < m ? this.#reach(c + 6, b) : 0);
        values[at + start[m + pair] + row - rowStart[pair]] = -give * reach;
      }
    }
  }

  /** How far a unit force along a joint row moves a bone, its block taken as diagonal; 0 for a fixed one. */
  #reach(c: number, bone: number): number {
    if (this.#fixed[bone]) return 0;
    const { values, origin } = this.#system;
    const first = this.#order.start[bone];
    let sum = 0;
    for (let k = 0; k < 6; k++) {
      const slope = this.#jacobian[c + k];
      sum += (slope * slope) / values[origin[first + k] + first + k];
    }
    return sum;
  }
}
