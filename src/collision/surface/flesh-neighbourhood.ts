/**
 * Which vertices are so near a place of the surface, through the flesh, that this place is never inside them. A straight line
 * would do but for gaps: the arms of a hairpin are near each other and must not pass through each other. Built once per model.
 */
import type { Model } from '../../body/model.js';
import type { CollisionSurface } from './collision-surface.js';
import { findVertexNeighbours } from './tet-edges.js';

/** Ways along the edges of tets are longer than straight ones, by up to this; longer ones lead around a gap. */
const DETOUR = 1.5;

/** The neighbourhoods of all vertices of a surface. */
export class FleshNeighbourhood {
  /** Vertices near surface vertex i: `#near[#start[i]..#start[i + 1])`, ascending. */
  readonly #start: Int32Array;
  readonly #near: Int32Array;

  constructor(model: Model, surface: CollisionSurface) {
    const { start, list } = findVertexNeighbours(model.tets, model.vertexCount);
    const { vertices, neighbourhood } = surface;
    const seenBy = new Int32Array(model.vertexCount).fill(-1);
    const path = new Float64Array(model.vertexCount);
    const reached = new Int32Array(model.vertexCount);
    const near: Int32Array[] = [];
    this.#start = new Int32Array(vertices.length + 1);
    for (let i = 0; i < vertices.length; i++) {
      const from = vertices[i];
      let count = 1;
      reached[0] = from;
      seenBy[from] = from;
      path[from] = 0;
      for (let n = 0; n < count; n++) {
        const a = reached[n];
        for (let e = start[a]; e < start[a + 1]; e++) {
          const b = list[e];
          if (seenBy[b] === from || distance(model.positions, from, b) > neighbourhood) continue;
          const way = path[a] + distance(model.positions, a, b);
          if (way > DETOUR * neighbourhood) continue;
          seenBy[b] = from;
          path[b] = way;
          reached[count++] = b;
        }
      }
      near.push(reached.slice(0, count).sort());
      this.#start[i + 1] = this.#start[i] + count;
    }
    this.#near = new Int32Array(this.#start[vertices.length]);
    for (let i = 0; i < vertices.length; i++) this.#near.set(near[i], this.#start[i]);
  }

  /** Whether vertex v is near surface vertex i. */
  has(i: number, v: number): boolean {
    let low = this.#start[i];
    let high = this.#start[i + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#near[middle] < v) low = middle + 1;
      else high = middle;
    }
    return low < this.#start[i + 1] && this.#near[low] === v;
  }
}

function distance(p: ArrayLike<number>, a: number, b: number): number {
  const x = p[a * 3] - p[b * 3];
  const y = p[a * 3 + 1] - p[b * 3 + 1];
  const z = p[a * 3 + 2] - p[b * 3 + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
