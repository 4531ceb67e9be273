/**
 * How contacts between a body's surface and obstacles are found. A vertex becomes a contact when it
 * could reach an obstacle within the step (a speculative margin, so that fast ones do not slip through), with the plane it
 * must stay in front of at the end of the step, and the place where it would be if it stuck to the obstacle.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import { probeShape, ShapeProbe } from '../shapes/shape.js';
import { intoObstacle, intoObstacleAtEnd, type ObstacleSet, outOfObstacle } from './obstacle.js';
import { obstacleBounds, obstacleVelocity } from './obstacle-motion.js';
import { reboundDistance } from './rebound.js';

/** What is needed of a body to find its contacts. */
export interface ContactCandidates {
  /** Vertices that can touch: those on the surface that can move. */
  readonly vertices: Int32Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Lowest x, y, z, then highest, of the vertices [m]. */
  readonly box: Float64Array;
  /** Their mean velocity, and the most any of them differs from it [m/s]. */
  readonly velocity: Float64Array;
  readonly spread: number;
}

/** Share of the speed along a surface that counts as approach: curved surfaces rise to meet what slides past them. */
const GLANCING = 0.1;
/** A plane follows its vertex while the cosine between its old and new normal is at least this. */
const FOLLOWED = 0.9;
/**
 * Fastest that what starts inside an obstacle is led out of it, in margins per second: half the body's size. Out in one step, a body
 * placed 40 cm into the floor left it with 24 m/s.
 */
const LED_OUT = 250;
/** Halvings in the search for the distance within which as many contacts lie as fit. */
const SELECTION_STEPS = 30;

/** Finds contacts between surfaces and obstacles; owns its scratch. */
export class ObstacleContacts {
  /** Whether bodies fall by a method of second order, for the height of bounces. */
  secondOrder = false;
  /** For places within reach, and for places however far. */
  readonly #near = new ShapeProbe();
  readonly #probe = new ShapeProbe();
  /** Step [s], and distance within which vertices count as near whatever their speed [m]. */
  #h = 0;
  #margin = 0;
  readonly #world = new Float64Array(3);
  /** Velocity of a vertex as the obstacle sees it [m/s]. */
  readonly #relative = new Float64Array(3);
  readonly #bounds = new Float64Array(6);
  /** Distance of every candidate of the body at hand, infinite for those out of reach. */
  #distances = new Float64Array(0);
  /** How far off its obstacle each contact must be at the end of the step: more than 0 for those that bounce, less for those deep inside [m]. */
  #lifts = new Float64Array(0);

  /**
   * Adds contacts of body number `index` to `out`, nearest first where not all fit. `h`: step [s]; `margin`: distance within
   * which vertices count as near whatever their speed [m].
   */
  find(
    index: number,
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    margin: number,
    out: ContactBuffer,
  ): void {
    const { vertices } = body;
    this.#h = h;
    this.#margin = margin;
    const candidates = vertices.length * obstacles.count;
    if (this.#distances.length < candidates) this.#distances = new Float64Array(candidates);
    if (this.#lifts.length < out.capacity) this.#lifts = new Float64Array(out.capacity);
    const distances = this.#distances;
    let near = 0;
    distances.fill(Number.POSITIVE_INFINITY, 0, candidates);
    for (let i = 0; i < obstacles.count; i++) {
      if (!this.#canMeet(body, obstacles, gravity, i)) continue;
      this.#near.reach[0] = margin + h * (1 + GLANCING) * this.#fastest(body, obstacles, gravity, i);
      for (let n = 0; n < vertices.length; n++) {
        const at = i * vertices.length + n;
        if (this.#canReach(body, obstacles, gravity, i, vertices[n], at)) near++;
      }
    }
    const room = out.roomFor(index);
    const limit = near > room ? this.#nearest(candidates, room) : Number.POSITIVE_INFINITY;
    for (let i = 0; i < obstacles.count; i++) {
      for (let n = 0; n < vertices.length; n++) {
        const distance = distances[i * vertices.length + n];
        if (distance < limit) this.#add(index, vertices[n], body, out, obstacles, gravity, i);
        else if (distance < Number.POSITIVE_INFINITY) out.dropped++;
      }
    }
  }

  /** Whether the boxes around a body and an obstacle can overlap within the step. */
  #canMeet(body: ContactCandidates, obstacles: ObstacleSet, gravity: ArrayLike<number>, i: number): boolean {
    const h = this.#h;
    const bounds = this.#bounds;
    obstacleBounds(obstacles, i, bounds);
    for (let k = 0; k < 3; k++) {
      const grow = this.#margin + h * (Math.abs(body.velocity[k]) + body.spread + h * Math.abs(gravity[k]));
      if (body.box[k] - grow > bounds[3 + k] || body.box[3 + k] + grow < bounds[k]) return false;
    }
    return true;
  }

  /** The most any vertex of a body can be moving against an obstacle [m/s]. */
  #fastest(body: ContactCandidates, obstacles: ObstacleSet, gravity: ArrayLike<number>, i: number): number {
    const h = this.#h;
    const corner = this.#probe.at;
    let fastest = 0;
    // an obstacle's velocity is linear in the place: over a box it is largest at a corner
    for (let n = 0; n < 8; n++) {
      for (let k = 0; k < 3; k++) corner[k] = body.box[(n >> k) % 2 === 0 ? k : 3 + k];
      obstacleVelocity(obstacles, i, corner, 0, this.#relative);
      let speedSq = 0;
      for (let k = 0; k < 3; k++) {
        const speed = body.velocity[k] + h * gravity[k] - this.#relative[k];
        speedSq += speed * speed;
      }
      fastest = Math.max(fastest, speedSq);
    }
    return Math.sqrt(fastest) + body.spread;
  }

  /** Whether a vertex can reach obstacle i within the step; if so, its distance goes to `distances[at]`. */
  #canReach(
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    i: number,
    v: number,
    at: number,
  ): boolean {
    const { positions, velocities } = body;
    const h = this.#h;
    const probe = this.#near;
    const relative = this.#relative;
    intoObstacle(obstacles, i, positions, v * 3, probe.at);
    probeShape(obstacles.defs[i].shape, probe);
    const distance = probe.distance[0];
    if (!(distance < probe.reach[0])) return false;
    obstacleVelocity(obstacles, i, positions, v * 3, relative);
    let speedSq = 0;
    for (let k = 0; k < 3; k++) {
      relative[k] = velocities[v * 3 + k] + h * gravity[k] - relative[k];
      speedSq += relative[k] * relative[k];
    }
    outOfObstacle(obstacles, i, probe.normal, false, this.#world, 0);
    let approach = 0;
    for (let k = 0; k < 3; k++) approach -= this.#world[k] * relative[k];
    const reach = this.#margin + h * (Math.max(0, approach) + GLANCING * Math.sqrt(speedSq));
    if (!(distance < reach)) return false;
    this.#distances[at] = distance;
    return true;
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

  /**
   * Moves the plane of contact c to where its vertex is by now, `place`: along a curved obstacle a plane laid at the start of the
   * step is a centimetre off after a slide of 15 cm. Planes that would turn far stay: around an edge they would jump.
   */
  follow(place: Float64Array, obstacles: ObstacleSet, contacts: ContactBuffer, c: number): void {
    const i = contacts.obstacle[c];
    const normal = this.#world;
    const o = c * 3;
    const probe = this.#probe;
    intoObstacleAtEnd(obstacles, i, place, 0, probe.at);
    probeShape(obstacles.defs[i].shape, probe);
    outOfObstacle(obstacles, i, probe.normal, false, normal, 0);
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += normal[k] * contacts.normal[o + k];
    if (cosine < FOLLOWED) return;
    let offset = this.#lifts[c] - probe.distance[0];
    for (let k = 0; k < 3; k++) {
      contacts.normal[o + k] = normal[k];
      offset += normal[k] * place[k];
    }
    contacts.offset[c] = offset;
  }

  /** How far contact c's vertex is from its obstacle, both where they are now; negative inside [m]. */
  measure(positions: Float64Array, obstacles: ObstacleSet, contacts: ContactBuffer, c: number): number {
    const i = contacts.obstacle[c];
    intoObstacle(obstacles, i, positions, contacts.feature[c] * 3, this.#probe.at);
    probeShape(obstacles.defs[i].shape, this.#probe);
    return this.#probe.distance[0];
  }

  /** How far off the obstacle a vertex that hits it must be at the end of the step to leave with its share of the speed [m]. */
  #rebound(
    body: ContactCandidates,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    i: number,
    v: number,
    distance: number,
    normal: Float64Array,
    o: number,
  ): number {
    const h = this.#h;
    obstacleVelocity(obstacles, i, body.positions, v * 3, this.#relative);
    let approach = 0;
    let pull = 0;
    for (let k = 0; k < 3; k++) {
      approach += normal[o + k] * (this.#relative[k] - body.velocities[v * 3 + k]);
      pull -= normal[o + k] * gravity[k];
    }
    return reboundDistance(obstacles.restitution[i], distance, approach, pull, h, this.secondOrder);
  }

  #add(
    index: number,
    v: number,
    body: ContactCandidates,
    out: ContactBuffer,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    i: number,
  ): void {
    const c = out.add(index, v, -1, i);
    if (c < 0) return;
    const probe = this.#probe;
    intoObstacle(obstacles, i, body.positions, v * 3, probe.at);
    probeShape(obstacles.defs[i].shape, probe);
    const distance = probe.distance[0];
    out.setVertex(c, 0, 0, v, 1);
    out.friction[c] = obstacles.friction[i];
    out.gap[c] = distance;
    outOfObstacle(obstacles, i, probe.at, true, out.stuck, c * 3);
    outOfObstacle(obstacles, i, probe.normal, false, out.normal, c * 3);
    for (let k = 0; k < 3; k++) probe.at[k] -= distance * probe.normal[k];
    outOfObstacle(obstacles, i, probe.at, true, this.#world, 0);
    const stays = distance + LED_OUT * this.#margin * this.#h;
    if (stays < 0) this.#lifts[c] = stays;
    else if (obstacles.restitution[i] === 0) this.#lifts[c] = 0;
    else this.#lifts[c] = this.#rebound(body, obstacles, gravity, i, v, distance, out.normal, c * 3);
    let offset = this.#lifts[c];
    for (let k = 0; k < 3; k++) offset += out.normal[c * 3 + k] * this.#world[k];
    out.offset[c] = offset;
  }
}
