/**
 * Points sorted into the cells of a grid around them, to find those in a box. Room is a matter of the number of points and never
 * of how far apart they are: where they lie far apart, cells are larger. Refilled every step without allocating.
 */

/** Cells there is room for, per point. */
const CELLS_PER_POINT = 8;

/** Finds the points of one body in boxes. */
export class PointGrid {
  /** Answer of the last `query`: numbers of points, the first `found`. */
  readonly answer: Int32Array;
  found = 0;
  /** Where each cell begins among the items; x runs fastest. */
  readonly #starts: Int32Array;
  readonly #items: Int32Array;
  readonly #cellOf: Int32Array;
  readonly #low = new Float64Array(3);
  readonly #counts = new Int32Array(3);
  #cell = 1;
  #points: Float64Array = new Float64Array(0);

  constructor(capacity: number) {
    this.#starts = new Int32Array(capacity * CELLS_PER_POINT + 2);
    this.#items = new Int32Array(capacity);
    this.#cellOf = new Int32Array(capacity);
    this.answer = new Int32Array(capacity);
  }

  /** Sorts `count` points (3 numbers each) that lie in `box` into cells at least this wide. Keeps a reference to the points. */
  fill(points: Float64Array, count: number, cell: number, box: ArrayLike<number>): void {
    const starts = this.#starts;
    this.#points = points;
    this.#fit(cell, box);
    const cells = this.#counts[0] * this.#counts[1] * this.#counts[2];
    starts.fill(0, 0, cells + 1);
    for (let i = 0; i < count; i++) {
      const x = this.#column(points[i * 3], 0);
      const y = this.#column(points[i * 3 + 1], 1);
      const z = this.#column(points[i * 3 + 2], 2);
      this.#cellOf[i] = x + this.#counts[0] * (y + this.#counts[1] * z);
      starts[this.#cellOf[i] + 1]++;
    }
    for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
    // backwards, so that every cell lists its points in order and its start ends up in place
    for (let i = count - 1; i >= 0; i--) this.#items[--starts[this.#cellOf[i] + 1]] = i;
    // starts[c + 1] is now where cell c begins
    starts.copyWithin(0, 1, cells + 1);
    starts[cells] = count;
  }

  /** Writes the points within the box (lowest x, y, z, then highest) to `answer`. */
  query(box: Float64Array): void {
    this.found = 0;
    const lowX = this.#column(box[0], 0);
    const highX = this.#column(box[3], 0);
    const lowY = this.#column(box[1], 1);
    const highY = this.#column(box[4], 1);
    const highZ = this.#column(box[5], 2);
    for (let z = this.#column(box[2], 2); z <= highZ; z++) {
      for (let y = lowY; y <= highY; y++) {
        const row = this.#counts[0] * (y + this.#counts[1] * z);
        // the cells of a row lie next to each other
        const end = this.#starts[row + highX + 1];
        for (let n = this.#starts[row + lowX]; n < end; n++) this.#take(this.#items[n], box);
      }
    }
  }

  #take(i: number, box: Float64Array): void {
    const p = this.#points;
    if (p[i * 3] < box[0] || p[i * 3] > box[3]) return;
    if (p[i * 3 + 1] < box[1] || p[i * 3 + 1] > box[4]) return;
    if (p[i * 3 + 2] < box[2] || p[i * 3 + 2] > box[5]) return;
    this.answer[this.found++] = i;
  }

  /** Chooses cells at least this wide, as few as there is room for. */
  #fit(cell: number, box: ArrayLike<number>): void {
    const most = this.#starts.length - 2;
    this.#cell = cell;
    for (let k = 0; k < 3; k++) this.#low[k] = box[k];
    for (;;) {
      let cells = 1;
      for (let k = 0; k < 3; k++) {
        const across = Math.floor((box[3 + k] - box[k]) / this.#cell) + 1;
        this.#counts[k] = Math.max(1, Math.min(most + 1, across));
        cells *= this.#counts[k];
      }
      if (cells <= Math.max(1, most)) return;
      this.#cell *= 1.5;
    }
  }

  /** Cell of a coordinate, the nearest for one outside. */
  #column(x: number, k: number): number {
    const column = Math.floor((x - this.#low[k]) / this.#cell);
    return column > 0 ? Math.min(column, this.#counts[k] - 1) : 0;
  }
}
