/**
 * Finds, among the vertices of a surface near a triangle of its own body, those that face it. Nearly all of what is near looks the
 * same way, so that is asked first: it is one sum and an answer that hardly ever changes, where asking for places first means
 * to guess wrong at every other vertex.
 */
import type { PointGrid } from './point-grid.js';

/** Vertices of one body by place and normal. */
export class FacingPoints {
  /** Answer of the last `within`: numbers of points. */
  readonly answer: Int32Array;
  readonly #grid: PointGrid;
  /** Normals in the order of the grid's items; not numbers for those that face nothing. */
  readonly #normals: Float64Array;
  readonly #facing: number;
  readonly #nearlyFacing: number;
  /** Points the last `search` or `recall` found, by their place in the grid. */
  readonly #noted: Int32Array;

  /** `facing`: two normals face each other when the cosine between them is at most this; `nearlyFacing`: that they may soon. */
  constructor(grid: PointGrid, facing: number, nearlyFacing = facing) {
    const capacity = grid.items.length;
    this.#grid = grid;
    this.#facing = facing;
    this.#nearlyFacing = nearlyFacing;
    this.#normals = new Float64Array(capacity * 3);
    this.#noted = new Int32Array(capacity);
    this.answer = new Int32Array(capacity);
  }

  /** Takes up the unit normals of the points the grid was filled with, 3 numbers each; those `ignored` (1) face nothing. */
  fill(normals: Float64Array, ignored: Uint8Array, count: number): void {
    const { items } = this.#grid;
    const sorted = this.#normals;
    for (let n = 0; n < count; n++) {
      const i = items[n];
      sorted[n * 3] = ignored[i] === 1 ? Number.NaN : normals[i * 3];
      sorted[n * 3 + 1] = normals[i * 3 + 1];
      sorted[n * 3 + 2] = normals[i * 3 + 2];
    }
  }

  /** Notes the points in cells (lowest x, y, z, then highest) that face the unit normal n[o..o + 3), or `nearly` do; returns how many. */
  search(cells: Int32Array, n: Float64Array, o: number, nearly = false): number {
    const { frame, starts } = this.#grid;
    const noted = this.#noted;
    const normals = this.#normals;
    const facing = nearly ? this.#nearlyFacing : this.#facing;
    const x = n[o];
    const y = n[o + 1];
    const z = n[o + 2];
    const across = frame.counts[0];
    const slice = across * frame.counts[1];
    const first = cells[0];
    const last = cells[3] + 1;
    const firstRow = cells[1] * across;
    const lastRow = cells[4] * across;
    const lastSlice = cells[5] * slice;
    let found = 0;
    for (let start = cells[2] * slice; start <= lastSlice; start += slice) {
      for (let row = start + firstRow; row <= start + lastRow; row += across) {
        const end = starts[row + last];
        for (let m = starts[row + first]; m < end; m++) {
          if (normals[m * 3] * x + normals[m * 3 + 1] * y + normals[m * 3 + 2] * z <= facing) noted[found++] = m;
        }
      }
    }
    return found;
  }

  /** Notes those of some points, list[from..to), that face the unit normal n[o..o + 3), in the order `search` has; returns how many. */
  recall(list: Int32Array, from: number, to: number, n: Float64Array, o: number): number {
    const { places } = this.#grid;
    const noted = this.#noted;
    const normals = this.#normals;
    const facing = this.#facing;
    const x = n[o];
    const y = n[o + 1];
    const z = n[o + 2];
    let found = 0;
    for (let k = from; k < to; k++) {
      const m = places[list[k]];
      if (!(normals[m * 3] * x + normals[m * 3 + 1] * y + normals[m * 3 + 2] * z <= facing)) continue;
      let slot = found++;
      for (; slot > 0 && noted[slot - 1] > m; slot--) noted[slot] = noted[slot - 1];
      noted[slot] = m;
    }
    return found;
  }

  /** Writes those of the first `count` points noted that are in a box (lowest x, y, z, then highest) to `answer`; returns how many. */
  within(box: Float64Array, count: number): number {
    const { items, sorted } = this.#grid;
    const { answer } = this;
    let found = 0;
    for (let m = 0; m < count; m++) {
      const n = this.#noted[m];
      const o = n * 3;
      // below 0 between two sides; one question is cheaper than six whose answers nobody can guess
      const u = (sorted[o] - box[0]) * (sorted[o] - box[3]);
      const v = (sorted[o + 1] - box[1]) * (sorted[o + 1] - box[4]);
      const w = (sorted[o + 2] - box[2]) * (sorted[o + 2] - box[5]);
      if (u + Math.abs(u) + (v + Math.abs(v)) + (w + Math.abs(w)) > 0) continue;
      answer[found++] = items[n];
    }
    return found;
  }
}
