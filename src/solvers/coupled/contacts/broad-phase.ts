/**
 * Broad phase: which boxes overlap, by sort-and-sweep along x. The order is kept from step to step, so that sorting by insertion has
 * little to do. Pairs come out in ascending order of their keys (lower body times count plus higher body), whatever the order along x.
 */

/** Finds pairs of overlapping boxes. */
export class BroadPhase {
  readonly count: number;
  /** Boxes: lowest corner, highest corner; 6 per body. Those of what has no end are infinite. */
  readonly boxes: Float64Array;
  /** Keys of the pairs found, ascending. */
  readonly pairs: Float64Array;
  pairCount = 0;
  /** Pairs that found no room. */
  missed = 0;
  readonly #order: Int32Array;
  readonly #low: Float64Array;

  constructor(count: number, capacity: number) {
    this.count = count;
    this.boxes = new Float64Array(count * 6);
    this.pairs = new Float64Array(capacity);
    this.#order = Int32Array.from({ length: count }, (_, i) => i);
    this.#low = new Float64Array(count);
  }

  /** Forgets the order along x: the next search does not depend on those before. */
  reset(): void {
    for (let i = 0; i < this.count; i++) this.#order[i] = i;
  }

  /** Finds all pairs of boxes that overlap and of which one can move. */
  search(movable: Uint8Array): void {
    const { boxes } = this;
    const order = this.#order;
    this.#sort();
    this.pairCount = 0;
    this.missed = 0;
    for (let i = 0; i < this.count; i++) {
      const a = order[i];
      const end = boxes[a * 6 + 3];
      const y0 = boxes[a * 6 + 1];
      const y1 = boxes[a * 6 + 4];
      const z0 = boxes[a * 6 + 2];
      const z1 = boxes[a * 6 + 5];
      const moves = movable[a] === 1;
      for (let j = i + 1; j < this.count && this.#low[j] <= end; j++) {
        const b = order[j];
        if (!moves && movable[b] === 0) continue;
        const o = b * 6;
        if (boxes[o + 1] > y1 || boxes[o + 4] < y0 || boxes[o + 2] > z1 || boxes[o + 5] < z0) continue;
        if (this.pairCount === this.pairs.length) this.missed++;
        else this.pairs[this.pairCount++] = a < b ? a * this.count + b : b * this.count + a;
      }
    }
    this.pairs.subarray(0, this.pairCount).sort();
  }

  #sort(): void {
    const { boxes } = this;
    const order = this.#order;
    const low = this.#low;
    for (let i = 0; i < this.count; i++) {
      const body = order[i];
      const key = boxes[body * 6];
      let j = i - 1;
      while (j >= 0 && low[j] > key) {
        low[j + 1] = low[j];
        order[j + 1] = order[j];
        j--;
      }
      low[j + 1] = key;
      order[j + 1] = body;
    }
  }
}
