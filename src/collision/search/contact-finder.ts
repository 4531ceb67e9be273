/** Finds all contacts of a world: bodies against obstacles, against each other, and against themselves. */
import { CONTACT_VERTICES, type ContactBuffer } from '../contact-buffer.js';
import { CreaseDepth } from '../depth/crease-depth.js';
import { OwnDepth } from '../depth/own-depth.js';
import type { ObstacleSet } from '../obstacles/obstacle.js';
import { ObstacleContacts } from '../obstacles/obstacle-contacts.js';
import { SolidContacts } from '../rigid/solid-contacts.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { type ContactRecord, readDepths } from './contact-history.js';
import { DeepOverlap, isDeep } from './deep-overlap.js';
import { EdgeContacts } from './edge-contacts.js';
import { InsideSearch } from './inside-search.js';
import { KeptTets } from './kept-tets.js';
import { NearPairs } from './near-pairs.js';
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
/**
 * Depth of contacts of a body with itself, in margins, from which all of its surface is looked at, for contacts and for how deep it is: a vertex that slides in
 * a crease, until it does not face the wall that it came through any more, is no contact of what is near.
 */
export const CREASED = 0.5;

/** Depth, in margins, that no vertex comes to within a step without a contact noticing. */
const MISSED = 5;
/** The same for two rigid bodies that know each other's shape. */
const SOLID_MISSED = 20;
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
  /** How deep bodies a and b are in each other now, where they turned away from the planes of their contacts; 0 where those say it [m]. */
  turnedIn(a: number, b: number): number;
  /** The tets of body i that can be kept from being turned inside out; nothing where there are none. */
  keptTets(i: number): KeptTets | undefined;
  /** How deep vertices of body i, of flesh that is inside out, are in their own body [m]. */
  turnedDepth(i: number): number;
  /** How deep vertices of body i, of flesh that is right side out, are in its own creases, contact or none, or of those that have come in within `time` [s]; changes what is known of where it was when the step began [m]. */
  creaseDepth(i: number, time: number): number;
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
  readonly #solids: SolidContacts;
  readonly #near: NearPairs;
  readonly #own: readonly (OwnDepth | undefined)[];
  readonly #creases: readonly (CreaseDepth | undefined)[];
  readonly #kept: readonly (KeptTets | undefined)[];
  readonly #isSorted: Uint8Array;

  /** `keepsTets`: whether flesh is kept from being turned inside out. */
  constructor(bodies: readonly SurfaceMotion[], selfContact: boolean, keepsTets = false) {
    this.#bodies = bodies;
    this.#selfContact = selfContact;
    this.#depths = new Float64Array(bodies.length * bodies.length);
    this.#isSorted = new Uint8Array(bodies.length);
    this.#near = new NearPairs(bodies.length);
    this.#solids = new SolidContacts(bodies);
    this.#own = bodies.map((body) => (selfContact && body.model.tetCount > 0 ? new OwnDepth(body) : undefined));
    this.#creases = bodies.map((body) =>
      selfContact && body.model.tetCount > 0 ? new CreaseDepth(body, this.#inside) : undefined,
    );
    this.#kept = bodies.map((body) =>
      keepsTets && selfContact && body.model.tetCount > 0 ? new KeptTets(body) : undefined,
    );
    if (!selfContact && bodies.length < 2) return;
    for (const body of bodies) {
      this.#inside.prepare(body);
      this.#deep.prepare(body);
      this.#surfaces.prepare(body, selfContact && !body.isSolid);
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
    const pull = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    this.#begin(contactMemory, h, pull);
    const { starts, others } = this.#near;
    for (let a = 0; a < bodies.length; a++) {
      let n = starts[a];
      for (; n < starts[a + 1] && others[n] < a; n++) this.#findPair(a, others[n], h, pull, stepCount, out);
      if (this.#selfContact) this.#findSelf(a, h, stepCount, out);
      for (; n < starts[a + 1]; n++) this.#findPair(a, others[n], h, pull, stepCount, out);
    }
    for (let a = 0; a < bodies.length; a++) this.#kept[a]?.find(a, h, out);
    if (stepCount > 0) this.#countMissed(out);
  }

  #begin(contactMemory: ContactRecord, h: number, pull: number): void {
    const bodies = this.#bodies;
    this.#isSorted.fill(0);
    readDepths(contactMemory, bodies.length, this.#depths);
    this.#deep.begin();
    this.#surfaces.begin();
    this.#edges.begin();
    this.#solids.begin();
    this.#near.find(bodies, h, pull);
    spreadPushes(bodies, this.#near, h, pull);
  }

  /** Vertices of body a with triangles of body b; their edges once for the two; solids as a whole, once for the two. */
  #findPair(a: number, b: number, h: number, pull: number, stepCount: number, out: ContactBuffer): void {
    const first = this.#bodies[a];
    const second = this.#bodies[b];
    if (!canMeet(first, second, h, pull)) return;
    const areSolid = this.#solids.knows(a, b);
    if (areSolid) {
      if (a < b) this.#solids.find(a, b, h, pull, out);
      return;
    }
    if (this.#isDeep(a, b) && this.#comeApart(a, b, h, out)) return;
    this.#sort(a);
    this.#sort(b);
    const look = stepCount % THOROUGH_EVERY === 0 ? 'all' : 'behind';
    const done = this.#surfaces.find(first, a, second, b, h, pull, look, out);
    if (!done && this.#comeApart(a, b, h, out)) return;
    if (a < b) this.#edges.find(first, a, second, b, h, pull, out);
  }

  #findSelf(a: number, h: number, stepCount: number, out: ContactBuffer): void {
    if (this.#solids.knows(a, a)) return;
    this.#sort(a);
    const body = this.#bodies[a];
    const isCreased = body.model.tetCount > 0 && this.#depths[a * this.#bodies.length + a] > CREASED * body.margin;
    const look = stepCount % THOROUGH_SELF_EVERY === 0 ? 'all' : isCreased ? 'creases' : 'behind';
    // gravity pulls both sides of one body alike
    this.#surfaces.find(body, a, body, a, h, 0, look, out);
  }

  /** Fills normals and grid of a body, once a step, where somebody asks for them. */
  #sort(i: number): void {
    if (this.#isSorted[i] === 1) return;
    this.#isSorted[i] = 1;
    this.#bodies[i].sort();
  }

  /** Counts contacts that are far deeper than any of the two bodies after the last step. */
  #countMissed(out: ContactBuffer): void {
    for (let c = 0; c < out.count; c++) {
      const a = out.body[c * 2];
      const b = out.body[c * 2 + 1];
      if (b < 0 || a === b) continue;
      const known = this.#depths[a * this.#bodies.length + b];
      const margin = Math.max(this.#bodies[a].margin, this.#bodies[b].margin);
      if (-out.gap[c] > known + (this.#solids.knows(a, b) ? SOLID_MISSED : MISSED) * margin) out.missed++;
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
    this.#sort(a);
    this.#sort(b);
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

  keptTets(i: number): KeptTets | undefined {
    return this.#kept[i];
  }

  turnedIn(a: number, b: number): number {
    return this.#solids.knows(a, b) ? this.#solids.deepest(a, b) : 0;
  }

  measureWatched({ obstacles }: ContactScene, depths: Float64Array): void {
    this.#obstacles.measureWatched(this.#bodies, obstacles, depths);
  }

  turnedDepth(i: number): number {
    return this.#own[i]?.measure(this.#bodies[i]) ?? 0;
  }

  creaseDepth(i: number, time: number): number {
    return this.#creases[i]?.measure(this.#bodies[i], time) ?? 0;
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
