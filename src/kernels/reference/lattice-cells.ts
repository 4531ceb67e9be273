/**
 * Specification of the kernels over lattice cells (assembly/lattice-cells.ts), in f64, written to be read: the stabilised
 * one-point energy of a cube [McAdams2011 §5] and the scalar Laplacian that stands in for its stiffness.
 *
 * Walsh transform of a cell: c_s = sum over corners of +-x, the sign being the product of the corner's sides along the axes
 * of s; s is a bit mask 1..7, |s| its number of axes. F = (c_1 c_2 c_4) / 4h is the one-point deformation gradient, the
 * other four are the hourglass modes that it does not see.
 *
 *     E = h^3 [ mu |F - R|^2 + volume ] + kappa mu h / 16 ( 2 (|c_3|^2 + |c_5|^2 + |c_6|^2) + 3 |c_7|^2 )
 *     volume = lambda/2 tr(R^T F - I)^2   or   lambda/2 (det F - 1)^2
 *
 * kappa = 1 is the paper's stabilisation: its 12 edge springs are h mu / 4 |x_a - x_b|^2 [formula audit, eq. 15 in 3D].
 */
import { determinantMat3 } from '../../math/mat3.js';
import { POLAR_SCRATCH_LENGTH, polarNewton, polarRotation } from '../../math/polar3.js';
import { mat3ToQuat, quatToMat3 } from '../../math/quat.js';
import type { MutableNumbers } from '../../math/vec3.js';

/** Cells in groups of four; offsets are bytes in vectors of f32, as the kernels have them. See quad-layout.ts. */
export interface LatticeCells {
  /** Groups in quads, and all groups: the rest lists every corner. */
  readonly quadGroups: number;
  readonly groups: number;
  /** Four row offsets per quad group. */
  readonly rows: Int32Array;
  /** 32 offsets per loose group. */
  readonly loose: Int32Array;
  /** Per group the shear modulus of four cells and their first Lame constant; zero for no cell [Pa]. */
  readonly moduli: ArrayLike<number>;
  /** Rotations w,x,y,z, each for four cells: 16 numbers per group; where the search starts. */
  readonly quats: MutableNumbers;
}

/** What all cells share. */
export interface CellLaw {
  /** Side of a cell [m]. */
  readonly h: number;
  /** Hourglass share; 1 is the paper's. */
  readonly kappa: number;
  /** Which volume term. */
  readonly volume: 'trace' | 'determinant';
}

/** Numbers of axes in a sign pattern. */
export const AXES_OF = [0, 1, 1, 2, 1, 2, 2, 3];

const corners = new Float64Array(8);
const modes = new Float64Array(24);
const f = new Float64Array(9);
const r = new Float64Array(9);
const q = new Float64Array(4);
const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
const NEWTON_PASSES = 8;

/** Index, in a vector, of component 0 of corner c of the cell in a lane. */
function cornerIndex(cells: LatticeCells, group: number, lane: number, c: number): number {
  if (group >= cells.quadGroups) return cells.loose[32 * (group - cells.quadGroups) + 4 * c + lane] >> 2;
  const place = lane + (c & 1);
  return (cells.rows[4 * group + (c >> 1)] >> 2) + (place < 4 ? place : 8 + place);
}

/** Walsh transform of eight numbers in place; its own inverse but for a factor 8 and the signs. */
function transform(a: Float64Array, forward: boolean): void {
  for (let bit = 1; bit < 8; bit *= 2) {
    for (let c = 0; c < 8; c++) {
      if (c & bit) continue;
      const [low, high] = [a[c], a[c + bit]];
      a[c] = forward ? low + high : low - high;
      a[c + bit] = forward ? high - low : low + high;
    }
  }
}

function gather(cells: LatticeCells, group: number, lane: number, x: ArrayLike<number>): void {
  for (let k = 0; k < 3; k++) {
    for (let c = 0; c < 8; c++) corners[c] = x[cornerIndex(cells, group, lane, c) + 4 * k];
    transform(corners, true);
    for (let s = 1; s < 8; s++) modes[3 * s + k] = corners[s];
  }
}

/** Adds what the modes give to the corners, times `scale`. */
function scatter(cells: LatticeCells, group: number, lane: number, out: MutableNumbers, scale: number): void {
  for (let k = 0; k < 3; k++) {
    corners[0] = 0;
    for (let s = 1; s < 8; s++) corners[s] = modes[3 * s + k];
    transform(corners, false);
    for (let c = 0; c < 8; c++) out[cornerIndex(cells, group, lane, c) + 4 * k] += scale * corners[c];
  }
}

/** F of the gathered cell, row major. */
function readGradient(h: number): void {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) f[3 * i + j] = modes[3 * (1 << j) + i] / (4 * h);
}

/** R of F, from the stored rotation by Newton, by singular values where that is not safe. */
function findRotation(quats: MutableNumbers, at: number): void {
  for (let n = 0; n < 4; n++) q[(n + 3) & 3] = quats[at + 4 * n];
  for (let pass = 0; pass < NEWTON_PASSES; pass++) {
    if (polarNewton(q, 0, f, 0)) continue;
    polarRotation(r, 0, f, 0, scratch, 0);
    mat3ToQuat(q, 0, r, 0);
    break;
  }
  quatToMat3(r, 0, q, 0);
  for (let n = 0; n < 4; n++) quats[at + 4 * n] = q[(n + 3) & 3];
}

/** Cofactor matrix of F into `out`. */
function cofactor(out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const [a, b, c, d] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
      out[3 * i + j] = f[3 * a + c] * f[3 * b + d] - f[3 * a + d] * f[3 * b + c];
    }
  }
}

/** Adds the elastic gradient [N] of groups [first, last) to `gradient`; returns their energy [J]. Rotations are kept. */
export function elasticCells(
  first: number,
  last: number,
  cells: LatticeCells,
  law: CellLaw,
  x: ArrayLike<number>,
  gradient: MutableNumbers,
): number {
  const { h, kappa, volume } = law;
  const cof = new Float64Array(9);
  let energy = 0;
  for (let lane = 4 * first; lane < 4 * last; lane++) {
    const mu = cells.moduli[8 * (lane >> 2) + (lane & 3)];
    const lambda = cells.moduli[8 * (lane >> 2) + 4 + (lane & 3)];
    if (mu === 0) continue;
    gather(cells, lane >> 2, lane & 3, x);
    readGradient(h);
    findRotation(cells.quats, 16 * (lane >> 2) + (lane & 3));
    let distance = 0;
    let stretch = 0;
    for (let n = 0; n < 9; n++) {
      distance += (f[n] - r[n]) * (f[n] - r[n]);
      stretch += r[n] * (f[n] - r[n]);
    }
    const change = volume === 'trace' ? stretch : determinantMat3(f, 0) - 1;
    cofactor(cof);
    energy += h * h * h * (mu * distance + (lambda / 2) * change * change);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const direction = volume === 'trace' ? r[3 * i + j] : cof[3 * i + j];
        modes[3 * (1 << j) + i] =
          ((h * h) / 4) * (2 * mu * (f[3 * i + j] - r[3 * i + j]) + lambda * change * direction);
      }
    }
    for (const s of [3, 5, 6, 7]) {
      const stiffness = (AXES_OF[s] * kappa * mu * h) / 8;
      for (let k = 0; k < 3; k++) {
        energy += (stiffness / 2) * modes[3 * s + k] * modes[3 * s + k];
        modes[3 * s + k] *= stiffness;
      }
    }
    scatter(cells, lane >> 2, lane & 3, gradient, 1);
  }
  return energy;
}

/** out += scale A x: the Laplacian of groups [first, last), with mu + lambda/4 as its stiffness [N/m]. */
export function laplacianCells(
  first: number,
  last: number,
  cells: LatticeCells,
  law: CellLaw,
  x: ArrayLike<number>,
  out: MutableNumbers,
  scale: number,
): void {
  for (let lane = 4 * first; lane < 4 * last; lane++) {
    const at = 8 * (lane >> 2) + (lane & 3);
    const stiffness = cells.moduli[at] + cells.moduli[at + 4] / 4;
    if (stiffness === 0) continue;
    gather(cells, lane >> 2, lane & 3, x);
    for (let s = 1; s < 8; s++) {
      const weight = (AXES_OF[s] * (s === 1 || s === 2 || s === 4 ? 1 : law.kappa) * stiffness * law.h) / 8;
      for (let k = 0; k < 3; k++) modes[3 * s + k] *= weight;
    }
    scatter(cells, lane >> 2, lane & 3, out, scale);
  }
}

/**
 * out += scale K x: warped stiffness of groups [first, last), linear elasticity turned with the stored rotations [N/m]:
 * what the Laplacian of mu has, and h/16 R [ lambda tr(A) I - mu (A - A^T) ] on the modes along the axes, A = R^T (c_1 c_2 c_4).
 */
export function stiffnessCells(
  first: number,
  last: number,
  cells: LatticeCells,
  law: CellLaw,
  x: ArrayLike<number>,
  out: MutableNumbers,
  scale: number,
): void {
  for (let lane = 4 * first; lane < 4 * last; lane++) {
    const at = 8 * (lane >> 2) + (lane & 3);
    const [mu, lambda] = [cells.moduli[at], cells.moduli[at + 4]];
    if (mu === 0) continue;
    gather(cells, lane >> 2, lane & 3, x);
    for (let n = 0; n < 4; n++) q[(n + 3) & 3] = cells.quats[16 * (lane >> 2) + (lane & 3) + 4 * n];
    quatToMat3(r, 0, q, 0);
    // f = A
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        f[3 * i + j] = 0;
        for (let k = 0; k < 3; k++) f[3 * i + j] += r[3 * k + i] * modes[3 * (1 << j) + k];
      }
    }
    for (let s = 1; s < 8; s++) {
      const weight = (AXES_OF[s] * (s === 1 || s === 2 || s === 4 ? 1 : law.kappa) * mu * law.h) / 8;
      for (let k = 0; k < 3; k++) modes[3 * s + k] *= weight;
    }
    const trace = f[0] + f[4] + f[8];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = lambda * trace * r[3 * i + j];
        for (let k = 0; k < 3; k++) sum -= mu * r[3 * i + k] * (f[3 * k + j] - f[3 * j + k]);
        modes[3 * (1 << j) + i] += (law.h / 16) * sum;
      }
    }
    scatter(cells, lane >> 2, lane & 3, out, scale);
  }
}

/** Volume ratios det F of the cells of groups [first, last): their sum, the least, and how many are inside out. */
export function volumeCells(
  first: number,
  last: number,
  cells: LatticeCells,
  law: CellLaw,
  x: ArrayLike<number>,
): { sum: number; least: number; inverted: number } {
  const result = { sum: 0, least: Infinity, inverted: 0 };
  for (let lane = 4 * first; lane < 4 * last; lane++) {
    if (cells.moduli[8 * (lane >> 2) + (lane & 3)] === 0) continue;
    gather(cells, lane >> 2, lane & 3, x);
    readGradient(law.h);
    // the axes of a cell are exchanged cyclically, which leaves the determinant as it is
    const ratio = determinantMat3(f, 0);
    result.sum += ratio;
    result.least = Math.min(result.least, ratio);
    if (!(ratio > 0)) result.inverted++;
  }
  return result;
}
