/**
 * The sheet of triangles over a grid of heights, and the way to its nearest point. Boxes around blocks of 1, 4, 16 ... squares
 * say which triangles are worth a look.
 */
import { closestOnTriangle } from '../../mesh/surface/closest-on-triangle.js';
import { buildHeightBlocks, type HeightBlocks } from './height-blocks.js';

/** Allocates nothing when asked. */
export class HeightSheet {
  /** From the point that was asked for to the nearest one of the sheet [m]. */
  readonly way = new Float64Array(3);
  readonly #heights: Float64Array;
  readonly #columns: number;
  /** Sides of a square along x and z, and half the sides of the whole [m]. */
  readonly #dx: number;
  readonly #dz: number;
  readonly #halfX: number;
  readonly #halfZ: number;
  /** Lowest and highest point of each block, level by level. */
  readonly #levels: readonly HeightBlocks[];
  /** Level, row and column of blocks still to be looked at: nine to begin with, then four more per level. */
  readonly #stack: Int32Array;
  /** Corners of the square at hand: low x and z, high x, high z, both high. */
  readonly #square = new Float64Array(12);

  constructor(heights: Float64Array, rows: number, columns: number, dx: number, dz: number) {
    this.#heights = heights;
    this.#columns = columns;
    this.#dx = dx;
    this.#dz = dz;
    this.#halfX = ((columns - 1) * dx) / 2;
    this.#halfZ = ((rows - 1) * dz) / 2;
    this.#levels = buildHeightBlocks(heights, rows, columns);
    this.#stack = new Int32Array(27 + 12 * this.#levels.length);
  }

  /** Squared distance to the sheet where it is below `best`; the way there is written to `way`. */
  nearest(x: number, y: number, z: number, best: number): number {
    const stack = this.#stack;
    let top = this.#pushAround(x, z, Math.sqrt(best));
    let nearest = best;
    while (top > 0) {
      const column = stack[--top];
      const row = stack[--top];
      const level = stack[--top];
      if (this.#blockDistanceSq(level, row, column, x, y, z) >= nearest) continue;
      if (level === 0) {
        nearest = this.#squareDistanceSq(row, column, x, y, z, nearest);
        continue;
      }
      const { rows, columns } = this.#levels[level - 1];
      for (let r = 2 * row; r < Math.min(rows, 2 * row + 2); r++) {
        for (let c = 2 * column; c < Math.min(columns, 2 * column + 2); c++) top = this.#push(top, level - 1, r, c);
      }
    }
    return nearest;
  }

  /** Blocks within `radius` of (x, z), of the size at which there are at most three by three of them. */
  #pushAround(x: number, z: number, radius: number): number {
    let level = 0;
    while (level < this.#levels.length - 1 && (1 << level) * Math.min(this.#dx, this.#dz) < radius) level++;
    const { rows, columns } = this.#levels[level];
    const sizeX = (1 << level) * this.#dx;
    const sizeZ = (1 << level) * this.#dz;
    const firstColumn = Math.max(0, Math.floor((x - radius + this.#halfX) / sizeX));
    const lastColumn = Math.min(columns - 1, Math.floor((x + radius + this.#halfX) / sizeX));
    const firstRow = Math.max(0, Math.floor((z - radius + this.#halfZ) / sizeZ));
    const lastRow = Math.min(rows - 1, Math.floor((z + radius + this.#halfZ) / sizeZ));
    let top = 0;
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) top = this.#push(top, level, row, column);
    }
    return top;
  }

  #push(top: number, level: number, row: number, column: number): number {
    this.#stack[top] = level;
    this.#stack[top + 1] = row;
    this.#stack[top + 2] = column;
    return top + 3;
  }

  #blockDistanceSq(level: number, row: number, column: number, x: number, y: number, z: number): number {
    const size = 1 << level;
    const lowX = column * size * this.#dx - this.#halfX;
    const lowZ = row * size * this.#dz - this.#halfZ;
    const { columns, ends } = this.#levels[level];
    const at = 2 * (row * columns + column);
    const dx = Math.max(lowX - x, 0, x - Math.min(this.#halfX, lowX + size * this.#dx));
    const dy = Math.max(ends[at] - y, 0, y - ends[at + 1]);
    const dz = Math.max(lowZ - z, 0, z - Math.min(this.#halfZ, lowZ + size * this.#dz));
    return dx * dx + dy * dy + dz * dz;
  }

  /** The two triangles of a square, cut from the corner of lowest x and z to the opposite one. */
  #squareDistanceSq(row: number, column: number, x: number, y: number, z: number, best: number): number {
    const square = this.#square;
    for (let corner = 0; corner < 4; corner++) {
      const c = column + (corner & 1);
      const r = row + (corner >> 1);
      square[3 * corner] = c * this.#dx - this.#halfX;
      square[3 * corner + 1] = this.#heights[r * this.#columns + c];
      square[3 * corner + 2] = r * this.#dz - this.#halfZ;
    }
    const first = closestOnTriangle(square, 0, 2, 3, x, y, z, best, this.way);
    return closestOnTriangle(square, 0, 3, 1, x, y, z, first, this.way);
  }
}
