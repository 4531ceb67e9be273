/**
 * Step 3: finds all contacts where the bodies are now. Boxes first (broad phase), then pairs (narrow phase). Contacts are looked for
 * as far ahead as a pair can come together in a step, so that the next step can stop bodies at the surface, not behind it.
 */

import { CANDIDATE } from '../../../collision/rigid/manifold.js';
import { isBeyondSamples, RigidPairs } from '../../../collision/rigid/rigid-pairs.js';
import { type SampledShape, UNTOUCHED } from '../../../collision/rigid/sampled-shape.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
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
import type { PairKernels } from './pair-kernels.js';
import { SweptBoxes } from './swept-boxes.js';

/** Keys of contacts: this times the pair's key, plus which point of the pair. */
export const POINTS_PER_PAIR = 65536 * 4;
/** Of that, where edges begin. */
const FIRST_EDGE = 65536 * 2;
/** Pairs the broad phase has room for, per body. */
const PAIRS_PER_BODY = 64;

/** How contacts of a pair are come by: there are none, those of before are still good, by kernels, by plain code. */
const NONE = 0;
const OLD = 1;
const KERNEL = 2;
const PLAIN = 3;

/** In heaps that are calm, points that stay farther from each other than this share of what is looked ahead are no contacts. */
const NEEDED = 0.5;

/** What bodies are like to touch, one per body (rigid first, then soft). */
export interface Surfaces {
  /** Coulomb's coefficient between two bodies. */
  readonly frictionOf: (a: number, b: number) => number;
  readonly restitution: Float64Array;
  /** Bodies that never touch each other, as keys (lower times count plus higher), ascending: those that share a joint. */
  readonly apart: Float64Array;
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
  readonly #boxes: SweptBoxes;
  readonly #oldSides: OldSides;
  readonly #edges: EdgePairs | undefined;
  readonly #own: SelfContacts | undefined;
  /** Next soft body to be looked at for contacts with itself. */
  #nextOwn = 0;
  /** First pair kept apart that may be the next one. */
  #nextApart = 0;
  /** Of each pair of the broad phase: how its contacts are come by, how far ahead it is looked [m], its number on the list of the kernels. */
  readonly #way: Uint8Array;
  readonly #margin: Float64Array;
  readonly #number: Int32Array;
  readonly #isHeap: Uint8Array;
  /** 1 for bodies that nothing touches, and for those of heaps. */
  readonly #untouched: Uint8Array;
  readonly #inHeap: Uint8Array;
  /** 1 for bodies that have moved; of all, where only their pairs are looked at. */
  readonly #marks: Uint8Array;
  #moved: Uint8Array | undefined;
  /** Of a substep [s]. */
  #h = 0;
  /** Of the pair at hand: how far ahead it is looked at [m], and the key of its first contact. By reference, because numbers handed over one by one are boxed. */
  readonly #ahead = new Float64Array(1);
  readonly #firstKey = new Float64Array(1);

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
    this.#way = new Uint8Array(this.broad.pairs.length);
    this.#margin = new Float64Array(this.broad.pairs.length);
    this.#number = new Int32Array(this.broad.pairs.length);
    this.#isHeap = new Uint8Array(this.broad.pairs.length);
    this.#untouched = new Uint8Array(this.#count);
    this.#inHeap = new Uint8Array(this.#count);
    this.#marks = new Uint8Array(this.#count);
    this.rigidPairs = new RigidPairs(rigid, shapes);
    this.softPairs = new SoftPairs(rigid, soft, sides, shapes);
    this.#boxes = new SweptBoxes(rigid, soft, shapes, this.softPairs, this.broad.boxes);
    const edges = surfaces.edges || surfaces.selfContact ? new EdgePairs(soft, sides, rigid.count) : undefined;
    this.#edges = surfaces.edges ? edges : undefined;
    this.#own = surfaces.selfContact && edges ? new SelfContacts(soft, sides, rigid.count, edges) : undefined;
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
    this.#h = h;
    contacts.remember();
    this.#oldSides.remember();
    contacts.clear();
    softPairs.begin();
    this.#edges?.begin();
    this.#own?.begin();
    this.#nextOwn = 0;
    this.#nextApart = 0;
    this.#bindings.add(contacts, this.softPairs.sides);
    this.#boxes.measure(movable, gravity, h, carried);
    this.#moved = carried && !all ? this.#markMoved(carried) : undefined;
    broad.search(movable, this.#moved);
    this.kernels?.place(broad.boxes, softPairs.sizes);
    this.#noteBodies(carried);
    for (let n = 0; n < broad.pairCount; n++) this.#way[n] = this.#chooseWay(n, all ? undefined : carried);
    this.kernels?.find();
    for (let n = 0; n < broad.pairCount; n++) this.#findPair(contacts, n, movable);
    this.#findOwn(contacts, Number.POSITIVE_INFINITY, movable);
    this.#firstKey[0] = Number.POSITIVE_INFINITY;
    contacts.addKept(this.#firstKey, this.#oldSides, this.#moved);
    contacts.missed += broad.missed;
  }

  /** Who has moved so far, since all contacts were looked for, that those with others have to be looked for again. */
  #markMoved(carried: CarriedContacts): Uint8Array {
    const moved = this.#marks;
    for (let b = 0; b < this.#count; b++) moved[b] = carried.isStill(b) && !this.#boxes.isFast(b, b) ? 0 : 1;
    return moved;
  }

  /** What is asked of bodies pair by pair. */
  #noteBodies(carried: CarriedContacts | undefined): void {
    for (let b = 0; b < this.#count; b++) {
      this.#untouched[b] = b < this.#rigid.count && this.#shapes[b] === UNTOUCHED ? 1 : 0;
      this.#inHeap[b] = carried?.isOfHeap(b) ? 1 : 0;
    }
  }

  /** How the contacts of pair n are come by; what is known to kernels is put on their list. `carried`: says which are still good. */
  #chooseWay(n: number, carried: CarriedContacts | undefined): number {
    const boxes = this.#boxes;
    const a = this.broad.lower[n];
    const b = this.broad.higher[n];
    if (this.#isKeptApart(this.broad.pairs[n]) || this.#untouched[a] === 1 || this.#untouched[b] === 1) return NONE;
    if (carried?.isGood(a, b) && !boxes.isFast(a, b)) return OLD;
    const margin = boxes.marginOf(a, b);
    const isHeap = this.#inHeap[a] === 1 || this.#inHeap[b] === 1;
    this.#ahead[0] = isHeap && !boxes.isCalm ? Math.max(margin, boxes.marginIfStopped(a, b)) : margin;
    this.#margin[n] = margin;
    this.#isHeap[n] = isHeap ? 1 : 0;
    if (b < this.#rigid.count && this.#isApart(a, b)) return NONE;
    if (!this.kernels?.takes(a, b) || isBeyondSamples(this.#rigid, this.#shapes, a, b)) return PLAIN;
    this.#number[n] = this.kernels.add(a, b, this.#ahead);
    return KERNEL;
  }

  /** Adds the contacts of pair n, and those of keys between it and the pair before. */
  #findPair(contacts: ContactList, n: number, movable: Uint8Array): void {
    const way = this.#way[n];
    const a = this.broad.lower[n];
    const b = this.broad.higher[n];
    // what has no contacts itself leaves those of keys before it to the next that has
    if (way === NONE) return;
    if (way === KERNEL && b < this.#rigid.count && this.kernels?.foundOf(this.#number[n]) === 0) return;
    const key = this.broad.pairs[n];
    if (this.#own) this.#findOwn(contacts, key, movable);
    this.#firstKey[0] = key * POINTS_PER_PAIR;
    contacts.addKept(this.#firstKey, this.#oldSides, this.#moved);
    if (way === OLD) {
      contacts.addOld(this.#firstKey, POINTS_PER_PAIR, this.#oldSides);
      return;
    }
    this.#ahead[0] = this.#margin[n];
    if (way === KERNEL && this.kernels) this.#takeFromKernel(this.kernels, contacts, a, b, n);
    else if (b < this.#rigid.count) this.#addRigid(contacts, a, b);
    else this.softPairs.find(contacts, a, b, this.#ahead, this.#firstKey, this.#surfaces, this.broad.boxes);
    if (this.#edges && a >= this.#rigid.count) this.#findEdges(this.#edges, contacts, a, b);
  }

  /** Contacts with themselves of those soft bodies whose keys come before `below`. */
  #findOwn(contacts: ContactList, below: number, movable: Uint8Array): void {
    if (!this.#own) return;
    for (; this.#nextOwn < this.#soft.count; this.#nextOwn++) {
      const b = this.#rigid.count + this.#nextOwn;
      const key = b * (this.#count + 1);
      if (key > below) return;
      this.#firstKey[0] = key * POINTS_PER_PAIR;
      contacts.addKept(this.#firstKey, this.#oldSides, this.#moved);
      if (movable[b] === 0) continue;
      const friction = this.#surfaces.frictionOf(b, b);
      this.#own.find(contacts, this.#nextOwn, 2 * this.#boxes.motion[b], key * POINTS_PER_PAIR, friction);
    }
  }

  /** Contacts of edges of two soft bodies. */
  #findEdges(edges: EdgePairs, contacts: ContactList, a: number, b: number): void {
    const from = contacts.count;
    const first = this.#rigid.count;
    edges.find(contacts, a - first, b - first, this.#ahead[0], this.#firstKey[0] + FIRST_EDGE);
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = this.#surfaces.frictionOf(a, b);
      contacts.restitution[c] = 0;
    }
  }

  #takeFromKernel(kernels: PairKernels, contacts: ContactList, a: number, b: number, n: number): void {
    const from = contacts.count;
    const isRigid = b < this.#rigid.count;
    if (this.#isHeap[n] === 0) kernels.approach.set(this.#h, Number.POSITIVE_INFINITY);
    else if (this.#boxes.isCalm) kernels.approach.set(this.#h, NEEDED * this.#margin[n]);
    else kernels.approach.setStopped(this.#h, this.#margin[n], this.#boxes.motion[a] + this.#boxes.motion[b]);
    kernels.firstKey[0] = this.#firstKey[0];
    kernels.take(this.#number[n], contacts, a, b);
    if (from === contacts.count) return;
    const friction = this.#surfaces.frictionOf(a, b);
    const { restitution } = this.#surfaces;
    const bounce = isRigid ? Math.max(restitution[a], restitution[b]) : 0;
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = friction;
      contacts.restitution[c] = bounce;
    }
  }

  /** Whether a joint keeps two bodies apart. To be called with ascending keys. */
  #isKeptApart(key: number): boolean {
    const { apart } = this.#surfaces;
    while (this.#nextApart < apart.length && apart[this.#nextApart] < key) this.#nextApart++;
    return apart[this.#nextApart] === key;
  }

  /** Whether two rigid bodies are too far from each other for any point of one to be near the other. */
  #isApart(a: number, b: number): boolean {
    const { x } = this.#rigid;
    const near = this.#shapes[a].reach + this.#shapes[b].reach + this.#ahead[0];
    const d0 = x[a * 3] - x[b * 3];
    const d1 = x[a * 3 + 1] - x[b * 3 + 1];
    const d2 = x[a * 3 + 2] - x[b * 3 + 2];
    return d0 * d0 + d1 * d1 + d2 * d2 > near * near;
  }

  #addRigid(contacts: ContactList, a: number, b: number): void {
    const { restitution } = this.#surfaces;
    const friction = this.#surfaces.frictionOf(a, b);
    const { x } = this.#rigid;
    const { manifold } = this.rigidPairs;
    this.rigidPairs.find(a, b, this.#ahead[0]);
    const { values, kept } = manifold;
    for (let i = 0; i < manifold.count; i++) {
      if (kept[i] === 0) continue;
      const o = i * CANDIDATE;
      const c = contacts.addUnnamed(a, b);
      if (c < 0) continue;
      contacts.key[c] = this.#firstKey[0] + values[o];
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
}
