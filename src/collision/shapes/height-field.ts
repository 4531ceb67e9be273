/**
 * Height fields: the solid below a sheet of triangles over a grid of heights, without end downward, with upright sides where
 * the grid ends. Its signed distance is exact: to the nearest triangle, or to a side.
 */
import { HeightSheet } from './height-sheet.js';
import type { HeightFieldShape } from './shape-def.js';

/** Distances below this share of a square have no direction of their own but rounding error. */
const TOUCHING = 1e-9;

/** Heights prepared for queries. */
export class HeightField {
  readonly rows: number;
  readonly columns: number;
  /** Sides of a square along x and z, and half the sides of the whole [m]. */
  readonly #dx: number;
  readonly #dz: number;
  readonly halfX: number;
  readonly halfZ: number;
  readonly heights: Float64Array;
  readonly highest: number;
  /** Of the steepest triangle: its distance is at least this share of the way down to the sheet. */
  readonly #leastCosine: number;
  readonly #sheet: HeightSheet;
  /** Where in its square a point is, between 0 and 1, and the plane of the triangle there. */
  #alongX = 0;
  #alongZ = 0;
  #base = 0;
  #riseX = 0;
  #riseZ = 0;

  constructor({ heights, rows, columns, cell }: HeightFieldShape) {
    this.rows = rows;
    this.columns = columns;
    this.#dx = cell[0];
    this.#dz = cell[1];
    this.halfX = ((columns - 1) * cell[0]) / 2;
    this.halfZ = ((rows - 1) * cell[1]) / 2;
    this.heights = Float64Array.from(heights);
    this.highest = this.heights.reduce((most, height) => Math.max(most, height), -Infinity);
    this.#leastCosine = this.#findLeastCosine();
    this.#sheet = new HeightSheet(this.heights, rows, columns, cell[0], cell[1]);
  }

  #findLeastCosine(): number {
    let steepestSq = 0;
    for (let row = 0; row + 1 < this.rows; row++) {
      for (let column = 0; column + 1 < this.columns; column++) {
        const at = row * this.columns + column;
        for (const side of [0, 1]) {
          const x = (this.heights[at + side * this.columns + 1] - this.heights[at + side * this.columns]) / this.#dx;
          const z = (this.heights[at + this.columns + 1 - side] - this.heights[at + 1 - side]) / this.#dz;
          steepestSq = Math.max(steepestSq, x * x + z * z);
        }
      }
    }
    return 1 / Math.sqrt(1 + steepestSq);
  }

  /** Finds the square below or above (x, z), and where in it that is. */
  #locate(x: number, z: number): void {
    const u = Math.max(0, Math.min(this.columns - 1, (x + this.halfX) / this.#dx));
    const v = Math.max(0, Math.min(this.rows - 1, (z + this.halfZ) / this.#dz));
    const column = Math.min(this.columns - 2, Math.floor(u));
    const row = Math.min(this.rows - 2, Math.floor(v));
    const at = row * this.columns + column;
    this.#alongX = u - column;
    this.#alongZ = v - row;
    const base = this.heights[at];
    const right = this.heights[at + 1];
    const front = this.heights[at + this.columns];
    const opposite = this.heights[at + this.columns + 1];
    const first = this.#alongX <= this.#alongZ;
    this.#base = base;
    this.#riseX = first ? opposite - front : right - base;
    this.#riseZ = first ? front - base : opposite - right;
  }

  /** Height of the sheet at (x, z) [m], which is brought into the rectangle. */
  heightAt(x: number, z: number): number {
    this.#locate(x, z);
    return this.#base + this.#alongX * this.#riseX + this.#alongZ * this.#riseZ;
  }

  /**
   * Signed distance of the point p[i..i+3) [m]; writes the outward unit normal to n[o..o+3). Above the sheet, where it is
   * surely more than `reach`, only a bound that is too low and the direction up.
   */
  distance(p: Float64Array, i: number, n: Float64Array, o: number, reach: number): number {
    const x = p[i];
    const y = p[i + 1];
    const z = p[i + 2];
    const cx = Math.max(-this.halfX, Math.min(this.halfX, x));
    const cz = Math.max(-this.halfZ, Math.min(this.halfZ, z));
    const height = this.heightAt(cx, cz);
    const beside = cx !== x || cz !== z;
    if (beside && y <= height) return this.#apart(x - cx, 0, z - cz, n, o);
    const bound = beside ? 0 : (y - height) * this.#leastCosine;
    if (bound > reach) {
      this.#apart(0, 1, 0, n, o);
      return bound;
    }
    const { way } = this.#sheet;
    way[0] = cx - x;
    way[1] = height - y;
    way[2] = cz - z;
    const known = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    const distance = Math.sqrt(this.#sheet.nearest(x, y, z, known));
    const below = !beside && y < height;
    if (below) {
      const side = this.#nearestSide(x, y, z, distance, n, o);
      if (side < distance) return -side;
    }
    if (distance <= TOUCHING * Math.min(this.#dx, this.#dz)) this.#faceNormal(cx, cz, n, o);
    else this.#apart(below ? way[0] : -way[0], below ? way[1] : -way[1], below ? way[2] : -way[2], n, o);
    return below ? -distance : distance;
  }

  /** Length of a vector, its direction written as the normal. */
  #apart(x: number, y: number, z: number, n: Float64Array, o: number): number {
    const length = Math.sqrt(x * x + y * y + z * z);
    n[o] = x / length;
    n[o + 1] = y / length;
    n[o + 2] = z / length;
    return length;
  }

  /** Distance to the nearest of the four sides that is as high as y, and its normal, if it is below `best`. */
  #nearestSide(x: number, y: number, z: number, best: number, n: Float64Array, o: number): number {
    let nearest = best;
    for (let side = 0; side < 4; side++) {
      const sign = side & 1 ? -1 : 1;
      const alongX = side < 2;
      const distance = alongX ? this.halfX - sign * x : this.halfZ - sign * z;
      if (distance >= nearest) continue;
      if (y > this.heightAt(alongX ? sign * this.halfX : x, alongX ? z : sign * this.halfZ)) continue;
      nearest = distance;
      n[o] = alongX ? sign : 0;
      n[o + 1] = 0;
      n[o + 2] = alongX ? 0 : sign;
    }
    return nearest;
  }

  /** Normal of the triangle above or below (x, z). */
  #faceNormal(x: number, z: number, n: Float64Array, o: number): void {
    this.#locate(x, z);
    this.#apart(-this.#riseX / this.#dx, 1, -this.#riseZ / this.#dz, n, o);
  }
}
