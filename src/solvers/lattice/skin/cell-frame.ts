/** F of a cell and the middle of its corners, from where its nodes are: what contacts ask of single cells. */
import type { Reals } from '../numbers/arithmetic.js';

/** Reads one cell at a time. */
export class CellFrame {
  /** Deformation gradient, row major. */
  readonly f = new Float64Array(9);
  readonly middle = new Float64Array(3);
  readonly #toF: number;

  constructor(cellSize: number) {
    this.#toF = 1 / (4 * cellSize);
  }

  /** `corners`: indices of the first numbers of eight nodes, from `first` on. */
  read(corners: Int32Array, first: number, x: Reals): void {
    this.f.fill(0);
    this.middle.fill(0);
    for (let c = 0; c < 8; c++) {
      for (let i = 0; i < 3; i++) {
        const value = x[corners[first + c] + 4 * i];
        this.middle[i] += value / 8;
        for (let j = 0; j < 3; j++) this.f[3 * i + j] += (c >> j) & 1 ? this.#toF * value : -this.#toF * value;
      }
    }
  }
}
