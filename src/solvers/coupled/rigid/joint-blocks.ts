/**
 * Joints as blocks of rows, three numbers each: one block holds two points together, another, for all but ball joints, takes
 * rotations away. With P the projector onto what is held, u the velocity of A relative to B (of the points, or of rotation):
 *
 *     P u + c p = P target          p: impulse on A, in the range of P          c: compliance, 0 for what is held
 *
 * Held blocks bring their gap to zero in the position track (target = −gap/h) and are at rest in the velocity track. A controlled
 * block is a spring of stiffness k and damping d towards an orientation, implicit in both tracks [Shinar2008 §5, PD]:
 * p = −h/2 (kθ + (hk + d) u) in the first, so c = 2/(h (hk + d)), and twice that impulse, c = 1/(h (hk + d)), in the second; the
 * target is (−kθ + d r)/(hk + d) in both, with θ at the start of the step and r the rate wanted. It comes to rest at torque/k whatever its gains.
 *
 * A limit is a block along one direction n, with u·n ≥ −left/h, that pushes one way only.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { rotateVec3 } from '../../../math/quat.js';
import { dotVec3, lengthVec3 } from '../../../math/vec3.js';
import type { CoupledJoint } from './coupled-joint.js';
import { addPointBlock, measureTurn, project, projectAndFill, threeOf } from './joint-algebra.js';
import type { RigidBodies } from './rigid-bodies.js';

/** What a block holds. */
export const POINT = 0;
export const TURN = 1;
/** What a block is there for: to hold a joint, to drive it, or to end its way. */
export const HOLD = 0;
export const CONTROL = 1;
export const LIMIT = 2;
/** Forms of a block, as kernels have them. */
const HOLDS_POINT = 1;
const TURNS = 2;
/** How far from its limit a joint is let alone [rad]. */
const NEAR = 0.3;
/** Joints open by more than this share of their arms, and by this at least [m], are not closed in one go, and how fast what may not close is drawn together [m/s]. */
const OPEN = 1e-3;
const LEAST_OPEN = 1e-6;
const SPEED = 0.5;
/** How much joints that were open at the start give way, as a share of their answer. */
export const GIVES_OPEN = 0.1;

/** Blocks of all joints. */
export class JointBlocks {
  readonly joints: readonly CoupledJoint[];
  readonly count: number;
  readonly joint: Int32Array;
  /** What kernels ask of a block: 1 for those that hold points together, 2 for those of rotations. */
  readonly form: Int32Array;
  /** Readies blocks that hold points and do not give way, where there are kernels. */
  ready: ((track: 0 | 1, h: number) => void) | undefined;
  readonly kind: Uint8Array;
  readonly role: Uint8Array;
  /** 0 for blocks that do nothing now: motors without gains, limits that are far. */
  readonly active: Uint8Array;
  /** Limits: unit direction n in the world, 3 per block, how far there is to go [rad], and 1 where they hold both ways. */
  readonly axis: Float64Array;
  readonly left: Float64Array;
  readonly locked: Uint8Array;
  /** Gains of each joint's control [N m/rad, N m s/rad], and the rate of A against B that it goes for, in the world, 3 each [rad/s]. */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Largest torque of each control [N m], and with it the largest push of each block in the track at hand [N m s]. */
  readonly cap: Float64Array;
  readonly most: Float64Array;
  readonly rate: Float64Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** Arms from the centres of mass to the anchors, in the world [m]. */
  readonly armA: Float64Array;
  readonly armB: Float64Array;
  /** Projectors, and the inverse of P W P + c within their range: 9 each. */
  readonly projector: Float64Array;
  readonly inverse: Float64Array;
  readonly compliance: Float64Array;
  readonly target: Float64Array;
  /** Impulses of both tracks; 3 each. */
  readonly push: readonly [Float64Array, Float64Array];
  /** Wanted relative orientation of each joint, 4 each: drives write it. */
  readonly wanted: Float64Array;
  /** Anchors of each block in the frames of A and B, 3 each [m]. */
  readonly anchors: Float64Array;
  readonly #gap = new Float64Array(3);
  readonly #block = new Float64Array(9);
  readonly #u = new Float64Array(3);

  /** How much blocks give way to others that contradict them, as a share of their answer; see `TiedJoints`. */
  readonly gives: Float64Array;

  constructor(joints: readonly CoupledJoint[]) {
    const list = joints.flatMap((joint, j) => {
      const point = { j, kind: POINT, role: HOLD };
      const turn = { j, kind: TURN, role: HOLD };
      const control = { ...turn, role: CONTROL };
      if (joint.type === 'control') return [control];
      const limits = Array.from({ length: joint.limits ?? 0 }, () => ({ ...turn, role: LIMIT }));
      return [point, ...(joint.type === 'ball' ? [] : [turn]), ...(joint.motor ? [control] : []), ...limits];
    });
    this.joints = joints;
    this.count = list.length;
    this.joint = Int32Array.from(list, ({ j }) => j);
    this.kind = Uint8Array.from(list, ({ kind }) => kind);
    this.role = Uint8Array.from(list, ({ role }) => role);
    this.form = Int32Array.from(list, ({ kind, role }) => (kind === TURN ? TURNS : role === HOLD ? HOLDS_POINT : 0));
    this.active = new Uint8Array(list.length).fill(1);
    this.axis = new Float64Array(list.length * 3);
    this.gives = new Float64Array(list.length);
    this.left = new Float64Array(list.length);
    this.locked = new Uint8Array(list.length);
    this.stiffness = Float64Array.from(joints, ({ stiffness }) => stiffness ?? 0);
    this.damping = Float64Array.from(joints, ({ damping }) => damping ?? 0);
    this.cap = new Float64Array(joints.length).fill(Number.POSITIVE_INFINITY);
    this.most = new Float64Array(this.count).fill(Number.POSITIVE_INFINITY);
    this.rate = new Float64Array(joints.length * 3);
    this.a = Int32Array.from(list, ({ j }) => joints[j].a);
    this.b = Int32Array.from(list, ({ j }) => joints[j].b);
    this.anchors = Float64Array.from(
      list.flatMap(({ j }) => [...threeOf(joints[j].anchorA), ...threeOf(joints[j].anchorB)]),
    );
    const n = list.length;
    this.armA = new Float64Array(n * 3);
    this.armB = new Float64Array(n * 3);
    this.projector = new Float64Array(n * 9);
    this.inverse = new Float64Array(n * 9);
    this.compliance = new Float64Array(n);
    this.target = new Float64Array(n * 3);
    this.push = [new Float64Array(n * 3), new Float64Array(n * 3)];
    this.wanted = Float64Array.from(joints.flatMap(({ relative }) => Array.from(relative ?? [0, 0, 0, 1])));
  }

  /** Readies every block for a track of step h: 0 positions, 1 velocities. `closing`: what holds alone, control is left out. */
  prepare(rigid: RigidBodies, track: 0 | 1, h: number, closing = false): void {
    this.ready?.(track, h);
    for (let i = 0; i < this.count; i++) {
      if (this.ready && this.form[i] === HOLDS_POINT && this.gives[i] === 0) continue;
      // between bodies that nothing moves, which may be asleep, all stays as it is
      if (rigid.inverseMass[this.a[i]] === 0 && rigid.inverseMass[this.b[i]] === 0) continue;
      if (this.active[i] === 0 || (closing && (this.role[i] !== HOLD || this.gives[i] === GIVES_OPEN))) {
        this.#idle(i, this.push[track]);
        continue;
      }
      if (this.kind[i] === POINT) this.#preparePoint(rigid, i);
      else if (this.role[i] === LIMIT) this.#prepareLimit(i);
      else measureTurn(this, rigid.q, i, this.#gap);
      this.#aim(i, track, h);
      if (this.gives[i] > 0 && !closing && this.kind[i] === POINT) this.#giveWay(rigid, i);
      this.#invert(rigid, i);
      if (this.kind[i] === POINT) continue;
      for (let k = 0; k < 3; k++) {
        const row = i * 9 + k * 3;
        const push = this.push[track];
        this.#u[k] = dotVec3(this.projector, row, push, i * 3);
      }
      for (let k = 0; k < 3; k++) this.push[track][i * 3 + k] = this.#u[k];
    }
  }

  /** Block i does nothing. Number by number: most joints have a motor that is off, and filling ranges of a few numbers took longer than all that joints do. */
  #idle(i: number, push: Float64Array): void {
    const { projector: p, inverse } = this;
    // matrices that have nothing along their diagonals are nothing already
    if (p[i * 9] + p[i * 9 + 4] + p[i * 9 + 8] + inverse[i * 9] + inverse[i * 9 + 4] + inverse[i * 9 + 8] !== 0) {
      for (let k = i * 9; k < i * 9 + 9; k++) {
        p[k] = 0;
        inverse[k] = 0;
      }
    }
    for (let k = i * 3; k < i * 3 + 3; k++) push[k] = 0;
  }

  /** Finds out which blocks take part now. */
  choose(): void {
    for (let i = 0; i < this.count; i++) {
      const j = this.joint[i];
      const isFree = this.role[i] === CONTROL && this.stiffness[j] === 0 && this.damping[j] === 0;
      const isFar = this.role[i] === LIMIT && this.locked[i] === 0 && this.left[i] > NEAR;
      this.active[i] = isFree || isFar ? 0 : 1;
    }
  }

  /** Whether block i holds points together that are apart by more than a thousandth of their arms; those of a joint in the centre of its bodies have no length. */
  isOpen(rigid: RigidBodies, i: number): boolean {
    if (this.kind[i] !== POINT) return false;
    this.#measurePoint(rigid, i);
    const arms = lengthVec3(this.armA, i * 3) + lengthVec3(this.armB, i * 3);
    return lengthVec3(this.#gap, 0) > Math.max(LEAST_OPEN, OPEN * arms);
  }

  /** Lets a point that others may contradict give way: by a share of its answer, and drawn together no faster than so. */
  #giveWay(rigid: RigidBodies, i: number): void {
    const w = this.#block.fill(0);
    addPointBlock(rigid, this.a[i], this.armA, i * 3, w);
    addPointBlock(rigid, this.b[i], this.armB, i * 3, w);
    this.compliance[i] = (this.gives[i] * (w[0] + w[4] + w[8])) / 3;
    const speed = lengthVec3(this.target, i * 3);
    if (speed > SPEED) for (let k = i * 3; k < i * 3 + 3; k++) this.target[k] *= SPEED / speed;
  }

  /** Largest distance between points that joints hold together [m]; `gaps`: that of each block. */
  largestGap(rigid: RigidBodies, gaps?: Float64Array): number {
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.kind[i] !== POINT) continue;
      this.#measurePoint(rigid, i);
      const gap = lengthVec3(this.#gap, 0);
      if (gaps) gaps[i] = gap;
      largest = Math.max(largest, gap);
    }
    return largest;
  }

  /** Arms and gap of a block that holds points together, and its projector, which is none. */
  #preparePoint(rigid: RigidBodies, i: number): void {
    const p = this.projector;
    const o = i * 9;
    this.#measurePoint(rigid, i);
    for (let k = 0; k < 9; k++) p[o + k] = k % 4 === 0 ? 1 : 0;
  }

  #measurePoint({ x, q }: RigidBodies, i: number): void {
    const { armA, armB } = this;
    const a = this.a[i] * 3;
    const b = this.b[i] * 3;
    const o = i * 3;
    rotateVec3(armA, o, q, this.a[i] * 4, this.anchors, i * 6);
    rotateVec3(armB, o, q, this.b[i] * 4, this.anchors, i * 6 + 3);
    for (let k = 0; k < 3; k++) this.#gap[k] = x[a + k] + armA[o + k] - x[b + k] - armB[o + k];
  }

  /** A direction that has an end. */
  #prepareLimit(i: number): void {
    const n = this.axis;
    for (let k = 0; k < 9; k++) this.projector[i * 9 + k] = n[i * 3 + Math.floor(k / 3)] * n[i * 3 + (k % 3)];
    for (let k = 0; k < 3; k++) this.#gap[k] = this.left[i] * n[i * 3 + k];
  }

  /** What velocity a block is after, and how much it gives way. */
  #aim(i: number, track: 0 | 1, h: number): void {
    const gap = this.#gap;
    if (this.role[i] === CONTROL) {
      const j = this.joint[i];
      const k = this.stiffness[j];
      const d = this.damping[j];
      const both = h * k + d;
      this.compliance[i] = (track === 0 ? 2 : 1) / (h * both);
      this.most[i] = (track === 0 ? 0.5 : 1) * h * this.cap[j];
      if (track === 1) return;
      // the velocity track keeps the target of the position track: θ at the start of the step
      for (let m = 0; m < 3; m++) this.target[i * 3 + m] = (d * this.rate[j * 3 + m] - k * gap[m]) / both;
      return;
    }
    this.compliance[i] = 0;
    for (let k = 0; k < 3; k++) this.target[i * 3 + k] = track === 0 ? -gap[k] / h : 0;
    // velocities end at a limit that is reached, not before
    if (track === 1 && this.role[i] === LIMIT && this.locked[i] === 0 && this.left[i] > 0) {
      for (let k = 0; k < 3; k++) this.target[i * 3 + k] = -gap[k] / h;
    }
  }

  /** inverse = the inverse of P W P + c P within the range of P, 0 beyond. */
  #invert(rigid: RigidBodies, i: number): void {
    const w = this.#block;
    w.fill(0);
    if (this.kind[i] === POINT) {
      addPointBlock(rigid, this.a[i], this.armA, i * 3, w);
      addPointBlock(rigid, this.b[i], this.armB, i * 3, w);
    } else {
      for (let k = 0; k < 9; k++) {
        w[k] = rigid.inverseInertia[this.a[i] * 9 + k] + rigid.inverseInertia[this.b[i] * 9 + k];
      }
    }
    const p = this.projector;
    const o = i * 9;
    // a point is held in all directions: the projector is no matrix at all
    const isWhole = this.kind[i] === POINT;
    if (isWhole) {
      for (let k = 0; k < 9; k += 4) w[k] += this.compliance[i];
    } else projectAndFill(p, o, this.compliance[i], w);
    if (!invertMat3(w, 0, w, 0)) w.fill(0);
    if (!isWhole) project(p, o, w);
    for (let k = 0; k < 9; k++) this.inverse[o + k] = w[k];
  }
}
