/**
 * Contacts between the vertices of one body and the triangles of another, or of another place on the same body. Vertices outside
 * get a contact with each wall they could reach within the step; vertices that got inside are led back by the way out in the rest shape.
 */
import type { ContactBuffer } from './contact-buffer.js';
import { isDeep } from './deep-overlap.js';
import { FaceCandidates } from './face-candidates.js';
import type { InsideSearch } from './inside-search.js';
import { FACING } from './meeting-search.js';
import type { SurfaceMotion } from './surface-motion.js';
import { deepest, ledOut, WallSearch } from './wall-search.js';

/** Way in one step, in mean edge lengths, that counts as slow. */
const SLOW = 0.25;
/** Most pairs of vertex and triangle looked at in a step; what is left is counted, not hidden. */
const MOST_PAIRS = 4_000_000;

/** Finds contacts of vertices with triangles; owns its scratch. */
export class SurfaceContacts {
  readonly #inside: InsideSearch;
  readonly #candidates = new Map<SurfaceMotion, FaceCandidates>();
  readonly #box = new Float64Array(6);
  readonly #walls = new WallSearch();
  /** Pairs of vertex and triangle that may still be looked at in this step. */
  #budget = 0;

  constructor(inside: InsideSearch) {
    this.#inside = inside;
  }

  /** A new step begins. */
  begin(): void {
    this.#budget = MOST_PAIRS;
  }

  /** Makes room for the vertices of a body. */
  prepare(body: SurfaceMotion): void {
    this.#candidates.set(body, new FaceCandidates(body.surface.vertices.length));
  }

  /**
   * Adds contacts of the vertices of body `a` with the triangles of body `b`, which may be the same. `h`: step [s];
   * `pull`: acceleration that one of the two may be held against [m/s²]; `thorough`:
   * look for vertices inside however deep they are. False, with nothing added, where the two bodies are found deep in each other.
   */
  find(
    points: SurfaceMotion,
    a: number,
    solid: SurfaceMotion,
    b: number,
    h: number,
    pull: number,
    thorough: boolean,
    out: ContactBuffer,
  ): boolean {
    if (thorough) {
      this.#inside.search(points, solid);
      if (points !== solid && isDeep(points, solid, this.#deepestInside(points, solid))) return false;
    }
    const candidates = this.#candidates.get(points)!;
    candidates.clear();
    const { triangles } = solid.surface;
    for (let t = 0; t < triangles.length / 3; t++) {
      if (!this.#boxOf(solid, t, points, h, pull)) continue;
      if (points === solid && !points.cones.mayFace(this.#box, solid.normals, t * 3, FACING)) continue;
      if (this.#budget < 0) {
        out.unswept++;
        continue;
      }
      points.grid.query(this.#box);
      this.#budget -= points.grid.found;
      for (let n = 0; n < points.grid.found; n++) {
        this.#walls.offer(points, solid, points.grid.answer[n], t, h, pull, candidates);
      }
    }
    if (!thorough) this.#inside.searchBehind(points, solid, candidates.behind);
    this.#addInside(points, a, solid, b, out);
    for (let n = 0; n < candidates.touchedCount; n++) {
      const i = candidates.touched[n];
      for (let slot = candidates.slotOf(i); slot < candidates.slotOf(i) + candidates.counts[i]; slot++) {
        if (this.#isIdle(candidates, i, slot, points === solid)) continue;
        const o = slot * 3;
        const c = this.#add(points, a, i, solid, b, candidates.triangle[slot], candidates.weights, o, out);
        if (c < 0) continue;
        for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = candidates.normal[o + k];
        out.gap[c] = candidates.distance[slot];
        out.offset[c] = ledOut(candidates.distance[slot], Math.max(points.margin, solid.margin));
      }
    }
    return true;
  }

  /** Whether a candidate has nothing to say. */
  #isIdle(candidates: FaceCandidates, i: number, slot: number, self: boolean): boolean {
    const isFace = candidates.kind[slot] === 2;
    const inside = this.#inside.tets[i] >= 0;
    // behind a face of its own body and yet not inside: the far side of a thin part
    if (isFace) return self && candidates.distance[slot] < 0 && !inside;
    // inside, the way out is known; beside a face it stands on, a vertex needs no edge so close that it has no direction
    return inside || (candidates.kind[slot] === 0 && candidates.hasFace(i));
  }

  /**
   * Box in which vertices are looked for that triangle t can meet: around where it is and where it goes, seen from the body of
   * the vertices. What moves fast looks far; what moves slowly is found by the triangles of what moves fast, so that a whole body
   * pays for the speed of a hand only where the hand is. False where no vertex can be in it.
   */
  #boxOf(solid: SurfaceMotion, t: number, points: SurfaceMotion, h: number, pull: number): boolean {
    const { triangles, surfaceOf, edgeLength } = solid.surface;
    const { positions, velocities, stray } = solid;
    const box = this.#box;
    const margin = Math.max(points.margin, solid.margin);
    const grow = Math.max(deepest(points, solid), margin + h * h * pull + SLOW * edgeLength);
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let c = 0; c < 3; c++) {
        const v = triangles[t * 3 + c];
        const x = positions[v * 3 + k];
        const way = h * (points === solid ? stray[surfaceOf[v] * 3 + k] : velocities[v * 3 + k] - points.velocity[k]);
        low = Math.min(low, x, x + way);
        high = Math.max(high, x, x + way);
      }
      // as far as one of the two may be pushed towards the other
      const push = points === solid ? 0 : h * solid.push[k];
      const back = points === solid ? 0 : -h * points.push[k];
      box[k] = low - grow + Math.min(0, push, back);
      box[3 + k] = high + grow + Math.max(0, push, back);
      if (box[k] > points.box[3 + k] || box[3 + k] < points.box[k]) return false;
    }
    return true;
  }

  /** Depth of the deepest vertex that is inside [m]. */
  #deepestInside(points: SurfaceMotion, solid: SurfaceMotion): number {
    let most = 0;
    for (let i = 0; i < points.surface.vertices.length; i++) {
      if (this.#inside.tets[i] < 0) continue;
      this.#inside.wayOut(points, solid, i);
      most = Math.max(most, -height(points, i, solid, this.#inside.triangle));
    }
    return most;
  }

  #addInside(points: SurfaceMotion, a: number, solid: SurfaceMotion, b: number, out: ContactBuffer): void {
    const margin = Math.max(points.margin, solid.margin);
    for (let i = 0; i < points.surface.vertices.length; i++) {
      if (this.#inside.tets[i] < 0 || this.#candidates.get(points)!.hasFace(i)) continue;
      this.#inside.wayOut(points, solid, i);
      const t = this.#inside.triangle;
      const c = this.#add(points, a, i, solid, b, t, this.#inside.weights, 0, out);
      if (c < 0) continue;
      const gap = height(points, i, solid, t);
      for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = solid.normals[t * 3 + k];
      out.gap[c] = gap;
      out.offset[c] = ledOut(gap, margin);
    }
  }

  /** A contact of vertex i with a point of triangle t; -1 where there is no room. Normal, gap and offset are left to the caller. */
  #add(
    points: SurfaceMotion,
    a: number,
    i: number,
    solid: SurfaceMotion,
    b: number,
    t: number,
    weights: Float64Array,
    o: number,
    out: ContactBuffer,
  ): number {
    const vertex = points.surface.vertices[i];
    const c = out.add(a, vertex, b, -1);
    if (c < 0) return -1;
    out.setVertex(c, 0, 0, vertex, 1);
    out.friction[c] = Math.sqrt(points.friction * solid.friction);
    for (let k = 0; k < 3; k++) out.stuck[c * 3 + k] = points.positions[vertex * 3 + k];
    for (let corner = 0; corner < 3; corner++) {
      const v = solid.surface.triangles[t * 3 + corner];
      out.setVertex(c, 1, corner, v, weights[o + corner]);
      for (let k = 0; k < 3; k++) out.stuck[c * 3 + k] -= weights[o + corner] * solid.positions[v * 3 + k];
    }
    return c;
  }
}

/** Height of surface vertex i over the plane of triangle t [m]. */
function height(points: SurfaceMotion, i: number, { surface, positions, normals }: SurfaceMotion, t: number): number {
  const corner = surface.triangles[t * 3] * 3;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += normals[t * 3 + k] * (points.points[i * 3 + k] - positions[corner + k]);
  return sum;
}
