/**
 * Bodies that touch or hold each other and nothing else keep their angular momentum: the position track shifts them beside their velocities, and the constant matrices of flesh resist turns, which costs
 * some of it, of first order in the substep. What is missing after a substep is given back as a rotation of the whole group about its centre of mass: nothing in the group moves against anything else by it, so contacts, friction and joints
 * stay as they were solved, and linear momentum is not touched. About the centre of mass gravity has no moment, so it may act.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { Islands } from '../rows/islands.js';
import { Leaders } from '../rows/leaders.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import { SoftMoments } from '../soft/soft-moments.js';
import type { JointBlocks } from './joint-blocks.js';
import { type RigidBodies, TWIST } from './rigid-bodies.js';

/** Sums of a group: mass, centre and velocity. */
const SUM = 7;

/** Keeps the angular momentum of groups that nothing else touches. */
export class FreeGroups {
  readonly #rigid: RigidBodies;
  readonly #joints: JointBlocks;
  /** Of soft bodies: when the substep began, and now where they are of free groups. */
  readonly moments: SoftMoments;
  readonly #softCount: number;
  /** Who leads the group of each body; rigid bodies first. */
  readonly #leader: Int32Array;
  readonly #leaders: Leaders;
  /** 1 for bodies that something outside their group touches. */
  readonly #held: Uint8Array;
  readonly #size: Int32Array;
  /** Where rigid bodies were when the substep began. */
  readonly #x: Float64Array;
  readonly #v: Float64Array;
  readonly #l: Float64Array;
  /** Of leaders: sums before and after, what is missing, moments of inertia. */
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #missing: Float64Array;
  readonly #inertia: Float64Array;
  readonly #omega = new Float64Array(3);
  readonly #inverse = new Float64Array(9);

  constructor(rigid: RigidBodies, soft: SoftBodies, joints: JointBlocks) {
    const bodyCount = rigid.count + soft.count;
    this.moments = new SoftMoments(soft);
    this.#softCount = soft.count;
    this.#rigid = rigid;
    this.#joints = joints;
    this.#leaders = new Leaders(bodyCount);
    this.#leader = this.#leaders.of;
    this.#held = new Uint8Array(bodyCount);
    this.#size = new Int32Array(bodyCount);
    this.#x = new Float64Array(rigid.count * 3);
    this.#v = new Float64Array(rigid.count * 3);
    this.#l = new Float64Array(rigid.count * 3);
    this.#before = new Float64Array(bodyCount * SUM);
    this.#after = new Float64Array(bodyCount * SUM);
    this.#missing = new Float64Array(bodyCount * 3);
    this.#inertia = new Float64Array(bodyCount * 9);
  }

  /** A substep begins, with these contacts. */
  begin(islands: Islands, contacts: ContactList, movable: Uint8Array): void {
    const rigid = this.#rigid;
    this.#x.set(rigid.x);
    this.#v.set(rigid.v);
    this.#l.set(rigid.l);
    for (let s = 0; s < this.#softCount; s++) this.moments.measure(s, this.moments.before);
    this.#leaders.reset();
    this.#held.fill(0);
    this.#join(islands, contacts, movable);
  }

  /** Whether a body is in a group that has been given back all that was missing. */
  isFree = (body: number): boolean => this.#leader[body] >= 0;

  /** It has ended, with these: gives back what is missing. */
  end(islands: Islands, contacts: ContactList, movable: Uint8Array): void {
    this.#join(islands, contacts, movable);
    if (!this.#markGroups(movable)) return;
    for (let s = 0; s < this.#softCount; s++)
      if (this.#leader[this.#rigid.count + s] >= 0) this.moments.measure(s, this.moments.now);
    this.#sum(this.#before, this.#x, this.#v, this.moments.before);
    this.#sum(this.#after, this.#rigid.x, this.#rigid.v, this.moments.now);
    this.#measure();
    this.#giveBack();
  }

  /** Bodies of an island belong together; who touches what nothing moves is held. */
  #join({ count, body, bodyStart }: Islands, contacts: ContactList, movable: Uint8Array): void {
    for (let i = 0; i < count; i++) {
      for (let n = bodyStart[i] + 1; n < bodyStart[i + 1]; n++) this.#leaders.unite(body[n - 1], body[n]);
    }
    this.#hold(contacts.count, contacts.a, contacts.b, movable);
    this.#hold(this.#joints.count, this.#joints.a, this.#joints.b, movable);
  }

  #hold(count: number, a: Int32Array, b: Int32Array, movable: Uint8Array): void {
    for (let c = 0; c < count; c++) {
      if (movable[a[c]] === 0) this.#held[b[c]] = 1;
      else if (movable[b[c]] === 0) this.#held[a[c]] = 1;
    }
  }

  /** Sizes of the groups, 0 for those that are not free: held or pulled; a rigid body by itself loses nothing. Whether there are any. */
  #markGroups(movable: Uint8Array): boolean {
    const { count, outside } = this.#rigid;
    const size = this.#size;
    const held = this.#held;
    size.fill(0);
    for (let b = 0; b < size.length; b++) {
      const leader = this.#leaders.find(b);
      this.#leader[b] = leader;
      let pulled = movable[b] === 0 || (b >= count && this.moments.isHeld(b - count));
      for (let o = b * TWIST; b < count && o < (b + 1) * TWIST && !pulled; o++) pulled = outside[o] !== 0;
      if (pulled || held[b] === 1) held[leader] = 1;
      size[leader]++;
    }
    let any = false;
    for (let b = 0; b < size.length; b++) {
      if (held[this.#leader[b]] === 1 || (b < count && size[this.#leader[b]] < 2)) this.#leader[b] = -1;
      else any = true;
    }
    return any;
  }

  /** Mass, centre of mass and velocity of every group. */
  #sum(out: Float64Array, x: Float64Array, v: Float64Array, soft: Float64Array): void {
    const { count, mass } = this.#rigid;
    out.fill(0);
    for (let b = 0; b < count; b++) {
      if (this.#leader[b] < 0) continue;
      const o = this.#leader[b] * SUM;
      out[o] += mass[b];
      for (let k = 0; k < 3; k++) {
        out[o + 1 + k] += mass[b] * x[b * 3 + k];
        out[o + 4 + k] += mass[b] * v[b * 3 + k];
      }
    }
    for (let s = 0; s < this.#softCount; s++) {
      const leader = this.#leader[count + s];
      if (leader >= 0) this.moments.addSums(soft, s, out, leader * SUM);
    }
    for (let b = 0; b < this.#leader.length; b++) {
      if (this.#leader[b] === b) for (let k = 1; k < SUM; k++) out[b * SUM + k] /= out[b * SUM];
    }
  }

  /** What is missing of the angular momentum of every group about its centre, and its moments of inertia. */
  #measure(): void {
    const rigid = this.#rigid;
    this.#missing.fill(0);
    this.#inertia.fill(0);
    for (let b = 0; b < rigid.count; b++) {
      const leader = this.#leader[b];
      if (leader < 0) continue;
      this.#addSpin(b, this.#before, this.#x, this.#v, this.#l, 1);
      this.#addSpin(b, this.#after, rigid.x, rigid.v, rigid.l, -1);
      rigid.addInertia(b, this.#after, leader * SUM + 1, this.#inertia, leader * 9);
    }
    const soft = this.moments;
    for (let s = 0; s < this.#softCount; s++) {
      const leader = this.#leader[rigid.count + s];
      if (leader < 0) continue;
      soft.addSpin(soft.before, s, this.#before, leader * SUM + 1, 1, this.#missing, leader * 3);
      soft.addSpin(soft.now, s, this.#after, leader * SUM + 1, -1, this.#missing, leader * 3);
      soft.addInertia(s, this.#after, leader * SUM + 1, this.#inertia, leader * 9);
    }
  }

  /** missing += sign (l + m (x − c) × (v − u)). */
  #addSpin(b: number, sums: Float64Array, x: Float64Array, v: Float64Array, l: Float64Array, sign: number): void {
    const leader = this.#leader[b];
    const out = this.#missing;
    const c = leader * SUM + 1;
    const m = sign * this.#rigid.mass[b];
    const r0 = x[b * 3] - sums[c];
    const r1 = x[b * 3 + 1] - sums[c + 1];
    const r2 = x[b * 3 + 2] - sums[c + 2];
    const v0 = v[b * 3] - sums[c + 3];
    const v1 = v[b * 3 + 1] - sums[c + 4];
    const v2 = v[b * 3 + 2] - sums[c + 5];
    out[leader * 3] += sign * l[b * 3] + m * (r1 * v2 - r2 * v1);
    out[leader * 3 + 1] += sign * l[b * 3 + 1] + m * (r2 * v0 - r0 * v2);
    out[leader * 3 + 2] += sign * l[b * 3 + 2] + m * (r0 * v1 - r1 * v0);
  }

  #giveBack(): void {
    const rigid = this.#rigid;
    const { x, v } = rigid;
    const w = this.#omega;
    const p = this.#missing;
    for (let b = 0; b < this.#leader.length; b++) {
      const leader = this.#leader[b];
      if (leader < 0) continue;
      // leaders come first: what is missing becomes a rate of turn, once
      if (leader === b) this.#rateOf(b);
      for (let k = 0; k < 3; k++) w[k] = p[leader * 3 + k];
      const c = leader * SUM + 1;
      if (b >= rigid.count) {
        this.moments.turn(b - rigid.count, this.#after, c, w);
        continue;
      }
      const r0 = x[b * 3] - this.#after[c];
      const r1 = x[b * 3 + 1] - this.#after[c + 1];
      const r2 = x[b * 3 + 2] - this.#after[c + 2];
      v[b * 3] += w[1] * r2 - w[2] * r1;
      v[b * 3 + 1] += w[2] * r0 - w[0] * r2;
      v[b * 3 + 2] += w[0] * r1 - w[1] * r0;
      rigid.addSpin(b, w);
    }
  }
  /** missing = the rate at which group b has to turn to have what is missing. */
  #rateOf(b: number): void {
    const i = this.#inverse;
    const p = this.#missing;
    const p0 = p[b * 3];
    const p1 = p[b * 3 + 1];
    const p2 = p[b * 3 + 2];
    if (!invertMat3(i, 0, this.#inertia, b * 9)) i.fill(0);
    for (let k = 0; k < 3; k++) p[b * 3 + k] = i[k * 3] * p0 + i[k * 3 + 1] * p1 + i[k * 3 + 2] * p2;
  }
}
