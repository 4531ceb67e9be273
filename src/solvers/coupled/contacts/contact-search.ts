/**
 * Step 3: finds all contacts where the bodies are now. Boxes first (broad phase), then pairs (narrow phase). Contacts are looked for
 * as far ahead as a pair can come together in a step, so that the next step can stop bodies at the surface, not behind it.
 */

import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import { RigidPairs } from '../rigid/rigid-pairs.js';
import { type SampledShape, UNTOUCHED } from '../rigid/sampled-shape.js';
import { EdgePairs } from '../self/edge-pairs.js';
import { SelfContacts } from '../self/self-contacts.js';
import type { Bindings } from '../soft/bindings.js';
import { OldSides } from '../soft/old-sides.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import { SoftPairs } from '../soft/soft-pairs.js';
import type { SoftSides } from '../soft/soft-sides.js';
import { BroadPhase } from './broad-phase.js';
import type { CarriedContacts } from './carried-contacts.js';
import type { ContactList } from './contact-list.js';
import { CANDIDATE } from './manifold.js';
import type { PairKernels } from './pair-kernels.js';

/** Keys of contacts: this times the pair's key, plus which point of the pair. */
const POINTS_PER_PAIR = 65536 * 4;
/** Of that, where edges begin. */
const FIRST_EDGE = 65536 * 2;
/** Pairs the broad phase has room for, per body. */
const PAIRS_PER_BODY = 64;
/** Contacts are kept within this share of a body's size even where nothing moves. */
const ALWAYS = 0.01;

/** What bodies are like to touch, one per body (rigid first, then soft). */
export interface Surfaces {
  /** Coulomb's coefficient between two bodies. */
  readonly frictionOf: (a: number, b: number) => number;
  readonly restitution: Float64Array;
  /** Bodies that never touch each other, as keys (lower times count plus higher): those that share a joint. */
  readonly apart: ReadonlySet<number>;
  /** Whether soft bodies touch themselves, and with their edges each other's. */
  readonly selfContact: boolean;
  readonly edges: boolean;
}

/** Finds contacts. */
export class ContactSearch {
  readonly broad: BroadPhase;
  readonly rigidPairs: RigidPairs;
  readonly softPairs: SoftPairs;
  /** Does the pairs that it knows, where there are kernels. */
  kernels: PairKernels | undefined;
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #shapes: readonly SampledShape[];
  readonly #surfaces: Surfaces;
  readonly #bindings: Bindings;
  readonly #count: number;
  /** How far the outside of a body comes in a step beside its velocity as a whole, and the least margin it asks for [m]. */
  readonly #motion: Float64Array;
  /** That velocity, 3 per body [m/s]: bodies that fall side by side do not approach each other. */
  readonly #drift: Float64Array;
  readonly #oldSides: OldSides;
  readonly #edges: EdgePairs | undefined;
  readonly #own: SelfContacts | undefined;
  /** Next soft body to be looked at for contacts with itself. */
  #nextOwn = 0;
  readonly #wind = new Float64Array(3);

  constructor(
    rigid: RigidBodies,
    soft: SoftBodies,
    sides: SoftSides,
    shapes: readonly SampledShape[],
    bindings: Bindings,
    surfaces: Surfaces,
  ) {
    this.#bindings = bindings;
    this.#oldSides = new OldSides(sides);
    this.#rigid = rigid;
    this.#soft = soft;
    this.#shapes = shapes;
    this.#surfaces = surfaces;
    this.#count = rigid.count + soft.count;
    this.broad = new BroadPhase(this.#count, Math.max(1024, this.#count * PAIRS_PER_BODY));
    this.rigidPairs = new RigidPairs(rigid, shapes);
    this.softPairs = new SoftPairs(rigid, soft, sides, shapes);
    this.#motion = new Float64Array(this.#count);
    const edges = surfaces.edges || surfaces.selfContact ? new EdgePairs(soft, sides, rigid.count) : undefined;
    this.#edges = surfaces.edges ? edges : undefined;
    this.#own = surfaces.selfContact && edges ? new SelfContacts(soft, sides, rigid.count, edges) : undefined;
    this.#drift = new Float64Array(this.#count * 3);
  }

  /** Fills `contacts` with what may touch within a step of h [s]. Unless `all` are wanted, pairs that `carried` finds good keep those that were put aside. */
  find(
    contacts: ContactList,
    movable: Uint8Array,
    gravity: ArrayLike<number>,
    h: number,
    carried?: CarriedContacts,
    all = true,
  ): void {
    const { broad, softPairs } = this;
    const { apart } = this.#surfaces;
    const fall = h * h * Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    contacts.remember();
    this.#oldSides.remember();
    contacts.clear();
    softPairs.begin();
    this.#edges?.begin();
    this.#own?.begin();
    this.#nextOwn = 0;
    this.#measureWind(movable);
    this.#bindings.add(contacts, this.softPairs.sides);
    for (let b = 0; b < this.#rigid.count; b++) this.#boxRigid(b, fall, h, carried);
    for (let s = 0; s < this.#soft.count; s++) {
      const b = this.#rigid.count + s;
      this.#motion[b] = softPairs.boxBody(s, broad.boxes, b, this.#drift, fall, h, carried);
    }
    for (let b = 0; b < this.#count; b++) this.#sweepBox(b, h);
    broad.search(movable);
    this.kernels?.place(broad.boxes, softPairs.sizes);
    for (let n = 0; n < broad.pairCount; n++) {
      const key = broad.pairs[n];
      this.#findOwn(contacts, key, movable);
      contacts.addFrozen(key * POINTS_PER_PAIR, this.#oldSides);
      if (apart.has(key)) continue;
      const a = Math.floor(key / this.#count);
      const b = key - a * this.#count;
      if (this.#isUntouched(a) || this.#isUntouched(b)) continue;
      if (!all && carried?.isGood(a, b)) {
        contacts.addOld(key * POINTS_PER_PAIR, (key + 1) * POINTS_PER_PAIR, this.#oldSides);
        continue;
      }
      const margin = this.#motion[a] + this.#motion[b] + h * this.#approach(a, b);
      const firstKey = key * POINTS_PER_PAIR;
      if (this.kernels?.takes(a, b)) this.#findByKernel(this.kernels, contacts, a, b, margin, firstKey);
      else if (b >= this.#rigid.count) softPairs.find(contacts, a, b, margin, firstKey, this.#surfaces, broad.boxes);
      else if (!this.#isApart(a, b, margin)) this.#addRigid(contacts, a, b, margin, firstKey);
      if (a >= this.#rigid.count) this.#findEdges(contacts, a, b, margin, firstKey);
    }
    this.#findOwn(contacts, Number.POSITIVE_INFINITY, movable);
    contacts.addFrozen(Number.POSITIVE_INFINITY, this.#oldSides);
    contacts.missed += broad.missed;
  }

  /** Contacts with themselves of those soft bodies whose keys come before `below`. */
  #findOwn(contacts: ContactList, below: number, movable: Uint8Array): void {
    if (!this.#own) return;
    for (; this.#nextOwn < this.#soft.count; this.#nextOwn++) {
      const b = this.#rigid.count + this.#nextOwn;
      const key = b * (this.#count + 1);
      if (key > below) return;
      contacts.addFrozen(key * POINTS_PER_PAIR, this.#oldSides);
      if (movable[b] === 0) continue;
      const friction = this.#surfaces.frictionOf(b, b);
      this.#own.find(contacts, this.#nextOwn, 2 * this.#motion[b], key * POINTS_PER_PAIR, friction);
    }
  }

  /** Contacts of edges of two soft bodies. */
  #findEdges(contacts: ContactList, a: number, b: number, margin: number, firstKey: number): void {
    if (!this.#edges) return;
    const from = contacts.count;
    const first = this.#rigid.count;
    this.#edges.find(contacts, a - first, b - first, margin, firstKey + FIRST_EDGE);
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = this.#surfaces.frictionOf(a, b);
      contacts.restitution[c] = 0;
    }
  }

  #findByKernel(
    kernels: PairKernels,
    contacts: ContactList,
    a: number,
    b: number,
    margin: number,
    firstKey: number,
  ): void {
    const from = contacts.count;
    const isRigid = b < this.#rigid.count;
    if (!isRigid) kernels.findSoft(contacts, a, b, margin, firstKey);
    else if (!this.#isApart(a, b, margin)) kernels.findRigid(contacts, a, b, margin, firstKey);
    if (from === contacts.count) return;
    const { restitution, frictionOf } = this.#surfaces;
    const friction = frictionOf(a, b);
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = friction;
      contacts.restitution[c] = isRigid ? Math.max(restitution[a], restitution[b]) : 0;
    }
  }

  #isUntouched(b: number): boolean {
    return b < this.#rigid.count && this.#shapes[b] === UNTOUCHED;
  }

  /** Speed of a relative to b [m/s]. */
  #approach(a: number, b: number): number {
    const d = this.#drift;
    const x = d[a * 3] - d[b * 3];
    const y = d[a * 3 + 1] - d[b * 3 + 1];
    const z = d[a * 3 + 2] - d[b * 3 + 2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** wind = mean velocity of what moves: a heap that falls is at rest in it, and what lies still comes towards it. */
  #measureWind(movable: Uint8Array): void {
    const { count, v } = this.#rigid;
    const wind = this.#wind;
    let moving = 0;
    wind.fill(0);
    for (let b = 0; b < count; b++) {
      if (movable[b] === 0) continue;
      moving++;
      for (let k = 0; k < 3; k++) wind[k] += v[b * 3 + k];
    }
    for (let k = 0; k < 3; k++) wind[k] = moving > 0 ? wind[k] / moving : 0;
  }

  /** Widens the box of body b by the way it goes in a step, as seen from the wind. */
  #sweepBox(b: number, h: number): void {
    const { boxes } = this.broad;
    for (let k = 0; k < 3; k++) {
      const way = h * (this.#drift[b * 3 + k] - this.#wind[k]);
      if (way < 0) boxes[b * 6 + k] += way;
      else boxes[b * 6 + 3 + k] += way;
    }
  }

  /** Whether two rigid bodies are too far from each other for any point of one to be near the other. */
  #isApart(a: number, b: number, margin: number): boolean {
    const { x } = this.#rigid;
    const near = this.#shapes[a].reach + this.#shapes[b].reach + margin;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (x[a * 3 + k] - x[b * 3 + k]) * (x[a * 3 + k] - x[b * 3 + k]);
    return square > near * near;
  }

  #addRigid(contacts: ContactList, a: number, b: number, margin: number, firstKey: number): void {
    const { restitution } = this.#surfaces;
    const friction = this.#surfaces.frictionOf(a, b);
    const { x } = this.#rigid;
    const { manifold } = this.rigidPairs;
    this.rigidPairs.find(a, b, margin);
    const { values, kept } = manifold;
    for (let i = 0; i < manifold.count; i++) {
      if (kept[i] === 0) continue;
      const o = i * CANDIDATE;
      const c = contacts.add(firstKey + values[o], a, b);
      if (c < 0) continue;
      for (let k = 0; k < 3; k++) {
        contacts.armA[c * 3 + k] = values[o + 1 + k] - x[a * 3 + k];
        contacts.armB[c * 3 + k] = values[o + 1 + k] - x[b * 3 + k];
        contacts.normal[c * 3 + k] = values[o + 4 + k];
      }
      contacts.gap[c] = values[o + 7];
      contacts.friction[c] = friction;
      contacts.restitution[c] = Math.max(restitution[a], restitution[b]);
    }
  }

  /** The box around body b, wide enough for what it may turn and fall in a step. */
  #boxRigid(b: number, fall: number, h: number, carried?: CarriedContacts): void {
    const { x, v, velocity, rotation, inverseMass } = this.#rigid;
    const { boxes } = this.broad;
    const { box, reach } = this.#shapes[b];
    const o = b * 6;
    for (let k = b * 3; k < b * 3 + 3; k++) this.#drift[k] = v[k];
    if (!box) {
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Number.NEGATIVE_INFINITY;
        boxes[o + 3 + k] = Number.POSITIVE_INFINITY;
      }
      this.#motion[b] = 0;
      return;
    }
    const w = b * TWIST + 3;
    const spin = Math.sqrt(
      velocity[w] * velocity[w] + velocity[w + 1] * velocity[w + 1] + velocity[w + 2] * velocity[w + 2],
    );
    const slack = Math.max(ALWAYS * reach, carried?.slackOf(b, reach) ?? 0);
    const motion = h * spin * reach + (inverseMass[b] > 0 ? fall + slack : 0);
    this.#motion[b] = motion;
    for (let k = 0; k < 3; k++) {
      const r = b * 9 + k * 3;
      let centre = x[b * 3 + k];
      let half = motion;
      for (let m = 0; m < 3; m++) {
        centre += 0.5 * rotation[r + m] * (box[m] + box[3 + m]);
        half += 0.5 * Math.abs(rotation[r + m]) * (box[3 + m] - box[m]);
      }
      boxes[o + k] = centre - half;
      boxes[o + 3 + k] = centre + half;
    }
  }
}
