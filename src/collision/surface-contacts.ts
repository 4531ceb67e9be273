/**
 * Contacts between the vertices of one body and the triangles of another, or of another place on the same body. Vertices outside
 * get a contact with each wall they could reach within the step; vertices that got inside are led back by the way out in the rest shape.
 */
import { areNear } from './collision-surface.js';
import type { ContactBuffer } from './contact-buffer.js';
import { FaceCandidates } from './face-candidates.js';
import { InsideSearch } from './inside-search.js';
import type { SurfaceMotion } from './surface-motion.js';
import { nearestOnTriangle } from './triangle-point.js';

/** Share of the speed along a surface that counts as approach: curved surfaces rise to meet what slides past them. */
const GLANCING = 0.1;
/** Vertex and triangle face each other when the cosine between their normals is at most this. */
const FACING = -0.2;
/** A vertex this much (in margins) beside a triangle still stands on its plane. */
const BESIDE = 0.5;
/** Below this distance (in margins) the way from an edge to a vertex is rounding error. */
const CLOSE = 1e-4;
/** Share of its depth by which a vertex inside is led out in one step, or half the margin, whichever is more. */
const RECOVERY = 0.3;

/** Finds contacts of vertices with triangles; owns its scratch. */
export class SurfaceContacts {
  readonly #inside = new InsideSearch();
  readonly #candidates = new Map<SurfaceMotion, FaceCandidates>();
  readonly #box = new Float64Array(6);
  readonly #weights = new Float64Array(3);
  readonly #normal = new Float64Array(3);

  /** Makes room for the vertices of a body. */
  prepare(body: SurfaceMotion): void {
    this.#inside.prepare(body);
    this.#candidates.set(body, new FaceCandidates(body.surface.vertices.length));
  }

  /** Adds contacts of the vertices of body `a` with the triangles of body `b`, which may be the same. `h`: step [s]. */
  find(points: SurfaceMotion, a: number, solid: SurfaceMotion, b: number, h: number, out: ContactBuffer): void {
    const reach = this.#reach(points, solid, h);
    const candidates = this.#candidates.get(points)!;
    this.#inside.search(points, solid);
    candidates.clear();
    const { triangles } = solid.surface;
    for (let t = 0; t < triangles.length / 3; t++) {
      if (!this.#boxOf(solid, t, points, reach)) continue;
      points.hash.query(this.#box);
      for (let n = 0; n < points.hash.found; n++) this.#try(points, solid, points.hash.answer[n], t, h, candidates);
    }
    this.#addInside(points, a, solid, b, out);
    for (let n = 0; n < candidates.touchedCount; n++) {
      const i = candidates.touched[n];
      for (let slot = candidates.slotOf(i); slot < candidates.slotOf(i) + candidates.counts[i]; slot++) {
        if (candidates.isIdle(i, slot)) continue;
        const o = slot * 3;
        const c = this.#add(points, a, i, solid, b, candidates.triangle[slot], candidates.weights, o, out);
        if (c < 0) continue;
        for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = candidates.normal[o + k];
        out.gap[c] = candidates.distance[slot];
        out.offset[c] = 0;
      }
    }
  }

  /** Farthest apart things can be and still meet in this step, as far as the hash can see [m]. */
  #reach(points: SurfaceMotion, solid: SurfaceMotion, h: number): number {
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      const d = points.velocity[k] - solid.velocity[k];
      speedSq += d * d;
    }
    const margin = Math.max(points.margin, solid.margin);
    const speed = Math.sqrt(speedSq) + points.spread + solid.spread;
    return Math.min(margin + h * speed, Math.max(points.cell, solid.cell, margin));
  }

  /** Box of a triangle grown by `reach`; false where no point can be in it. */
  #boxOf(solid: SurfaceMotion, t: number, points: SurfaceMotion, reach: number): boolean {
    const { triangles } = solid.surface;
    const p = solid.positions;
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      const x = p[triangles[t * 3] * 3 + k];
      const y = p[triangles[t * 3 + 1] * 3 + k];
      const z = p[triangles[t * 3 + 2] * 3 + k];
      box[k] = Math.min(x, y, z) - reach;
      box[3 + k] = Math.max(x, y, z) + reach;
      if (box[k] > points.box[3 + k] || box[3 + k] < points.box[k]) return false;
    }
    return true;
  }

  /** Offers triangle t as a wall to vertex i, if it is one. */
  #try(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number, h: number, out: FaceCandidates): void {
    const self = points === solid;
    let facing = 0;
    for (let k = 0; k < 3; k++) facing += points.vertexNormals[i * 3 + k] * solid.normals[t * 3 + k];
    if (self && (facing > FACING || this.#areNeighbours(solid, i, t))) return;
    const { triangles } = solid.surface;
    const x = solid.positions;
    const p = points.points;
    const weights = this.#weights;
    const normal = this.#normal;
    const n = solid.normals;
    const a = triangles[t * 3] * 3;
    const height =
      n[t * 3] * (p[i * 3] - x[a]) +
      n[t * 3 + 1] * (p[i * 3 + 1] - x[a + 1]) +
      n[t * 3 + 2] * (p[i * 3 + 2] - x[a + 2]);
    if (self && height < 0 && this.#inside.tets[i] < 0) return;
    const b = triangles[t * 3 + 1] * 3;
    const c = triangles[t * 3 + 2] * 3;
    const distance = Math.sqrt(nearestOnTriangle(x, a, b, c, p[i * 3], p[i * 3 + 1], p[i * 3 + 2], weights));
    const margin = Math.max(points.margin, solid.margin);
    // over the face, or so little beside or below it that its plane still carries the vertex
    const besideSq = Math.max(0, distance * distance - height * height);
    const near = BESIDE * margin;
    const over = height >= -near && besideSq < near * near && facing <= FACING;
    // inside, the way out is known from the rest shape; but what has only just come through a face goes back through it
    if (!over && this.#inside.tets[i] >= 0) return;
    for (let k = 0; k < 3; k++) {
      const foot = weights[0] * x[a + k] + weights[1] * x[b + k] + weights[2] * x[c + k];
      // the way from an edge or corner, where it is long enough to have a direction
      const away = distance > CLOSE * margin ? (p[i * 3 + k] - foot) / distance : -points.vertexNormals[i * 3 + k];
      normal[k] = over ? n[t * 3 + k] : away;
    }
    const gap = over ? height : distance;
    // beside a face it stands on, a vertex needs no edge to lean on
    const kind = over ? 2 : distance < near ? 0 : 1;
    if (gap < margin + h * this.#approach(points, solid, i, t)) out.offer(i, t, kind, gap, normal, weights);
  }

  /** Whether vertex i and triangle t of one body are so near at rest that they never count as touching. */
  #areNeighbours({ surface }: SurfaceMotion, i: number, t: number): boolean {
    for (let k = 0; k < 3; k++) {
      if (areNear(surface, i, surface.surfaceOf[surface.triangles[t * 3 + k]])) return true;
    }
    return false;
  }

  /** Speed at which vertex i and the wall just looked at may close in on each other [m/s]. */
  #approach(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): number {
    const v = points.surface.vertices[i] * 3;
    const { triangles } = solid.surface;
    let closing = 0;
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      let speed = points.velocities[v + k];
      for (let c = 0; c < 3; c++) speed -= this.#weights[c] * solid.velocities[triangles[t * 3 + c] * 3 + k];
      closing -= this.#normal[k] * speed;
      speedSq += speed * speed;
    }
    return Math.max(0, closing) + GLANCING * Math.sqrt(speedSq);
  }

  #addInside(points: SurfaceMotion, a: number, solid: SurfaceMotion, b: number, out: ContactBuffer): void {
    const { triangles } = solid.surface;
    const margin = Math.max(points.margin, solid.margin);
    for (let i = 0; i < points.surface.vertices.length; i++) {
      if (this.#inside.tets[i] < 0 || this.#candidates.get(points)!.counts[i] > 0) continue;
      this.#inside.wayOut(points, solid, i);
      const t = this.#inside.triangle;
      const c = this.#add(points, a, i, solid, b, t, this.#inside.weights, 0, out);
      if (c < 0) continue;
      let gap = 0;
      for (let k = 0; k < 3; k++) {
        out.normal[c * 3 + k] = solid.normals[t * 3 + k];
        gap += solid.normals[t * 3 + k] * (points.points[i * 3 + k] - solid.positions[triangles[t * 3] * 3 + k]);
      }
      out.gap[c] = gap;
      out.offset[c] = Math.min(0, gap + Math.max(-RECOVERY * gap, BESIDE * margin));
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
