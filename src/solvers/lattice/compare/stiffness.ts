/**
 * Stiffness matrices of lattice cells in f64, for comparison with the paper's Newton methods: the exact one, the paper's with its
 * definiteness fix, Zhu's without the turning of the rotation, and warped stiffness. They differ in one 3x3 matrix L per cell:
 *
 *     dP = 2 mu dF + R [ lambda tr(A) I + sk(L axl A) ],  A = R^T dF,  axl A = (A32 - A23, A13 - A31, A21 - A12)
 *     exact: L = (lambda tr(S - I) - 2 mu) (tr(S) I - S)^-1;  fixed: its eigenvalues not below -mu;  Zhu: 0;  warped: -mu I
 *
 * The hourglass modes are linear and alike in all. Not part of any step.
 */
import { AXES_OF } from '../../../kernels/reference/lattice-cells.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import { eigenSymmetricMat3 } from '../../../math/eigen3.js';
import { multiplyMat3, transposeMultiplyMat3 } from '../../../math/mat3-product.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import type { LatticeBody } from '../lattice-body.js';

/** Which stiffness. */
export type StiffnessKind = 'exact' | 'fixed' | 'zhu' | 'warped';

/** Below this a denominator of L counts as this: flat and inverted cells have none or less [formula audit, L_D]. */
const LEAST_SUM = 1e-6;

/** L of a cell, row major, from S = R^T F. */
export function turningStiffness(kind: StiffnessKind, s: Float64Array, mu: number, lambda: number): Float64Array {
  const l = new Float64Array(9);
  if (kind === 'zhu') return l;
  if (kind === 'warped') {
    for (let k = 0; k < 3; k++) l[4 * k] = -mu;
    return l;
  }
  const symmetric = new Float64Array(9);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) symmetric[3 * i + j] = (s[3 * i + j] + s[3 * j + i]) / 2;
  const values = new Float64Array(3);
  const vectors = new Float64Array(9);
  eigenSymmetricMat3(values, 0, vectors, 0, symmetric, 0);
  const trace = values[0] + values[1] + values[2];
  const most = Math.max(1, Math.abs(values[0]), Math.abs(values[1]), Math.abs(values[2]));
  for (let e = 0; e < 3; e++) {
    const sum = Math.max(LEAST_SUM * most, trace - values[e]);
    let value = (lambda * (trace - 3) - 2 * mu) / sum;
    if (kind === 'fixed') value = Math.max(-mu, value);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) l[3 * i + j] += value * vectors[3 * i + e] * vectors[3 * j + e];
    }
  }
  return l;
}

/** The 24x24 stiffness of a cell with corners at x (x,y,z each, corner by corner); row 3 c + k. */
export function cellStiffness(
  kind: StiffnessKind,
  x: ArrayLike<number>,
  h: number,
  kappa: number,
  mu: number,
  lambda: number,
): Float64Array {
  const f = new Float64Array(9);
  for (let c = 0; c < 8; c++) {
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) f[3 * i + j] += (signOf(1 << j, c) * x[3 * c + i]) / (4 * h);
  }
  const r = new Float64Array(9);
  const s = new Float64Array(9);
  polarRotation(r, 0, f, 0, new Float64Array(POLAR_SCRATCH_LENGTH), 0);
  transposeMultiplyMat3(s, 0, r, 0, f, 0);
  const l = turningStiffness(kind, s, mu, lambda);
  const matrix = new Float64Array(576);
  const [a, inner, turned] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
  for (let column = 0; column < 24; column++) {
    const [corner, axis] = [Math.floor(column / 3), column % 3];
    // dF of moving one corner along one axis: a row of signs over 4 h; A = R^T dF
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) a[3 * i + j] = (r[3 * axis + i] * signOf(1 << j, corner)) / (4 * h);
    writeTurning(inner, a, l, lambda);
    multiplyMat3(turned, 0, r, 0, inner, 0);
    for (let c = 0; c < 8; c++) {
      for (let k = 0; k < 3; k++) {
        let value = 0;
        for (let j = 0; j < 3; j++) value += ((h * h) / 4) * signOf(1 << j, c) * turned[3 * k + j];
        if (k === axis) value += linearPart(corner, c, h, kappa, mu);
        matrix[24 * (3 * c + k) + column] = value;
      }
    }
  }
  return matrix;
}

/** out = lambda tr(A) I + sk(L axl A). */
function writeTurning(out: Float64Array, a: Float64Array, l: Float64Array, lambda: number): void {
  const trace = lambda * (a[0] + a[4] + a[8]);
  const axis = [a[7] - a[5], a[2] - a[6], a[3] - a[1]];
  const w = [0, 1, 2].map((i) => l[3 * i] * axis[0] + l[3 * i + 1] * axis[1] + l[3 * i + 2] * axis[2]);
  out.set([trace, -w[2], w[1], w[2], trace, -w[0], -w[1], w[0], trace]);
}

/** What 2 mu dF and the hourglass modes give between two corners, the same for all axes. */
function linearPart(a: number, b: number, h: number, kappa: number, mu: number): number {
  let sum = 0;
  for (let s = 1; s < 8; s++) {
    sum += ((AXES_OF[s] * (AXES_OF[s] === 1 ? 1 : kappa) * mu * h) / 8) * signOf(s, a) * signOf(s, b);
  }
  return sum;
}

function signOf(s: number, corner: number): number {
  let sign = 1;
  for (let bit = 1; bit < 8; bit *= 2) if (s & bit && !(corner & bit)) sign = -sign;
  return sign;
}

/** All cells together, three unknowns per node; held nodes have a one on the diagonal and nothing else. */
export function assembleStiffness(body: LatticeBody, x: Float64Array, kind: StiffnessKind): SparseMatrix {
  const { lattice, filling, law } = body;
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const own = new Float64Array(24);
  for (let cell = 0; cell < lattice.cells.length / 3; cell++) {
    const nodes = lattice.corners.subarray(8 * cell, 8 * cell + 8);
    for (let at = 0; at < 24; at++) own[at] = x[3 * nodes[Math.floor(at / 3)] + (at % 3)];
    const matrix = cellStiffness(kind, own, law.h, law.kappa, filling.mu[cell], filling.lambda[cell]);
    for (let at = 0; at < 576; at++) {
      const [row, column] = [Math.floor(at / 24), at % 24];
      const [a, b] = [nodes[Math.floor(row / 3)], nodes[Math.floor(column / 3)]];
      if (filling.held[a] || filling.held[b]) continue;
      rows.push(3 * a + (row % 3));
      columns.push(3 * b + (column % 3));
      values.push(matrix[at]);
    }
  }
  for (let node = 0; node < filling.held.length; node++) {
    for (let k = 0; k < 3 && filling.held[node]; k++) {
      rows.push(3 * node + k);
      columns.push(3 * node + k);
      values.push(1);
    }
  }
  return sparseFromTriplets(3 * filling.held.length, rows, columns, values);
}
