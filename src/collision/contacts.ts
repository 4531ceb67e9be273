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

/** Finds contacts between surfaces and obstacles; owns its scratch. */
export class ObstacleContacts {
  readonly #local = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #world = new Float64Array(3);

  /** Fills `out`. `h`: step [s]; `margin`: distance within which vertices count as near [m]. */
  find(
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    margin: number,
    out: ContactBuffer,
  ): void {
    out.count = 0;
    out.dropped = 0;
    const fall = h * Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    for (let i = 0; i < obstacles.count; i++) {
      const drift = h * length(obstacles.defs[i].velocity);
      const turn = h * length(obstacles.defs[i].angularVelocity);
      for (let n = 0; n < body.vertices.length; n++) {
        const v = body.vertices[n];
        const at = v * 3;
        intoObstacle(obstacles, i, body.positions, at, this.#local);
        const distance = shapeDistance(obstacles.defs[i].shape, this.#local, 0, this.#normal, 0);
        const { velocities } = body;
        const vx = velocities[at];
        const vy = velocities[at + 1];
        const vz = velocities[at + 2];
        const lx = this.#local[0];
        const ly = this.#local[1];
        const lz = this.#local[2];
        const swept = drift + turn * Math.sqrt(lx * lx + ly * ly + lz * lz);
        const reach = margin + swept + h * (Math.sqrt(vx * vx + vy * vy + vz * vz) + fall);
        if (distance < reach) this.#add(out, obstacles, i, n, v, distance);
      }
    }
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

  #add(out: ContactBuffer, obstacles: ObstacleSet, i: number, n: number, v: number, distance: number): void {
    if (out.count === out.capacity) {
      out.dropped++;
      return;
    }
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
