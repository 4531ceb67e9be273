/**
 * All rows of a track and what they push: contacts and joint blocks on rigid bodies and on the touched vertices of soft ones.
 * Velocities follow every push at once, so that the velocity of a row is always read, never kept.
 */
import type { AngularBalance } from '../angular-balance.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { Creatures } from '../creatures/creatures.js';
import { blockVelocity } from '../rigid/joint-algebra.js';
import { type JointBlocks, TURN } from '../rigid/joint-blocks.js';
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import type { SoftSides } from '../soft/soft-sides.js';
import type { RowJob } from './row-job.js';
import type { Rows } from './row-list.js';

/** Rows and bodies of a track. */
export class RowSystem {
  readonly rigid: RigidBodies;
  readonly soft: SoftSides;
  readonly joints: JointBlocks;
  /** Contacts of this step. */
  contacts: ContactList;
  /** Impulses of the track that is being solved. */
  push: Float64Array;
  jointPush: Float64Array;
  /** Least velocity of each contact along its normal [m/s]. */
  readonly bound: Float64Array;
  /** How contacts open and, at most, slide when pushed [1/kg]; 0: nothing there can move, or not of this track. */
  readonly opening: Float64Array;
  readonly sliding: Float64Array;
  /** How contacts give way to their own push [1/kg]. */
  readonly softness: Float64Array;
  /** Flesh that is solved with its bones. */
  creatures: Creatures | undefined;
  /** Does what goes through all rows, where there are kernels. */
  job: RowJob | undefined;
  readonly #u = new Float64Array(3);

  constructor(rigid: RigidBodies, soft: SoftSides, joints: JointBlocks, contacts: ContactList) {
    this.rigid = rigid;
    this.soft = soft;
    this.joints = joints;
    this.contacts = contacts;
    this.push = contacts.push[0];
    this.jointPush = joints.push[0];
    this.bound = new Float64Array(contacts.capacity);
    this.opening = new Float64Array(contacts.capacity);
    this.sliding = new Float64Array(contacts.capacity);
    this.softness = new Float64Array(contacts.capacity);
  }

  /** Prepares the tables of flesh for substeps of h [s]. */
  prepare(h: number): void {
    this.soft.bodies.prepare(h);
    this.creatures?.prepare(h);
  }

  /** Chooses the impulses of a track: 0 positions, 1 velocities. */
  select(contacts: ContactList, track: 0 | 1): void {
    this.contacts = contacts;
    this.push = contacts.push[track];
    this.jointPush = this.joints.push[track];
  }

  /** Contacts that are not of this track have no impulse. */
  clearIdle(): void {
    const { push, opening } = this;
    const { count, frozen } = this.contacts;
    for (let c = 0; c < count; c++) {
      if (opening[c] !== 0 || frozen[c] !== 0) continue;
      push[c * 3] = 0;
      push[c * 3 + 1] = 0;
      push[c * 3 + 2] = 0;
    }
  }

  /** Pushes with the impulses of rows as they stand: the warm start. */
  pushRows({ block, b0, b1, contact, c0, c1 }: Rows): void {
    const u = this.#u;
    for (let n = c0; n < c1; n++) {
      const c = contact[n];
      if (this.contacts.frozen[c] === 1) continue;
      for (let k = 0; k < 3; k++) u[k] = this.push[c * 3 + k];
      if (u[0] !== 0 || u[1] !== 0 || u[2] !== 0) this.pushContact(c, u);
    }
    for (let n = b0; n < b1; n++) {
      for (let k = 0; k < 3; k++) u[k] = this.jointPush[block[n] * 3 + k];
      this.pushBlock(block[n], u);
    }
  }

  /** out += impulses that came from bodies nothing moves; their moments go to `balance`. */
  addOuterImpulse(movable: Uint8Array, out: Float64Array, balance: AngularBalance): void {
    const { contacts, joints, rigid } = this;
    for (let c = 0; c < contacts.count; c++) this.addOuterPush(c, this.push, c * 3, movable, out, balance);
    const at = this.#u;
    for (let i = 0; i < joints.count; i++) {
      const sign = movable[joints.a[i]] - movable[joints.b[i]];
      if (sign === 0) continue;
      const o = i * 3;
      const p = this.jointPush;
      if (joints.kind[i] === TURN) {
        for (let k = 0; k < 3; k++) balance.explained[k] += sign * p[o + k];
        continue;
      }
      const body = sign > 0 ? joints.a[i] : joints.b[i];
      const arm = sign > 0 ? joints.armA : joints.armB;
      for (let k = 0; k < 3; k++) {
        at[k] = rigid.x[body * 3 + k] + arm[o + k];
        out[k] += sign * p[o + k];
      }
      balance.addMoment(at, 0, sign * p[o], sign * p[o + 1], sign * p[o + 2]);
    }
  }

  /** The same for one contact and the impulse p[o..]. */
  addOuterPush(
    c: number,
    p: Float64Array,
    o: number,
    movable: Uint8Array,
    out: Float64Array,
    balance: AngularBalance,
  ): void {
    const { contacts, rigid, soft } = this;
    const sign = movable[contacts.a[c]] - movable[contacts.b[c]];
    if (sign === 0) return;
    const at = this.#u;
    const side = sign > 0 ? contacts.sideA[c] : contacts.sideB[c];
    const body = sign > 0 ? contacts.a[c] : contacts.b[c];
    const arm = sign > 0 ? contacts.armA : contacts.armB;
    if (side >= 0) soft.placeOf(side, at);
    else for (let k = 0; k < 3; k++) at[k] = rigid.x[body * 3 + k] + arm[c * 3 + k];
    for (let k = 0; k < 3; k++) out[k] += sign * p[o + k];
    balance.addMoment(at, 0, sign * p[o], sign * p[o + 1], sign * p[o + 2]);
  }

  /** out = velocity of A relative to B at contact c [m/s]. */
  contactVelocity(c: number, out: Float64Array): void {
    this.velocityIn(c, this.rigid.velocity, this.soft.velocity, out);
  }

  /** The same where rigid bodies and slots have these velocities. */
  velocityIn(c: number, velocity: Float64Array, slots: Float64Array, out: Float64Array): void {
    const { contacts } = this;
    const o = c * 3;
    if (contacts.sideA[c] >= 0) this.#sideVelocity(contacts.sideA[c], velocity, slots, out);
    else pointVelocity(velocity, contacts.a[c] * TWIST, contacts.armA, o, out);
    const x = out[0];
    const y = out[1];
    const z = out[2];
    if (contacts.sideB[c] >= 0) this.#sideVelocity(contacts.sideB[c], velocity, slots, out);
    else pointVelocity(velocity, contacts.b[c] * TWIST, contacts.armB, o, out);
    out[0] = x - out[0];
    out[1] = y - out[1];
    out[2] = z - out[2];
  }

  #sideVelocity(side: number, velocity: Float64Array, slots: Float64Array, out: Float64Array): void {
    this.soft.velocityOf(side, slots, out);
    this.creatures?.addVelocity(side, velocity, out);
  }

  /** An impulse on A at contact c, and its opposite on B. */
  pushContact(c: number, p: Float64Array): void {
    const { contacts, rigid } = this;
    const { velocity } = rigid;
    if (contacts.sideA[c] >= 0) this.#pushSide(contacts.sideA[c], p, 1);
    else pushPoint(rigid, velocity, contacts.a[c], contacts.armA, c * 3, p, 1);
    if (contacts.sideB[c] >= 0) this.#pushSide(contacts.sideB[c], p, -1);
    else pushPoint(rigid, velocity, contacts.b[c], contacts.armB, c * 3, p, -1);
  }

  #pushSide(side: number, p: Float64Array, sign: number): void {
    this.soft.push(side, p, sign);
    this.creatures?.push(side, p, sign);
  }

  /** The same push, on other velocities of rigid bodies; on slots only the impulse is noted. */
  notePush(c: number, p: Float64Array, velocity: Float64Array, impulses: Float64Array): void {
    const { contacts, rigid } = this;
    if (contacts.sideA[c] >= 0) this.#noteSide(contacts.sideA[c], p, 1, impulses);
    else pushPoint(rigid, velocity, contacts.a[c], contacts.armA, c * 3, p, 1);
    if (contacts.sideB[c] >= 0) this.#noteSide(contacts.sideB[c], p, -1, impulses);
    else pushPoint(rigid, velocity, contacts.b[c], contacts.armB, c * 3, p, -1);
  }

  #noteSide(side: number, p: Float64Array, sign: number, impulses: Float64Array): void {
    this.soft.addImpulse(side, p, sign, impulses);
    this.creatures?.note(side, p, sign);
  }

  /** A push of joint block i, on these velocities. */
  pushBlock(i: number, p: Float64Array, velocity: Float64Array = this.rigid.velocity): void {
    const { joints, rigid } = this;
    if (joints.kind[i] === TURN) {
      if (!this.creatures?.turn(joints.a[i], p, 1)) turnBody(rigid, velocity, joints.a[i], p, 1);
      if (!this.creatures?.turn(joints.b[i], p, -1)) turnBody(rigid, velocity, joints.b[i], p, -1);
      return;
    }
    pushPoint(rigid, velocity, joints.a[i], joints.armA, i * 3, p, 1);
    pushPoint(rigid, velocity, joints.b[i], joints.armB, i * 3, p, -1);
  }

  /** out = what joint block i has left to do: P (target − u) − c p. */
  blockLeft(i: number, out: Float64Array): void {
    const { joints, jointPush } = this;
    const u = this.#u;
    blockVelocity(joints, this.rigid.velocity, i, u);
    const o = i * 3;
    const t0 = joints.target[o] - u[0];
    const t1 = joints.target[o + 1] - u[1];
    const t2 = joints.target[o + 2] - u[2];
    const c = joints.compliance[i];
    for (let k = 0; k < 3; k++) {
      const row = i * 9 + k * 3;
      const p = joints.projector;
      out[k] = p[row] * t0 + p[row + 1] * t1 + p[row + 2] * t2 - c * jointPush[o + k];
    }
  }
}

/** out = velocity of the point at `arm` of the body whose twist starts at v. */
export function pointVelocity(
  velocity: Float64Array,
  v: number,
  arm: Float64Array,
  o: number,
  out: Float64Array,
): void {
  const wx = velocity[v + 3];
  const wy = velocity[v + 4];
  const wz = velocity[v + 5];
  out[0] = velocity[v] + wy * arm[o + 2] - wz * arm[o + 1];
  out[1] = velocity[v + 1] + wz * arm[o] - wx * arm[o + 2];
  out[2] = velocity[v + 2] + wx * arm[o + 1] - wy * arm[o];
}

/** An impulse sign·p at the point `arm` of a rigid body. */
export function pushPoint(
  rigid: RigidBodies,
  velocity: Float64Array,
  body: number,
  arm: Float64Array,
  o: number,
  p: Float64Array,
  sign: number,
): void {
  const m = sign * rigid.inverseMass[body];
  if (m === 0) return;
  const { inverseInertia } = rigid;
  const v = body * TWIST;
  const x = sign * (arm[o + 1] * p[2] - arm[o + 2] * p[1]);
  const y = sign * (arm[o + 2] * p[0] - arm[o] * p[2]);
  const z = sign * (arm[o] * p[1] - arm[o + 1] * p[0]);
  const i = body * 9;
  velocity[v] += m * p[0];
  velocity[v + 1] += m * p[1];
  velocity[v + 2] += m * p[2];
  velocity[v + 3] += inverseInertia[i] * x + inverseInertia[i + 1] * y + inverseInertia[i + 2] * z;
  velocity[v + 4] += inverseInertia[i + 3] * x + inverseInertia[i + 4] * y + inverseInertia[i + 5] * z;
  velocity[v + 5] += inverseInertia[i + 6] * x + inverseInertia[i + 7] * y + inverseInertia[i + 8] * z;
}

function turnBody(
  { inverseInertia }: RigidBodies,
  velocity: Float64Array,
  body: number,
  p: Float64Array,
  sign: number,
): void {
  const i = body * 9;
  for (let k = 0; k < 3; k++) {
    const row = i + k * 3;
    const turn = inverseInertia[row] * p[0] + inverseInertia[row + 1] * p[1] + inverseInertia[row + 2] * p[2];
    velocity[body * TWIST + 3 + k] += sign * turn;
  }
}
