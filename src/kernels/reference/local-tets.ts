/**
 * Specification of the kernel `localTets` (assembly/local-tets.ts) in f64, written to be read: corotated elasticity of
 * tetrahedra, one after the other, with the rotation from the singular value decomposition.
 *
 * Symbols, per tet: x0..x3 corners, D = [x1-x0, x2-x0, x3-x0] edges as columns, B = inverse of D at rest, V rest volume,
 *
 *     F = D B                                    deformation gradient
 *     R = the rotation closest to F              F = R S, S symmetric
 *     E = mu V |F - R|^2 + lambda V / 2 tr(R^T F - I)^2
 *     P V = dE/dF = 2 mu V (F - R) + lambda V tr(R^T F - I) R
 *     dE/dx_k = P V B_k  for k = 1, 2, 3 (B_k row k-1 of B, as a column),  dE/dx_0 = -(dE/dx_1 + dE/dx_2 + dE/dx_3)
 *
 * R depends on F as well, but that adds nothing to dE/dF: R minimises |F - R|^2, and maximises tr(R^T F).
 * Rows are (x, y, z, unused): row i of an array is its elements 4 i to 4 i + 2.
 */
import { determinantMat3, identityMat3 } from '../../math/mat3.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import type { TetElements } from '../tet-groups.js';

/** out -= dE/dx over all tets. `x` and `out` are rows; returns how many tets are inverted, flat or not finite. */
export function localTets(tets: TetElements, x: ArrayLike<number>, out: Float64Array): number {
  const f = new Float64Array(9);
  const r = new Float64Array(9);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  let irregular = 0;
  for (let tet = 0; tet < tets.shearStiffness.length; tet++) {
    deformationGradient(f, tets, tet, x);
    const known = polarRotation(r, 0, f, 0, scratch, 0);
    if (!known || !(scratch[20] > 0)) irregular++;
    subtractGradient(tets, tet, f, r, out);
  }
  return irregular;
}

/** The elastic energy of all tets [J]. */
export function elasticEnergy(tets: TetElements, x: ArrayLike<number>): number {
  const f = new Float64Array(9);
  const r = new Float64Array(9);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  let energy = 0;
  for (let tet = 0; tet < tets.shearStiffness.length; tet++) {
    deformationGradient(f, tets, tet, x);
    polarRotation(r, 0, f, 0, scratch, 0);
    let distanceSq = 0;
    for (let k = 0; k < 9; k++) distanceSq += (f[k] - r[k]) * (f[k] - r[k]);
    const stretch = traceOfStretch(f, r) - 3;
    energy += 0.5 * tets.shearStiffness[tet] * distanceSq + 0.5 * tets.bulkStiffness[tet] * stretch * stretch;
  }
  return energy;
}

/** How many tets are turned inside out: det D < 0. Specification of the kernel `countInverted`. */
export function countInverted(tets: TetElements, x: ArrayLike<number>): number {
  const d = new Float64Array(9);
  let count = 0;
  for (let tet = 0; tet < tets.shearStiffness.length; tet++) {
    const origin = 4 * tets.corners[4 * tet];
    for (let k = 0; k < 9; k++) {
      const row = k % 3;
      d[k] = x[4 * tets.corners[4 * tet + (k - row) / 3 + 1] + row] - x[origin + row];
    }
    if (determinantMat3(d, 0) < 0) count++;
  }
  return count;
}

/** f = D B of one tet, nine numbers, row major. */
export function deformationGradient(f: Float64Array, tets: TetElements, tet: number, x: ArrayLike<number>): void {
  const origin = 4 * tets.corners[4 * tet];
  f.fill(0);
  for (let k = 0; k < 3; k++) {
    const corner = 4 * tets.corners[4 * tet + k + 1];
    for (let row = 0; row < 3; row++) {
      const edge = x[corner + row] - x[origin + row];
      for (let column = 0; column < 3; column++) {
        f[3 * row + column] += edge * tets.inverseRest[9 * tet + 3 * k + column];
      }
    }
  }
}

/** out -= dE/dx of one tet, given its F and its R. */
export function subtractGradient(
  tets: TetElements,
  tet: number,
  f: ArrayLike<number>,
  r: ArrayLike<number>,
  out: Float64Array,
): void {
  const shear = tets.shearStiffness[tet];
  const pressure = tets.bulkStiffness[tet] * (traceOfStretch(f, r) - 3);
  const origin = 4 * tets.corners[4 * tet];
  for (let k = 0; k < 3; k++) {
    const corner = 4 * tets.corners[4 * tet + k + 1];
    for (let row = 0; row < 3; row++) {
      let gradient = 0;
      for (let column = 0; column < 3; column++) {
        const entry = 3 * row + column;
        const stress = shear * (f[entry] - r[entry]) + pressure * r[entry];
        gradient += stress * tets.inverseRest[9 * tet + 3 * k + column];
      }
      out[corner + row] -= gradient;
      out[origin + row] += gradient;
    }
  }
}

/**
 * r = the rotation matrix the kernel makes of a tet's quaternion, from the groups of 16 f32 (w, x, y, z of four tets).
 * The identity where the quaternion is zero.
 */
export function rotationOfTet(r: Float64Array, quats: ArrayLike<number>, tet: number): void {
  identityMat3(r, 0);
  const at = (tet >> 2) * 16 + (tet & 3);
  const w = quats[at];
  const x = quats[at + 4];
  const y = quats[at + 8];
  const z = quats[at + 12];
  r[0] -= 2 * (y * y + z * z);
  r[1] += 2 * (x * y - w * z);
  r[2] += 2 * (x * z + w * y);
  r[3] += 2 * (x * y + w * z);
  r[4] -= 2 * (x * x + z * z);
  r[5] += 2 * (y * z - w * x);
  r[6] += 2 * (x * z - w * y);
  r[7] += 2 * (y * z + w * x);
  r[8] -= 2 * (x * x + y * y);
}

/** tr(R^T F), the trace of the stretch S. */
function traceOfStretch(f: ArrayLike<number>, r: ArrayLike<number>): number {
  let trace = 0;
  for (let k = 0; k < 9; k++) trace += r[k] * f[k];
  return trace;
}
