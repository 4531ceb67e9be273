/**
 * The rows of a heap from its bottom to its top: a sweep upwards hands what the ground says to all that stands on it, and one downwards hands
 * a load to all that carries it. In the order of the bodies' numbers that takes as many sweeps as there are layers.
 */
import { TURN } from '../rigid/joint-blocks.js';
import type { Islands } from './islands.js';
import type { RowSystem } from './row-system.js';

/** Layers that rows are sorted into; within one they keep their order. */
const LAYERS = 256;

/** Rows of an island, contacts as they are numbered, joint blocks as -1 - their number, sorted by height. */
export class RowOrder {
  count = 0;
  readonly row: Int32Array;
  readonly #system: RowSystem;
  readonly #unsorted: Int32Array;
  readonly #height: Float64Array;
  readonly #start = new Int32Array(LAYERS + 1);
  readonly #at = new Float64Array(3);
  /** Upwards, of any length; nothing where there is no gravity. */
  readonly #up = new Float64Array(3);

  constructor(system: RowSystem) {
    this.#system = system;
    const capacity = system.contacts.capacity + system.joints.count;
    this.row = new Int32Array(capacity);
    this.#unsorted = new Int32Array(capacity);
    this.#height = new Float64Array(capacity);
  }

  setUp(gravity: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.#up[k] = -gravity[k];
  }

  /** Lists the rows of an island that belong to the track at hand. */
  list({ block, contact, blockStart, contactStart }: Islands, island: number): void {
    const { opening } = this.#system;
    const rows = this.#unsorted;
    this.count = 0;
    for (let n = blockStart[island]; n < blockStart[island + 1]; n++) rows[this.count++] = -1 - block[n];
    for (let n = contactStart[island]; n < contactStart[island + 1]; n++) {
      if (opening[contact[n]] > 0) rows[this.count++] = contact[n];
    }
    this.#sort();
  }

  /** A counting sort by layer. */
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
    start.fill(0);
    for (let n = 0; n < this.count; n++) start[Math.floor(scale * (height[n] - low)) + 1]++;
    for (let i = 1; i <= LAYERS; i++) start[i] += start[i - 1];
    for (let n = 0; n < this.count; n++) {
      this.row[start[Math.floor(scale * (height[n] - low))]++] = this.#unsorted[n];
    }
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
