/** Small matrices of joint rows: projections, how a point of a rigid body answers, velocities of one body relative to another. */
import { conjugateQuat, multiplyQuat, rotateVec3 } from '../../../math/quat.js';
import { CONTROL, type JointBlocks, TURN } from './joint-blocks.js';
import { type RigidBodies, TWIST } from './rigid-bodies.js';

const PRODUCT = new Float64Array(9);
const U = new Float64Array(4);
const V = new Float64Array(4);
const Z_AXIS = [0, 0, 1];

/** w = P w P. */
export function project(p: Float64Array, o: number, w: Float64Array): void {
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

/** w = P w P + c P, and beyond the range of P, where that leaves zeros, numbers that can be inverted. */
export function projectAndFill(p: Float64Array, o: number, c: number, w: Float64Array): void {
  project(p, o, w);
  const scale = w[0] + w[4] + w[8];
  for (let k = 0; k < 9; k++) {
    const own = k % 4 === 0 ? 1 : 0;
    w[k] += c * p[o + k] + scale * (own - p[o + k]);
  }
}

/** The three numbers of a vector. */
export function threeOf(v: ArrayLike<number>): readonly number[] {
  return [v[0], v[1], v[2]];
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

/** Projector and gap of a block of rotations; the gap is the small rotation that A has too much. */
export function measureTurn(blocks: JointBlocks, q: Float64Array, i: number, gap: Float64Array): void {
  const { projector: p, wanted } = blocks;
  const joint = blocks.joints[blocks.joint[i]];
  if (joint.type === 'fixed' || blocks.role[i] === CONTROL) {
    // qA wanted = qB at rest: what is over is qA wanted qB⁻¹
    multiplyQuat(U, 0, q, joint.a * 4, wanted, blocks.joint[i] * 4);
    conjugateQuat(V, 0, q, joint.b * 4);
    multiplyQuat(U, 0, U, 0, V, 0);
    const twice = U[3] < 0 ? -2 : 2;
    for (let k = 0; k < 3; k++) gap[k] = twice * U[k];
    for (let k = 0; k < 9; k++) p[i * 9 + k] = k % 4 === 0 ? 1 : 0;
    return;
  }
  rotateVec3(U, 0, q, joint.a * 4, joint.axisA ?? Z_AXIS, 0);
  rotateVec3(V, 0, q, joint.b * 4, joint.axisB ?? Z_AXIS, 0);
  const n0 = U[1] * V[2] - U[2] * V[1];
  const n1 = U[2] * V[0] - U[0] * V[2];
  const n2 = U[0] * V[1] - U[1] * V[0];
  if (joint.type === 'hinge') {
    setThree(gap, -n0, -n1, -n2);
    for (let k = 0; k < 9; k++) p[i * 9 + k] = (k % 4 === 0 ? 1 : 0) - U[Math.floor(k / 3)] * U[k % 3];
    return;
  }
  // universal: the two axes stay perpendicular
  const lengthSq = n0 * n0 + n1 * n1 + n2 * n2;
  const share = (U[0] * V[0] + U[1] * V[1] + U[2] * V[2]) / lengthSq;
  setThree(gap, share * n0, share * n1, share * n2);
  setThree(U, n0, n1, n2);
  for (let k = 0; k < 9; k++) p[i * 9 + k] = (U[Math.floor(k / 3)] * U[k % 3]) / lengthSq;
}
