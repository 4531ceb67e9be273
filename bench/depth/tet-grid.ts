/** Finds the tets around a point, so that bodies of thousands of tets can be asked for points inside them. */
import type { Vec3 } from '../../src/body/body-def.js';

const MOST_CELLS = 24;

/** Tets sorted into cells of their common box, as they are now. */
export class TetGrid {
  readonly #low: readonly number[];
  readonly #cell: number;
  /** Cells along the longest side of the box: few for few tets. */
  readonly #cells: number;
  readonly #tets = new Map<number, number[]>();

  /** `box`: lowest x, y, z of all vertices, then highest. */
  constructor(tets: ArrayLike<number>, positions: ArrayLike<number>, box: readonly number[]) {
    this.#low = box.slice(0, 3);
    this.#cells = Math.min(MOST_CELLS, Math.ceil(Math.cbrt(tets.length / 4)));
    this.#cell = Math.max(...[0, 1, 2].map((k) => box[3 + k] - box[k])) / this.#cells;
    for (let t = 0; t < tets.length; t += 4) {
      const corners = [0, 1, 2, 3].map((k) => this.#cellOf([0, 1, 2].map((c) => positions[tets[t + k] * 3 + c])));
      const [from, to] = [Math.min, Math.max].map((end) => [0, 1, 2].map((c) => end(...corners.map((at) => at[c]))));
      for (let i = from[0]; i <= to[0]; i++) {
        for (let j = from[1]; j <= to[1]; j++)
          for (let k = from[2]; k <= to[2]; k++) this.#add(this.#key([i, j, k]), t);
      }
    }
  }

  /** First corner, in the list of corners, of every tet whose box may hold the point. */
  around(p: Vec3): readonly number[] {
    return this.#tets.get(this.#key(this.#cellOf(p))) ?? [];
  }

  #add(cell: number, tet: number): void {
    const known = this.#tets.get(cell);
    if (known) known.push(tet);
    else this.#tets.set(cell, [tet]);
  }

  #cellOf(p: ArrayLike<number>): number[] {
    return this.#low.map((low, k) => Math.floor((p[k] - low) / this.#cell));
  }

  #key([i, j, k]: readonly number[]): number {
    return (i * (this.#cells + 2) + j) * (this.#cells + 2) + k;
  }
}

/** Lowest x, y, z of all positions, then highest. */
export function boxOf(positions: ArrayLike<number>): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    box[i % 3] = Math.min(box[i % 3], positions[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], positions[i]);
  }
  return box;
}
