/**
 * Contacts between bodies and obstacles. What could reach an obstacle within the step becomes a contact (a speculative margin, so
 * that fast ones do not slip through), with the plane it must stay in front of at the end of the step, and the place where it would
 * be if it stuck to the obstacle. After the step all that was near is measured.
 */
import { MANY_SIDES } from '../../constants.js';
import { CONTACT_VERTICES, type ContactBuffer } from '../contact-buffer.js';
import { probeShape, ShapeProbe } from '../shapes/shape.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { intoObstacle, intoObstacleAtEnd, type ObstacleSet, outOfObstacle } from './obstacle.js';
import { ObstacleApproach, readTouch } from './obstacle-approach.js';
import { obstacleVelocity } from './obstacle-motion.js';
import { reboundDistance } from './rebound.js';
import { TOUCH_VERTICES, TouchList } from './touch-list.js';

/** A plane follows its point while the cosine between its old and new normal is at least this. */
const FOLLOWED = 0.9;
/**
 * Fastest that what starts inside an obstacle is led out of it, in margins per second: half the body's size. Out in one step, a body
 * placed 40 cm into the floor left it with 24 m/s.
 */
const LED_OUT = 250;
/**
 * Share of much room that is left to contacts of the body with itself and with others, which are found later: what may reach an obstacle at the far end of the step must not keep
 * out what is in a crease now. Small bodies have room for three per vertex.
 */
const LEFT = 1 / 8;

/** Finds contacts between bodies and obstacles; owns its scratch. */
export class ObstacleContacts {
  /** Whether bodies fall by a method of second order, for the height of bounces. */
  secondOrder = false;
  readonly #approach = new ObstacleApproach();
  readonly #list = new TouchList();
  readonly #probe = new ShapeProbe();
  /** Step [s]. */
  #h = 0;
  #gravity: ArrayLike<number> = [];
  readonly #world = new Float64Array(3);
  /** A point of a body, its velocity, and that of the obstacle there [m/s]. */
  readonly #point = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #there = new Float64Array(3);
  /** How far off its obstacle each contact must be at the end of the step: more than 0 for those that bounce, less for those deep inside [m]. */
  #lifts = new Float64Array(0);

  /** A new step begins. */
  begin(): void {
    this.#approach.watched.clear();
  }

  /** Adds contacts of body number `index` to `out`, nearest first where not all fit. `h`: step [s]. */
  find(
    index: number,
    body: SurfaceMotion,
    obstacles: ObstacleSet,
    gravity: ArrayLike<number>,
    h: number,
    out: ContactBuffer,
  ): void {
    const list = this.#list;
    this.#h = h;
    this.#gravity = gravity;
    if (this.#lifts.length < out.capacity) this.#lifts = new Float64Array(out.capacity);
    list.clear();
    this.#approach.find(index, body, obstacles, gravity, h, list);
    const room = out.roomFor(index);
    const limit = list.nearest(room < MANY_SIDES ? room : room - Math.floor(LEFT * room));
    for (let touch = 0; touch < list.count; touch++) {
      if (list.distance[touch] < limit) this.#add(index, body, obstacles, touch, out);
      else out.dropped++;
    }
  }

  /**
   * Moves the plane of contact c to where its point is by now, `place`: along a curved obstacle a plane laid at the start of the
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

  /** How far contact c's point is from its obstacle, both where they are now; negative inside [m]. */
  measure(positions: Float64Array, obstacles: ObstacleSet, contacts: ContactBuffer, c: number): number {
    const i = contacts.obstacle[c];
    const point = this.#point.fill(0);
    const from = c * 2 * CONTACT_VERTICES;
    for (let n = from; n < from + CONTACT_VERTICES; n++) {
      const weight = contacts.weights[n];
      for (let k = 0; weight !== 0 && k < 3; k++) point[k] += weight * positions[contacts.vertices[n] * 3 + k];
    }
    intoObstacle(obstacles, i, point, 0, this.#probe.at);
    probeShape(obstacles.defs[i].shape, this.#probe);
    return this.#probe.distance[0];
  }

  /** Raises the depth of each body (one number each) to that of what was near obstacles, where it is now [m]. */
  measureWatched(bodies: readonly SurfaceMotion[], obstacles: ObstacleSet, depths: Float64Array): void {
    this.#approach.watched.measure(bodies, obstacles, this.#approach.faces, depths);
  }

  /** How far off the obstacle a point that hits it must be at the end of the step to leave with its share of the speed [m]. */
  #rebound(obstacles: ObstacleSet, i: number, distance: number, normal: Float64Array, o: number): number {
    obstacleVelocity(obstacles, i, this.#point, 0, this.#there);
    let approach = 0;
    let pull = 0;
    for (let k = 0; k < 3; k++) {
      approach += normal[o + k] * (this.#there[k] - this.#velocity[k]);
      pull -= normal[o + k] * this.#gravity[k];
    }
    return reboundDistance(obstacles.restitution[i], distance, approach, pull, this.#h, this.secondOrder);
  }

  #add(index: number, body: SurfaceMotion, obstacles: ObstacleSet, touch: number, out: ContactBuffer): void {
    const list = this.#list;
    const i = list.obstacle[touch];
    const c = out.add(index, list.feature[touch], -1, i);
    if (c < 0) return;
    const probe = this.#probe;
    readTouch(body.positions, list, touch, this.#point);
    readTouch(body.velocities, list, touch, this.#velocity);
    intoObstacle(obstacles, i, this.#point, 0, probe.at);
    const distance = list.distance[touch];
    for (let k = 0; k < 3; k++) probe.normal[k] = list.normal[touch * 3 + k];
    for (let k = 0; k < TOUCH_VERTICES; k++) {
      const at = touch * TOUCH_VERTICES + k;
      if (list.weights[at] !== 0) out.setVertex(c, 0, k, list.vertices[at], list.weights[at]);
    }
    out.friction[c] = obstacles.friction[i];
    out.gap[c] = distance;
    outOfObstacle(obstacles, i, probe.at, true, out.stuck, c * 3);
    outOfObstacle(obstacles, i, probe.normal, false, out.normal, c * 3);
    for (let k = 0; k < 3; k++) probe.at[k] = list.place[touch * 3 + k] - distance * probe.normal[k];
    outOfObstacle(obstacles, i, probe.at, true, this.#world, 0);
    const stays = distance + LED_OUT * body.margin * this.#h;
    if (stays < 0) this.#lifts[c] = stays;
    else if (obstacles.restitution[i] === 0) this.#lifts[c] = 0;
    else this.#lifts[c] = this.#rebound(obstacles, i, distance, out.normal, c * 3);
    let offset = this.#lifts[c];
    for (let k = 0; k < 3; k++) offset += out.normal[c * 3 + k] * this.#world[k];
    out.offset[c] = offset;
  }
}
