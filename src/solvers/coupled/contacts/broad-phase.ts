/**
 * Broad phase: which boxes overlap, by sort-and-sweep along x. The order is kept from step to step, so that sorting by insertion has
 * little to do. Pairs come out in ascending order of their keys (lower body times count plus higher body), whatever the order along x.
 */

/** Numbers per box that the search walks along. */
const SIDES = 6;

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
  /** In that order, side by side: highest x, lowest and highest y, lowest and highest z of each box, and whether its body moves. */
  readonly #sides: Float64Array;
  /** Pairs as they are met, lower and higher body; how many have each lower body, and where its pairs begin. */
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #start: Int32Array;

  constructor(count: number, capacity: number) {
    this.count = count;
    this.boxes = new Float64Array(count * 6);
    this.pairs = new Float64Array(capacity);
    this.#order = Int32Array.from({ length: count }, (_, i) => i);
    this.#low = new Float64Array(count);
    this.#sides = new Float64Array(count * SIDES);
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#start = new Int32Array(count + 2);
  }

  /** Forgets the order along x: the next search does not depend on those before. */
  reset(): void {
    for (let i = 0; i < this.count; i++) this.#order[i] = i;
  }

  /** Finds all pairs of boxes that overlap and of which one can move. */
  search(movable: Uint8Array): void {
    const order = this.#order;
    const low = this.#low;
    const sides = this.#sides;
    this.#sort();
    this.#layOut(movable);
    this.pairCount = 0;
    this.missed = 0;
    for (let i = 0; i < this.count; i++) {
      const o = i * SIDES;
      const end = sides[o];
      const y0 = sides[o + 1];
      const y1 = sides[o + 2];
      const z0 = sides[o + 3];
      const z1 = sides[o + 4];
      const moves = sides[o + 5];
      for (let j = i + 1; j < this.count && low[j] <= end; j++) {
        const p = j * SIDES;
        if (sides[p + 1] > y1 || sides[p + 2] < y0 || sides[p + 3] > z1 || sides[p + 4] < z0) continue;
        if (moves + sides[p + 5] > 0) this.#note(order[i], order[j]);
      }
    }
    this.#list();
  }

  /** Boxes in the order along x: the search walks along them. */
  #layOut(movable: Uint8Array): void {
    const { boxes } = this;
    const sides = this.#sides;
    for (let i = 0; i < this.count; i++) {
      const b = this.#order[i];
      const o = i * SIDES;
      sides[o] = boxes[b * 6 + 3];
      sides[o + 1] = boxes[b * 6 + 1];
      sides[o + 2] = boxes[b * 6 + 4];
      sides[o + 3] = boxes[b * 6 + 2];
      sides[o + 4] = boxes[b * 6 + 5];
      sides[o + 5] = movable[b];
    }
  }

  #note(a: number, b: number): void {
    if (this.pairCount === this.pairs.length) {
      this.missed++;
      return;
    }
    this.#first[this.pairCount] = a < b ? a : b;
    this.#second[this.pairCount++] = a < b ? b : a;
  }

  /** Keys of all pairs, ascending: counted by their lower body, then each few put in order. */
  #list(): void {
    const { pairs, count, pairCount } = this;
    const start = this.#start;
    start.fill(0);
    for (let n = 0; n < pairCount; n++) start[this.#first[n] + 2]++;
    for (let b = 2; b < count + 2; b++) start[b] += start[b - 1];
    for (let n = 0; n < pairCount; n++) pairs[start[this.#first[n] + 1]++] = this.#first[n] * count + this.#second[n];
    for (let n = 1; n < pairCount; n++) {
      const key = pairs[n];
      let m = n - 1;
      for (; m >= 0 && pairs[m] > key; m--) pairs[m + 1] = pairs[m];
      pairs[m + 1] = key;
    }
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
