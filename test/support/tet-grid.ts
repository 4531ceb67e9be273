/** Finds the tets around a point, so that bodies of thousands of tets can be asked for points inside them. */
import type { Vec3 } from '../../src/body/body-def.js';

const CELLS = 24;

/** Tets sorted into cells of their common box, as they are now. */
export class TetGrid {
  readonly #low: number[] = [];
  readonly #cell: number;
  readonly #tets = new Map<number, number[]>();

  /** `box`: lowest x, y, z of all vertices, then highest. */
  constructor(tets: ArrayLike<number>, positions: ArrayLike<number>, box: readonly number[]) {
    this.#low = box.slice(0, 3);
    this.#cell = Math.max(...[0, 1, 2].map((k) => box[3 + k] - box[k])) / CELLS;
    for (let t = 0; t < tets.length; t += 4) {
      const corners = [0, 1, 2, 3].map((k) => this.#cellsOf([0, 1, 2].map((c) => positions[tets[t + k] * 3 + c])));
      const [from, to] = [Math.min, Math.max].map((end) => [0, 1, 2].map((c) => end(...corners.map((at) => at[c]))));
      for (let i = from[0]; i <= to[0]; i++) {
        for (let j = from[1]; j <= to[1]; j++) for (let k = from[2]; k <= to[2]; k++) this.#add(key([i, j, k]), t);
      }
    }
  }

  /** First corner, in the list of corners, of every tet whose box may hold the point. */
  around(p: Vec3): readonly number[] {
    return this.#tets.get(key(this.#cellsOf(p))) ?? [];
  }

  #add(cell: number, tet: number): void {
    const known = this.#tets.get(cell);
    if (known) known.push(tet);
    else this.#tets.set(cell, [tet]);
  }

  #cellsOf(p: ArrayLike<number>): number[] {
    return this.#low.map((low, k) => Math.floor((p[k] - low) / this.#cell));
  }
}

function key([i, j, k]: readonly number[]): number {
  return (i * (CELLS + 2) + j) * (CELLS + 2) + k;
}
