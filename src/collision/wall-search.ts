/** Whether a triangle is a wall to a vertex in this step: near it, or in its way. */
import { areNear } from './collision-surface.js';
import type { FaceCandidates } from './face-candidates.js';
import { FACING, MeetingSearch, mayHit } from './meeting-search.js';
import type { SurfaceMotion } from './surface-motion.js';
import { nearestOnTriangle } from './triangle-point.js';

/** Share of the speed along a surface that counts as approach: curved surfaces rise to meet what slides past them. */
const GLANCING = 0.1;
/** A vertex this much (in margins) beside a triangle still stands on its plane. */
const BESIDE = 0.5;
/** Depth, in margins or in mean edge lengths, down to which vertices that have come in are found in every step. */
const DEEP_MARGINS = 1.5;
const DEEP_EDGES = 0.5;
/** Below this distance (in margins) the way from an edge to a vertex is rounding error. */
const CLOSE = 1e-4;
/** Share of its depth by which a vertex inside is led out in one step, or half the margin, whichever is more. */
const RECOVERY = 0.5;
/** Depth, in margins, from which a whole body is inside another: that is for DeepOverlap, and no haste is made here. */
const DEEP_LIMIT = 50;
/** The way from an edge or corner must lead out of the triangle's plane by this cosine: beside a face there is no wall. */
const OUTWARD = 0.2;
/** What one corner says of a whole triangle is stretched by this. */
const CORNER = 1.2;

/** Tries pairs of vertex and triangle. */
export class WallSearch {
  readonly #weights = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #meetings = new MeetingSearch();

  /** Offers triangle t as a wall to vertex i, if it is one. */
  offer(
    points: SurfaceMotion,
    solid: SurfaceMotion,
    i: number,
    t: number,
    h: number,
    pull: number,
    out: FaceCandidates,
  ): void {
    const self = points === solid;
    let facing = 0;
    for (let k = 0; k < 3; k++) facing += points.vertexNormals[i * 3 + k] * solid.normals[t * 3 + k];
    if (self && (facing > FACING || points.crumpled[i] === 1)) return;
    if (!this.#canReach(points, solid, i, t, h, pull)) return;
    if (self && this.#areNeighbours(solid, i, t)) return;
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
    const b = triangles[t * 3 + 1] * 3;
    const c = triangles[t * 3 + 2] * 3;
    const distance = Math.sqrt(nearestOnTriangle(x, a, b, c, p[i * 3], p[i * 3 + 1], p[i * 3 + 2], weights));
    const margin = Math.max(points.margin, solid.margin);
    // over the face, or so little beside or below it that its plane still carries the vertex
    const besideSq = Math.max(0, distance * distance - height * height);
    const near = BESIDE * margin;
    const over = height >= -near && besideSq < near * near && facing <= FACING;
    if (height < 0 && distance < deepest(points, solid)) out.offerBehind(i, t, distance);
    if (self && height < 0 && !over) return;
    for (let k = 0; k < 3; k++) {
      const foot = weights[0] * x[a + k] + weights[1] * x[b + k] + weights[2] * x[c + k];
      // the way from an edge or corner, where it is long enough to have a direction
      const away = distance > CLOSE * margin ? (p[i * 3 + k] - foot) / distance : -points.vertexNormals[i * 3 + k];
      normal[k] = over ? n[t * 3 + k] : away;
    }
    if (!over && height < OUTWARD * distance && distance > near) return;
    const real = over || self || mayHit(points, i, normal, 0);
    const gap = over ? height : distance;
    // beside a face it stands on, a vertex needs no edge to lean on
    const kind = over ? 2 : distance < near ? 0 : 1;
    if (gap < margin && real) out.offer(i, t, kind, gap, normal, weights);
    else if (gap >= margin && gap < margin + h * (this.#approach(points, solid, i, t) + h * pull)) {
      const meeting = this.#meetings.find(points, solid, i, t, h, margin + h * h * pull, height);
      if (meeting === 'near' && real) out.offer(i, t, kind, gap, normal, weights);
      if (meeting !== 'through') return;
      for (let k = 0; k < 3; k++) normal[k] = n[t * 3 + k];
      out.offer(i, t, 2, height, normal, this.#meetings.hit);
    }
  }

  /** A quick look at whether vertex i and triangle t can meet in this step: most pairs in a box grown for speed cannot. */
  #canReach(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number, h: number, pull: number): boolean {
    const corner = solid.surface.triangles[t * 3] * 3;
    const vertex = points.surface.vertices[i] * 3;
    let distanceSq = 0;
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      const d = points.points[i * 3 + k] - solid.positions[corner + k];
      const v = points.velocities[vertex + k] - solid.velocities[corner + k];
      distanceSq += d * d;
      speedSq += v * v;
    }
    // the corner stands for the whole triangle: it may be an edge away from what is near, and move a little differently
    const push = points === solid ? 0 : mostChange(points, solid);
    const speed = CORNER * Math.sqrt(speedSq) + push + h * pull;
    const reach = deepest(points, solid) + CORNER * solid.longestEdge + h * speed;
    return distanceSq < reach * reach;
  }

  /** Whether vertex i and triangle t of one body are so near at rest that they never count as touching. */
  #areNeighbours({ surface, model }: SurfaceMotion, i: number, t: number): boolean {
    const { ofVertex, count } = model.bones;
    const own = ofVertex[surface.vertices[i]];
    for (let k = 0; k < 3; k++) {
      const bone = ofVertex[surface.triangles[t * 3 + k]];
      if (own >= 0 && bone >= 0 && surface.joined[own * count + bone] === 1) return true;
      if (areNear(surface, i, surface.surfaceOf[surface.triangles[t * 3 + k]])) return true;
    }
    return false;
  }

  /** Speed at which vertex i and the wall just looked at may close in on each other [m/s]. */
  #approach(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): number {
    const v = points.surface.vertices[i] * 3;
    const { triangles } = solid.surface;
    let closing = 0;
    let pushed = 0;
    let pushedBack = 0;
    let held = 0;
    let heldBack = 0;
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      const n = this.#normal[k];
      const own = points.velocities[v + k];
      let other = 0;
      for (let c = 0; c < 3; c++) other += this.#weights[c] * solid.velocities[triangles[t * 3 + c] * 3 + k];
      closing -= n * (own - other);
      pushed -= n * points.push[k];
      pushedBack += n * solid.push[k];
      held += n * (own - points.velocity[k]);
      heldBack -= n * (other - solid.velocity[k]);
      speedSq += (own - other) * (own - other);
    }
    if (points !== solid) {
      closing += Math.max(0, pushed, pushedBack, points.isFlung ? held : 0, solid.isFlung ? heldBack : 0);
    }
    return Math.max(0, closing) + GLANCING * Math.sqrt(speedSq);
  }
}

/** What a contact must have as its gap at the end of the step: none, or, from deep inside, less depth than now [m]. */
export function ledOut(gap: number, margin: number): number {
  const share = gap < -DEEP_LIMIT * margin ? 0 : RECOVERY;
  return Math.min(0, gap + Math.max(-share * gap, BESIDE * margin));
}

/** Depth down to which vertices of one body inside another are found in every step; deeper ones only in thorough ones [m]. */
export function deepest(points: SurfaceMotion, solid: SurfaceMotion): number {
  const margin = Math.max(points.margin, solid.margin);
  return Math.max(DEEP_MARGINS * margin, DEEP_EDGES * solid.surface.edgeLength);
}

/** Most that the speed between parts of two bodies may change within the step [m/s]. */
function mostChange(a: SurfaceMotion, b: SurfaceMotion): number {
  return Math.max(a.pushSpeed, b.pushSpeed, a.isFlung ? a.spread : 0, b.isFlung ? b.spread : 0);
}
