/**
 * Specification of the kernel `nodalStrain` (assembly/nodal-strain.ts) in f64: energies of mean deformations around vertices,
 *
 *     F = Σ_b (x_b − x_a) g_bᵀ          dE/dx_b = P V g_b,   dE/dx_a = −Σ_b dE/dx_b
 *
 * with the E and the P V of a tet (local-tets.ts, neo-hookean.ts). Rows are (x, y, z, unused).
 */
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import type { NodalMeans } from '../nodal-groups.js';
import { neoHookeanStress } from './neo-hookean.js';

/** out −= dE/dx over all means; returns their energy [J]. */
export function nodalStrain(means: NodalMeans, isNeoHookean: boolean, x: ArrayLike<number>, out: Float64Array): number {
  const f = new Float64Array(9);
  const stress = new Float64Array(9);
  let energy = 0;
  for (let mean = 0; mean < means.rows.length; mean++) {
    const [shear, bulk] = [means.shearStiffness[mean], means.bulkStiffness[mean]];
    const own = means.rows[mean] * 4;
    meanDeformation(f, means, mean, x);
    energy += isNeoHookean ? neoHookeanStress(stress, f, shear, bulk) : corotatedStress(stress, f, shear, bulk);
    for (let n = means.start[mean]; n < means.start[mean + 1]; n++) {
      for (let k = 0; k < 3; k++) {
        let gradient = 0;
        for (let p = 0; p < 3; p++) gradient += stress[3 * k + p] * means.gradients[3 * n + p];
        out[means.entryRows[n] * 4 + k] -= gradient;
        out[own + k] += gradient;
      }
    }
  }
  return energy;
}

function meanDeformation(f: Float64Array, means: NodalMeans, mean: number, x: ArrayLike<number>): void {
  const own = means.rows[mean] * 4;
  f.fill(0);
  for (let n = means.start[mean]; n < means.start[mean + 1]; n++) {
    const row = means.entryRows[n] * 4;
    for (let k = 0; k < 3; k++) {
      for (let p = 0; p < 3; p++) f[3 * k + p] += (x[row + k] - x[own + k]) * means.gradients[3 * n + p];
    }
  }
}

/** stress = P V, which is 2 mu V (F − R) + lambda V tr(RᵀF − I) R; returns E. */
function corotatedStress(stress: Float64Array, f: ArrayLike<number>, shear: number, bulk: number): number {
  polarRotation(R, 0, f as Float64Array, 0, SCRATCH, 0);
  let trace = -3;
  let square = 0;
  for (let k = 0; k < 9; k++) {
    trace += R[k] * f[k];
    square += (f[k] - R[k]) * (f[k] - R[k]);
  }
  for (let k = 0; k < 9; k++) stress[k] = shear * (f[k] - R[k]) + bulk * trace * R[k];
  return 0.5 * (shear * square + bulk * trace * trace);
}

const R = new Float64Array(9);
const SCRATCH = new Float64Array(POLAR_SCRATCH_LENGTH);
