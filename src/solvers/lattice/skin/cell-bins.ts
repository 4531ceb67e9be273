/** Deformed cells by place: a table of bins that is filled anew whenever contacts are looked for. Its size never changes. */

/** Bins a cell may be in, at most: more than eight only where it is stretched. */
const SPREAD = 12;

/** Finds the cells whose box holds a point. */
export class CellBins {
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #cell: Int32Array;
  readonly #mask: number;
  readonly #scale: number;
  #used = 0;

  /** `count` cells of about `size` [m]. */
  constructor(count: number, size: number) {
    let bins = 64;
    // so many that few cells that are elsewhere share a bin by chance
    while (bins < 16 * count) bins *= 2;
    this.#head = new Int32Array(bins);
    this.#mask = bins - 1;
    this.#next = new Int32Array(SPREAD * count);
    this.#cell = new Int32Array(SPREAD * count);
    this.#scale = 1 / (1.25 * size);
  }

  clear(): void {
    this.#head.fill(-1);
    this.#used = 0;
  }

  /** Puts a cell into every bin that its box reaches; what finds no room is left out. */
  add(cell: number, lowX: number, lowY: number, lowZ: number, highX: number, highY: number, highZ: number): void {
    const s = this.#scale;
    const endX = Math.floor(highX * s);
    const endY = Math.floor(highY * s);
    const endZ = Math.floor(highZ * s);
    for (let x = Math.floor(lowX * s); x <= endX; x++) {
      for (let y = Math.floor(lowY * s); y <= endY; y++) {
        for (let z = Math.floor(lowZ * s); z <= endZ; z++) {
          if (this.#used === this.#next.length) return;
          const bin = this.#binOf(x, y, z);
          this.#cell[this.#used] = cell;
          this.#next[this.#used] = this.#head[bin];
          this.#head[bin] = this.#used++;
        }
      }
    }
  }

  /** First entry of the bin that a point is in, -1 for none; `cellAt` and `after` lead through them. */
  first(x: number, y: number, z: number): number {
    const s = this.#scale;
    return this.#head[this.#binOf(Math.floor(x * s), Math.floor(y * s), Math.floor(z * s))];
  }

  cellAt(entry: number): number {
    return this.#cell[entry];
  }

  after(entry: number): number {
    return this.#next[entry];
  }

  #binOf(x: number, y: number, z: number): number {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & this.#mask;
  }
}
