/**
 * Points sorted into the cells of a grid around them, to find those in a box. Refilled every step without allocating.
 */
import { CellFrame } from './cell-frame.js';

/** Cells there is room for, per point. */
const CELLS_PER_POINT = 8;

/** Finds the points of one body in boxes. */
export class PointGrid {
  /** Answer of the last `query`: numbers of points, the first `found`. */
  readonly answer: Int32Array;
  found = 0;
  /** Where each cell begins among the items; x runs fastest. */
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** Where each point is among the items. */
  readonly places: Int32Array;
  readonly #cellOf: Int32Array;
  readonly frame = new CellFrame();
  /** Coordinates of the items, so that those of a row of cells are read one after the other. */
  readonly sorted: Float64Array;

  constructor(capacity: number) {
    this.starts = new Int32Array(capacity * CELLS_PER_POINT + 2);
    this.items = new Int32Array(capacity);
    this.places = new Int32Array(capacity);
    this.sorted = new Float64Array(capacity * 3);
    this.#cellOf = new Int32Array(capacity);
    this.answer = new Int32Array(capacity);
  }

  /** Sorts `count` points (3 numbers each) that lie in `box` into cells at least this wide. Copies the points. */
  fill(points: Float64Array, count: number, cell: number, box: ArrayLike<number>): void {
    const starts = this.starts;
    const items = this.items;
    const places = this.places;
    const sorted = this.sorted;
    const cellOf = this.#cellOf;
    const frame = this.frame;
    const cells = frame.fit(cell, box, starts.length - 2);
    const across = frame.counts[0];
    const down = frame.counts[1];
    starts.fill(0, 0, cells + 1);
    for (let i = 0; i < count; i++) {
      const x = frame.column(points[i * 3], 0);
      const y = frame.column(points[i * 3 + 1], 1);
      const z = frame.column(points[i * 3 + 2], 2);
      const c = x + across * (y + down * z);
      cellOf[i] = c;
      starts[c + 1]++;
    }
    for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
    // backwards, so that every cell lists its points in order and its start ends up in place
    for (let i = count - 1; i >= 0; i--) {
      const n = --starts[cellOf[i] + 1];
      items[n] = i;
      places[i] = n;
      sorted[n * 3] = points[i * 3];
      sorted[n * 3 + 1] = points[i * 3 + 1];
      sorted[n * 3 + 2] = points[i * 3 + 2];
    }
    // starts[c + 1] is now where cell c begins
    starts.copyWithin(0, 1, cells + 1);
    starts[cells] = count;
  }

  /** Whether there is no point in these cells (lowest x, y, z, then highest). */
  isEmpty(cells: Int32Array): boolean {
    const { frame, starts } = this;
    const across = frame.counts[0];
    const down = frame.counts[1];
    for (let z = cells[2]; z <= cells[5]; z++) {
      for (let y = cells[1]; y <= cells[4]; y++) {
        const row = across * (y + down * z);
        if (starts[row + cells[0]] < starts[row + cells[3] + 1]) return false;
      }
    }
    return true;
  }

  /** Writes the points within the box (lowest x, y, z, then highest) to `answer`; returns how many there are. */
  query(box: Float64Array): number {
    const { frame, starts, items, sorted, answer } = this;
    const lowX = box[0];
    const lowY = box[1];
    const lowZ = box[2];
    const highX = box[3];
    const highY = box[4];
    const highZ = box[5];
    const across = frame.counts[0];
    const slice = across * frame.counts[1];
    const first = frame.column(lowX, 0);
    const last = frame.column(highX, 0) + 1;
    const firstRow = frame.column(lowY, 1) * across;
    const lastRow = frame.column(highY, 1) * across;
    const lastSlice = frame.column(highZ, 2) * slice;
    let found = 0;
    for (let start = frame.column(lowZ, 2) * slice; start <= lastSlice; start += slice) {
      for (let row = start + firstRow; row <= start + lastRow; row += across) {
        // the cells of a row lie next to each other
        const end = starts[row + last];
        for (let n = starts[row + first]; n < end; n++) {
          const x = sorted[n * 3];
          const y = sorted[n * 3 + 1];
          const z = sorted[n * 3 + 2];
          // below 0 between two sides; one question is cheaper than six whose answers nobody can guess
          const u = (x - lowX) * (x - highX);
          const v = (y - lowY) * (y - highY);
          const w = (z - lowZ) * (z - highZ);
          if (u + Math.abs(u) + (v + Math.abs(v)) + (w + Math.abs(w)) > 0) continue;
          answer[found++] = items[n];
        }
      }
    }
    this.found = found;
    return found;
  }
}
