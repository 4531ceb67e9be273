/**
 * The contacts of a whole world, answered together. Every iteration the bodies move under the contact forces as they stand;
 * the forces are then corrected by a few sweeps over all contacts, which know through the compliance of each body what a
 * second solve will make of the correction. Forces start from those of the last step.
 */
import { CONTACT_VERTICES, type ContactBuffer } from '../collision/contact-buffer.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan } from '../kernels/memory.js';
import { readGap } from './contact-gap.js';
import { ContactKernel, type ContactMeasures } from './contact-kernel.js';
import { Leverage, UNMOVABLE } from './leverage.js';
import type { SideList } from './side-list.js';
import { limitWedge } from './wedge.js';

/**
 * Sweeps per iteration, fewest and most, and the work (numbers changed) that is worth an iteration. A few contacts can be
 * swept until they agree; for many the sweeps of later iterations do the rest.
 */
const FEWEST_SWEEPS = 3;
const MOST_SWEEPS = 150;
const SWEEP_WORK = 120_000;
/** How much more it is worth where bodies lie on each other: what carries what must then be told from one to the next. */
const STACKED_WORTH = 4;
/** How many times more where a light body is between heavy ones, and the leverage at which it is all of that. */
const LIGHT_WORTH = 10;
const LIGHT = 1e4;

/**
 * How much a contact gives way to its own force, as a share of what its sides do. Contacts of flesh with itself can contradict
 * each other, and without this their forces grow from sweep to sweep: a human tumbling in a drum flew apart. So do those of wedged ones (wedge.ts).
 */
const SOFT_SELF = 0.25;
const SOFT_KEPT = 0.08; // of those that keep a tet from being turned inside out
const SOFT_PAIR = 0.001;
const SOFT_WEDGE = 0.03;
/**
 * Share of what its sides give way by themselves that a contact of a body with itself gives way at least; below it forces cannot part them, and fade. Along the axis
 * of a hinge two bones do not part at all: with 5e-5 of it, one contact between the bones of a knee pushed with half a million newtons, and the dog flew apart. Others
 * have 0.3 and more.
 */
const PARTING = 0.1;

/**
 * Most a correction may turn a bone [rad]: the bodies were told how sides move while bones turn little. In scenes corrections turn
 * by 0.15 at most; a bar folded onto itself asked for 0.4, then 25, then anything.
 */
const MOST_TURN = 0.3;

/** Sweeps end when no force, times the precision it needs, changes by more than this share of the largest one, the last time and before. */
const SETTLED = 1e-5;
const NEARLY_SETTLED = 1e-4;

/** Couples the bodies of a world through their contacts. */
export class ContactSolver implements ContactMeasures {
  readonly contacts: ContactBuffer;
  readonly bodies: readonly SideList[];
  readonly sideOf: Int32Array;
  readonly normalCompliance: Float64Array;
  readonly tangentCompliance: Float64Array;
  /** Distance beyond which a contact that does not push is left alone [m]; the next iteration looks at it again. */
  readonly near: number;
  readonly active: Int32Array;
  activeCount = 0;
  /** Least n·r − offset of any contact when they were listed, 0 where all are open [m]. */
  readonly deepest = new Float64Array(1);
  readonly #gap = new Float64Array(1);
  readonly softness: Float64Array;
  readonly leverage: Leverage;
  readonly #kernel: ContactKernel;
  readonly #isMeasured: Uint8Array;
  /** How much a contact between bodies would give way with two sides like the heavier one, as a share of what it does. */
  readonly #heavier: Float64Array;
  /** How much the two sides of a contact of a body with itself give way against each other, as a share of what they do by themselves. */
  readonly #parting: Float64Array;
  readonly #isWedged: Uint8Array;
  readonly #block = new Float64Array(9);
  readonly #start: Float64Array;
  /** Forces before the correction at hand. */
  readonly #before: Float64Array;

  /** `near`: distance within which contacts are looked at in every sweep [m]. */
  constructor(plan: MemoryPlan, contacts: ContactBuffer, bodies: readonly SideList[], near: number) {
    this.near = near;
    this.active = new Int32Array(contacts.capacity);
    this.#isMeasured = new Uint8Array(contacts.capacity);
    this.#heavier = new Float64Array(contacts.capacity);
    this.#parting = new Float64Array(contacts.capacity);
    this.#isWedged = new Uint8Array(contacts.capacity);
    this.contacts = contacts;
    this.bodies = bodies;
    this.sideOf = new Int32Array(contacts.capacity * 2);
    this.normalCompliance = new Float64Array(contacts.capacity);
    this.tangentCompliance = new Float64Array(contacts.capacity);
    this.softness = new Float64Array(contacts.capacity);
    this.leverage = new Leverage(contacts.capacity, bodies.length);
    this.#kernel = new ContactKernel(plan, contacts.capacity);
    this.#start = new Float64Array(contacts.capacity * 3);
    this.#before = new Float64Array(contacts.capacity * 3);
  }

  /** Takes up the memory once it exists. */
  start(kernels: KernelTable): void {
    this.#kernel.start(kernels);
    for (const sides of this.bodies) sides.start(kernels);
  }

  /** Hands the sides of this step's contacts to the bodies. */
  begin(): void {
    const { contacts } = this;
    for (let b = 0; b < this.bodies.length; b++) this.bodies[b].clear();
    for (let c = 0; c < contacts.count; c++) {
      const other = contacts.body[c * 2 + 1];
      if (other >= 0 && other !== contacts.body[c * 2]) {
        this.bodies[other].meetsBodies = this.bodies[contacts.body[c * 2]].meetsBodies = true;
      }
      for (let side = 0; side < 2; side++) {
        const at = c * 2 + side;
        const body = contacts.body[at];
        const from = at * CONTACT_VERTICES;
        const sign = side === 0 ? 1 : -1;
        this.sideOf[at] = body < 0 ? -1 : this.bodies[body].add(c, sign, contacts.vertices, contacts.weights, from);
      }
    }
    this.#keep(this.#start);
    this.#isMeasured.fill(0, 0, contacts.count);
    this.leverage.begin();
    this.handOut();
  }

  /** Lists the contacts that count now, and asks their bodies how they give way; `measure` must follow. */
  list(): void {
    this.#listActive();
    for (let n = 0; n < this.activeCount; n++) {
      const c = this.active[n];
      for (let side = c * 2; side < c * 2 + 2 && this.sideOf[side] >= 0; side++) {
        this.bodies[this.contacts.body[side]].want(this.sideOf[side]);
      }
    }
  }

  /** Once the bodies know how their sides move: how each contact on the list gives way. */
  measure(): void {
    const { body } = this.contacts;
    for (let n = 0; n < this.activeCount; n++) {
      const c = this.active[n];
      if (this.#isMeasured[c] === 1) continue;
      this.#isMeasured[c] = 1;
      this.#measureContact(c);
    }
    this.leverage.spread(this.contacts, this.active, this.activeCount);
    for (let n = 0; n < this.activeCount; n++) {
      const c = this.active[n];
      if (body[c * 2 + 1] < 0) this.softness[c] = this.#isWedged[c] * SOFT_WEDGE;
      else if (body[c * 2] === body[c * 2 + 1]) this.softness[c] = this.#softSelf(c);
      else this.softness[c] = (SOFT_PAIR * this.#heavier[c]) / this.leverage.beyond[c];
    }
  }

  /** Many times softer where forces can hardly part the sides. */
  #softSelf(c: number): number {
    const times = Math.max(1, PARTING / this.#parting[c]);
    return (this.contacts.isKept[c] === 1 ? SOFT_KEPT : SOFT_SELF) * (times * times);
  }

  #measureContact(c: number): void {
    const { contacts, sideOf, leverage } = this;
    const block = this.#block;
    const a = contacts.body[c * 2];
    const b = contacts.body[c * 2 + 1];
    const side = sideOf[c * 2];
    const otherSide = sideOf[c * 2 + 1];
    block.fill(0);
    this.bodies[a].addBlock(side, side, 1, block);
    const own = alongNormal(block, contacts.normal, c * 3);
    leverage.add(a, own);
    let along = own;
    if (otherSide >= 0) {
      this.bodies[b].addBlock(otherSide, otherSide, 1, block);
      if (a !== b) {
        along = alongNormal(block, contacts.normal, c * 3);
        leverage.add(b, along - own);
        this.#heavier[c] = (2 * Math.min(own, along - own)) / along;
      } else {
        const both = alongNormal(block, contacts.normal, c * 3);
        this.bodies[a].addBlock(side, otherSide, -1, block);
        this.bodies[a].addBlock(otherSide, side, -1, block);
        along = alongNormal(block, contacts.normal, c * 3);
        this.#parting[c] = along / both;
      }
    }
    this.#isWedged[c] = otherSide < 0 && limitWedge(contacts, c, block) ? 1 : 0;
    this.normalCompliance[c] = along;
    this.tangentCompliance[c] = alongPlane(block, contacts.normal, c * 3, along);
  }

  /** Where the first side of contact c is, with the forces as they stand [m]; valid until the next call. */
  positionOf(c: number): Float64Array {
    return this.bodies[this.contacts.body[c * 2]].at(this.sideOf[c * 2]);
  }

  /** Forces as they were when the step began, for a step that is taken again. */
  restart(): void {
    for (let i = 0; i < this.contacts.count * 3; i++) this.contacts.force[i] = this.#start[i];
    this.#isMeasured.fill(0, 0, this.contacts.count);
    this.leverage.begin();
    this.handOut();
  }

  /**
   * Corrects the forces of the contacts on the list for the places the bodies have reported, by `share` times the sweeps that an iteration is worth, the last time more thoroughly;
   * by sweeps alone where `plain`.
   */
  correct(share: number, last: boolean, plain: boolean): void {
    let work = 1;
    for (let b = 0; b < this.bodies.length; b++) work += this.bodies[b].sweepWork;
    const worth = this.#isStacked() ? STACKED_WORTH * SWEEP_WORK : SWEEP_WORK;
    const light = Math.min(1, (this.leverage.largest[0] - 1) / LIGHT);
    const patience = share * (1 + (LIGHT_WORTH - 1) * light);
    const sweeps = Math.max(FEWEST_SWEEPS, Math.floor(Math.min(MOST_SWEEPS * patience, (worth * patience) / work)));
    this.#keep(this.#before);
    this.#kernel.solve(this, last ? 2 * sweeps : sweeps, last ? SETTLED : NEARLY_SETTLED, plain);
    this.#shorten();
    this.handOut();
  }

  handOut(): void {
    for (let b = 0; b < this.bodies.length; b++) this.bodies[b].readForces(this.contacts.force);
  }

  /** Copies the forces of the contacts there are: few of those there is room for. */
  #keep(to: Float64Array): void {
    const { force, count } = this.contacts;
    for (let i = 0; i < count * 3; i++) to[i] = force[i];
  }

  /** Takes back part of a correction that turns bones too far; forces between two that friction allows are allowed as well. */
  #shorten(): void {
    let turn = 0;
    for (let b = 0; b < this.bodies.length; b++) turn = Math.max(turn, this.bodies[b].response.largestTurn());
    if (turn <= MOST_TURN) return;
    const share = MOST_TURN / turn;
    const { force, count } = this.contacts;
    for (let i = 0; i < count * 3; i++) force[i] = this.#before[i] + share * (force[i] - this.#before[i]);
  }

  /** Lists the contacts that push or are near. */
  #listActive(): void {
    const { contacts, sideOf, bodies, deepest } = this;
    const { force } = contacts;
    const gap = this.#gap;
    this.activeCount = 0;
    deepest[0] = 0;
    for (let c = 0; c < contacts.count; c++) {
      const o = c * 3;
      readGap(contacts, sideOf, bodies, c, gap);
      deepest[0] = Math.min(deepest[0], gap[0]);
      const isIdle = force[o] === 0 && force[o + 1] === 0 && force[o + 2] === 0;
      if (gap[0] < this.near || !isIdle) this.active[this.activeCount++] = c;
    }
  }

  /** Whether two bodies touch each other. */
  #isStacked(): boolean {
    const { body } = this.contacts;
    for (let n = 0; n < this.activeCount; n++) {
      const c = this.active[n] * 2;
      if (body[c + 1] >= 0 && body[c] !== body[c + 1]) return true;
    }
    return false;
  }
}

/** nᵀ W n, at least a trace of it: contacts between things nothing can move must not divide by zero. */
function alongNormal(w: Float64Array, n: Float64Array, o: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += n[o + i] * w[i * 3 + j] * n[o + j];
  return Math.max(sum, UNMOVABLE);
}

/** Largest eigenvalue of W in the plane of the contact. */
function alongPlane(w: Float64Array, n: Float64Array, o: number, alongN: number): number {
  // of the two eigenvalues in the plane, sum and sum of squares are known from traces: no basis of the plane is needed
  const trace = w[0] + w[4] + w[8] - alongN;
  let squares = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) squares += w[i * 3 + j] * w[j * 3 + i];
  }
  let toNormal = 0;
  for (let i = 0; i < 3; i++) {
    let row = 0;
    for (let j = 0; j < 3; j++) row += w[i * 3 + j] * n[o + j];
    toNormal += row * row;
  }
  // |P W P|² = |W|² − 2 |W n|² + (nᵀ W n)²
  const inPlane = squares - 2 * toNormal + alongN * alongN;
  const spread = Math.max(0, 2 * inPlane - trace * trace);
  return Math.max(0.5 * (trace + Math.sqrt(spread)), UNMOVABLE);
}
