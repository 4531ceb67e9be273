/**
 * How contact sides move with the rigid, jointed bones of their body, and with regions of flesh that turn as one, which count as bones that never shift. A force f on side i shifts and turns all bones by
 * s = K⁻¹ Gᵢᵀ f and side j by Gⱼ s on top of what the flesh does by itself. Only bones that some side can feel are kept, and s
 * is carried along instead of a matrix between all sides. Lies in the world's memory, where the kernel `solveContacts` pushes sides.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';

/** Numbers per side and bone: the arm, turned with the bone, and the share of the bone's shift. */
const ENTRY = 4;

/** The bones of one body as its contact sides feel them. */
export class BoneResponse {
  /** Bones that are felt, and the number of each bone among them (-1: not felt). */
  count = 0;
  readonly bones: Int32Array;
  readonly numberOf: Int32Array;
  /** s: turn and shift of each felt bone, 6 numbers each [rad, m]. */
  motion!: Float64Array;
  /** K⁻¹ between the felt bones, 6·count by 6·count. */
  inverse!: Float64Array;
  /** Entries of side i: from starts[i] to ends[i]. */
  #starts!: Int32Array;
  #ends!: Int32Array;
  #entryBone!: Int32Array;
  #entries!: Float64Array;
  /** K⁻¹ Gᵀ of each side, `width` rows of three. */
  #answers!: Float32Array;
  readonly #width: number;
  #entryCount = 0;
  readonly #rank: ArrayLike<number>;
  /** Longest arm of a bone [m], and how it turns that. */
  readonly #arm = new Float64Array(3);
  #kernels: KernelTable | undefined;
  readonly #planned: {
    readonly starts: Slot<Int32Array>;
    readonly ends: Slot<Int32Array>;
    readonly entryBone: Slot<Int32Array>;
    readonly entries: Slot<Float64Array>;
    readonly answers: Slot<Float32Array>;
    readonly motion: Slot<Float64Array>;
    readonly inverse: Slot<Float64Array>;
  };

  /** `rank`: dimensions each bone extends in; those beyond the list are no bones, and turn as wholes. */
  constructor(plan: MemoryPlan, sideCapacity: number, boneCount: number, rank: ArrayLike<number> = []) {
    this.#rank = rank;
    this.#width = boneCount * 6;
    this.bones = new Int32Array(boneCount);
    this.numberOf = new Int32Array(boneCount).fill(-1);
    this.#planned = {
      starts: plan.i32(sideCapacity),
      ends: plan.i32(sideCapacity),
      entryBone: plan.i32(sideCapacity * boneCount),
      entries: plan.f64(sideCapacity * boneCount * ENTRY),
      answers: plan.f32(sideCapacity * boneCount * 18),
      motion: plan.f64(boneCount * 6),
      inverse: plan.f64(boneCount * boneCount * 36),
    };
  }

  /** Takes up the memory once it exists; `kernels`, where given, make the answers. */
  start(kernels?: KernelTable): void {
    this.#kernels = kernels;
    const { starts, ends, entryBone, entries, answers, motion, inverse } = this.#planned;
    this.#starts = starts.view;
    this.#ends = ends.view;
    this.#entryBone = entryBone.view;
    this.#entries = entries.view;
    this.#answers = answers.view;
    this.motion = motion.view;
    this.inverse = inverse.view;
  }

  /** Where all of it is, for assembly/contact-sides.ts. */
  get words(): number[] {
    const { starts, ends, entryBone, entries, answers, motion } = this.#planned;
    const before = [starts, ends, entryBone, entries, answers].map(({ address }) => address);
    return [...before, this.#width, motion.address];
  }

  /** Starts over: no bones, and this many sides that feel none. */
  clear(sides: number): void {
    for (let n = 0; n < this.count; n++) this.numberOf[this.bones[n]] = -1;
    this.count = 0;
    this.#entryCount = 0;
    this.#starts.fill(0, 0, sides);
    this.#ends.fill(0, 0, sides);
  }

  /**
   * The farthest any felt bone turns about an axis as the forces stand [rad]. What has no extent does not turn, nor a line about itself: that moves nothing, and next to nothing holds it.
   */
  largestTurn(): number {
    const { motion } = this;
    let turn = 0;
    for (let n = 0; n < this.count; n++) {
      const rank = this.#rank[this.bones[n]] ?? 3;
      if (rank === 0) continue;
      if (rank === 1) turn = Math.max(turn, this.#turnOfLine(n));
      else for (let i = n * 6; i < n * 6 + 3; i++) turn = Math.max(turn, Math.abs(motion[i]));
    }
    return turn;
  }

  /** The same for a bone that is a line, number n of those felt: about the axes across it. */
  #turnOfLine(n: number): number {
    const { motion } = this;
    const arm = this.#arm.fill(0);
    let square = 0;
    for (let e = 0; e < this.#entryCount; e++) {
      if (this.#entryBone[e] !== n) continue;
      const x = this.#entries[e * ENTRY];
      const y = this.#entries[e * ENTRY + 1];
      const z = this.#entries[e * ENTRY + 2];
      const longer = x * x + y * y + z * z;
      if (longer <= square) continue;
      square = longer;
      arm[0] = x;
      arm[1] = y;
      arm[2] = z;
    }
    if (square === 0) return 0;
    const o = n * 6;
    const x = motion[o + 1] * arm[2] - motion[o + 2] * arm[1];
    const y = motion[o + 2] * arm[0] - motion[o] * arm[2];
    const z = motion[o] * arm[1] - motion[o + 1] * arm[0];
    return Math.sqrt((x * x + y * y + z * z) / square);
  }

  /** Begins the entries of side i. */
  beginSide(i: number): void {
    this.#starts[i] = this.#entryCount;
  }

  /** Says that the side being added moves with a bone: by its turn crossed with the arm `entry[0..3)` and its shift times `entry[3]`. */
  addEntry(bone: number, entry: Float64Array): void {
    if (this.numberOf[bone] < 0) {
      this.numberOf[bone] = this.count;
      this.bones[this.count++] = bone;
    }
    const e = this.#entryCount++;
    this.#entryBone[e] = this.numberOf[bone];
    for (let k = 0; k < ENTRY; k++) this.#entries[e * ENTRY + k] = entry[k];
  }

  /** Ends the entries of side i. */
  endSide(i: number): void {
    this.#ends[i] = this.#entryCount;
  }

  /**
   * Once `inverse` is filled: the answer of the bones to a force on a side, K⁻¹ times its push through each entry, summed in f32. Entry by entry,
   * so that no sum waits for the one before it. Specification of the kernel `answerSide`.
   */
  solve(side: number): void {
    const rows = this.count * 6;
    if (this.#kernels) {
      this.#solveByKernel(side, rows, this.#kernels);
      return;
    }
    const { inverse } = this;
    const entries = this.#entries;
    const answers = this.#answers;
    const first = side * this.#width * 3;
    answers.fill(0, first, first + rows * 3);
    for (let e = this.#starts[side]; e < this.#ends[side]; e++) {
      const a0 = entries[e * ENTRY];
      const a1 = entries[e * ENTRY + 1];
      const a2 = entries[e * ENTRY + 2];
      const share = entries[e * ENTRY + 3];
      let k = this.#entryBone[e] * 6;
      for (let o = first; o < first + rows * 3; o += 3) {
        const turnX = inverse[k];
        const turnY = inverse[k + 1];
        const turnZ = inverse[k + 2];
        // turned by the moment arm × axis, and shifted
        answers[o] += turnZ * -a1 + turnY * a2 + inverse[k + 3] * share;
        answers[o + 1] += turnX * -a2 + turnZ * a0 + inverse[k + 4] * share;
        answers[o + 2] += turnY * -a0 + turnX * a1 + inverse[k + 5] * share;
        k += rows;
      }
    }
  }

  #solveByKernel(side: number, rows: number, kernels: KernelTable): void {
    const { inverse, entryBone, entries, answers } = this.#planned;
    const first = side * this.#width * 3;
    this.#answers.fill(0, first, first + rows * 3);
    kernels.answerSide(
      rows,
      inverse.address,
      entryBone.address,
      entries.address,
      this.#starts[side],
      this.#ends[side],
      answers.address + first * 4,
    );
  }

  /** Moves the bones as a force on a side wants; `sign`: 1, or -1 for its reaction. What the kernel does, as its specification. */
  push(side: number, force: Float64Array, sign: number): void {
    const x = sign * force[0];
    const y = sign * force[1];
    const z = sign * force[2];
    const rows = this.count * 6;
    const a = this.#answers;
    const { motion } = this;
    for (let r = 0, o = side * this.#width * 3; r < rows; r++, o += 3)
      motion[r] += x * a[o] + y * a[o + 1] + z * a[o + 2];
  }

  /** out += where the bones' motion takes a side. */
  addPosition(side: number, out: Float64Array): void {
    this.#carry(side, this.motion, 0, 1, out);
  }

  /** out (3x3, row major) += scale times how far side i moves along each axis when side j is pushed along each axis. */
  addBlock(i: number, j: number, scale: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      const column = this.#column;
      column.fill(0);
      this.#carry(i, this.#answers, j * this.#width * 3 + k, 3, column);
      for (let r = 0; r < 3; r++) out[r * 3 + k] += scale * column[r];
    }
  }

  /** out += where turns and shifts take a side: 6 numbers per felt bone from from[at] on, `stride` apart. */
  #carry(side: number, from: Float64Array | Float32Array, at: number, stride: number, out: Float64Array): void {
    for (let e = this.#starts[side]; e < this.#ends[side]; e++) {
      const b = at + this.#entryBone[e] * 6 * stride;
      const x = this.#entries[e * ENTRY];
      const y = this.#entries[e * ENTRY + 1];
      const z = this.#entries[e * ENTRY + 2];
      const share = this.#entries[e * ENTRY + 3];
      const turnX = from[b];
      const turnY = from[b + stride];
      const turnZ = from[b + 2 * stride];
      out[0] += turnY * z - turnZ * y + share * from[b + 3 * stride];
      out[1] += turnZ * x - turnX * z + share * from[b + 4 * stride];
      out[2] += turnX * y - turnY * x + share * from[b + 5 * stride];
    }
  }

  readonly #column = new Float64Array(3);
}
