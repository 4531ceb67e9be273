/**
 * Broad phase: which boxes overlap, by sort-and-sweep along x, in strips across z: who is beside whom along x may be far away along z. The order is kept from step to step, so that sorting by insertion has
 * little to do. Pairs come out in ascending order of their keys (lower body times count plus higher body), whatever the order along x.
 */
import { BoxWalk } from './box-walk.js';

/** Strips at most, and boxes a strip should have at least. */
const STRIPS = 16;
const LEAST = 64;

/** Of a box whose body has moved, beside 1 of one that can. */
const MOVED = 2;

/** Boxes farther away than this are of nothing that is there [m]. */
const FAR = 1e9;

/** Finds pairs of overlapping boxes. */
export class BroadPhase {
  readonly count: number;
  /** Boxes: lowest corner, highest corner; 6 per body. Those of what has no end are infinite. */
  readonly boxes: Float64Array;
  /** Keys of the pairs found, ascending. */
  readonly pairs: Float64Array;
  /** And their bodies, the lower one and the higher one. */
  readonly lower: Int32Array;
  readonly higher: Int32Array;
  pairCount = 0;
  /** Pairs that found no room. */
  missed = 0;
  readonly #order: Int32Array;
  readonly #low: Float64Array;
  /** Goes along the boxes of a strip, in that order, and notes the pairs. */
  readonly walk: BoxWalk;
  /** Strips, where each begins and ends [m], the outer two without end, and the boxes in each: numbers along x, with room for all of them, and how many. */
  #strips = 1;
  readonly #edges = new Float64Array(STRIPS + 1);
  readonly #members: Int32Array;
  readonly #memberCount = new Int32Array(STRIPS);
  /** How many pairs have each lower body, and where its pairs begin. */
  readonly #start: Int32Array;

  constructor(count: number, capacity: number) {
    this.count = count;
    this.boxes = new Float64Array(count * 6);
    this.pairs = new Float64Array(capacity);
    this.lower = new Int32Array(capacity);
    this.higher = new Int32Array(capacity);
    this.#order = Int32Array.from({ length: count }, (_, i) => i);
    this.#low = new Float64Array(count);
    this.walk = new BoxWalk(count, capacity);
    this.#members = new Int32Array(count * STRIPS);
    this.#start = new Int32Array(count + 2);
  }

  /** Forgets the order along x: the next search does not depend on those before. */
  reset(): void {
    for (let i = 0; i < this.count; i++) this.#order[i] = i;
  }

  /** Finds all pairs of boxes that overlap and of which one can move, and, where it is said who has moved, one has. */
  search(movable: Uint8Array, moved?: Uint8Array): void {
    this.#sort();
    this.walk.found = 0;
    this.#measureStrips();
    this.#fillStrips();
    for (let strip = 0; strip < this.#strips; strip++) {
      this.#layOut(movable, moved, strip);
      // a pair that is in two strips belongs to the one in which the higher of its two beginnings is
      this.walk.run(this.#memberCount[strip], this.#edges[strip]);
    }
    this.pairCount = Math.min(this.walk.found, this.pairs.length);
    this.missed = this.walk.found - this.pairCount;
    this.#list();
  }

  /** How wide strips are: so that they have about as many boxes, were boxes spread evenly as far as their middles are from the mean. */
  #measureStrips(): void {
    const { boxes, count } = this;
    let known = 0;
    let sum = 0;
    let squares = 0;
    for (let b = 0; b < count; b++) {
      const z = boxes[b * 6 + 2];
      // what has no end, and what is kept out of everybody's way, does not count
      if (!(Math.abs(z) < FAR)) continue;
      known++;
      sum += z;
      squares += z * z;
    }
    const mean = known > 0 ? sum / known : 0;
    const spread = known > 0 ? Math.sqrt(Math.max(0, squares / known - mean * mean)) : 0;
    this.#strips = spread > 0 ? Math.max(1, Math.min(STRIPS, Math.floor(known / LEAST))) : 1;
    // even from end to end, with a standard deviation of this
    const width = (Math.sqrt(12) * spread) / this.#strips;
    const first = mean - 0.5 * this.#strips * width;
    this.#edges[0] = Number.NEGATIVE_INFINITY;
    for (let strip = 1; strip < this.#strips; strip++) this.#edges[strip] = first + strip * width;
    this.#edges[this.#strips] = Number.POSITIVE_INFINITY;
  }

  /** Who is in which strips, in the order along x. */
  #fillStrips(): void {
    const { boxes, count } = this;
    const order = this.#order;
    const edges = this.#edges;
    const members = this.#members;
    const memberCount = this.#memberCount.fill(0);
    const last = this.#strips - 1;
    for (let i = 0; i < count; i++) {
      const z0 = boxes[order[i] * 6 + 2];
      const z1 = boxes[order[i] * 6 + 5];
      let strip = last >> 1;
      while (strip > 0 && z0 < edges[strip]) strip--;
      while (strip < last && z0 >= edges[strip + 1]) strip++;
      for (; strip <= last && !(z1 < edges[strip]); strip++) members[strip * count + memberCount[strip]++] = i;
    }
  }

  /** Boxes of a strip in the order along x. */
  #layOut(movable: Uint8Array, moved: Uint8Array | undefined, strip: number): void {
    const members = this.#members;
    const order = this.#order;
    const first = strip * this.count;
    for (let n = 0; n < this.#memberCount[strip]; n++) {
      const b = order[members[first + n]];
      this.walk.put(n, this.boxes, b, movable[b] + (moved && moved[b] === 0 ? 0 : MOVED));
    }
  }

  /** All pairs by ascending keys: counted by their lower body, then each few put in order. */
  #list(): void {
    const { pairs, lower, higher, count, pairCount } = this;
    const { first, second } = this.walk;
    const start = this.#start;
    start.fill(0);
    for (let n = 0; n < pairCount; n++) start[first[n] + 2]++;
    for (let b = 2; b < count + 2; b++) start[b] += start[b - 1];
    for (let n = 0; n < pairCount; n++) higher[start[first[n] + 1]++] = second[n];
    // where the pairs of a body end is where those of the next one begin
    for (let b = 0; b < count; b++) {
      for (let n = start[b]; n < start[b + 1]; n++) {
        const other = higher[n];
        let m = n - 1;
        for (; m >= start[b] && higher[m] > other; m--) higher[m + 1] = higher[m];
        higher[m + 1] = other;
      }
      for (let n = start[b]; n < start[b + 1]; n++) {
        lower[n] = b;
        pairs[n] = b * count + higher[n];
      }
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
