/**
 * Pre-stabilisation [Shinar2008 §5.1]: joint by joint impulses, now and where the joint is, so that it is closed after the coming step. The constraint is that of the poses to come, with turns to second order, and comes to nothing by
 * Newton steps, whose matrix is that of the poses now; that of a rotation is the vector part of q q⁻¹.
 */
import { multiplyMat3Vec3, transposeMultiplyMat3Vec3 } from '../../../math/mat3.js';
import { rotateVec3 } from '../../../math/quat.js';
import { crossVec3, lengthVec3 } from '../../../math/vec3.js';
import { measureTurn } from '../rigid/joint-algebra.js';
import { HOLD, POINT } from '../rigid/joint-blocks.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { turnByVector } from '../rigid/turn.js';
import type { RowSystem } from '../rows/row-system.js';

/** Newton steps on a joint at a time, and the gap at which it is closed [m, rad]. */
const STEPS = 8;
const CLOSED = 1e-9;

/** Closes joints beforehand. */
export class PreStabilisation {
  /** Largest gap that a joint would have had, in the last sweep [m, rad]. */
  readonly open = new Float64Array(1);
  readonly #system: RowSystem;
  /** Poses after the step. */
  readonly #x: Float64Array;
  readonly #q: Float64Array;
  readonly #projector: Float64Array;
  readonly #gap = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #arm = new Float64Array(3);
  readonly #turn = new Float64Array(3);
  readonly #moment = new Float64Array(3);
  readonly #rate = new Float64Array(3);

  constructor(system: RowSystem) {
    this.#system = system;
    this.#x = new Float64Array(system.rigid.x.length);
    this.#q = new Float64Array(system.rigid.q.length);
    this.#projector = new Float64Array(system.joints.count * 9);
  }

  /** Closes joints in this order for a step of h [s], again and again, `sweeps` times at most. Blocks are ready for the position track. */
  close(order: Int32Array, h: number, sweeps: number): void {
    const { joints, rigid } = this.#system;
    if (joints.count === 0) return;
    this.#projector.set(joints.projector);
    for (let b = 0; b < rigid.count; b++) this.#foresee(b, h);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      this.open[0] = 0;
      for (let n = 0; n < order.length; n++) this.#closeJoint(order, n, h);
      if (this.open[0] <= CLOSED) break;
    }
    joints.projector.set(this.#projector);
  }

  /** The joint whose first block is the n-th of the order: blocks of a joint follow each other. */
  #closeJoint(order: Int32Array, n: number, h: number): void {
    const { joint } = this.#system.joints;
    if (n > 0 && joint[order[n - 1]] === joint[order[n]]) return;
    for (let step = 0; step < STEPS; step++) {
      let isClosed = true;
      for (let m = n; m < order.length && joint[order[m]] === joint[order[n]]; m++) {
        if (!this.#closeBlock(order[m], h, step === 0)) isClosed = false;
      }
      if (isClosed) return;
    }
  }

  /** One Newton step of a block; whether there was nothing to do. */
  #closeBlock(i: number, h: number, isFirst: boolean): boolean {
    const { joints, rigid, jointPush } = this.#system;
    const a = joints.a[i];
    const b = joints.b[i];
    if (joints.role[i] !== HOLD || (rigid.inverseMass[a] === 0 && rigid.inverseMass[b] === 0)) return true;
    const gap = this.#gap;
    if (joints.kind[i] === POINT) this.#measurePoint(i);
    else measureTurn(joints, this.#q, i, gap);
    const size = lengthVec3(gap, 0);
    if (isFirst) this.open[0] = Math.max(this.open[0], size);
    if (size <= CLOSED) return true;
    for (let k = 0; k < 3; k++) {
      const row = i * 9 + k * 3;
      const w = joints.inverse;
      this.#p[k] = -(w[row] * gap[0] + w[row + 1] * gap[1] + w[row + 2] * gap[2]) / h;
      jointPush[i * 3 + k] += this.#p[k];
    }
    this.#system.pushBlock(i, this.#p);
    this.#foresee(a, h);
    this.#foresee(b, h);
    return false;
  }

  /** gap = how far apart the points of block i will be. */
  #measurePoint(i: number): void {
    const { a, b, anchors } = this.#system.joints;
    const gap = this.#gap;
    const arm = this.#arm;
    rotateVec3(arm, 0, this.#q, a[i] * 4, anchors, i * 6);
    for (let k = 0; k < 3; k++) gap[k] = this.#x[a[i] * 3 + k] + arm[k];
    rotateVec3(arm, 0, this.#q, b[i] * 4, anchors, i * 6 + 3);
    for (let k = 0; k < 3; k++) gap[k] -= this.#x[b[i] * 3 + k] + arm[k];
  }

  /** Where body b will be after h: by h v, and turned by h ω + h²/2 I⁻¹ (L × ω). */
  #foresee(b: number, h: number): void {
    const { x, q, v, l, velocity, rotation, inertia, inverseInertia, inverseMass } = this.#system.rigid;
    const turn = this.#turn;
    const isMoved = inverseMass[b] > 0;
    for (let k = 0; k < 3; k++) {
      this.#x[b * 3 + k] = x[b * 3 + k] + h * (isMoved ? velocity[b * TWIST + k] : v[b * 3 + k]);
      turn[k] = isMoved ? velocity[b * TWIST + 3 + k] : l[b * 3 + k];
    }
    for (let k = b * 4; k < b * 4 + 4; k++) this.#q[k] = q[k];
    if (isMoved) {
      const moment = this.#moment;
      transposeMultiplyMat3Vec3(moment, 0, rotation, b * 9, turn, 0);
      multiplyMat3Vec3(moment, 0, inertia, b * 9, moment, 0);
      multiplyMat3Vec3(moment, 0, rotation, b * 9, moment, 0);
      crossVec3(moment, 0, moment, 0, turn, 0);
      multiplyMat3Vec3(this.#rate, 0, inverseInertia, b * 9, moment, 0);
    } else this.#rate.fill(0);
    for (let k = 0; k < 3; k++) turn[k] = h * turn[k] + 0.5 * h * h * this.#rate[k];
    turnByVector(this.#q, b * 4, turn, 0);
  }
}
