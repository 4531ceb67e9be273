/**
 * Contacts as flat arrays, and how those between a body's surface and obstacles are found. A vertex becomes a contact when it
 * could reach an obstacle within the step (a speculative margin, so that fast ones do not slip through), with the plane it
 * must stay in front of at the end of the step, and the place where it would be if it stuck to the obstacle.
 */
import { intoObstacle, type ObstacleSet, outOfObstacle } from './obstacle.js';
import { shapeDistance } from './shape.js';

/** Contacts of one body in one step. All positions at the end of the step. */
export class ContactBuffer {
  readonly capacity: number;
  count = 0;
  /** Contacts that did not fit. */
  dropped = 0;
  /** Vertex of the body, its number among the surface's vertices, and obstacle it may touch. */
  readonly vertex: Int32Array;
  readonly surface: Int32Array;
  readonly obstacle: Int32Array;
  /** Outward normal of the obstacle, 3 per contact. */
  readonly normal: Float64Array;
  /** n·x must be at least this [m]. */
  readonly offset: Float64Array;
  /** Where the vertex would be if it stuck to the obstacle, 3 per contact [m]. */
  readonly stuck: Float64Array;
  readonly friction: Float64Array;
  /** Force on the vertex, 3 per contact [N]: start value and result. */
  readonly force: Float64Array;
  /** n·x − offset after the step [m]; negative where the vertex is inside. */
  readonly gap: Float64Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.vertex = new Int32Array(capacity);
    this.surface = new Int32Array(capacity);
    this.obstacle = new Int32Array(capacity);
    this.normal = new Float64Array(capacity * 3);
    this.offset = new Float64Array(capacity);
    this.stuck = new Float64Array(capacity * 3);
    this.friction = new Float64Array(capacity);
    this.force = new Float64Array(capacity * 3);
    this.gap = new Float64Array(capacity);
  }
}

/** What is needed of a body to find its contacts. */
export interface ContactCandidates {
  /** Vertices that can touch: those on the surface. */
  readonly vertices: Int32Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** Share of the speed along a surface that counts as approach: curved surfaces rise to meet what slides past them. */
const GLANCING = 0.1;
/** Halvings in the search for the distance within which as many contacts lie as fit. */
const SELECTION_STEPS = 30;

/** Finds contacts between surfaces and obstacles; owns its scratch. */
export class ObstacleContacts {
  readonly #local = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #world = new Float64Array(3);
  /** Distance of every candidate of the body at hand, infinite for those out of reach. */
  #distances = new Float64Array(0);

  /**
   * Fills `out`, nearest first where not all fit. `h`: step [s]; `margin`: distance within which vertices count as near
   * whatever their speed [m].
   */
  find(
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    margin: number,
    out: ContactBuffer,
  ): void {
    const { vertices } = body;
    const candidates = vertices.length * obstacles.count;
    if (this.#distances.length < candidates) this.#distances = new Float64Array(candidates);
    const distances = this.#distances;
    let near = 0;
    for (let i = 0; i < obstacles.count; i++) {
      for (let n = 0; n < vertices.length; n++) {
        const distance = this.#reachable(body, obstacles, gravity, h, margin, i, vertices[n]);
        distances[i * vertices.length + n] = distance;
        if (distance < Number.POSITIVE_INFINITY) near++;
      }
    }
    const limit = near > out.capacity ? this.#nearest(candidates, out.capacity) : Number.POSITIVE_INFINITY;
    out.count = 0;
    for (let i = 0; i < obstacles.count; i++) {
      for (let n = 0; n < vertices.length; n++) {
        const distance = distances[i * vertices.length + n];
        if (distance < limit && out.count < out.capacity) this.#add(body, out, obstacles, i, n);
      }
    }
    out.dropped = near - out.count;
  }

  /** Distance from obstacle i to a vertex that can reach it within the step, infinity for others [m]. */
  #reachable(
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    margin: number,
    i: number,
    v: number,
  ): number {
    const local = this.#local;
    const normal = this.#normal;
    intoObstacle(obstacles, i, body.positions, v * 3, local);
    const distance = shapeDistance(obstacles.defs[i].shape, local, 0, normal, 0);
    outOfObstacle(obstacles, i, normal, false, this.#world, 0);
    let approach = 0;
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      const speed = body.velocities[v * 3 + k] - (obstacles.defs[i].velocity?.[k] ?? 0);
      approach -= this.#world[k] * (speed + h * gravity[k]);
      speedSq += speed * speed;
    }
    const turn = length(obstacles.defs[i].angularVelocity);
    const swept = turn * Math.sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2]);
    const reach = margin + h * (Math.max(0, approach) + GLANCING * Math.sqrt(speedSq) + swept);
    return distance < reach ? distance : Number.POSITIVE_INFINITY;
  }

  /** A distance below which at most `count` of the candidates lie, as large as bisection finds it. */
  #nearest(candidates: number, count: number): number {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < candidates; c++) {
      const distance = this.#distances[c];
      if (distance === Number.POSITIVE_INFINITY) continue;
      low = Math.min(low, distance);
      high = Math.max(high, distance);
    }
    for (let step = 0; step < SELECTION_STEPS; step++) {
      const middle = 0.5 * (low + high);
      let below = 0;
      for (let c = 0; c < candidates; c++) if (this.#distances[c] < middle) below++;
      if (below > count) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Deepest any contact's vertex is inside its obstacle, both where they are now [m]. */
  measure(positions: Float64Array, obstacles: ObstacleSet, contacts: ContactBuffer): number {
    let deepest = 0;
    for (let c = 0; c < contacts.count; c++) {
      const i = contacts.obstacle[c];
      intoObstacle(obstacles, i, positions, contacts.vertex[c] * 3, this.#local);
      contacts.gap[c] = shapeDistance(obstacles.defs[i].shape, this.#local, 0, this.#normal, 0);
      deepest = Math.max(deepest, -contacts.gap[c]);
    }
    return deepest;
  }

  #add(body: ContactCandidates, out: ContactBuffer, obstacles: ObstacleSet, i: number, n: number): void {
    const v = body.vertices[n];
    intoObstacle(obstacles, i, body.positions, v * 3, this.#local);
    const distance = shapeDistance(obstacles.defs[i].shape, this.#local, 0, this.#normal, 0);
    const c = out.count++;
    out.vertex[c] = v;
    out.surface[c] = n;
    out.obstacle[c] = i;
    out.friction[c] = obstacles.friction[i];
    out.gap[c] = distance;
    outOfObstacle(obstacles, i, this.#local, true, out.stuck, c * 3);
    outOfObstacle(obstacles, i, this.#normal, false, out.normal, c * 3);
    for (let k = 0; k < 3; k++) this.#local[k] -= distance * this.#normal[k];
    outOfObstacle(obstacles, i, this.#local, true, this.#world, 0);
    let offset = 0;
    for (let k = 0; k < 3; k++) offset += out.normal[c * 3 + k] * this.#world[k];
    out.offset[c] = offset;
  }
}

function length(v: readonly number[] | undefined): number {
  return v ? Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : 0;
}
