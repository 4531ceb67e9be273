/**
 * Vertices of one body that are inside another, or inside another place of their own body, and the way out: the place is
 * carried back to the rest shape, where the nearest triangle of the surface is looked up (the undeformed distance of
 * [McAdams2011 §7]). However the body is bent, there is one answer, and it is on its own surface.
 */

import { NearestTriangles } from '../shapes/nearest-triangles.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { TetWalk } from '../surface/tet-walk.js';
import { nearestOnTriangle } from '../surface/triangle-point.js';
import { RigidInside } from './rigid-inside.js';

/** Finds vertices inside tets. */
export class InsideSearch {
  /** Tet, or part of a rigid body, each vertex of the body last searched is in, -1 for none; by surface number. */
  tets = new Int32Array(0);
  /** Nearest triangle of the surface and weights of its corners, once `wayOut` was asked; that on the way back, once `wayBack` was. */
  triangle = -1;
  readonly weights = new Float64Array(4);
  readonly #trees = new Map<SurfaceMotion['surface'], NearestTriangles>();
  readonly #walks = new Map<SurfaceMotion['surface'], TetWalk>();
  readonly #rigid = new Map<SurfaceMotion['surface'], RigidInside>();
  readonly #box = new Float64Array(6);
  readonly #rest = new Float64Array(3);
  readonly #way = new Float64Array(3);

  /** Prepares what `wayOut` needs, for bodies of this surface. */
  prepare(body: SurfaceMotion): void {
    const { surface, model } = body;
    if (this.tets.length < surface.vertices.length) this.tets = new Int32Array(surface.vertices.length);
    if (this.#trees.has(surface) || this.#rigid.has(surface)) return;
    if (model.interior?.kind === 'parts') {
      this.#rigid.set(surface, new RigidInside(model, surface, model.interior.triangleStart));
      return;
    }
    this.#walks.set(surface, new TetWalk(model, surface));
    this.#trees.set(surface, new NearestTriangles({ positions: model.positions, triangles: surface.triangles }));
  }

  /** Fills `tets` for the points that are just behind a triangle of the other body, `behind` by surface number (-1: none). */
  searchBehind(points: SurfaceMotion, solid: SurfaceMotion, behind: Int32Array): void {
    const rigid = this.#rigid.get(solid.surface);
    if (rigid) {
      this.#searchBehindRigid(rigid, points, solid, behind);
      return;
    }
    const walk = this.#walks.get(solid.surface)!;
    for (let i = 0; i < points.surface.vertices.length; i++) {
      this.tets[i] = behind[i] < 0 ? -1 : walk.findFrom(behind[i], solid.positions, points.points, i * 3);
      if (points === solid && this.tets[i] >= 0 && isCorner(solid, this.tets[i], i)) this.tets[i] = -1;
    }
  }

  /**
   * Fills `tets` for the points of one body in the tets of the other, which may be the same body, however deep. Costs as much as
   * all other detection together. Of its own body only the outer layer of tets unless `all` are wanted: deeper, a vertex would have to pass through that first.
   */
  search(points: SurfaceMotion, solid: SurfaceMotion, all = false): void {
    const rigid = this.#rigid.get(solid.surface);
    if (rigid) {
      rigid.search(points, solid, this.tets);
      return;
    }
    const self = points === solid;
    const outer = self && !all;
    const walk = this.#walks.get(solid.surface)!;
    const count = points.surface.vertices.length;
    this.tets.fill(-1, 0, count);
    const { outerTets } = solid.surface;
    const tetCount = outer ? outerTets.length : solid.model.tets.length / 4;
    for (let n = 0; n < tetCount; n++) {
      const tet = outer ? outerTets[n] : n;
      if (!this.#boxOf(solid, tet, points)) continue;
      points.grid.query(this.#box);
      for (let m = 0; m < points.grid.found; m++) {
        const i = points.grid.answer[m];
        if (this.tets[i] >= 0 || (self && isCorner(solid, tet, i))) continue;
        if (walk.outermost(tet, solid.positions, points.points, i * 3) < 0) this.tets[i] = tet;
      }
    }
  }

  /** Where vertex i of the points (surface number), inside `tets[i]`, gets out: sets `triangle` and `weights`. */
  wayOut(points: SurfaceMotion, solid: SurfaceMotion, i: number): void {
    const rigid = this.#rigid.get(solid.surface);
    if (rigid) this.triangle = rigid.nearest(solid, this.tets[i], points.points, i * 3, this.#rest);
    else this.#findNearest(points, solid, i);
    const { positions } = solid.model;
    const { triangles } = solid.surface;
    const t = this.triangle * 3;
    const a = triangles[t] * 3;
    const b = triangles[t + 1] * 3;
    const c = triangles[t + 2] * 3;
    nearestOnTriangle(positions, a, b, c, this.#rest, 0, this.weights);
  }

  /**
   * Where vertex i, inside another place of its own body, comes out against its own normal: two walls of a fold face each other, so that is the wall it came through. False where
   * that is farther than `most` [m], or cannot be told.
   */
  wayBack(body: SurfaceMotion, i: number, most: number): boolean {
    const walk = this.#walks.get(body.surface);
    if (!walk || body.crumpled[i] === 1) return false;
    for (let k = 0; k < 3; k++) this.#way[k] = -body.model.size * body.vertexNormals[i * 3 + k];
    this.triangle = walk.leave(this.tets[i], body.positions, body.points, i * 3, this.#way);
    if (this.triangle < 0) return false;
    let square = 0;
    for (let k = 0; k < 3; k++)
      square += (walk.exit[k] - body.points[i * 3 + k]) * (walk.exit[k] - body.points[i * 3 + k]);
    if (!(square <= most * most)) return false;
    const { triangles } = body.surface;
    const t = this.triangle * 3;
    nearestOnTriangle(
      body.positions,
      triangles[t] * 3,
      triangles[t + 1] * 3,
      triangles[t + 2] * 3,
      walk.exit,
      0,
      this.weights,
    );
    return true;
  }

  /** As `searchBehind`, for points that are behind a triangle of a rigid body. */
  #searchBehindRigid(rigid: RigidInside, points: SurfaceMotion, solid: SurfaceMotion, behind: Int32Array): void {
    for (let i = 0; i < points.surface.vertices.length; i++) {
      this.tets[i] = behind[i] < 0 ? -1 : rigid.findBehind(solid, behind[i], points.points, i * 3);
      if (points === solid && this.tets[i] >= 0 && rigid.isOwn(solid, this.tets[i], i)) this.tets[i] = -1;
    }
  }

  /** Carries the place of vertex i back to the rest shape, and finds the triangle nearest to it there. */
  #findNearest(points: SurfaceMotion, solid: SurfaceMotion, i: number): void {
    const { tets, positions } = solid.model;
    const tet = this.tets[i];
    const { bary } = this.#walks.get(solid.surface)!;
    this.#walks.get(solid.surface)!.outermost(tet, solid.positions, points.points, i * 3);
    for (let k = 0; k < 3; k++) {
      this.#rest[k] = 0;
      for (let c = 0; c < 4; c++) this.#rest[k] += bary[c] * positions[tets[tet * 4 + c] * 3 + k];
    }
    const rest = this.#rest;
    this.triangle = this.#trees.get(solid.surface)!.find(rest[0], rest[1], rest[2], Number.POSITIVE_INFINITY);
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
}

/** A vertex is never inside a tet that it is a corner of. */
function isCorner({ surface, model }: SurfaceMotion, tet: number, i: number): boolean {
  const v = surface.vertices[i];
  for (let c = tet * 4; c < tet * 4 + 4; c++) if (model.tets[c] === v) return true;
  return false;
}
