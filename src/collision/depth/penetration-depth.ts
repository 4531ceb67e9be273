/**
 * Consistent penetration depth [Li2019 §4], after Heidelberger and others: how far each vertex inside another body would have
 * to go to be out of it, and which way, such that neighbours agree. Vertices at the border learn it from the points where their
 * edges enter; from there it spreads inward over the mesh, ring by ring. A vertex deep inside is therefore sent back the way it
 * came, and not to whichever wall is nearest.
 */

import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { VertexNeighbours } from '../surface/tet-edges.js';
import type { EdgeCrossings } from './edge-crossings.js';
import type { VerticesInside } from './vertices-inside.js';

/** Distances shorter than this share of an edge weigh as much as this one: 1/d² must stay finite. */
const SHORTEST = 1e-9;
/** Ring of a vertex that no depth has reached. */
const UNREACHED = -1;

/** Depth of the vertices of one body in another; owns its scratch. */
export class PenetrationDepth {
  /** Vertices that were reached, the first `count`. */
  vertices = new Int32Array(0);
  count = 0;
  /** By vertex: depth [m] and unit direction out; both 0 where the directions around it cancel. */
  depths = new Float64Array(0);
  directions = new Float64Array(0);
  /** Rings inward from the border, whose vertices are 0. */
  #rings = new Int32Array(0);
  readonly #way = new Float64Array(3);
  #weight = 0;
  #shortestSq = 0;

  /** Makes room for the vertices of a body. */
  prepare({ model: { vertexCount } }: SurfaceMotion): void {
    if (this.depths.length >= vertexCount) return;
    this.vertices = new Int32Array(vertexCount);
    this.depths = new Float64Array(vertexCount);
    this.directions = new Float64Array(vertexCount * 3);
    this.#rings = new Int32Array(vertexCount);
  }

  /** Finds the depths of the vertices `inside` from the `crossings` of their edges. Those it cannot reach are left out. */
  find(points: SurfaceMotion, edges: VertexNeighbours, inside: VerticesInside, crossings: EdgeCrossings): void {
    const shortest = SHORTEST * points.surface.edgeLength;
    this.#shortestSq = shortest * shortest;
    this.#rings.fill(UNREACHED, 0, points.model.vertexCount);
    this.count = 0;
    this.#readBorder(points.positions, crossings);
    let from = 0;
    for (let ring = 1; from < this.count; ring++) {
      const to = this.count;
      this.#gatherRing(edges, inside, from, ring);
      for (let n = to; n < this.count; n++) this.#spread(points.positions, edges, this.vertices[n], ring);
      from = to;
    }
  }

  /** d = Σ w (x − p)·n / Σ w and r ∝ Σ w n over the points x where the edges of p enter, n the normals there, w = 1/|x − p|². */
  #readBorder(positions: Float64Array, { inner, outer, along, normals, count }: EdgeCrossings): void {
    // the edges of a vertex follow each other
    for (let e = 0; e < count; ) {
      const p = inner[e];
      this.#begin(p);
      for (; e < count && inner[e] === p; e++) {
        if (along[e] === Number.POSITIVE_INFINITY) continue;
        const left = 1 - along[e];
        for (let k = 0; k < 3; k++) this.#way[k] = left * (positions[outer[e] * 3 + k] - positions[p * 3 + k]);
        this.#add(p, 0, normals, e * 3);
      }
      if (this.#weight === 0) continue;
      this.#end(p);
      this.#rings[p] = 0;
      this.vertices[this.count++] = p;
    }
  }

  /** Appends the vertices inside that are next to those from `from` on. */
  #gatherRing({ start, list }: VertexNeighbours, inside: VerticesInside, from: number, ring: number): void {
    const to = this.count;
    for (let n = from; n < to; n++) {
      const p = this.vertices[n];
      for (let m = start[p]; m < start[p + 1]; m++) {
        const q = list[m];
        if (inside.tets[q] < 0 || this.#rings[q] !== UNREACHED) continue;
        this.#rings[q] = ring;
        this.vertices[this.count++] = q;
      }
    }
  }

  /** d = Σ w ((q − p)·r(q) + d(q)) / Σ w and r ∝ Σ w r(q) over the neighbours q of earlier rings, w = 1/|q − p|². */
  #spread(positions: Float64Array, { start, list }: VertexNeighbours, p: number, ring: number): void {
    this.#begin(p);
    for (let m = start[p]; m < start[p + 1]; m++) {
      const q = list[m];
      if (this.#rings[q] === UNREACHED || this.#rings[q] >= ring) continue;
      for (let k = 0; k < 3; k++) this.#way[k] = positions[q * 3 + k] - positions[p * 3 + k];
      this.#add(p, this.depths[q], this.directions, q * 3);
    }
    this.#end(p);
  }

  #begin(p: number): void {
    this.#weight = this.depths[p] = 0;
    this.directions.fill(0, p * 3, p * 3 + 3);
  }

  /** Takes in what is known at the end of `#way`: the depth there and the direction at offset `o`. */
  #add(p: number, depth: number, directions: Float64Array, o: number): void {
    const way = this.#way;
    const lengthSq = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    const weight = 1 / Math.max(lengthSq, this.#shortestSq);
    let rise = depth;
    for (let k = 0; k < 3; k++) {
      rise += way[k] * directions[o + k];
      this.directions[p * 3 + k] += weight * directions[o + k];
    }
    this.depths[p] += weight * rise;
    this.#weight += weight;
  }

  /** Makes averages of the sums. A vertex that would have to go backwards, or nowhere, has no depth. */
  #end(p: number): void {
    const { directions } = this;
    const o = p * 3;
    const lengthSq =
      directions[o] * directions[o] + directions[o + 1] * directions[o + 1] + directions[o + 2] * directions[o + 2];
    const scale = lengthSq > 0 ? 1 / Math.sqrt(lengthSq) : 0;
    for (let k = 0; k < 3; k++) directions[o + k] *= scale;
    this.depths[p] = scale > 0 ? Math.max(0, this.depths[p] / this.#weight) : 0;
  }
}
