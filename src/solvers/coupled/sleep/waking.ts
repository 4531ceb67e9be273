/**
 * Who wakes: bodies that a force, a motor or a hand acts on, that something strikes, or that lose their balance. A blow is handed on: what is behind a body that is struck
 * wakes with it, before it is struck, so that no blow is lost on it. Each neighbour gets half of what the one before it got, and who would be given next to nothing sleeps on, so a large heap
 * wakes only around the blow, and farther only as far as its bodies really move. Small groups, and bodies that are joined, wake as a whole.
 */
import type { ContactList } from '../contacts/contact-list.js';
import type { JointBlocks } from '../rigid/joint-blocks.js';
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import { CORNERS, type SoftSides } from '../soft/soft-sides.js';
import { massesOf } from './held-forces.js';

/** Groups of more bodies are heaps, and wake in part. */
const HEAP = 64;
/** Share of a blow that a neighbour hands on. */
const HANDED_ON = 0.5;
/** Blows are seen so many substeps before they come. */
const AHEAD = 2;

/** Wakes bodies. */
export class Waking {
  readonly #group: Int32Array;
  readonly #rest: Float64Array;
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  readonly #joints: JointBlocks;
  readonly #mass: Float64Array;
  /** What a body may be given without waking [m/s]. */
  readonly #speed: number;
  /** Velocity that each body is given [m/s]; 0: not called. */
  readonly #given: Float64Array;
  /** Bodies of each group, and 1 for groups that are to wake as a whole. */
  readonly #size: Int32Array;
  readonly #whole: Uint8Array;
  #isAnyCalled = false;
  readonly #u = new Float64Array(3);

  constructor(
    group: Int32Array,
    rest: Float64Array,
    rigid: RigidBodies,
    sides: SoftSides,
    joints: JointBlocks,
    speed: number,
  ) {
    this.#group = group;
    this.#rest = rest;
    this.#rigid = rigid;
    this.#soft = sides.bodies;
    this.#sides = sides;
    this.#joints = joints;
    this.#speed = speed;
    this.#given = new Float64Array(group.length);
    this.#size = new Int32Array(group.length + 1);
    this.#whole = new Uint8Array(group.length + 1);
    this.#mass = massesOf(rigid, sides.bodies);
  }

  /** Body b is to wake, and to hand on so much [m/s]. */
  call(b: number, given = 0): void {
    if (this.#group[b] === 0) return;
    this.#given[b] = Math.max(this.#given[b], given, this.#speed);
    this.#isAnyCalled = true;
  }

  /** Bodies that forces, motors and other hands act on. */
  callDriven(): void {
    const { outside, count, mass, inverseMass } = this.#rigid;
    const soft = this.#soft;
    const { joints, stiffness, damping } = this.#joints;
    for (let b = 0; b < count; b++) {
      let pulled = mass[b] > 0 && inverseMass[b] === 0;
      for (let o = b * TWIST; o < (b + 1) * TWIST; o++) pulled ||= outside[o] !== 0;
      if (pulled) this.#drive(b);
    }
    for (let s = 0; s < soft.count; s++) {
      let pulled = false;
      for (let o = soft.firstVertex[s] * 3; o < soft.firstVertex[s + 1] * 3; o++) pulled ||= soft.outside[o] !== 0;
      if (pulled) this.#drive(count + s);
    }
    for (let j = 0; j < joints.length; j++) {
      if (stiffness[j] === 0 && damping[j] === 0) continue;
      this.#drive(joints[j].a);
      this.#drive(joints[j].b);
    }
  }

  /** Bodies that something awake is about to strike within substeps of h [s]. */
  callStruck(contacts: ContactList, movable: Uint8Array, h: number): void {
    const group = this.#group;
    for (let c = 0; c < contacts.count; c++) {
      const a = contacts.a[c];
      const b = contacts.b[c];
      if (group[a] > 0 && movable[b] === 1) this.#strike(contacts, c, b, a, h);
      else if (group[b] > 0 && movable[a] === 1) this.#strike(contacts, c, a, b, h);
    }
  }

  /** Bodies whose boxes meet that of m, which is on its way and which nothing moves. */
  callBeside(boxes: Float64Array, m: number): void {
    const group = this.#group;
    for (let b = 0; b < group.length; b++) if (group[b] > 0 && doOverlap(boxes, m * 6, b * 6)) this.call(b);
  }

  /** Wakes those who were called, and whoever hangs together with them. True where anybody woke. */
  wake(contacts: ContactList): boolean {
    if (!this.#isAnyCalled) return false;
    this.#isAnyCalled = false;
    while (this.#callGroups() || this.#callJoined() || this.#callBehind(contacts)) {
      // until nobody more is called
    }
    const group = this.#group;
    let any = false;
    for (let b = 0; b < group.length; b++) {
      if (this.#given[b] === 0) continue;
      any = true;
      group[b] = 0;
      this.#rest[b] = 0;
    }
    this.#given.fill(0);
    return any;
  }

  #drive(b: number): void {
    this.#rest[b] = 0;
    this.call(b);
  }

  /** Body b sleeps, and `by` comes towards it at contact c. */
  #strike(contacts: ContactList, c: number, by: number, b: number, h: number): void {
    const u = this.#u;
    const sign = contacts.a[c] === by ? -1 : 1;
    this.#velocityAt(contacts, c, by, u);
    const n = contacts.normal;
    const closing = sign * (n[c * 3] * u[0] + n[c * 3 + 1] * u[1] + n[c * 3 + 2] * u[2]);
    if (contacts.gap[c] > AHEAD * h * closing) return;
    // what an elastic blow gives
    const given = (2 * closing * this.#mass[by]) / (this.#mass[by] + this.#mass[b]);
    if (given > this.#speed) this.call(b, given);
  }

  /** out = velocity of the point of body `by` at contact c [m/s]. */
  #velocityAt(contacts: ContactList, c: number, by: number, out: Float64Array): void {
    const isA = contacts.a[c] === by;
    const side = isA ? contacts.sideA[c] : contacts.sideB[c];
    const rigid = this.#rigid;
    if (side < 0) {
      const arm = isA ? contacts.armA : contacts.armB;
      rigid.spinOf(by, out);
      const w0 = out[0];
      const w1 = out[1];
      const w2 = out[2];
      out[0] = rigid.v[by * 3] + w1 * arm[c * 3 + 2] - w2 * arm[c * 3 + 1];
      out[1] = rigid.v[by * 3 + 1] + w2 * arm[c * 3] - w0 * arm[c * 3 + 2];
      out[2] = rigid.v[by * 3 + 2] + w0 * arm[c * 3 + 1] - w1 * arm[c * 3];
      return;
    }
    const { slot, weight, slotVertex } = this.#sides;
    const first = this.#soft.firstVertex[by - rigid.count];
    out.fill(0);
    for (let i = side * CORNERS; i < (side + 1) * CORNERS; i++) {
      const v = (first + slotVertex[first + slot[i]]) * 3;
      for (let k = 0; k < 3; k++) out[k] += weight[i] * this.#soft.v[v + k];
    }
  }

  /** Small groups wake as a whole. Whether anybody was called. */
  #callGroups(): boolean {
    const group = this.#group;
    const size = this.#size;
    const whole = this.#whole;
    let any = false;
    size.fill(0);
    whole.fill(0);
    for (let b = 0; b < group.length; b++) {
      size[group[b]]++;
      if (this.#given[b] > 0) whole[group[b]] = 1;
    }
    for (let b = 0; b < group.length; b++) {
      if (group[b] === 0 || whole[group[b]] === 0 || size[group[b]] > HEAP || this.#given[b] > 0) continue;
      this.#given[b] = this.#speed;
      any = true;
    }
    return any;
  }

  /** Bodies that are joined wake together. */
  #callJoined(): boolean {
    const { count, a, b } = this.#joints;
    let any = false;
    for (let i = 0; i < count; i++) any = this.#handOn(a[i], b[i], 1) || this.#handOn(b[i], a[i], 1) || any;
    return any;
  }

  /** What lies behind those that are struck. */
  #callBehind(contacts: ContactList): boolean {
    const { count, a, b } = contacts;
    let any = false;
    for (let c = 0; c < count; c++) {
      if (this.#group[a[c]] === 0 || this.#group[b[c]] === 0) continue;
      const share = contacts.isBinding(c) ? 1 : HANDED_ON;
      any = this.#handOn(a[c], b[c], share) || this.#handOn(b[c], a[c], share) || any;
    }
    return any;
  }

  /** Body `to` gets this share of what `from` got, if that is more than it has and enough to wake. */
  #handOn(from: number, to: number, share: number): boolean {
    const given = share * this.#given[from];
    if (given < this.#speed || given <= this.#given[to] || this.#group[to] === 0) return false;
    this.#given[to] = given;
    return true;
  }
}

function doOverlap(boxes: Float64Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++) if (boxes[i + k] > boxes[j + 3 + k] || boxes[j + k] > boxes[i + 3 + k]) return false;
  return true;
}
