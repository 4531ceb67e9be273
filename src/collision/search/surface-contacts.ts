/**
 * Contacts between the vertices of one body and the triangles of another, or of another place on the same body. Vertices outside
 * get a contact with each wall they could reach within the step; vertices that got inside are led back by the way out in the rest shape, in creases of their own body by the way they came.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { isDeep } from './deep-overlap.js';
import { FaceCandidates } from './face-candidates.js';
import type { InsideSearch } from './inside-search.js';
import { RestingSurface } from './resting-surface.js';
import { SweptBoxes } from './swept-boxes.js';
import { addVertexOnTriangle } from './vertex-on-triangle.js';
import { deepest, ledOut, WallSearch } from './wall-search.js';

/** Most pairs of vertex and triangle looked at in a step; what is left is counted, not hidden. */
const MOST_PAIRS = 4_000_000;

/** Depth, in margins, down to which a vertex in a crease is led back: deeper in it, what is behind it may be any wall. */
const LOST = 10;

/**
 * For which vertices inside is looked: those behind a triangle that faces them, in every step; all, to be led back the way they came, where a body is creased; all, and out by
 * whatever is nearest, now and then.
 */
export type Look = 'behind' | 'creases' | 'all';

/** Finds contacts of vertices with triangles; owns its scratch. */
export class SurfaceContacts {
  readonly #inside: InsideSearch;
  readonly #candidates = new Map<SurfaceMotion, FaceCandidates>();
  readonly #resting = new Map<SurfaceMotion, RestingSurface>();
  readonly #boxes = new SweptBoxes();
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

  /** Makes room for the vertices of a body, and for what is known of it if it can touch itself. */
  prepare(body: SurfaceMotion, touchesItself: boolean): void {
    if (touchesItself) this.#resting.set(body, new RestingSurface(body));
    this.#boxes.prepare(body.surface.vertices.length);
    this.#candidates.set(body, new FaceCandidates(body.surface.vertices.length));
  }

  /**
   * Adds contacts of the vertices of body `a` with the triangles of body `b`, which may be the same. `h`: step [s];
   * `pull`: acceleration that one of the two may be held against [m/s²]; `look`:
   * for which vertices inside. False, with nothing added, where the two bodies are found deep in each other.
   */
  find(
    points: SurfaceMotion,
    a: number,
    solid: SurfaceMotion,
    b: number,
    h: number,
    pull: number,
    look: Look,
    out: ContactBuffer,
  ): boolean {
    if (look !== 'behind') {
      this.#inside.search(points, solid);
      if (points !== solid && isDeep(points, solid, this.#deepestInside(points, solid))) return false;
    }
    const candidates = this.#candidates.get(points)!;
    candidates.clear();
    this.#meetTriangles(points, solid, h, pull, candidates, out);
    if (look === 'behind') this.#inside.searchBehind(points, solid, candidates.behind);
    this.#addInside(points, a, solid, b, look, out);
    for (let n = 0; n < candidates.touchedCount; n++) {
      const i = candidates.touched[n];
      for (let slot = candidates.slotOf(i); slot < candidates.slotOf(i) + candidates.counts[i]; slot++) {
        if (this.#isIdle(candidates, i, slot, points === solid)) continue;
        const o = slot * 3;
        const c = addVertexOnTriangle(points, a, i, solid, b, candidates.triangle[slot], candidates.weights, o, out);
        if (c < 0) continue;
        for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = candidates.normal[o + k];
        out.gap[c] = candidates.distance[slot];
        out.offset[c] = ledOut(candidates.distance[slot], Math.max(points.margin, solid.margin));
      }
    }
    return true;
  }

  /** Offers every triangle of `solid` to the vertices near it, or in its way. */
  #meetTriangles(
    points: SurfaceMotion,
    solid: SurfaceMotion,
    h: number,
    pull: number,
    candidates: FaceCandidates,
    out: ContactBuffer,
  ): void {
    const { corners } = solid.surface;
    const { grid, facing } = points;
    const own = points === solid ? this.#resting.get(points) : undefined;
    const { answer } = own ? facing : grid;
    const walls = this.#walls;
    const boxes = this.#boxes;
    boxes.fill(solid, points, h, pull);
    own?.begin(h, this.#budget);
    walls.begin(points, solid, h, pull);
    const count = own ? own.count : corners.length / 3;
    for (let m = 0; m < count; m++) {
      const o = 3 * (own ? own.at(m) : m);
      const a = corners[o];
      const b = corners[o + 1];
      const c = corners[o + 2];
      // most triangles have nothing of their own body in front of them
      const noted = own ? own.search(boxes, m) : 0;
      if (own ? noted === 0 : !boxes.take(a, b, c) || grid.isEmpty(boxes.cells)) continue;
      if (this.#budget < 0) {
        out.unswept++;
        continue;
      }
      boxes.measure(a, b, c);
      const found = own ? facing.within(boxes.box, noted) : grid.query(boxes.box);
      this.#budget -= found;
      for (let n = 0; n < found; n++) walls.offer(points, solid, answer[n], o / 3, candidates);
    }
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

  #addInside(points: SurfaceMotion, a: number, solid: SurfaceMotion, b: number, look: Look, out: ContactBuffer): void {
    const margin = Math.max(points.margin, solid.margin);
    const most = Math.min(deepest(points, solid), LOST * margin);
    const candidates = this.#candidates.get(points)!;
    const { behind } = candidates;
    for (let i = 0; i < points.surface.vertices.length; i++) {
      if (this.#inside.tets[i] < 0 || candidates.hasFace(i)) continue;
      if (look !== 'creases' || !this.#inside.wayBack(points, i, most)) {
        // of what nothing near faces the nearest way out says little
        if (look === 'creases' && behind[i] < 0) continue;
        this.#inside.wayOut(points, solid, i);
      }
      const t = this.#inside.triangle;
      if (points === solid && hasCorner(points, i, t)) continue;
      const c = addVertexOnTriangle(points, a, i, solid, b, t, this.#inside.weights, 0, out);
      if (c < 0) continue;
      const gap = height(points, i, solid, t);
      for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = solid.normals[t * 3 + k];
      out.gap[c] = gap;
      out.offset[c] = ledOut(gap, margin);
    }
  }
}

/** Whether surface vertex i is a corner of triangle t of its own body: it cannot get out through what it holds. */
function hasCorner({ surface: { corners } }: SurfaceMotion, i: number, t: number): boolean {
  return corners[t * 3] === i || corners[t * 3 + 1] === i || corners[t * 3 + 2] === i;
}

/** Height of surface vertex i over the plane of triangle t [m]. */
function height(points: SurfaceMotion, i: number, { surface, positions, normals }: SurfaceMotion, t: number): number {
  const corner = surface.triangles[t * 3] * 3;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += normals[t * 3 + k] * (points.points[i * 3 + k] - positions[corner + k]);
  return sum;
}
