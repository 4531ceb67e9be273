/**
 * Contacts of an island against turns of its bodies as wholes: each body goes and turns as if it were rigid, flesh too, and contacts that push let nothing come nearer or slide that did not before. For giving back to flesh what its constant matrices
 * have taken: these hold against turns, a rigid body does not.
 */
import type { RowSystem } from './row-system.js';

/** Sweeps over the contacts, forwards and backwards. */
const SWEEPS = 5;
/** Share of the most friction from which on a contact is said to slide. */
const SLIDES = 1 - 1e-6;

const ARM = new Float64Array(3);
const U = new Float64Array(3);
const W = new Float64Array(9);
const P = new Float64Array(3);

/** Turns of bodies, rigid ones first. */
export class TurnRows {
  /** What is added to each body: velocity of its centre of mass and rate of turn, 6 each [m/s, rad/s]. */
  readonly twist: Float64Array;
  /** Centre of mass, inverse mass and inverse inertia of each body of the island at hand; nothing of others. */
  readonly centre: Float64Array;
  readonly inverseMass: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly #rows: RowSystem;
  readonly #armA: Float64Array;
  readonly #armB: Float64Array;
  readonly #opening: Float64Array;
  readonly #sliding: Float64Array;
  /** 1 for contacts that slide: their friction goes with their push. */
  readonly #slides: Uint8Array;

  constructor(rows: RowSystem, bodyCount: number, capacity: number) {
    this.#rows = rows;
    this.twist = new Float64Array(bodyCount * 6);
    this.centre = new Float64Array(bodyCount * 3);
    this.inverseMass = new Float64Array(bodyCount);
    this.inverseInertia = new Float64Array(bodyCount * 9);
    this.#armA = new Float64Array(capacity * 3);
    this.#armB = new Float64Array(capacity * 3);
    this.#opening = new Float64Array(capacity);
    this.#sliding = new Float64Array(capacity);
    this.#slides = new Uint8Array(capacity);
  }

  /** Lets the contacts list[from..to) answer the turns. */
  solve(list: Int32Array, from: number, to: number): void {
    for (let n = from; n < to; n++) this.#measure(n - from, list[n]);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let n = from; n < to; n++) this.#relax(n - from, list[n]);
      for (let n = to - 1; n >= from; n--) this.#relax(n - from, list[n]);
    }
  }

  /** Arms of a contact, and how it gives way. */
  #measure(i: number, c: number): void {
    const { contacts, opening } = this.#rows;
    const { normal } = contacts;
    this.#opening[i] = 0;
    if (opening[c] === 0) return;
    W.fill(0);
    this.#placeSide(c, contacts.sideA[c], contacts.a[c], contacts.armA, this.#armA, i);
    this.#placeSide(c, contacts.sideB[c], contacts.b[c], contacts.armB, this.#armB, i);
    let along = 0;
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 3; k++) along += normal[c * 3 + j] * W[j * 3 + k] * normal[c * 3 + k];
    this.#opening[i] = along;
    // no less than what gives way most in the plane
    this.#sliding[i] = W[0] + W[4] + W[8] - along;
    this.#slides[i] = this.#isSliding(c) ? 1 : 0;
  }

  #isSliding(c: number): boolean {
    const { contacts, push } = this.#rows;
    const o = c * 3;
    let pushed = 0;
    let square = 0;
    for (let k = o; k < o + 3; k++) {
      pushed += contacts.normal[k] * push[k];
      square += push[k] * push[k];
    }
    const most = SLIDES * contacts.friction[c] * pushed;
    return pushed > 0 && square - pushed * pushed >= most * most;
  }

  /** Arm of one side; W += how it answers a push: 1/m − r* I⁻¹ r*. */
  #placeSide(c: number, side: number, body: number, arms: Float64Array, out: Float64Array, i: number): void {
    const { soft } = this.#rows;
    const m = this.inverseMass[body];
    if (side >= 0) {
      soft.placeOf(side, ARM);
      for (let k = 0; k < 3; k++) ARM[k] -= this.centre[body * 3 + k];
    } else for (let k = 0; k < 3; k++) ARM[k] = arms[c * 3 + k];
    for (let k = 0; k < 3; k++) out[i * 3 + k] = ARM[k];
    if (m === 0) return;
    for (let k = 0; k < 3; k++) {
      P.fill(0);
      P[k] = 1;
      U.fill(0);
      this.#answer(body, ARM, 0, P, 1, U);
      for (let j = 0; j < 3; j++) W[j * 3 + k] += U[j];
    }
  }

  /** out += velocity at the arm for an impulse there. */
  #answer(body: number, arm: Float64Array, o: number, p: Float64Array, sign: number, out: Float64Array): void {
    const m = this.inverseMass[body];
    const w = this.inverseInertia;
    const x = arm[o + 1] * p[2] - arm[o + 2] * p[1];
    const y = arm[o + 2] * p[0] - arm[o] * p[2];
    const z = arm[o] * p[1] - arm[o + 1] * p[0];
    const i = body * 9;
    const w0 = w[i] * x + w[i + 1] * y + w[i + 2] * z;
    const w1 = w[i + 3] * x + w[i + 4] * y + w[i + 5] * z;
    const w2 = w[i + 6] * x + w[i + 7] * y + w[i + 8] * z;
    out[0] += sign * (m * p[0] + w1 * arm[o + 2] - w2 * arm[o + 1]);
    out[1] += sign * (m * p[1] + w2 * arm[o] - w0 * arm[o + 2]);
    out[2] += sign * (m * p[2] + w0 * arm[o + 1] - w1 * arm[o]);
  }

  /** Solves one contact: what is added to its velocity neither closes nor slides it, as far as it may push. */
  #relax(i: number, c: number): void {
    const opening = this.#opening[i];
    if (!(opening > 0)) return;
    const { contacts, push } = this.#rows;
    const { normal, a, b, friction } = contacts;
    const o = c * 3;
    U.fill(0);
    this.#addVelocity(a[c], this.#armA, i * 3, 1);
    this.#addVelocity(b[c], this.#armB, i * 3, -1);
    const n0 = normal[o];
    const n1 = normal[o + 1];
    const n2 = normal[o + 2];
    const along = n0 * U[0] + n1 * U[1] + n2 * U[2];
    const pushed = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
    const isBound = contacts.isBinding(c);
    const wanted = pushed - along / opening;
    const next = isBound ? wanted : Math.max(0, wanted);
    const slides = this.#slides[i] === 1 && pushed > 0;
    // what slides goes on to, held back by as much more as it is pushed
    const kept = slides ? next / pushed : 1;
    const give = slides ? Number.POSITIVE_INFINITY : this.#sliding[i];
    for (let k = 0; k < 3; k++)
      P[k] = kept * (push[o + k] - pushed * normal[o + k]) - (U[k] - along * normal[o + k]) / give;
    const drag = Math.sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]);
    const most = friction[c] * next;
    const share = !isBound && drag > most ? most / drag : 1;
    for (let k = 0; k < 3; k++) {
      P[k] = share * P[k] + next * normal[o + k] - push[o + k];
      push[o + k] += P[k];
    }
    this.#push(a[c], this.#armA, i * 3, 1);
    this.#push(b[c], this.#armB, i * 3, -1);
  }

  /** U += sign times the velocity of a point. */
  #addVelocity(body: number, arm: Float64Array, o: number, sign: number): void {
    if (this.inverseMass[body] === 0) return;
    const t = this.twist;
    const v = body * 6;
    U[0] += sign * (t[v] + t[v + 4] * arm[o + 2] - t[v + 5] * arm[o + 1]);
    U[1] += sign * (t[v + 1] + t[v + 5] * arm[o] - t[v + 3] * arm[o + 2]);
    U[2] += sign * (t[v + 2] + t[v + 3] * arm[o + 1] - t[v + 4] * arm[o]);
  }

  /** An impulse sign P at a point. */
  #push(body: number, arm: Float64Array, o: number, sign: number): void {
    const m = sign * this.inverseMass[body];
    if (m === 0) return;
    const t = this.twist;
    const w = this.inverseInertia;
    const x = sign * (arm[o + 1] * P[2] - arm[o + 2] * P[1]);
    const y = sign * (arm[o + 2] * P[0] - arm[o] * P[2]);
    const z = sign * (arm[o] * P[1] - arm[o + 1] * P[0]);
    for (let k = 0; k < 3; k++) {
      const r = body * 9 + k * 3;
      t[body * 6 + k] += m * P[k];
      t[body * 6 + 3 + k] += w[r] * x + w[r + 1] * y + w[r + 2] * z;
    }
  }
}
