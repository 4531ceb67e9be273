/**
 * What of a body could reach an obstacle within a step: vertices of its surface; points of its edges and triangles that are nearer than
 * their corners; and vertices inside it, next to what can, because flesh that is pressed flat gives way to the floor from within.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { FaceSearch } from './face-search.js';
import { type ObstacleSet, outOfObstacle } from './obstacle.js';
import { obstacleBounds, obstacleVelocity } from './obstacle-motion.js';
import { TOUCH_VERTICES, type TouchList } from './touch-list.js';
import { EDGE, INNER, SURFACE, TRIANGLE, WatchedParts } from './watched-parts.js';

/** Share of the speed along a surface that counts as approach: curved surfaces rise to meet what slides past them. */
const GLANCING = 0.1;
/** Depth, in margins, by which a point of a face must be below what its corners say for these not to be enough. */
const BETWEEN = 0.5;

/**
 * Share of a point that must belong to corners forces can move. To lift a point beside a bone that is led by hand, the flesh beyond it
 * would have to go many times as far.
 */
const LEAST_MOVABLE = 0.3;

/** Finds what could touch; owns its scratch. */
export class ObstacleApproach {
  readonly faces = new FaceSearch();
  /** What of all bodies came near in the step at hand. */
  readonly watched = new WatchedParts();
  /** Step [s], and distance within which points count as near whatever their speed [m]. */
  #h = 0;
  #margin = 0;
  #index = 0;
  #body!: SurfaceMotion;
  #obstacles!: ObstacleSet;
  #gravity: ArrayLike<number> = [];
  #list!: TouchList;
  /** Of the point at hand, in the obstacle's frame: where it gets to, and which way out of the obstacle. */
  readonly #place = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  /** A point, its velocity, and that as the obstacle sees it [m/s]. */
  readonly #point = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #relative = new Float64Array(3);
  readonly #bounds = new Float64Array(6);
  /** Vertices inside the body that are still to be asked, and the look-up each was last put on the list for. */
  #inner = new Int32Array(0);
  #innerCount = 0;
  #listedIn = new Int32Array(0);
  #lookUp = 0;

  /** Adds to `list` what of body number `index` can reach an obstacle. `h`: step [s]. */
  find(
    index: number,
    body: SurfaceMotion,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    list: TouchList,
  ): void {
    this.#h = h;
    this.#margin = body.margin;
    this.#index = index;
    this.#body = body;
    this.#obstacles = obstacles;
    this.#gravity = gravity;
    this.#list = list;
    if (this.#listedIn.length < body.model.vertexCount) {
      this.#listedIn = new Int32Array(body.model.vertexCount);
      this.#inner = new Int32Array(body.model.vertexCount);
    }
    for (let i = 0; i < obstacles.count; i++) if (this.#canMeet(i)) this.#findAt(i);
  }

  #findAt(i: number): void {
    const { faces } = this;
    const { model, surface } = this.#body;
    const reach = this.#margin + this.#h * (1 + GLANCING) * this.#fastest(i);
    faces.begin(this.#body, this.#obstacles, i, reach);
    this.watched.add(this.#index, i, SURFACE, 0);
    if (this.#isAbove(reach)) return;
    this.#lookUp++;
    this.#innerCount = 0;
    let lowest = 0;
    for (let n = 0; n < surface.vertices.length; n++) {
      if (model.pinned[surface.vertices[n]]) continue;
      faces.ask(n);
      lowest = Math.min(lowest, faces.distances[n]);
      if (faces.distances[n] < reach) this.#addVertex(i, n);
    }
    faces.near[0] = reach;
    if (faces.canPoke) this.#findFaces(i);
    // what starts inside an obstacle is led out by its surface: hundreds of vertices more would only get in each other's way
    const below = lowest < -this.#margin ? lowest : reach;
    for (let n = 0; n < this.#innerCount; n++) this.#addInner(i, this.#inner[n], below, reach);
  }

  /** Whether all of the body is farther than `reach` above the obstacle at hand. */
  #isAbove(reach: number): boolean {
    const { box } = this.#body;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      this.#point[k] = 0.5 * (box[k] + box[3 + k]);
      square += (box[3 + k] - box[k]) * (box[3 + k] - box[k]);
    }
    return this.faces.isAbove(this.#point, reach + 0.5 * Math.sqrt(square));
  }

  /** Whether the boxes around the body and an obstacle can overlap within the step. */
  #canMeet(i: number): boolean {
    const h = this.#h;
    const bounds = this.#bounds;
    const { box, velocity, spread } = this.#body;
    obstacleBounds(this.#obstacles, i, bounds);
    for (let k = 0; k < 3; k++) {
      const grow = this.#margin + h * (Math.abs(velocity[k]) + spread + h * Math.abs(this.#gravity[k]));
      if (box[k] - grow > bounds[3 + k] || box[3 + k] + grow < bounds[k]) return false;
    }
    return true;
  }

  /** The most any vertex of the body can be moving against an obstacle [m/s]. */
  #fastest(i: number): number {
    const { box, velocity, spread } = this.#body;
    const corner = this.#point;
    let fastest = 0;
    // an obstacle's velocity is linear in the place: over a box it is largest at a corner
    for (let n = 0; n < 8; n++) {
      for (let k = 0; k < 3; k++) corner[k] = box[(n >> k) % 2 === 0 ? k : 3 + k];
      obstacleVelocity(this.#obstacles, i, corner, 0, this.#relative);
      let speedSq = 0;
      for (let k = 0; k < 3; k++) {
        const speed = velocity[k] + this.#h * this.#gravity[k] - this.#relative[k];
        speedSq += speed * speed;
      }
      fastest = Math.max(fastest, speedSq);
    }
    return Math.sqrt(fastest) + spread;
  }

  #addVertex(i: number, n: number): void {
    const { faces } = this;
    const v = this.#body.surface.vertices[n];
    const touch = this.#list.add(i, v, v);
    for (let k = 0; k < 3; k++) {
      this.#place[k] = faces.places[n * 3 + k];
      this.#normal[k] = faces.normals[n * 3 + k];
    }
    if (this.#keepNear(i, touch, faces.distances[n])) this.#askAround(v);
  }

  /** Points of edges, then of triangles. */
  #findFaces(i: number): void {
    const { faces } = this;
    const { surface } = this.#body;
    for (let e = 0; e < surface.allEdges.length / 2; e++) {
      if (!faces.isEdgeNear(e)) continue;
      this.watched.add(this.#index, i, EDGE, e);
      if (faces.findBelowEnds(e, BETWEEN * this.#margin)) this.#addFace(i, -1 - e, surface.allEdges, e * 2, 2);
    }
    for (let t = 0; t < surface.corners.length / 3; t++) {
      if (!faces.isTriangleNear(t)) continue;
      this.watched.add(this.#index, i, TRIANGLE, t);
      if (!faces.findInTriangle(t, BETWEEN)) continue;
      this.#addFace(i, -1 - surface.allEdges.length / 2 - t, surface.corners, t * 3, 3);
    }
  }

  /** The point found last, between `count` corners listed from `o` on, unless hardly any of them can move. */
  #addFace(i: number, feature: number, corners: Int32Array, o: number, count: number): void {
    const { faces } = this;
    const { weights, normal, away } = faces.deepest;
    const { surface } = this.#body;
    let movable = 0;
    for (let k = 0; k < count; k++) if (this.#body.canMove(surface.vertices[corners[o + k]])) movable += weights[k];
    if (movable < LEAST_MOVABLE) return;
    const list = this.#list;
    const touch = list.add(i, feature, surface.vertices[corners[o]]);
    for (let k = 0; k < count; k++) {
      list.vertices[touch * TOUCH_VERTICES + k] = surface.vertices[corners[o + k]];
      list.weights[touch * TOUCH_VERTICES + k] = weights[k];
    }
    for (let k = 0; k < 3; k++) {
      this.#place[k] = 0;
      for (let n = 0; n < count; n++) this.#place[k] += weights[n] * faces.places[corners[o + n] * 3 + k];
    }
    this.#normal.set(normal);
    if (!this.#keepNear(i, touch, away[0])) return;
    for (let k = 0; k < count; k++) this.#askAround(surface.vertices[corners[o + k]]);
  }

  /** A vertex inside the body, where it is lower than `below`. */
  #addInner(i: number, v: number, below: number, reach: number): void {
    const { faces } = this;
    faces.askVertex(v);
    const distance = faces.probe.distance[0];
    // where flesh is squeezed, what is next to the near may be nearer
    if (distance < reach + this.#body.surface.edgeLength) this.#askAround(v);
    this.watched.add(this.#index, i, INNER, v);
    if (!(distance < below)) return;
    this.#place.set(faces.probe.at);
    this.#normal.set(faces.probe.normal);
    this.#keepNear(i, this.#list.add(i, v, v), distance);
  }

  /** Puts the inner vertices next to a vertex on the list of those to ask. */
  #askAround(v: number): void {
    const { innerStart, inner } = this.#body.surface;
    for (let n = innerStart[v]; n < innerStart[v + 1]; n++) {
      if (this.#listedIn[inner[n]] === this.#lookUp) continue;
      this.#listedIn[inner[n]] = this.#lookUp;
      this.#inner[this.#innerCount++] = inner[n];
    }
  }

  /** Keeps the point added last if it can reach obstacle i within the step; `#place` and `#normal` are its. */
  #keepNear(i: number, touch: number, distance: number): boolean {
    const h = this.#h;
    const relative = this.#relative;
    readTouch(this.#body.positions, this.#list, touch, this.#point);
    readTouch(this.#body.velocities, this.#list, touch, this.#velocity);
    obstacleVelocity(this.#obstacles, i, this.#point, 0, relative);
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      relative[k] = this.#velocity[k] + h * this.#gravity[k] - relative[k];
      speedSq += relative[k] * relative[k];
    }
    outOfObstacle(this.#obstacles, i, this.#normal, false, this.#point, 0);
    let approach = 0;
    for (let k = 0; k < 3; k++) approach -= this.#point[k] * relative[k];
    const reach = this.#margin + h * (Math.max(0, approach) + GLANCING * Math.sqrt(speedSq));
    this.#list.distance[touch] = distance;
    this.#list.place.set(this.#place, touch * 3);
    this.#list.normal.set(this.#normal, touch * 3);
    if (distance < reach) return true;
    this.#list.dropLast();
    return false;
  }
}

/** out = a quantity of the vertices, 3 numbers each, at a point of the list. */
export function readTouch(values: Float64Array, list: TouchList, touch: number, out: Float64Array): void {
  const o = touch * TOUCH_VERTICES;
  const first = list.vertices[o] * 3;
  // a vertex keeps its bits
  if (list.weights[o] === 1) {
    for (let k = 0; k < 3; k++) out[k] = values[first + k];
    return;
  }
  for (let k = 0; k < 3; k++) {
    out[k] = 0;
    for (let n = o; n < o + TOUCH_VERTICES; n++) out[k] += list.weights[n] * values[list.vertices[n] * 3 + k];
  }
}
