/**
 * All vertices of one body, inner ones included, that are inside tets of another body, or of another place of the same one:
 * the colliding vertices of [Li2019 §4], found by a grid over them (the paper hashes).
 */
import { PointGrid } from '../surface/point-grid.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { tetWeights } from '../surface/tet-weights.js';

/** Finds vertices in tets; owns its scratch. */
export class VerticesInside {
  /** Vertices of the body last searched that are inside, the first `count`. */
  vertices = new Int32Array(0);
  count = 0;
  /** Tet each vertex of that body is in, -1 for none, and the weights of its corners. */
  tets = new Int32Array(0);
  weights = new Float64Array(0);
  readonly #grids = new Map<SurfaceMotion, PointGrid>();
  readonly #box = new Float64Array(6);
  readonly #found = new Float64Array(4);

  /** Makes room for the vertices of a body. */
  prepare(body: SurfaceMotion): void {
    const { vertexCount } = body.model;
    this.#grids.set(body, new PointGrid(vertexCount));
    if (this.tets.length >= vertexCount) return;
    this.vertices = new Int32Array(vertexCount);
    this.tets = new Int32Array(vertexCount);
    this.weights = new Float64Array(vertexCount * 4);
  }

  /** Sorts the vertices of a body as it is now; once a step. */
  sort(body: SurfaceMotion): void {
    this.#grids.get(body)!.fill(body.positions, body.model.vertexCount, body.cell, body.box);
  }

  /** Looks for the vertices of one body in the tets of another, which may be the same body. */
  search(points: SurfaceMotion, solid: SurfaceMotion): void {
    const { tets } = solid.model;
    const grid = this.#grids.get(points)!;
    this.tets.fill(-1, 0, points.model.vertexCount);
    this.count = 0;
    for (let tet = 0; tet < tets.length / 4; tet++) {
      if (!this.#boxOf(solid, tet, points)) continue;
      grid.query(this.#box);
      for (let n = 0; n < grid.found; n++) this.#try(points, solid, grid.answer[n], tet);
    }
  }

  #try(points: SurfaceMotion, solid: SurfaceMotion, v: number, tet: number): void {
    if (this.tets[v] >= 0) return;
    const { tets } = solid.model;
    if (tetWeights(solid.positions, tets, tet * 4, points.positions, v * 3, this.#found) >= 0) return;
    if (points === solid && isNearAtRest(solid, tets, tet * 4, 4, v)) return;
    this.tets[v] = tet;
    for (let k = 0; k < 4; k++) this.weights[v * 4 + k] = this.#found[k];
    this.vertices[this.count++] = v;
  }

  /** Box of a tet; false where none of the other body's points can be in it. */
  #boxOf(solid: SurfaceMotion, tet: number, points: SurfaceMotion): boolean {
    const { tets } = solid.model;
    const x = solid.positions;
    const box = this.#box;
    const o = tet * 4;
    for (let k = 0; k < 3; k++) {
      const a = x[tets[o] * 3 + k];
      const b = x[tets[o + 1] * 3 + k];
      const c = x[tets[o + 2] * 3 + k];
      const d = x[tets[o + 3] * 3 + k];
      box[k] = Math.min(a, b, c, d);
      box[3 + k] = Math.max(a, b, c, d);
      if (box[k] > points.box[3 + k] || box[3 + k] < points.box[k]) return false;
    }
    return true;
  }
}

/** Whether vertex v is so near one of `count` corners, listed from `o` on, at rest that the two never count as touching. */
export function isNearAtRest(body: SurfaceMotion, corners: Int32Array, o: number, count: number, v: number): boolean {
  const { positions } = body.model;
  const reach = body.surface.neighbourhood;
  for (let n = o; n < o + count; n++) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const d = positions[corners[n] * 3 + k] - positions[v * 3 + k];
      sum += d * d;
    }
    if (sum < reach * reach) return true;
  }
  return false;
}
