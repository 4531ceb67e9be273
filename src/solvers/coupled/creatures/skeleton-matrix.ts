/** How the bones of a creature withstand pushes: their own masses, the flesh that they carry along, and motors. 6 numbers per bone: velocity, then spin. */
import { multiplyMat3, multiplyTransposeMat3 } from '../../../math/mat3-product.js';
import type { JointBlocks } from '../rigid/joint-blocks.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import { PAIR } from './follow-model.js';

const TURNED = new Float64Array(9);
const SUM = new Float64Array(9);
const FIRST = new Float64Array(3);
const SECOND = new Float64Array(3);

/** h = the lower half of the matrix of bones and flesh; `pair`: sums of K, see `FollowTables`. */
export function fillSkeleton(rigid: RigidBodies, bones: Int32Array, pair: Float64Array, h: Float64Array): void {
  const m = bones.length;
  const n = m * 6;
  for (let p = 0; p < m; p++)
    for (let q = 0; q <= p; q++) addPair(rigid, bones[p], bones[q], pair, (p * m + q) * PAIR, h, p * 6 * n + q * 6, n);
  for (let p = 0; p < m; p++) {
    const b = bones[p];
    const at = p * 6 * n + p * 6;
    multiplyMat3(TURNED, 0, rigid.rotation, b * 9, rigid.inertia, b * 9);
    multiplyTransposeMat3(SUM, 0, TURNED, 0, rigid.rotation, b * 9);
    for (let i = 0; i < 3; i++) {
      h[at + i * n + i] += rigid.mass[b];
      for (let j = 0; j < 3; j++) h[at + (i + 3) * n + j + 3] += SUM[i * 3 + j];
    }
  }
}

/** [S 1, −[bq]×; [bp]×, tr X 1 − Xᵀ] with the sums S of K, b of K r and X of K r rᵀ, r turned with the bones. */
function addPair(
  { rotation }: RigidBodies,
  p: number,
  q: number,
  pair: Float64Array,
  o: number,
  h: Float64Array,
  at: number,
  n: number,
): void {
  rotate(rotation, p * 9, pair, o + 1, FIRST);
  rotate(rotation, q * 9, pair, o + 4, SECOND);
  multiplyMat3(TURNED, 0, rotation, p * 9, pair, o + 7);
  multiplyTransposeMat3(SUM, 0, TURNED, 0, rotation, q * 9);
  const trace = SUM[0] + SUM[4] + SUM[8];
  for (let i = 0; i < 3; i++) {
    const row = at + i * n;
    const turn = row + 3 * n;
    for (let j = 0; j < 3; j++) {
      h[row + j] = 0;
      h[turn + 3 + j] = -SUM[j * 3 + i];
    }
    h[row + i] = pair[o];
    h[turn + 3 + i] += trace;
  }
  fillCross(SECOND, -1, h, at + 3, n);
  fillCross(FIRST, 1, h, at + 3 * n, n);
}

/** Three rows of three numbers = sign [r]×. */
function fillCross(r: Float64Array, sign: number, h: Float64Array, at: number, n: number): void {
  const x = sign * r[0];
  const y = sign * r[1];
  const z = sign * r[2];
  h[at] = 0;
  h[at + 1] = -z;
  h[at + 2] = y;
  h[at + n] = z;
  h[at + n + 1] = 0;
  h[at + n + 2] = -x;
  h[at + 2 * n] = -y;
  h[at + 2 * n + 1] = x;
  h[at + 2 * n + 2] = 0;
}

/** out = the rotation of a bone times v[o..]. */
export function rotate(rotation: Float64Array, r: number, v: Float64Array, o: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const row = r + i * 3;
    out[i] = rotation[row] * v[o] + rotation[row + 1] * v[o + 1] + rotation[row + 2] * v[o + 2];
  }
}

/** Adds motor block i, which gives way by c, between bones p and q (−1: something that nothing moves). */
export function addMotor(joints: JointBlocks, i: number, p: number, q: number, h: Float64Array, n: number): void {
  const { projector, compliance } = joints;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const value = projector[i * 9 + r * 3 + c] / compliance[i];
      if (p >= 0) h[(p * 6 + 3 + r) * n + p * 6 + 3 + c] += value;
      if (q >= 0) h[(q * 6 + 3 + r) * n + q * 6 + 3 + c] += value;
      if (p >= 0 && q >= 0) h[(Math.max(p, q) * 6 + 3 + r) * n + Math.min(p, q) * 6 + 3 + c] -= value;
    }
  }
}
