/**
 * Gaps of the joints and their derivatives, for bones that turn by ω and shift by l in their own frames
 * [Li2019 §3.2.1, eq. 14, 16, 17]:
 *
 *     T q = R (q + l − q*ω) + t          gap = T_A q_A − T_B q_B          (three rows of every joint)
 *
 * and for the rows that take rotations away, with unit directions a fixed in A and b fixed in B:
 *
 *     gap = scale (R_A a)·(R_B b)        ∂gap = scale [ω_A·(a × R_Aᵀ R_B b) + ω_B·(b × R_Bᵀ R_A a)]
 *
 * `scale` is a length, so that every gap is in metres.
 */
import { JOINT_TABLE, JOINT_TYPES, POINT_ROWS } from './joint-table.js';
import type { Joints } from './joints.js';

/** Numbers per row: six for bone A (ω, l), six for bone B. */
export const ROW_STRIDE = 12;

/**
 * Fills `jacobian` (12 per row) and `gaps` (1 per row) for bone poses R (9 per bone, row major) and t (3 per bone).
 * Returns the largest gap in absolute value [m].
 */
export function fillJointRows(
  joints: Joints,
  rotations: Float64Array,
  translations: Float64Array,
  scale: number,
  jacobian: Float64Array,
  gaps: Float64Array,
): number {
  let largest = 0;
  for (let pair = 0; pair < joints.count; pair++) {
    const a = joints.boneA[pair];
    const b = joints.boneB[pair];
    const row = joints.rowStart[pair];
    for (let i = 0; i < POINT_ROWS; i++) {
      const o = (row + i) * ROW_STRIDE;
      const atA = pointRow(jacobian, o, 1, rotations, a * 9 + i * 3, joints.anchorA, pair * 3);
      const atB = pointRow(jacobian, o + 6, -1, rotations, b * 9 + i * 3, joints.anchorB, pair * 3);
      gaps[row + i] = atA + translations[a * 3 + i] - (atB + translations[b * 3 + i]);
    }
    const directions = JOINT_TABLE[JOINT_TYPES[joints.types[pair]]].equal;
    for (let n = 0; n < directions.length; n++) {
      const first = pair * 9 + directions[n][0] * 3;
      const second = pair * 9 + directions[n][1] * 3;
      const o = (row + POINT_ROWS + n) * ROW_STRIDE;
      gaps[row + POINT_ROWS + n] = angleRow(jacobian, o, scale, rotations, a * 9, b * 9, joints.frame, first, second);
    }
    for (let i = row; i < joints.rowStart[pair + 1]; i++) largest = Math.max(largest, Math.abs(gaps[i]));
  }
  return largest;
}

/** sign·[−r q*, r] for row r of a rotation: derivative of one coordinate of R (q + l − q*ω). Returns r·q. */
function pointRow(
  out: Float64Array,
  o: number,
  sign: number,
  rotation: Float64Array,
  r: number,
  anchor: Float64Array,
  q: number,
): number {
  const r0 = rotation[r];
  const r1 = rotation[r + 1];
  const r2 = rotation[r + 2];
  const q0 = anchor[q];
  const q1 = anchor[q + 1];
  const q2 = anchor[q + 2];
  // −r q* = q × r written as a row: r·(ω × q) = ω·(q × r)
  out[o] = sign * (q1 * r2 - q2 * r1);
  out[o + 1] = sign * (q2 * r0 - q0 * r2);
  out[o + 2] = sign * (q0 * r1 - q1 * r0);
  out[o + 3] = sign * r0;
  out[o + 4] = sign * r1;
  out[o + 5] = sign * r2;
  return r0 * q0 + r1 * q1 + r2 * q2;
}

function angleRow(
  out: Float64Array,
  o: number,
  scale: number,
  rotations: Float64Array,
  ra: number,
  rb: number,
  frame: Float64Array,
  a: number,
  b: number,
): number {
  // u = R_A a and v = R_B b in the world; a × R_Aᵀ v = R_Aᵀ (u × v) and b × R_Bᵀ u = R_Bᵀ (v × u)
  rotate(rotations, ra, frame, a, U);
  rotate(rotations, rb, frame, b, V);
  const u0 = U[0];
  const u1 = U[1];
  const u2 = U[2];
  const v0 = V[0];
  const v1 = V[1];
  const v2 = V[2];
  const n0 = scale * (u1 * v2 - u2 * v1);
  const n1 = scale * (u2 * v0 - u0 * v2);
  const n2 = scale * (u0 * v1 - u1 * v0);
  for (let k = 0; k < 3; k++) {
    out[o + k] = rotations[ra + k] * n0 + rotations[ra + 3 + k] * n1 + rotations[ra + 6 + k] * n2;
    out[o + 3 + k] = 0;
    out[o + 6 + k] = -(rotations[rb + k] * n0 + rotations[rb + 3 + k] * n1 + rotations[rb + 6 + k] * n2);
    out[o + 9 + k] = 0;
  }
  return scale * (u0 * v0 + u1 * v1 + u2 * v2);
}

const U = new Float64Array(3);
const V = new Float64Array(3);

/** out = the rotation m[r..r + 9) of the vector v[i..i + 3). */
function rotate(m: Float64Array, r: number, v: Float64Array, i: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = m[r + k * 3] * v[i] + m[r + k * 3 + 1] * v[i + 1] + m[r + k * 3 + 2] * v[i + 2];
  }
}
