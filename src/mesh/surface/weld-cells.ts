/**
 * Which of the vertices kept so far is at a place: cells of the size within which vertices are one, in a table by what their three whole numbers mix to.
 * A cell remembers the vertex that came last. Called when surfaces are read.
 */

/** Of a table's places at most one in so many is taken. */
const SPACE = 2;
/** Odd numbers with their bits all over: neighbouring cells land far from each other. */
const MIX = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d];

/** Vertices that were kept, by cells. */
export class WeldCells {
  readonly #step: number;
  readonly #mask: number;
  /** Vertex + 1 of each place of the table, 0 where it is free; and the cell it stands for, 3 each. */
  readonly #vertices: Int32Array;
  readonly #cells: Float64Array;
  readonly #kept: Float64Array;
  #count = 0;

  /** `most` vertices can be kept; those within half a `step` [m] are one. */
  constructor(most: number, step: number) {
    let places = 8;
    while (places < SPACE * most) places *= 2;
    this.#step = step;
    this.#mask = places - 1;
    this.#vertices = new Int32Array(places);
    this.#cells = new Float64Array(3 * places);
    this.#kept = new Float64Array(3 * most);
  }

  /** The vertex at a place; the place becomes one where there is none. */
  find(x: number, y: number, z: number): number {
    const step = this.#step;
    const i = Math.floor(x / step);
    const j = Math.floor(y / step);
    const k = Math.floor(z / step);
    // only neighbours on the nearer side can hold something that near
    const sideX = x / step - i < 0.5 ? -1 : 1;
    const sideY = y / step - j < 0.5 ? -1 : 1;
    const sideZ = z / step - k < 0.5 ? -1 : 1;
    for (let corner = 0; corner < 8; corner++) {
      const cx = i + (corner & 4 ? sideX : 0);
      const cy = j + (corner & 2 ? sideY : 0);
      const cz = k + (corner & 1 ? sideZ : 0);
      const other = this.#vertices[this.#place(cx, cy, cz)] - 1;
      if (other >= 0 && this.#isAt(other, x, y, z)) return other;
    }
    return this.#keep(this.#place(i, j, k), i, j, k, x, y, z);
  }

  /** x, y, z of the vertices that were kept. */
  positions(): Float64Array {
    return this.#kept.slice(0, 3 * this.#count);
  }

  #isAt(vertex: number, x: number, y: number, z: number): boolean {
    const dx = this.#kept[3 * vertex] - x;
    const dy = this.#kept[3 * vertex + 1] - y;
    const dz = this.#kept[3 * vertex + 2] - z;
    return dx * dx + dy * dy + dz * dz <= (this.#step / 2) * (this.#step / 2);
  }

  #keep(place: number, i: number, j: number, k: number, x: number, y: number, z: number): number {
    const vertex = this.#count++;
    this.#vertices[place] = vertex + 1;
    this.#cells[3 * place] = i;
    this.#cells[3 * place + 1] = j;
    this.#cells[3 * place + 2] = k;
    this.#kept[3 * vertex] = x;
    this.#kept[3 * vertex + 1] = y;
    this.#kept[3 * vertex + 2] = z;
    return vertex;
  }

  /** Where a cell is in the table, or the free place it would take. */
  #place(i: number, j: number, k: number): number {
    const cells = this.#cells;
    let place = (Math.imul(i, MIX[0]) ^ Math.imul(j, MIX[1]) ^ Math.imul(k, MIX[2])) & this.#mask;
    for (; this.#vertices[place] !== 0; place = (place + 1) & this.#mask) {
      const o = 3 * place;
      if (cells[o] === i && cells[o + 1] === j && cells[o + 2] === k) break;
    }
    return place;
  }
}
