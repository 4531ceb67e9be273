/** Whether a triangle is a wall to a vertex in this step: near it, or in its way. */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { nearestOnTriangle } from '../surface/triangle-point.js';
import type { FaceCandidates } from './face-candidates.js';
import { FACING, MeetingSearch, mayHit } from './meeting-search.js';

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
  /** Weights of the nearest point's corners, and its squared distance [m²]. */
  readonly #weights = new Float64Array(4);
  readonly #normal = new Float64Array(3);
  readonly #meetings = new MeetingSearch();
  /** What `#approach` found [m/s]. */
  readonly #closing = new Float64Array(1);
  /** What holds for all pairs of the two bodies at hand: margin, depth looked at, reach at rest [m], and most change of speed [m/s]. */
  #margin = 0;
  #deepest = 0;
  #reach = 0;
  #change = 0;
  /** Step [s], and acceleration that one of the two may be held against [m/s²]. */
  #h = 0;
  #pull = 0;

  /** Two bodies, or one with itself, are looked at next. */
  begin(points: SurfaceMotion, solid: SurfaceMotion, h: number, pull: number): void {
    this.#h = h;
    this.#pull = pull;
    this.#margin = Math.max(points.margin, solid.margin);
    this.#deepest = deepest(points, solid);
    this.#reach = this.#deepest + CORNER * solid.longestEdge;
    this.#change = points === solid ? 0 : mostChange(points, solid);
    this.#meetings.begin(h, this.#margin + h * h * pull);
  }

  /** Offers triangle t as a wall to vertex i, if it is one; two of one body must face each other. */
  offer(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number, out: FaceCandidates): void {
    const self = points === solid;
    if (!this.#canReach(points, solid, i, t)) return;
    if (self && areNeighbours(solid, i, t)) return;
    const h = this.#h;
    const pull = this.#pull;
    const { corners } = solid.surface;
    const x = solid.points;
    const weights = this.#weights;
    const px = points.points[i * 3];
    const py = points.points[i * 3 + 1];
    const pz = points.points[i * 3 + 2];
    const nx = solid.normals[t * 3];
    const ny = solid.normals[t * 3 + 1];
    const nz = solid.normals[t * 3 + 2];
    const a = corners[t * 3] * 3;
    const b = corners[t * 3 + 1] * 3;
    const c = corners[t * 3 + 2] * 3;
    const height = nx * (px - x[a]) + ny * (py - x[a + 1]) + nz * (pz - x[a + 2]);
    nearestOnTriangle(x, a, b, c, points.points, i * 3, weights);
    const distance = Math.sqrt(weights[3]);
    const margin = this.#margin;
    const facings = points.vertexNormals;
    const facing = facings[i * 3] * nx + facings[i * 3 + 1] * ny + facings[i * 3 + 2] * nz;
    // over the face, or so little beside or below it that its plane still carries the vertex
    const besideSq = Math.max(0, distance * distance - height * height);
    const near = BESIDE * margin;
    const over = height >= -near && besideSq < near * near && facing <= FACING;
    out.far[0] = distance;
    if (height < 0 && distance < this.#deepest) out.offerBehind(i, t);
    if (self && height < 0 && !over) return;
    if (!over && height < OUTWARD * distance && distance > near) return;
    const normal = this.#normal;
    for (let k = 0; k < 3; k++) {
      if (over) normal[k] = solid.normals[t * 3 + k];
      else if (distance > CLOSE * margin) {
        const foot = weights[0] * x[a + k] + weights[1] * x[b + k] + weights[2] * x[c + k];
        normal[k] = (points.points[i * 3 + k] - foot) / distance;
      } else normal[k] = -facings[i * 3 + k]; // too short a way to have a direction
    }
    const gap = over ? height : distance;
    out.far[0] = gap;
    // beside a face it stands on, a vertex needs no edge to lean on
    const kind = over ? 2 : distance < near ? 0 : 1;
    if (gap < margin) {
      if (over || self || mayHit(points, i, normal, 0)) out.offer(i, t, kind, normal, weights);
      return;
    }
    this.#approach(points, solid, i, t);
    if (gap < margin + h * (this.#closing[0] + h * pull)) {
      this.#meetings.height[0] = height;
      const meeting = this.#meetings.find(points, solid, i, t);
      const real = over || self || mayHit(points, i, normal, 0);
      if (meeting === 'near' && real) out.offer(i, t, kind, normal, weights);
      if (meeting !== 'through') return;
      for (let k = 0; k < 3; k++) normal[k] = solid.normals[t * 3 + k];
      out.far[0] = height;
      out.offer(i, t, 2, normal, this.#meetings.hit);
    }
  }

  /** A quick look at whether vertex i and triangle t can meet in this step: most pairs in a box grown for speed cannot. */
  #canReach(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): boolean {
    const corner = solid.surface.corners[t * 3] * 3;
    const dx = points.points[i * 3] - solid.points[corner];
    const dy = points.points[i * 3 + 1] - solid.points[corner + 1];
    const dz = points.points[i * 3 + 2] - solid.points[corner + 2];
    const distanceSq = dx * dx + dy * dy + dz * dz;
    // what is near enough at rest needs no speed
    if (distanceSq < this.#reach * this.#reach) return true;
    const v = points.surface.vertices[i] * 3;
    const w = solid.surface.triangles[t * 3] * 3;
    const vx = points.velocities[v] - solid.velocities[w];
    const vy = points.velocities[v + 1] - solid.velocities[w + 1];
    const vz = points.velocities[v + 2] - solid.velocities[w + 2];
    // the corner stands for the whole triangle: it may be an edge away from what is near, and move a little differently
    const speed = CORNER * Math.sqrt(vx * vx + vy * vy + vz * vz) + this.#change + this.#h * this.#pull;
    const reach = this.#reach + this.#h * speed;
    return distanceSq < reach * reach;
  }

  /** Speed at which vertex i and the wall just looked at may close in on each other. */
  #approach(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): void {
    const v = points.surface.vertices[i] * 3;
    const { triangles } = solid.surface;
    const { velocities } = solid;
    const a = triangles[t * 3] * 3;
    const b = triangles[t * 3 + 1] * 3;
    const c = triangles[t * 3 + 2] * 3;
    const weights = this.#weights;
    let closing = 0;
    let pushed = 0;
    let pushedBack = 0;
    let held = 0;
    let heldBack = 0;
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      const n = this.#normal[k];
      const own = points.velocities[v + k];
      const other = weights[0] * velocities[a + k] + weights[1] * velocities[b + k] + weights[2] * velocities[c + k];
      closing -= n * (own - other);
      speedSq += (own - other) * (own - other);
      if (points === solid) continue;
      pushed -= n * points.push[k];
      pushedBack += n * solid.push[k];
      held += n * (own - points.velocity[k]);
      heldBack -= n * (other - solid.velocity[k]);
    }
    if (points !== solid) {
      closing += Math.max(0, pushed, pushedBack, points.isFlung ? held : 0, solid.isFlung ? heldBack : 0);
    }
    this.#closing[0] = Math.max(0, closing) + GLANCING * Math.sqrt(speedSq);
  }
}

/** Whether vertex i and triangle t of one body never count as touching: it is a corner of it, or their bones never touch. */
function areNeighbours({ surface, model }: SurfaceMotion, i: number, t: number): boolean {
  const { ofVertex, count } = model.bones;
  const { triangles, corners } = surface;
  const own = ofVertex[surface.vertices[i]];
  for (let k = t * 3; k < t * 3 + 3; k++) {
    const bone = own >= 0 ? ofVertex[triangles[k]] : -1;
    if (bone >= 0 && surface.joined[own * count + bone] === 1) return true;
    if (corners[k] === i) return true;
  }
  return false;
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
