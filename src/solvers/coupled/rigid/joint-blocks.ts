/**
 * Joints as blocks of rows, three numbers each: one block holds two points together, another, for all but ball joints, takes
 * rotations away. With P the projector onto what is held, u the velocity of A relative to B (of the points, or of rotation):
 *
 *     P u + c p = P target          p: impulse on A, in the range of P          c: compliance, 0 for what is held
 *
 * Held blocks bring their gap to zero in the position track (target = −gap/h) and are at rest in the velocity track. A controlled
 * block is a spring of stiffness k and damping d towards an orientation, implicit in both tracks [Shinar2008 §5, PD]:
 * p = −h/2 (kθ + (hk + d) u) in the first, so c = 2/(h (hk + d)), and twice that impulse, c = 1/(h (hk + d)), in the second; the
 * target is −kθ/(hk + d) in both, with θ at the start of the step. It comes to rest at torque/k whatever its gains.
 */
import type { JointType } from '../../../body/body-def.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { conjugateQuat, multiplyQuat, rotateVec3 } from '../../../math/quat.js';
import { dotVec3 } from '../../../math/vec3.js';
import { type RigidBodies, TWIST } from './rigid-bodies.js';

/** A joint between two rigid bodies, in their own frames. */
export interface CoupledJoint {
  readonly type: JointType | 'control';
  readonly a: number;
  readonly b: number;
  /** Anchors relative to the centres of mass [m]. */
  readonly anchorA: ArrayLike<number>;
  readonly anchorB: ArrayLike<number>;
  /** The axis (hinge; first axis of a universal joint) in A, and in B the same axis (hinge) or the second one (universal). */
  readonly axisA?: ArrayLike<number>;
  readonly axisB?: ArrayLike<number>;
  /** Fixed and control: orientation of B seen from A that is wanted, x, y, z, w; default none. */
  readonly relative?: ArrayLike<number>;
  /** Control: stiffness [N m/rad] and damping [N m s/rad]. */
  readonly stiffness?: number;
  readonly damping?: number;
}

/** What a block holds. */
export const POINT = 0;
export const TURN = 1;

/** Blocks of all joints. */
export class JointBlocks {
  readonly joints: readonly CoupledJoint[];
  readonly count: number;
  readonly joint: Int32Array;
  readonly kind: Uint8Array;
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
  readonly #gap = new Float64Array(3);
  readonly #block = new Float64Array(9);
  readonly #u = new Float64Array(4);
  readonly #w = new Float64Array(4);

  constructor(joints: readonly CoupledJoint[]) {
    const list = joints.flatMap((joint, j) => {
      const point = { j, kind: POINT };
      const turn = { j, kind: TURN };
      if (joint.type === 'control') return [turn];
      return joint.type === 'ball' ? [point] : [point, turn];
    });
    this.joints = joints;
    this.count = list.length;
    this.joint = Int32Array.from(list, ({ j }) => j);
    this.kind = Uint8Array.from(list, ({ kind }) => kind);
    this.a = Int32Array.from(list, ({ j }) => joints[j].a);
    this.b = Int32Array.from(list, ({ j }) => joints[j].b);
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
    for (let i = 0; i < this.count; i++) {
      const joint = this.joints[this.joint[i]];
      if (closing && joint.type === 'control') {
        this.projector.fill(0, i * 9, i * 9 + 9);
        this.inverse.fill(0, i * 9, i * 9 + 9);
        continue;
      }
      if (this.kind[i] === POINT) this.#preparePoint(rigid, i, joint);
      else this.#prepareTurn(rigid, i, joint);
      this.#aim(i, joint, track, h);
      this.#invert(rigid, i);
      for (let k = 0; k < 3; k++) {
        const row = i * 9 + k * 3;
        const push = this.push[track];
        this.#u[k] = dotVec3(this.projector, row, push, i * 3);
      }
      for (let k = 0; k < 3; k++) this.push[track][i * 3 + k] = this.#u[k];
    }
  }

  /** Largest distance between points that joints hold together [m]. */
  largestGap(rigid: RigidBodies): number {
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.kind[i] !== POINT) continue;
      this.#preparePoint(rigid, i, this.joints[this.joint[i]]);
      const g = this.#gap;
      largest = Math.max(largest, Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
    }
    return largest;
  }

  #preparePoint({ x, q }: RigidBodies, i: number, joint: CoupledJoint): void {
    const { a, b } = joint;
    rotateVec3(this.armA, i * 3, q, a * 4, joint.anchorA, 0);
    rotateVec3(this.armB, i * 3, q, b * 4, joint.anchorB, 0);
    for (let k = 0; k < 3; k++) {
      this.#gap[k] = x[a * 3 + k] + this.armA[i * 3 + k] - x[b * 3 + k] - this.armB[i * 3 + k];
      for (let m = 0; m < 3; m++) this.projector[i * 9 + k * 3 + m] = k === m ? 1 : 0;
    }
  }

  /** Projector and gap of a block of rotations; the gap is the small rotation that A has too much. */
  #prepareTurn({ q }: RigidBodies, i: number, joint: CoupledJoint): void {
    const gap = this.#gap;
    const u = this.#u;
    const v = this.#w;
    const p = this.projector;
    if (joint.type === 'fixed' || joint.type === 'control') {
      // qA wanted = qB at rest: what is over is qA wanted qB⁻¹
      multiplyQuat(u, 0, q, joint.a * 4, this.wanted, this.joint[i] * 4);
      conjugateQuat(v, 0, q, joint.b * 4);
      multiplyQuat(u, 0, u, 0, v, 0);
      const twice = u[3] < 0 ? -2 : 2;
      for (let k = 0; k < 3; k++) gap[k] = twice * u[k];
      for (let k = 0; k < 9; k++) p[i * 9 + k] = k % 4 === 0 ? 1 : 0;
      return;
    }
    rotateVec3(u, 0, q, joint.a * 4, joint.axisA ?? [0, 0, 1], 0);
    rotateVec3(v, 0, q, joint.b * 4, joint.axisB ?? [0, 0, 1], 0);
    const n0 = u[1] * v[2] - u[2] * v[1];
    const n1 = u[2] * v[0] - u[0] * v[2];
    const n2 = u[0] * v[1] - u[1] * v[0];
    if (joint.type === 'hinge') {
      setThree(gap, -n0, -n1, -n2);
      for (let k = 0; k < 9; k++) p[i * 9 + k] = (k % 4 === 0 ? 1 : 0) - u[Math.floor(k / 3)] * u[k % 3];
      return;
    }
    // universal: the two axes stay perpendicular
    const lengthSq = n0 * n0 + n1 * n1 + n2 * n2;
    const share = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / lengthSq;
    setThree(gap, share * n0, share * n1, share * n2);
    setThree(u, n0, n1, n2);
    for (let k = 0; k < 9; k++) p[i * 9 + k] = (u[Math.floor(k / 3)] * u[k % 3]) / lengthSq;
  }

  /** What velocity a block is after, and how much it gives way. */
  #aim(i: number, joint: CoupledJoint, track: 0 | 1, h: number): void {
    const gap = this.#gap;
    if (joint.type === 'control') {
      const k = joint.stiffness ?? 0;
      const both = h * k + (joint.damping ?? 0);
      this.compliance[i] = (track === 0 ? 2 : 1) / (h * Math.max(both, Number.MIN_VALUE));
      // the velocity track keeps the target of the position track: θ at the start of the step
      if (track === 0) for (let m = 0; m < 3; m++) this.target[i * 3 + m] = both > 0 ? (-k * gap[m]) / both : 0;
      return;
    }
    this.compliance[i] = 0;
    for (let k = 0; k < 3; k++) this.target[i * 3 + k] = track === 0 ? -gap[k] / h : 0;
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
    project(p, o, w);
    const scale = w[0] + w[4] + w[8];
    // beyond its range the projector leaves zeros: fill them, invert, and take them out again
    for (let k = 0; k < 9; k++) {
      const own = k % 4 === 0 ? 1 : 0;
      w[k] += this.compliance[i] * p[o + k] + scale * (own - p[o + k]);
    }
    if (!invertMat3(w, 0, w, 0)) w.fill(0);
    project(p, o, w);
    this.inverse.set(w, o);
  }
}

const PRODUCT = new Float64Array(9);

/** w = P w P. */
function project(p: Float64Array, o: number, w: Float64Array): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      PRODUCT[r * 3 + c] = p[o + r * 3] * w[c] + p[o + r * 3 + 1] * w[3 + c] + p[o + r * 3 + 2] * w[6 + c];
    }
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const i = o + c * 3;
      w[r * 3 + c] = PRODUCT[r * 3] * p[i] + PRODUCT[r * 3 + 1] * p[i + 1] + PRODUCT[r * 3 + 2] * p[i + 2];
    }
  }
}

function setThree(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** w += how a point of a rigid body answers an impulse at it: 1/m − r* I⁻¹ r* [1/kg]. */
export function addPointBlock(
  { inverseMass, inverseInertia }: RigidBodies,
  body: number,
  arm: Float64Array,
  o: number,
  w: Float64Array,
): void {
  const m = inverseMass[body];
  if (m === 0) return;
  const x = arm[o];
  const y = arm[o + 1];
  const z = arm[o + 2];
  const i = body * 9;
  const i00 = inverseInertia[i];
  const i01 = inverseInertia[i + 1];
  const i02 = inverseInertia[i + 2];
  const i11 = inverseInertia[i + 4];
  const i12 = inverseInertia[i + 5];
  const i22 = inverseInertia[i + 8];
  // r* I⁻¹ r*ᵀ for symmetric I⁻¹
  const a00 = z * i11 - y * i12;
  const a01 = z * i12 - y * i22;
  const a10 = x * i02 - z * i00;
  const a11 = x * i12 - z * i01;
  const a12 = x * i22 - z * i02;
  const a20 = y * i00 - x * i01;
  const a21 = y * i01 - x * i11;
  w[0] += m + a00 * z - a01 * y;
  const w01 = a01 * x - (z * i01 - y * i02) * z;
  const w02 = (z * i01 - y * i02) * y - a00 * x;
  w[1] += w01;
  w[3] += w01;
  w[2] += w02;
  w[6] += w02;
  w[4] += m + a12 * x - a10 * z;
  const w12 = a10 * y - a11 * x;
  w[5] += w12;
  w[7] += w12;
  w[8] += m + a20 * y - a21 * x;
}

/** out = velocity of A relative to B at the points, or of rotation, of block i. */
export function blockVelocity(blocks: JointBlocks, velocity: Float64Array, i: number, out: Float64Array): void {
  const a = blocks.a[i] * TWIST;
  const b = blocks.b[i] * TWIST;
  for (let k = 0; k < 3; k++) out[k] = velocity[a + 3 + k] - velocity[b + 3 + k];
  if (blocks.kind[i] === TURN) return;
  const { armA, armB } = blocks;
  const o = i * 3;
  const ax = velocity[a + 3];
  const ay = velocity[a + 4];
  const az = velocity[a + 5];
  const bx = velocity[b + 3];
  const by = velocity[b + 4];
  const bz = velocity[b + 5];
  out[0] = velocity[a] + ay * armA[o + 2] - az * armA[o + 1] - velocity[b] - by * armB[o + 2] + bz * armB[o + 1];
  out[1] = velocity[a + 1] + az * armA[o] - ax * armA[o + 2] - velocity[b + 1] - bz * armB[o] + bx * armB[o + 2];
  out[2] = velocity[a + 2] + ax * armA[o + 1] - ay * armA[o] - velocity[b + 2] - bx * armB[o + 1] + by * armB[o];
}
