/**
 * The published push-out [Shinar2008 §6.1], for comparison with rows of the position track: after positions have moved, one body after the other is made the centre and everything
 * inside it is pushed out at once, for a pseudo-time, with the masses as they are: no velocity follows. Those that just touch are held in the same system, or the next pass
 * would have them inside. What nothing moves stands as an outer body that hardly gives way, in place of the published split of the system. Two soft bodies are pushed apart pair by pair.
 */

import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { ContactList } from '../contacts/contact-list.js';
import { addPointBlock } from '../rigid/joint-algebra.js';
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import { turnByVector } from '../rigid/turn.js';
import type { RowSystem } from '../rows/row-system.js';
import { CORNERS, type SoftSides } from '../soft/soft-sides.js';
import { CentralBody } from './central-body.js';

/** Bodies that can touch a central one. */
const MOST_OUTERS = 256;
const PASSES = 20;
/** Deeper than this is inside, nearer than that touches [m]. */
const INSIDE = 1e-6;
const TOUCHES = 1e-4;
/** How what nothing moves gives way, as a share of the central body's answer. */
const UNMOVED = 1e-6;

/** Pushes bodies out of each other. */
export class CentralPushOut {
  /** Passes the last call took. */
  passes = 0;
  readonly #system: RowSystem;
  readonly #rigid: RigidBodies;
  readonly #sides: SoftSides;
  readonly #central = new CentralBody(MOST_OUTERS);
  readonly #outer = new Int32Array(MOST_OUTERS);
  /** Moves so far: linear and turn of rigid bodies, of vertices [m, rad]. */
  readonly #twist: Float64Array;
  readonly #shift: Float64Array;
  readonly #gap: Float64Array;
  readonly #k = new Float64Array(9);
  readonly #u = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #inertia = new Float64Array(9);

  constructor(system: RowSystem) {
    this.#system = system;
    this.#rigid = system.rigid;
    this.#sides = system.soft;
    this.#twist = new Float64Array(system.rigid.velocity.length);
    this.#shift = new Float64Array(system.soft.bodies.x.length);
    this.#gap = new Float64Array(system.contacts.capacity);
  }

  /** Moves everything that is inside something after positions went on for h [s]. */
  resolve(contacts: ContactList, h: number): void {
    this.#twist.fill(0);
    this.#shift.fill(0);
    const u = this.#u;
    const { normal } = contacts;
    for (let c = 0; c < contacts.count; c++) {
      this.#system.contactVelocity(c, u);
      const o = c * 3;
      this.#gap[c] = contacts.gap[c] + h * (normal[o] * u[0] + normal[o + 1] * u[1] + normal[o + 2] * u[2]);
    }
    this.passes = 0;
    for (let isMoved = true; isMoved && this.passes < PASSES; this.passes++) {
      isMoved = false;
      for (let b = 0; b < this.#rigid.count; b++) if (this.#pushFrom(contacts, b)) isMoved = true;
      for (let c = 0; c < contacts.count; c++) if (this.#pushPair(contacts, c)) isMoved = true;
    }
    this.#take();
  }

  /** Gap of contact c with the moves so far. */
  #gapNow({ normal, sideA, sideB, a, b, armA, armB }: ContactList, c: number): number {
    const o = c * 3;
    this.#moveAt(sideA[c], a[c], armA, o, this.#u);
    let gap = this.#gap[c];
    for (let k = 0; k < 3; k++) gap += normal[o + k] * this.#u[k];
    this.#moveAt(sideB[c], b[c], armB, o, this.#u);
    for (let k = 0; k < 3; k++) gap -= normal[o + k] * this.#u[k];
    return gap;
  }

  #moveAt(side: number, body: number, arm: Float64Array, o: number, out: Float64Array): void {
    const { slot, slotVertex, weight, bodies } = this.#sides;
    if (side < 0) {
      const t = this.#twist;
      const v = body * TWIST;
      out[0] = t[v] + t[v + 4] * arm[o + 2] - t[v + 5] * arm[o + 1];
      out[1] = t[v + 1] + t[v + 5] * arm[o] - t[v + 3] * arm[o + 2];
      out[2] = t[v + 2] + t[v + 3] * arm[o + 1] - t[v + 4] * arm[o];
      return;
    }
    const first = bodies.firstVertex[this.#sides.body[side]];
    out.fill(0);
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      const at = (first + slotVertex[first + slot[m]]) * 3;
      for (let k = 0; k < 3; k++) out[k] += weight[m] * this.#shift[at + k];
    }
  }

  /** Pushes everything out of rigid body b; false where nothing was inside. */
  #pushFrom(contacts: ContactList, b: number): boolean {
    const rigid = this.#rigid;
    if (rigid.inverseMass[b] === 0 || !invertMat3(this.#inertia, 0, rigid.inverseInertia, b * 9)) return false;
    const central = this.#central;
    let isInside = false;
    central.begin(rigid.mass[b], this.#inertia, 0);
    for (let c = 0; c < contacts.count; c++) {
      const isA = contacts.a[c] === b && contacts.sideA[c] < 0;
      if ((!isA && (contacts.b[c] !== b || contacts.sideB[c] >= 0)) || contacts.isBinding(c)) continue;
      const gap = this.#gapNow(contacts, c);
      if (gap >= TOUCHES) continue;
      const depth = Math.max(0, -gap);
      const arm = isA ? contacts.armA : contacts.armB;
      this.#answerOf(contacts, c, !isA, UNMOVED * rigid.inverseMass[b]);
      for (let k = 0; k < 3; k++) this.#u[k] = (isA ? depth : -depth) * contacts.normal[c * 3 + k];
      this.#outer[central.count] = isA ? c : -1 - c;
      if (central.addOuter(arm, c * 3, this.#k, this.#u) && depth > INSIDE) isInside = true;
    }
    if (!isInside || !central.solve()) return false;
    for (let k = 0; k < TWIST; k++) this.#twist[b * TWIST + k] += central.change[k];
    for (let n = 0; n < central.count; n++) {
      const c = this.#outer[n];
      central.impulseOf(n, this.#p);
      this.#move(contacts, c < 0 ? -1 - c : c, c >= 0, 1);
    }
    return true;
  }

  /** Two soft bodies, by their masses at the point. */
  #pushPair(contacts: ContactList, c: number): boolean {
    if (contacts.sideA[c] < 0 || contacts.sideB[c] < 0) return false;
    const depth = -this.#gapNow(contacts, c);
    if (depth <= INSIDE) return false;
    this.#answerOf(contacts, c, false, 0);
    let sum = this.#k[0];
    this.#answerOf(contacts, c, true, 0);
    sum += this.#k[0];
    if (!(sum > 0)) return false;
    for (let k = 0; k < 3; k++) this.#p[k] = (depth / sum) * contacts.normal[c * 3 + k];
    this.#move(contacts, c, false, 1);
    this.#move(contacts, c, true, -1);
    return true;
  }

  /** k = how side A (or B) of contact c answers an impulse, with the masses as they are; at least `least` [1/kg]. */
  #answerOf(contacts: ContactList, c: number, ofA: boolean, least: number): void {
    const k = this.#k.fill(0);
    const side = ofA ? contacts.sideA[c] : contacts.sideB[c];
    if (side < 0)
      addPointBlock(this.#rigid, ofA ? contacts.a[c] : contacts.b[c], ofA ? contacts.armA : contacts.armB, c * 3, k);
    const { slot, slotVertex, weight, bodies } = this.#sides;
    const first = side < 0 ? 0 : bodies.firstVertex[this.#sides.body[side]];
    for (let m = side * CORNERS; side >= 0 && m < (side + 1) * CORNERS; m++) {
      const v = first + slotVertex[first + slot[m]];
      if (bodies.pinned[v] === 1) continue;
      for (let i = 0; i < 9; i += 4) k[i] += (weight[m] * weight[m]) / bodies.mass[v];
    }
    for (let i = 0; i < 9; i += 4) k[i] = Math.max(k[i], least);
  }

  /** Moves side B (or A) of contact c by sign times the impulse in p. */
  #move(contacts: ContactList, c: number, isB: boolean, sign: number): void {
    const p = this.#p;
    const side = isB ? contacts.sideB[c] : contacts.sideA[c];
    const body = isB ? contacts.b[c] : contacts.a[c];
    const { slot, slotVertex, weight, bodies } = this.#sides;
    if (side >= 0) {
      const first = bodies.firstVertex[this.#sides.body[side]];
      for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
        const v = first + slotVertex[first + slot[m]];
        const share = bodies.pinned[v] === 1 ? 0 : (sign * weight[m]) / bodies.mass[v];
        for (let k = 0; k < 3; k++) this.#shift[v * 3 + k] += share * p[k];
      }
      return;
    }
    const { inverseMass, inverseInertia } = this.#rigid;
    if (inverseMass[body] === 0) return;
    const arm = isB ? contacts.armB : contacts.armA;
    const o = c * 3;
    const turn = this.#u;
    turn[0] = sign * (arm[o + 1] * p[2] - arm[o + 2] * p[1]);
    turn[1] = sign * (arm[o + 2] * p[0] - arm[o] * p[2]);
    turn[2] = sign * (arm[o] * p[1] - arm[o + 1] * p[0]);
    for (let k = 0; k < 3; k++) {
      const row = body * 9 + k * 3;
      this.#twist[body * TWIST + k] += sign * inverseMass[body] * p[k];
      this.#twist[body * TWIST + 3 + k] +=
        inverseInertia[row] * turn[0] + inverseInertia[row + 1] * turn[1] + inverseInertia[row + 2] * turn[2];
    }
  }

  /** Positions take the moves. */
  #take(): void {
    const { x, q, count } = this.#rigid;
    for (let b = 0; b < count; b++) {
      const t = b * TWIST;
      if (!this.#twist.subarray(t, t + TWIST).some((value) => value !== 0)) continue;
      for (let k = 0; k < 3; k++) x[b * 3 + k] += this.#twist[t + k];
      turnByVector(q, b * 4, this.#twist, t + 3);
      this.#rigid.refresh(b);
    }
    const soft = this.#sides.bodies.x;
    for (let i = 0; i < soft.length; i++) soft[i] += this.#shift[i];
  }
}
