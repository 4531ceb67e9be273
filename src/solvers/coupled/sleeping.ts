/**
 * Sleep: an island whose bodies have all stayed where they are for half a second is not solved any more, until something comes near one of
 * its bodies, pulls at it, or takes away what it lies on. It wakes as a whole, before it is touched, so that no blow is lost on it.
 *
 * Of a large heap a twentieth of the bodies may creep when it falls asleep: they stop where they are.
 *
 * A body stays where it is while none of its points is farther than a small distance from where it was when it was last seen to move.
 */

import type { SampledShape } from '../../collision/rigid/sampled-shape.js';
import { transposeMultiplyMat3Vec3 } from '../../math/mat3.js';
import type { ContactList } from './contacts/contact-list.js';
import type { JointBlocks } from './rigid/joint-blocks.js';
import { type RigidBodies, TWIST } from './rigid/rigid-bodies.js';
import type { Islands } from './rows/islands.js';
import type { SoftBodies } from './soft/soft-bodies.js';

/** How long everything must stay where it is [s]. */
const PATIENCE = 0.5;
/** In a large heap somebody always creeps: this share of its bodies does not keep the others awake, unless faster than so many times the speed of sleep. */
const CREEPING = 0.05;
const CREEP = 4;

/** Which bodies sleep. */
export class Sleeping {
  /** 0 for bodies that are awake, else the number of the group they fell asleep with: its first body, plus one. */
  readonly group: Int32Array;
  /** How long each body has stayed [s], and where it was when that began. */
  readonly #rest: Float64Array;
  readonly #place: Float64Array;
  readonly #orientation: Float64Array;
  readonly #shape: Float64Array;
  readonly #gravity = new Float64Array(3);
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #joints: JointBlocks;
  readonly #shapes: readonly SampledShape[];
  /** Distance that counts as having moved [m]; 0: nothing ever sleeps. */
  readonly #moved: number;
  readonly #u = new Float64Array(3);
  readonly #extent = new Float64Array(3);
  /** 1 for groups that are to wake. */
  readonly #called: Uint8Array;

  constructor(
    rigid: RigidBodies,
    soft: SoftBodies,
    joints: JointBlocks,
    shapes: readonly SampledShape[],
    sleepSpeed: number,
  ) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#joints = joints;
    this.#shapes = shapes;
    this.#moved = sleepSpeed * PATIENCE;
    const count = rigid.count + soft.count;
    const has = sleepSpeed > 0 ? 1 : 0;
    this.group = new Int32Array(count);
    this.#called = new Uint8Array(count + 1);
    this.#rest = new Float64Array(has * count);
    this.#place = new Float64Array(has * rigid.x.length);
    this.#orientation = new Float64Array(has * rigid.q.length);
    this.#shape = new Float64Array(has * soft.x.length);
  }

  /** Whether anything may sleep. */
  get isOn(): boolean {
    return this.#moved > 0;
  }

  /** Bodies asleep. */
  get count(): number {
    let count = 0;
    for (let b = 0; b < this.group.length; b++) if (this.group[b] > 0) count++;
    return count;
  }

  get arrays(): readonly (Float64Array | Int32Array)[] {
    return [this.group, this.#rest, this.#place, this.#orientation, this.#shape, this.#gravity];
  }

  wakeAll(): void {
    this.group.fill(0);
    this.#rest.fill(0);
  }

  /** Puts islands to sleep that have rested long enough; their velocities, next to nothing, become nothing. True where there are any. */
  fallAsleep({ count, body, bodyStart }: Islands): boolean {
    let any = false;
    for (let i = 0; i < count && this.isOn; i++) {
      if (bodyStart[i] === bodyStart[i + 1] || !this.#isAtRest(body, bodyStart[i], bodyStart[i + 1])) continue;
      any = true;
      const leader = body[bodyStart[i]] + 1;
      for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) this.#lay(body[n], leader);
    }
    return any;
  }

  /** Whether bodies have stayed long enough, but for a few that creep. */
  #isAtRest(body: Int32Array, from: number, to: number): boolean {
    let moving = 0;
    for (let n = from; n < to; n++) {
      if (this.#rest[body[n]] >= PATIENCE) continue;
      moving++;
      if (moving > CREEPING * (to - from) || this.#speedOf(body[n]) > (CREEP * this.#moved) / PATIENCE) return false;
    }
    return true;
  }

  /** How fast the fastest point of body b is, at most [m/s]. */
  #speedOf(b: number): number {
    const rigid = this.#rigid;
    const { v, firstVertex } = this.#soft;
    const u = this.#u;
    if (b < rigid.count) {
      rigid.spinOf(b, u);
      // into the body's own frame
      transposeMultiplyMat3Vec3(u, 0, rigid.rotation, b * 9, u, 0);
      return lengthOf(rigid.v, b * 3) + this.#sweptBy(b, u);
    }
    let most = 0;
    const s = b - rigid.count;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) most = Math.max(most, lengthOf(v, i));
    return most;
  }

  #lay(b: number, group: number): void {
    const { count, v, l } = this.#rigid;
    const soft = this.#soft;
    this.group[b] = group;
    if (b < count) {
      v.fill(0, b * 3, b * 3 + 3);
      l.fill(0, b * 3, b * 3 + 3);
    } else soft.v.fill(0, soft.firstVertex[b - count] * 3, soft.firstVertex[b - count + 1] * 3);
  }

  /** After a step of dt [s]: who has moved, and who has stayed. */
  watch(dt: number): void {
    if (!this.isOn) return;
    const { count, inverseMass } = this.#rigid;
    for (let b = 0; b < this.group.length; b++) {
      if (this.group[b] > 0 || (b < count && inverseMass[b] === 0)) continue;
      const moved = b < count ? this.#movedRigid(b) : this.#movedSoft(b - count);
      if (moved <= this.#moved) {
        this.#rest[b] += dt;
        continue;
      }
      this.#rest[b] = 0;
      if (b < count) this.#noteRigid(b);
      else this.#noteSoft(b - count);
    }
  }

  /** Wakes whatever forces, motors, other hands or another gravity act on. True where anybody woke. */
  wakeDriven(gravity: Float64Array): boolean {
    if (!this.isOn) return false;
    const { outside, count, mass, inverseMass } = this.#rigid;
    const soft = this.#soft;
    const { joints, stiffness, damping } = this.#joints;
    for (let b = 0; b < count; b++) {
      let pulled = mass[b] > 0 && inverseMass[b] === 0;
      for (let o = b * TWIST; o < (b + 1) * TWIST; o++) pulled ||= outside[o] !== 0;
      if (pulled) this.#call(b);
    }
    for (let s = 0; s < soft.count; s++) {
      let pulled = false;
      for (let o = soft.firstVertex[s] * 3; o < soft.firstVertex[s + 1] * 3; o++) pulled ||= soft.outside[o] !== 0;
      if (pulled) this.#call(count + s);
    }
    for (let j = 0; j < joints.length; j++) {
      if (stiffness[j] === 0 && damping[j] === 0) continue;
      this.#call(joints[j].a);
      this.#call(joints[j].b);
    }
    for (let k = 0; k < 3; k++) {
      if (this.#gravity[k] !== gravity[k]) this.wakeAll();
      this.#gravity[k] = gravity[k];
    }
    return this.#wakeCalled();
  }

  /** Wakes groups that something awake has come near, by contact, or by its box if nothing moves it. True where anybody woke. */
  wakeTouched(contacts: ContactList, movable: Uint8Array, boxes: Float64Array): boolean {
    if (!this.isOn) return false;
    const { group } = this;
    for (let c = 0; c < contacts.count; c++) {
      const a = contacts.a[c];
      const b = contacts.b[c];
      if (group[a] > 0 && movable[b] === 1) this.#call(a);
      if (group[b] > 0 && movable[a] === 1) this.#call(b);
    }
    for (let m = 0; m < this.#rigid.count; m++) {
      if (movable[m] === 1 || group[m] > 0 || !this.isSent(m)) continue;
      for (let b = 0; b < group.length; b++) if (group[b] > 0 && doOverlap(boxes, m * 6, b * 6)) this.#call(b);
    }
    return this.#wakeCalled();
  }

  /** Whether everybody sleeps and nothing is on its way to them. */
  isAllQuiet(movable: Uint8Array): boolean {
    if (!this.isOn) return false;
    for (let b = 0; b < movable.length; b++) {
      if (movable[b] === 1 || (b < this.#rigid.count && this.isSent(b))) return false;
    }
    return true;
  }

  /** Whether rigid body b, which nothing pushes, is on its way somewhere. */
  isSent(b: number): boolean {
    const { v, l, inverseMass } = this.#rigid;
    if (inverseMass[b] > 0 || this.group[b] > 0) return false;
    for (let k = b * 3; k < b * 3 + 3; k++) if (v[k] !== 0 || l[k] !== 0) return true;
    return false;
  }

  /** Body b stays awake, and its group wakes with it. */
  #call(b: number): void {
    this.#rest[b] = 0;
    if (this.group[b] > 0) this.#called[this.group[b]] = 1;
  }

  #wakeCalled(): boolean {
    let any = false;
    for (let b = 0; b < this.group.length; b++) {
      if (this.group[b] === 0 || this.#called[this.group[b]] === 0) continue;
      any = true;
      this.group[b] = 0;
      this.#rest[b] = 0;
    }
    this.#called.fill(0);
    return any;
  }

  #movedRigid(b: number): number {
    const { x, q } = this.#rigid;
    const p = this.#place;
    const r = this.#orientation;
    const d0 = x[b * 3] - p[b * 3];
    const d1 = x[b * 3 + 1] - p[b * 3 + 1];
    const d2 = x[b * 3 + 2] - p[b * 3 + 2];
    // the axis of the turn since then, as long as the sine of half its angle: a point moves by twice that times its distance from the axis
    const u = this.#u;
    const i = b * 4;
    for (let k = 0; k < 3; k++) {
      const l = i + ((k + 1) % 3);
      const m = i + ((k + 2) % 3);
      u[k] = r[i + 3] * q[i + k] - q[i + 3] * r[i + k] - r[l] * q[m] + r[m] * q[l];
    }
    return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + 2 * this.#sweptBy(b, u);
  }

  /** How fast the outside of body b moves at most when it turns like this, in its own frame: a rod that turns about itself hardly does. */
  #sweptBy(b: number, u: Float64Array): number {
    const { reach, box } = this.#shapes[b];
    const around = reach * lengthOf(u, 0);
    if (!box) return around;
    const e = this.#extent;
    for (let k = 0; k < 3; k++) e[k] = Math.max(Math.abs(box[k]), Math.abs(box[3 + k]));
    const x = Math.abs(u[1]) * e[2] + Math.abs(u[2]) * e[1];
    const y = Math.abs(u[2]) * e[0] + Math.abs(u[0]) * e[2];
    const z = Math.abs(u[0]) * e[1] + Math.abs(u[1]) * e[0];
    return Math.min(around, Math.sqrt(x * x + y * y + z * z));
  }

  #noteRigid(b: number): void {
    for (let k = b * 3; k < b * 3 + 3; k++) this.#place[k] = this.#rigid.x[k];
    for (let k = b * 4; k < b * 4 + 4; k++) this.#orientation[k] = this.#rigid.q[k];
  }

  #movedSoft(s: number): number {
    const { x, firstVertex } = this.#soft;
    const y = this.#shape;
    let most = 0;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) {
      const d0 = x[i] - y[i];
      const d1 = x[i + 1] - y[i + 1];
      const d2 = x[i + 2] - y[i + 2];
      most = Math.max(most, d0 * d0 + d1 * d1 + d2 * d2);
    }
    return Math.sqrt(most);
  }

  #noteSoft(s: number): void {
    const { x, firstVertex } = this.#soft;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i++) this.#shape[i] = x[i];
  }
}

function doOverlap(boxes: Float64Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++) if (boxes[i + k] > boxes[j + 3 + k] || boxes[j + k] > boxes[i + 3 + k]) return false;
  return true;
}

function lengthOf(x: Float64Array, o: number): number {
  return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}
