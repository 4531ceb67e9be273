/**
 * Vertices of one body that are inside another, or inside another place of their own body, and the way out: the place is
 * carried back to the rest shape, where the nearest triangle of the surface is looked up (the undeformed distance of
 * [McAdams2011 §7]). However the body is bent, there is one answer, and it is on its own surface.
 */
import { NearestTriangles } from './nearest-triangles.js';
import type { SurfaceMotion } from './surface-motion.js';
import { nearestOnTriangle } from './triangle-point.js';

/** Barycentric coordinate below zero that still counts as inside, so that rounding opens no cracks between tets. */
const ROUNDING = 1e-9;

/** Finds vertices inside tets. */
export class InsideSearch {
  /** Tet each vertex of the body last searched is in, -1 for none; by surface number. */
  tets = new Int32Array(0);
  /** Nearest triangle of the surface and weights of its corners, once `wayOut` was asked. */
  triangle = -1;
  readonly weights = new Float64Array(3);
  readonly #trees = new Map<SurfaceMotion['surface'], NearestTriangles>();
  readonly #box = new Float64Array(6);
  readonly #bary = new Float64Array(4);
  readonly #rest = new Float64Array(3);

  /** Prepares what `wayOut` needs, for bodies of this surface. */
  prepare(body: SurfaceMotion): void {
    const { surface, model } = body;
    if (this.#trees.has(surface)) return;
    this.#trees.set(surface, new NearestTriangles({ positions: model.positions, triangles: surface.triangles }));
    if (this.tets.length < surface.vertices.length) this.tets = new Int32Array(surface.vertices.length);
  }

  /** Fills `tets` for the points of one body in the tets of the other, which may be the same body. */
  search(points: SurfaceMotion, solid: SurfaceMotion): void {
    const self = points === solid;
    const count = points.surface.vertices.length;
    this.tets.fill(-1, 0, count);
    const { outerTets } = solid.surface;
    // of its own body only the outer layer: deeper, a vertex would have to pass through that first
    const tetCount = self ? outerTets.length : solid.model.tets.length / 4;
    for (let n = 0; n < tetCount; n++) {
      const tet = self ? outerTets[n] : n;
      if (!this.#boxOf(solid, tet, points)) continue;
      points.hash.query(this.#box);
      for (let m = 0; m < points.hash.found; m++) {
        const i = points.hash.answer[m];
        if (this.tets[i] >= 0 || (self && this.#isNear(solid, tet, i))) continue;
        if (this.#contains(solid, tet, points.points, i * 3)) this.tets[i] = tet;
      }
    }
  }

  /** Where vertex i of the points (surface number), inside `tets[i]`, gets out: sets `triangle` and `weights`. */
  wayOut(points: SurfaceMotion, solid: SurfaceMotion, i: number): void {
    const { tets, positions } = solid.model;
    const tet = this.tets[i];
    this.#contains(solid, tet, points.points, i * 3);
    for (let k = 0; k < 3; k++) {
      this.#rest[k] = 0;
      for (let c = 0; c < 4; c++) this.#rest[k] += this.#bary[c] * positions[tets[tet * 4 + c] * 3 + k];
    }
    const rest = this.#rest;
    this.triangle = this.#trees.get(solid.surface)!.find(rest[0], rest[1], rest[2], Number.POSITIVE_INFINITY);
    const { triangles } = solid.surface;
    const t = this.triangle * 3;
    const a = triangles[t] * 3;
    const b = triangles[t + 1] * 3;
    const c = triangles[t + 2] * 3;
    nearestOnTriangle(positions, a, b, c, rest[0], rest[1], rest[2], this.weights);
  }

  /** Box of a tet; false where none of the other body's points can be in it. */
  #boxOf(solid: SurfaceMotion, tet: number, points: SurfaceMotion): boolean {
    const { tets } = solid.model;
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let c = 0; c < 4; c++) {
        const x = solid.positions[tets[tet * 4 + c] * 3 + k];
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (low > points.box[3 + k] || high < points.box[k]) return false;
      box[k] = low;
      box[3 + k] = high;
    }
    return true;
  }

  /** A vertex near a tet at rest is never inside it in the sense meant here. */
  #isNear(solid: SurfaceMotion, tet: number, i: number): boolean {
    const { tets, positions } = solid.model;
    const v = solid.surface.vertices[i] * 3;
    const reach = solid.surface.neighbourhood;
    for (let c = 0; c < 4; c++) {
      const corner = tets[tet * 4 + c] * 3;
      const x = positions[corner] - positions[v];
      const y = positions[corner + 1] - positions[v + 1];
      const z = positions[corner + 2] - positions[v + 2];
      if (x * x + y * y + z * z < reach * reach) return true;
    }
    return false;
  }

  /** Whether a point is in a tet; fills the barycentric coordinates. Tets turned inside out contain nothing. */
  #contains(solid: SurfaceMotion, tet: number, p: Float64Array, at: number): boolean {
    const { tets } = solid.model;
    const x = solid.positions;
    const a = tets[tet * 4] * 3;
    const b = tets[tet * 4 + 1] * 3;
    const c = tets[tet * 4 + 2] * 3;
    const d = tets[tet * 4 + 3] * 3;
    const whole = volume(x, a, x, b, x, c, x, d);
    if (!(whole > 0)) return false;
    const bary = this.#bary;
    bary[0] = volume(p, at, x, b, x, c, x, d) / whole;
    bary[1] = volume(x, a, p, at, x, c, x, d) / whole;
    bary[2] = volume(x, a, x, b, p, at, x, d) / whole;
    bary[3] = 1 - bary[0] - bary[1] - bary[2];
    return bary[0] >= -ROUNDING && bary[1] >= -ROUNDING && bary[2] >= -ROUNDING && bary[3] >= -ROUNDING;
  }
}

/** Six times the signed volume of the tet a, b, c, d, each at an offset of an array. */
function volume(
  p: Float64Array,
  a: number,
  q: Float64Array,
  b: number,
  r: Float64Array,
  c: number,
  s: Float64Array,
  d: number,
): number {
  const ux = q[b] - p[a];
  const uy = q[b + 1] - p[a + 1];
  const uz = q[b + 2] - p[a + 2];
  const vx = r[c] - p[a];
  const vy = r[c + 1] - p[a + 1];
  const vz = r[c + 2] - p[a + 2];
  const wx = s[d] - p[a];
  const wy = s[d + 1] - p[a + 1];
  const wz = s[d + 2] - p[a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}
