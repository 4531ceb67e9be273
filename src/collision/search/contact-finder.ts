/** Finds all contacts of a world: bodies against obstacles, against each other, and against themselves. */
import { CONTACT_VERTICES, type ContactBuffer } from '../contact-buffer.js';
import type { ObstacleSet } from '../obstacles/obstacle.js';
import { ObstacleContacts } from '../obstacles/obstacle-contacts.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { type ContactRecord, readDepths } from './contact-history.js';
import { DeepOverlap, isDeep } from './deep-overlap.js';
import { EdgeContacts } from './edge-contacts.js';
import { InsideSearch } from './inside-search.js';
import { canMeet, spreadPushes } from './push-chain.js';
import { SurfaceContacts } from './surface-contacts.js';

/** What contacts are looked for in. */
export interface ContactScene {
  readonly obstacles: ObstacleSet;
  readonly gravity: ArrayLike<number>;
  /** Steps taken so far. */
  readonly stepCount: number;
  /** Contacts of the last step. */
  readonly contactMemory: ContactRecord;
  readonly options: { readonly integrator: string };
}

/** Every so many steps vertices inside other bodies, and inside their own, are looked for however deep they are. */
const THOROUGH_EVERY = 8;
const THOROUGH_SELF_EVERY = 32;

/** Depth, in margins, that no vertex comes to within a step without a contact noticing. */
const MISSED = 5;
/** Marks pairs of bodies that are deep in each other and have their contacts. */
const DONE = Number.POSITIVE_INFINITY;

/** A way to find contacts before a step and to measure them after it. */
export interface ContactDetection {
  /** Adds every contact that can matter within a step of length `h` [s]. */
  find(scene: ContactScene, h: number, out: ContactBuffer): void;
  /** Lays the planes of contacts with obstacles where their vertices are by now: `placeOf` a contact. */
  follow(scene: ContactScene, contacts: ContactBuffer, placeOf: (contact: number) => Float64Array): void;
  /** How far the sides of contact c are apart now, negative where one is inside the other [m]. */
  measure(scene: ContactScene, contacts: ContactBuffer, c: number): number;
  /** Raises the depth of each body (one number each) to that of what came near obstacles, where it is now [m]. */
  measureWatched(scene: ContactScene, depths: Float64Array): void;
}

/** Owns what detection needs from step to step. */
export class ContactFinder implements ContactDetection {
  readonly #bodies: readonly SurfaceMotion[];
  readonly #selfContact: boolean;
  readonly #obstacles = new ObstacleContacts();
  readonly #inside = new InsideSearch();
  readonly #surfaces = new SurfaceContacts(this.#inside);
  readonly #deep = new DeepOverlap(this.#inside);
  /** How deep each two bodies were in each other after the last step, bodies squared; DONE once they are led apart [m]. */
  readonly #depths: Float64Array;
  readonly #edges = new EdgeContacts();

  constructor(bodies: readonly SurfaceMotion[], selfContact: boolean) {
    this.#bodies = bodies;
    this.#selfContact = selfContact;
    this.#depths = new Float64Array(bodies.length * bodies.length);
    if (!selfContact && bodies.length < 2) return;
    for (const body of bodies) {
      this.#inside.prepare(body);
      this.#deep.prepare(body);
      this.#surfaces.prepare(body);
      this.#edges.prepare(body);
    }
  }

  find(scene: ContactScene, h: number, out: ContactBuffer): void {
    const { obstacles, gravity, stepCount, contactMemory } = scene;
    const bodies = this.#bodies;
    this.#obstacles.secondOrder = scene.options.integrator === 'bdf2' && !contactMemory.pushed;
    for (let i = 0; i < bodies.length; i++) bodies[i].update();
    this.#obstacles.begin();
    for (let i = 0; i < bodies.length && obstacles.count > 0; i++) {
      this.#obstacles.find(i, bodies[i], obstacles, gravity, h, out);
    }
    if (!this.#selfContact && bodies.length < 2) return;
    for (let i = 0; i < bodies.length; i++) bodies[i].sort();
    readDepths(contactMemory, bodies.length, this.#depths);
    this.#deep.begin();
    this.#surfaces.begin();
    this.#edges.begin();
    const pull = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    spreadPushes(bodies, h, pull);
    for (let a = 0; a < bodies.length; a++) {
      for (let b = 0; b < bodies.length; b++) {
        if (a === b ? !this.#selfContact : !canMeet(bodies[a], bodies[b], h, pull)) continue;
        if (a !== b && this.#isDeep(a, b) && this.#comeApart(a, b, h, out)) continue;
        const thorough = stepCount % (a === b ? THOROUGH_SELF_EVERY : THOROUGH_EVERY) === 0;
        // gravity pulls both sides of one body alike
        const done = this.#surfaces.find(bodies[a], a, bodies[b], b, h, a === b ? 0 : pull, thorough, out);
        if (!done && this.#comeApart(a, b, h, out)) continue;
        if (a < b) this.#edges.find(bodies[a], a, bodies[b], b, h, pull, out);
      }
    }
    if (stepCount > 0) this.#countMissed(out);
  }

  /** Counts contacts that are far deeper than any of the two bodies after the last step. */
  #countMissed(out: ContactBuffer): void {
    for (let c = 0; c < out.count; c++) {
      const a = out.body[c * 2];
      const b = out.body[c * 2 + 1];
      if (b < 0 || a === b) continue;
      const known = this.#depths[a * this.#bodies.length + b];
      const margin = Math.max(this.#bodies[a].margin, this.#bodies[b].margin);
      if (-out.gap[c] > known + MISSED * margin) out.missed++;
    }
  }

  #isDeep(a: number, b: number): boolean {
    return isDeep(this.#bodies[a], this.#bodies[b], this.#depths[a * this.#bodies.length + b]);
  }

  /** Leads two bodies apart that are deep in each other, once for the pair; false where none has vertices in the other. */
  #comeApart(a: number, b: number, h: number, out: ContactBuffer): boolean {
    const bodies = this.#bodies;
    const back = b * bodies.length + a;
    if (this.#depths[a * bodies.length + b] === DONE) return true;
    if (!this.#deep.find(bodies[a], a, bodies[b], b, h, out)) return false;
    this.#depths[back] = DONE;
    return true;
  }

  /** Moves the plane of a contact with an obstacle to where its vertex is by now, `place`. */
  follow({ obstacles }: ContactScene, contacts: ContactBuffer, placeOf: (contact: number) => Float64Array): void {
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.obstacle[c] >= 0) this.#obstacles.follow(placeOf(c), obstacles, contacts, c);
    }
  }

  measureWatched({ obstacles }: ContactScene, depths: Float64Array): void {
    this.#obstacles.measureWatched(this.#bodies, obstacles, depths);
  }

  measure({ obstacles }: ContactScene, contacts: ContactBuffer, c: number): number {
    const first = this.#bodies[contacts.body[c * 2]];
    if (contacts.obstacle[c] >= 0) return this.#obstacles.measure(first.positions, obstacles, contacts, c);
    const second = this.#bodies[contacts.body[c * 2 + 1]];
    let gap = 0;
    for (let k = 0; k < 3; k++) {
      gap += contacts.normal[c * 3 + k] * (place(first, contacts, c * 2, k) - place(second, contacts, c * 2 + 1, k));
    }
    return gap;
  }
}

/** Coordinate k of a side where its body is now [m]. */
function place(body: SurfaceMotion, { vertices, weights }: ContactBuffer, side: number, k: number): number {
  let sum = 0;
  for (let i = side * CONTACT_VERTICES; i < (side + 1) * CONTACT_VERTICES; i++) {
    sum += weights[i] * body.positions[vertices[i] * 3 + k];
  }
  return sum;
}
