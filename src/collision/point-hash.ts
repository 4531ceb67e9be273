/**
 * Points sorted into the cells of a grid, to find those in a box. Cells are hashed, so that room is a matter of the number of
 * points and never of how far apart they are. Refilled every step without allocating.
 */

/** A box that covers more cells than this is answered by trying every point. */
const MOST_CELLS = 512;

/** Finds the points of one body in boxes. */
export class PointHash {
  readonly #mask: number;
  readonly #starts: Int32Array;
  readonly #items: Int32Array;
  readonly #cells: Int32Array;
  readonly #origin = new Float64Array(3);
  readonly #low = new Int32Array(3);
  readonly #high = new Int32Array(3);
  #points: Float64Array = new Float64Array(0);
  #count = 0;
  #cell = 1;
  /** Answer of the last `query`: numbers of points, the first `found`. */
  readonly answer: Int32Array;
  found = 0;

  constructor(capacity: number) {
    let buckets = 16;
    while (buckets < 2 * capacity) buckets *= 2;
    this.#mask = buckets - 1;
    this.#starts = new Int32Array(buckets + 1);
    this.#items = new Int32Array(capacity);
    this.#cells = new Int32Array(capacity * 3);
    this.answer = new Int32Array(capacity);
  }

  /** Sorts `count` points (3 numbers each) into cells of this width, counted from `origin`. Keeps a reference to the points. */
  fill(points: Float64Array, count: number, cell: number, origin: ArrayLike<number>): void {
    const starts = this.#starts;
    this.#points = points;
    this.#count = count;
    this.#cell = cell;
    for (let k = 0; k < 3; k++) this.#origin[k] = origin[k];
    starts.fill(0);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) this.#cells[i * 3 + k] = this.#cellOf(points[i * 3 + k], k);
      starts[this.#bucket(this.#cells[i * 3], this.#cells[i * 3 + 1], this.#cells[i * 3 + 2]) + 1]++;
    }
    for (let b = 0; b <= this.#mask; b++) starts[b + 1] += starts[b];
    // backwards, so that every bucket lists its points in order and its start ends up in place
    for (let i = count - 1; i >= 0; i--) {
      const bucket = this.#bucket(this.#cells[i * 3], this.#cells[i * 3 + 1], this.#cells[i * 3 + 2]);
      this.#items[--starts[bucket + 1]] = i;
    }
    // starts[b + 1] is now where bucket b begins
    starts.copyWithin(0, 1);
    starts[this.#mask + 1] = count;
  }

  /** Writes the points within the box (lowest x, y, z, then highest) to `answer`. */
  query(box: Float64Array): void {
    this.found = 0;
    let cells = 1;
    for (let k = 0; k < 3; k++) {
      this.#low[k] = this.#cellOf(box[k], k);
      this.#high[k] = this.#cellOf(box[3 + k], k);
      cells *= this.#high[k] - this.#low[k] + 1;
    }
    if (cells > MOST_CELLS || cells > this.#count) {
      for (let i = 0; i < this.#count; i++) this.#take(i, box);
      return;
    }
    for (let x = this.#low[0]; x <= this.#high[0]; x++) {
      for (let y = this.#low[1]; y <= this.#high[1]; y++) {
        for (let z = this.#low[2]; z <= this.#high[2]; z++) this.#takeCell(x, y, z, box);
      }
    }
  }

  #takeCell(x: number, y: number, z: number, box: Float64Array): void {
    const bucket = this.#bucket(x, y, z);
    for (let n = this.#starts[bucket]; n < this.#starts[bucket + 1]; n++) {
      const i = this.#items[n];
      // other cells fall into the same bucket
      if (this.#cells[i * 3] === x && this.#cells[i * 3 + 1] === y && this.#cells[i * 3 + 2] === z) this.#take(i, box);
    }
  }

  #take(i: number, box: Float64Array): void {
    const p = this.#points;
    if (p[i * 3] < box[0] || p[i * 3] > box[3]) return;
    if (p[i * 3 + 1] < box[1] || p[i * 3 + 1] > box[4]) return;
    if (p[i * 3 + 2] < box[2] || p[i * 3 + 2] > box[5]) return;
    this.answer[this.found++] = i;
  }

  /** Cell of a coordinate, held within what an integer can count. */
  #cellOf(x: number, k: number): number {
    const cell = Math.floor((x - this.#origin[k]) / this.#cell);
    return Math.max(-1e6, Math.min(1e6, cell));
  }

  #bucket(x: number, y: number, z: number): number {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & this.#mask;
  }
}
