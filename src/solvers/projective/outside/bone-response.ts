/**
 * How contact sides move with the rigid, jointed bones of their body. A force f on side i shifts and turns all bones by
 * s = K⁻¹ Gᵢᵀ f and side j by Gⱼ s on top of what the flesh does by itself. Only bones that some side can feel are kept, and s
 * is carried along instead of a matrix between all sides.
 */

/** Numbers per side and bone: the arm, turned with the bone, and the share of the bone's shift. */
const ENTRY = 4;

/** The bones of one body as its contact sides feel them. */
export class BoneResponse {
  /** Bones that are felt, and the number of each bone among them (-1: not felt). */
  count = 0;
  readonly bones: Int32Array;
  readonly numberOf: Int32Array;
  /** s: turn and shift of each felt bone, 6 numbers each [rad, m]. */
  readonly motion: Float64Array;
  /** K⁻¹ between the felt bones, 6·count by 6·count. */
  readonly inverse: Float64Array;
  /** Entries of side i: from starts[i] to ends[i]. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #entryBone: Int32Array;
  readonly #entries: Float64Array;
  /** K⁻¹ Gᵀ of each side, three columns of `width` numbers. */
  readonly #answers: Float32Array;
  readonly #width: number;
  #entryCount = 0;

  constructor(sideCapacity: number, boneCount: number) {
    this.#width = boneCount * 6;
    this.bones = new Int32Array(boneCount);
    this.numberOf = new Int32Array(boneCount).fill(-1);
    this.motion = new Float64Array(boneCount * 6);
    this.inverse = new Float64Array(boneCount * boneCount * 36);
    this.#starts = new Int32Array(sideCapacity);
    this.#ends = new Int32Array(sideCapacity);
    this.#entryBone = new Int32Array(sideCapacity * boneCount);
    this.#entries = new Float64Array(sideCapacity * boneCount * ENTRY);
    this.#answers = new Float32Array(sideCapacity * boneCount * 18);
  }

  /** Starts over: no bones, and this many sides that feel none. */
  clear(sides: number): void {
    for (let n = 0; n < this.count; n++) this.numberOf[this.bones[n]] = -1;
    this.count = 0;
    this.#entryCount = 0;
    this.#starts.fill(0, 0, sides);
    this.#ends.fill(0, 0, sides);
  }

  /** The farthest any felt bone turns about an axis as the forces stand [rad]. */
  largestTurn(): number {
    let turn = 0;
    for (let i = 0; i < this.count * 6; i++) if (i % 6 < 3) turn = Math.max(turn, Math.abs(this.motion[i]));
    return turn;
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

  /** Once `inverse` is filled: the answer of the bones to a force on a side. */
  solve(side: number): void {
    const rows = this.count * 6;
    this.#answers.fill(0, side * this.#width * 3, (side + 1) * this.#width * 3);
    for (let e = this.#starts[side]; e < this.#ends[side]; e++) {
      for (let k = 0; k < 3; k++) this.#addAnswer((side * 3 + k) * this.#width, rows, e, k);
    }
  }

  /** Adds K⁻¹ times the push of a unit force along axis k through entry e. */
  #addAnswer(o: number, rows: number, e: number, k: number): void {
    const entry = e * ENTRY;
    const column = this.#entryBone[e] * 6;
    const share = this.#entries[entry + 3];
    // arm × e_k
    const next = (k + 1) % 3;
    const after = (k + 2) % 3;
    const turnAfter = -this.#entries[entry + next];
    const turnNext = this.#entries[entry + after];
    for (let r = 0; r < rows; r++) {
      const row = r * rows + column;
      this.#answers[o + r] +=
        this.inverse[row + after] * turnAfter + this.inverse[row + next] * turnNext + this.inverse[row + 3 + k] * share;
    }
  }

  /** Moves the bones as a force on a side wants; `sign`: 1, or -1 for its reaction. */
  push(side: number, force: Float64Array, sign: number): void {
    const x = sign * force[0];
    const y = sign * force[1];
    const z = sign * force[2];
    const rows = this.count * 6;
    const a = this.#answers;
    const alongX = side * 3 * this.#width;
    const alongY = alongX + this.#width;
    const alongZ = alongY + this.#width;
    const { motion } = this;
    for (let r = 0; r < rows; r++) motion[r] += x * a[alongX + r] + y * a[alongY + r] + z * a[alongZ + r];
  }

  /** out += where motion `from` (6 per felt bone, at an offset) takes a side. */
  addPosition(side: number, from: Float64Array | Float32Array, at: number, out: Float64Array, o: number): void {
    for (let e = this.#starts[side]; e < this.#ends[side]; e++) {
      const b = at + this.#entryBone[e] * 6;
      const x = this.#entries[e * ENTRY];
      const y = this.#entries[e * ENTRY + 1];
      const z = this.#entries[e * ENTRY + 2];
      const share = this.#entries[e * ENTRY + 3];
      out[o] += from[b + 1] * z - from[b + 2] * y + share * from[b + 3];
      out[o + 1] += from[b + 2] * x - from[b] * z + share * from[b + 4];
      out[o + 2] += from[b] * y - from[b + 1] * x + share * from[b + 5];
    }
  }

  /** out (3x3, row major) += scale times how far side i moves along each axis when side j is pushed along each axis. */
  addBlock(i: number, j: number, scale: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      const column = this.#column;
      column.fill(0);
      this.addPosition(i, this.#answers, (j * 3 + k) * this.#width, column, 0);
      for (let r = 0; r < 3; r++) out[r * 3 + k] += scale * column[r];
    }
  }

  readonly #column = new Float64Array(3);
}
