/**
 * The rows of a heap from its bottom to its top: a sweep upwards hands what the ground says to all that stands on it, and one downwards hands
 * a load to all that carries it. In the order of the bodies' numbers that takes as many sweeps as there are layers. The rows of one half of the
 * heap come first, then those of the other, then those between the two.
 */
import { TURN } from '../rigid/joint-blocks.js';
import { HeapHalves } from './heap-halves.js';
import type { Islands } from './islands.js';
import type { RowSystem } from './row-system.js';

/** Layers that rows are sorted into; within one they keep their order. */
const LAYERS = 256;
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
    const height = this.#height;
    const start = this.#start;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < this.count; n++) {
      this.#measure(n);
      low = Math.min(low, height[n]);
      high = Math.max(high, height[n]);
    }
    const scale = high > low ? (LAYERS - 1) / (high - low) : 0;
    const bucket = this.#bucket;
    start.fill(0);
    for (let n = 0; n < this.count; n++) {
      bucket[n] = this.#partOf(this.#unsorted[n]) * LAYERS + Math.floor(scale * (height[n] - low));
      start[bucket[n] + 1]++;
    }
    for (let i = 1; i <= PARTS * LAYERS; i++) start[i] += start[i - 1];
    for (let part = 0; part <= PARTS; part++) this.partStart[part] = start[part * LAYERS];
    for (let n = 0; n < this.count; n++) this.row[start[bucket[n]]++] = this.#unsorted[n];
  }

  #partOf(row: number): number {
    const { a, b } = row < 0 ? this.#system.joints : this.#system.contacts;
    const r = row < 0 ? -1 - row : row;
    return this.#halves.ofRow(a[r], b[r]);
  }

  /** height[n] = how high row n is. */
  #measure(n: number): void {
    const { contacts, joints, rigid, soft } = this.#system;
    const row = this.#unsorted[n];
    const at = this.#at;
    const isBlock = row < 0;
    const r = isBlock ? -1 - row : row;
    const { a, b, armA, armB } = isBlock ? joints : contacts;
    if (!isBlock && contacts.sideA[r] >= 0 && contacts.sideB[r] >= 0) soft.placeOf(contacts.sideA[r], at);
    else {
      const useB = !isBlock && contacts.sideA[r] >= 0;
      const body = useB ? b[r] : a[r];
      const arm = useB ? armB : armA;
      const reach = isBlock && joints.kind[r] === TURN ? 0 : 1;
      for (let k = 0; k < 3; k++) at[k] = rigid.x[body * 3 + k] + reach * arm[r * 3 + k];
    }
    this.#height[n] = this.#up[0] * at[0] + this.#up[1] * at[1] + this.#up[2] * at[2];
  }
}
