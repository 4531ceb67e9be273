/** Where on a body something has moved: blocks of cells of its grid, marked so that a triangle looks at one of them only. */
import type { CellFrame } from '../surface/cell-frame.js';

/** A block is 2^SHIFT cells wide. */
const SHIFT = 1;
/** A triangle that reaches over this many blocks at most, in each direction, needs to look at its first one only. */
const SPAN = 3;

/** Marks of one step. */
export class RestlessBlocks {
  readonly #marks: Uint8Array;
  readonly #counts = new Int32Array(3);
  #any = false;

  /** For grids of at most this many cells. */
  constructor(cells: number) {
    this.#marks = new Uint8Array(cells + 1);
  }

  /** Clears all marks, for the cells of a frame. */
  begin(frame: CellFrame): void {
    for (let k = 0; k < 3; k++) this.#counts[k] = ((frame.counts[k] - 1) >> SHIFT) + 1;
    this.#marks.fill(0, 0, this.#counts[0] * this.#counts[1] * this.#counts[2]);
    this.#any = false;
  }

  /** Something has moved at p[o..o + 3): marks all blocks in which a box can begin that reaches there. */
  mark(frame: CellFrame, p: Float64Array, o: number): void {
    const across = this.#counts[0];
    const down = this.#counts[1];
    const lastX = frame.column(p[o], 0) >> SHIFT;
    const lastY = frame.column(p[o + 1], 1) >> SHIFT;
    const lastZ = frame.column(p[o + 2], 2) >> SHIFT;
    for (let z = Math.max(0, lastZ - SPAN + 1); z <= lastZ; z++) {
      for (let y = Math.max(0, lastY - SPAN + 1); y <= lastY; y++) {
        for (let x = Math.max(0, lastX - SPAN + 1); x <= lastX; x++) this.#marks[x + across * (y + down * z)] = 1;
      }
    }
    this.#any = true;
  }

  /** Whether something may have moved in these cells (lowest x, y, z, then highest), or in those next to them. */
  has(cells: Int32Array): boolean {
    if (!this.#any) return false;
    const x = Math.max(0, cells[0] - 1) >> SHIFT;
    const y = Math.max(0, cells[1] - 1) >> SHIFT;
    const z = Math.max(0, cells[2] - 1) >> SHIFT;
    const wide =
      (cells[3] + 1) >> SHIFT >= x + SPAN || (cells[4] + 1) >> SHIFT >= y + SPAN || (cells[5] + 1) >> SHIFT >= z + SPAN;
    return wide || this.#marks[x + this.#counts[0] * (y + this.#counts[1] * z)] === 1;
  }
}
