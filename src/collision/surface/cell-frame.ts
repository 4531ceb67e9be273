/**
 * The cells a box is divided into, as few as there is room for: where a body is spread out far, cells are larger. Room is a matter
 * of the number of points in the box and never of how far apart they are.
 */

/** Which cell a place is in; places outside the box are in the nearest cell. */
export class CellFrame {
  /** Cells across in x, y and z. */
  readonly counts = new Int32Array(3);
  readonly #low = new Float64Array(3);
  #size = 1;

  /** Divides a box (lowest x, y, z, then highest) into at most `most` cells at least this wide; returns how many there are. */
  fit(size: number, box: ArrayLike<number>, most: number): number {
    this.#size = size;
    for (let k = 0; k < 3; k++) this.#low[k] = box[k];
    for (;;) {
      let cells = 1;
      for (let k = 0; k < 3; k++) {
        const across = Math.floor((box[3 + k] - box[k]) / this.#size) + 1;
        // asked this way round for the sake of what is no number: no cells across, and a search in them would never end
        this.counts[k] = across >= 1 ? Math.min(most + 1, across) : 1;
        cells *= this.counts[k];
      }
      if (cells <= Math.max(1, most)) return cells;
      this.#size *= 1.5;
    }
  }

  /** Cell of coordinate k of a place. */
  column(x: number, k: number): number {
    const column = (x - this.#low[k]) / this.#size;
    const last = this.counts[k] - 1;
    return column > 0 ? (column < last ? column | 0 : last) : 0;
  }
}
