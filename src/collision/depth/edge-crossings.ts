/**
 * Edges of one body that enter another, and where exactly they cross its surface: the intersecting edges of the consistent
 * penetration depth [Li2019 §4]. Edges are sorted into a grid by their middles and asked for triangle by triangle.
 */
import { leavesBy } from '../surface/line-through-triangle.js';
import { PointGrid } from '../surface/point-grid.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { VertexNeighbours } from '../surface/tet-edges.js';
import { isNearAtRest, type VerticesInside } from './vertices-inside.js';

/** Share of an edge beyond its ends that still counts as on it, so that rounding opens no cracks. */
const ROUNDING = 1e-9;

/** Finds crossings; owns its scratch. */
export class EdgeCrossings {
  /** Edges with one end inside, the first `count`: that end, and the free one. */
  count = 0;
  inner = new Int32Array(0);
  outer = new Int32Array(0);
  /** How far along from the free end each edge enters (0 to 1); infinity where it crosses no face that it could enter by. */
  along = new Float64Array(0);
  /** Outward unit normal of the surface where it enters, 3 per edge. */
  normals = new Float64Array(0);
  #middles = new Float64Array(0);
  #grid = new PointGrid(0);
  readonly #bounds = new Float64Array(6);
  readonly #box = new Float64Array(6);
  readonly #weights = new Float64Array(3);
  readonly #outward = new Float64Array(3);
  #longest = 0;

  /** Makes room for the edges of a body. */
  prepare({ edgeCount }: VertexNeighbours): void {
    if (this.inner.length >= edgeCount) return;
    this.inner = new Int32Array(edgeCount);
    this.outer = new Int32Array(edgeCount);
    this.along = new Float64Array(edgeCount);
    this.normals = new Float64Array(edgeCount * 3);
    this.#middles = new Float64Array(edgeCount * 3);
    this.#grid = new PointGrid(edgeCount);
  }

  /** Finds where the edges of `points`, whose vertices inside are known, enter `solid`. */
  find(points: SurfaceMotion, edges: VertexNeighbours, inside: VerticesInside, solid: SurfaceMotion): void {
    this.#collect(points, edges, inside);
    if (this.count === 0) return;
    this.#grid.fill(this.#middles, this.count, Math.max(points.cell, this.#longest), this.#bounds);
    const { triangles } = solid.surface;
    for (let t = 0; t < triangles.length; t += 3) {
      if (!this.#boxOf(solid, t)) continue;
      this.#grid.query(this.#box);
      for (let n = 0; n < this.#grid.found; n++) this.#cross(points, solid, t, this.#grid.answer[n]);
    }
  }

  /** Lists the edges with one end inside, their middles and the box around these. */
  #collect(points: SurfaceMotion, { start, list }: VertexNeighbours, inside: VerticesInside): void {
    const x = points.positions;
    this.count = 0;
    this.#bounds.fill(Number.POSITIVE_INFINITY, 0, 3);
    this.#bounds.fill(Number.NEGATIVE_INFINITY, 3, 6);
    let longestSq = 0;
    for (let i = 0; i < inside.count; i++) {
      const p = inside.vertices[i];
      for (let n = start[p]; n < start[p + 1]; n++) {
        const q = list[n];
        if (inside.tets[q] >= 0) continue;
        const e = this.count++;
        this.inner[e] = p;
        this.outer[e] = q;
        this.along[e] = Number.POSITIVE_INFINITY;
        let lengthSq = 0;
        for (let k = 0; k < 3; k++) {
          const d = x[p * 3 + k] - x[q * 3 + k];
          const middle = 0.5 * (x[p * 3 + k] + x[q * 3 + k]);
          lengthSq += d * d;
          this.#middles[e * 3 + k] = middle;
          this.#bounds[k] = Math.min(this.#bounds[k], middle);
          this.#bounds[3 + k] = Math.max(this.#bounds[3 + k], middle);
        }
        longestSq = Math.max(longestSq, lengthSq);
      }
    }
    this.#longest = Math.sqrt(longestSq);
  }

  /** Box in which the middles of edges that cross a triangle are; false where there are none. */
  #boxOf(solid: SurfaceMotion, t: number): boolean {
    const { triangles } = solid.surface;
    const x = solid.positions;
    const grow = 0.5 * this.#longest;
    for (let k = 0; k < 3; k++) {
      const a = x[triangles[t] * 3 + k];
      const b = x[triangles[t + 1] * 3 + k];
      const c = x[triangles[t + 2] * 3 + k];
      this.#box[k] = Math.min(a, b, c) - grow;
      this.#box[3 + k] = Math.max(a, b, c) + grow;
      if (this.#box[k] > this.#bounds[3 + k] || this.#box[3 + k] < this.#bounds[k]) return false;
    }
    return true;
  }

  /** Notes that edge e enters by triangle t, if it does, and by none that is nearer to its free end. */
  #cross(points: SurfaceMotion, solid: SurfaceMotion, t: number, e: number): void {
    const { triangles } = solid.surface;
    const from = this.outer[e];
    const to = this.inner[e];
    if (points === solid && isNearAtRest(solid, triangles, t, 3, to)) return;
    const p = points.positions;
    for (let k = 0; k < 3; k++) this.#outward[k] = p[from * 3 + k] - p[to * 3 + k];
    // what enters on its way in leaves on the way back
    const along = -leavesBy(p, from * 3, this.#outward, solid.positions, triangles, t, this.#weights);
    if (!(along >= -ROUNDING && along <= 1 + ROUNDING)) return;
    if (!(along < this.along[e]) || !this.#readNormal(solid, t, e)) return;
    this.along[e] = along;
  }

  /** Normal at the point just found, smooth over the surface; false where there is none. */
  #readNormal({ surface, vertexNormals }: SurfaceMotion, t: number, e: number): boolean {
    let lengthSq = 0;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let c = 0; c < 3; c++) {
        sum += this.#weights[c] * vertexNormals[surface.surfaceOf[surface.triangles[t + c]] * 3 + k];
      }
      this.normals[e * 3 + k] = sum;
      lengthSq += sum * sum;
    }
    if (!(lengthSq > 0)) return false;
    const scale = 1 / Math.sqrt(lengthSq);
    for (let k = 0; k < 3; k++) this.normals[e * 3 + k] *= scale;
    return true;
  }
}
