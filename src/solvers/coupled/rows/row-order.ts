/**
 * The rows of a heap from its bottom to its top: a sweep upwards hands what the ground says to all that stands on it, and one downwards hands
 * a load to all that carries it. In the order of the bodies' numbers that takes as many sweeps as there are layers. The rows of one half of the
 * heap come first, then those of the other, then those between the two.
 */
import { TURN } from '../rigid/joint-blocks.js';
import { HeapHalves } from './heap-halves.js';
import type { Islands } from './islands.js';
import type { RowSystem } from './row-system.js';

/** Layers that rows are sorted into, and at most so many for each row; within one they keep their order. */
const LAYERS = 256;
const LAYERS_PER_ROW = 2;
/** Both halves, and what is between them. */
export const PARTS = 3;

/** Rows of an island, contacts as they are numbered, joint blocks as -1 - their number, sorted by height. */
export class RowOrder {
  count = 0;
  readonly row: Int32Array;
  /** First row of each part; one more than parts. */
  readonly partStart = new Int32Array(PARTS + 1);
  readonly #halves: HeapHalves;
  readonly #bucket: Int32Array;
  readonly #system: RowSystem;
  readonly #unsorted: Int32Array;
  readonly #height: Float64Array;
  readonly #start = new Int32Array(PARTS * LAYERS + 1);
  readonly #at = new Float64Array(3);
  /** Upwards, of any length; nothing where there is no gravity. */
  readonly #up = new Float64Array(3);

  constructor(system: RowSystem) {
    this.#system = system;
    const capacity = system.contacts.capacity + system.joints.count;
    this.row = new Int32Array(capacity);
    this.#bucket = new Int32Array(capacity);
    this.#halves = new HeapHalves(system, system.rigid.count + system.soft.bodies.count);
    this.#unsorted = new Int32Array(capacity);
    this.#height = new Float64Array(capacity);
  }

  setUp(gravity: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.#up[k] = -gravity[k];
  }

  /** Lists the rows of an island that belong to the track at hand. */
  list(islands: Islands, island: number): void {
    const { block, contact, blockStart, contactStart } = islands;
    const { opening } = this.#system;
    const rows = this.#unsorted;
    this.count = 0;
    for (let n = blockStart[island]; n < blockStart[island + 1]; n++) rows[this.count++] = -1 - block[n];
    for (let n = contactStart[island]; n < contactStart[island + 1]; n++) {
      if (opening[contact[n]] > 0) rows[this.count++] = contact[n];
    }
    this.#halves.cut(islands, island, this.#up);
    this.#sort();
    this.#halves.clear(islands, island);
  }

  /** A counting sort by part and layer. */
  #sort(): void {
    const { joints } = this.#system;
    const { a, b } = this.#system.contacts;
    const halves = this.#halves;
    const height = this.#height;
    const start = this.#start;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    this.#measureBlocks();
    this.#measureContacts();
    for (let n = 0; n < this.count; n++) {
      low = Math.min(low, height[n]);
      high = Math.max(high, height[n]);
    }
    const layers = Math.min(LAYERS, LAYERS_PER_ROW * this.count);
    const scale = high > low ? (layers - 1) / (high - low) : 0;
    const bucket = this.#bucket;
    start.fill(0, 0, PARTS * layers + 1);
    for (let n = 0; n < this.count; n++) {
      const row = this.#unsorted[n];
      const part = row < 0 ? halves.ofRow(joints.a[-1 - row], joints.b[-1 - row]) : halves.ofRow(a[row], b[row]);
      bucket[n] = part * layers + Math.floor(scale * (height[n] - low));
      start[bucket[n] + 1]++;
    }
    for (let i = 1; i <= PARTS * layers; i++) start[i] += start[i - 1];
    for (let part = 0; part <= PARTS; part++) this.partStart[part] = start[part * layers];
    for (let n = 0; n < this.count; n++) this.row[start[bucket[n]]++] = this.#unsorted[n];
  }

  /** height[n] = how high row n is, for joint blocks, which come first. Loops of their own: rows of two kinds by turns took twice as long. */
  #measureBlocks(): void {
    const { kind, a, armA } = this.#system.joints;
    const { x } = this.#system.rigid;
    const rows = this.#unsorted;
    const u0 = this.#up[0];
    const u1 = this.#up[1];
    const u2 = this.#up[2];
    for (let n = 0; n < this.count && rows[n] < 0; n++) {
      const r = -1 - rows[n];
      const o = a[r] * 3;
      const reach = kind[r] === TURN ? 0 : 1;
      const x0 = x[o] + reach * armA[r * 3];
      const x1 = x[o + 1] + reach * armA[r * 3 + 1];
      const x2 = x[o + 2] + reach * armA[r * 3 + 2];
      this.#height[n] = u0 * x0 + u1 * x1 + u2 * x2;
    }
  }

  /** The same for contacts. */
  #measureContacts(): void {
    const { a, b, armA, armB, sideA, sideB } = this.#system.contacts;
    const { x } = this.#system.rigid;
    const rows = this.#unsorted;
    const at = this.#at;
    const u0 = this.#up[0];
    const u1 = this.#up[1];
    const u2 = this.#up[2];
    for (let n = this.count - 1; n >= 0 && rows[n] >= 0; n--) {
      const r = rows[n];
      if (sideA[r] >= 0 && sideB[r] >= 0) {
        this.#system.soft.placeOf(sideA[r], at);
        this.#height[n] = u0 * at[0] + u1 * at[1] + u2 * at[2];
        continue;
      }
      const arm = sideA[r] >= 0 ? armB : armA;
      const o = (sideA[r] >= 0 ? b[r] : a[r]) * 3;
      this.#height[n] = u0 * (x[o] + arm[r * 3]) + u1 * (x[o + 1] + arm[r * 3 + 1]) + u2 * (x[o + 2] + arm[r * 3 + 2]);
    }
  }
}
