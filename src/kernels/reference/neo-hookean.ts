/**
 * Specification of the kernel `localNeoHookean` (assembly/neo-hookean.ts) in f64: stable neo-Hookean tets, with the symbols
 * of local-tets.ts and J = det F, C = cof F (dJ/dF):
 *
 *     E / V = mu/2 (|F|² − 3) − mu (J − 1) + lambda/2 (J − 1)²         P = mu F + (lambda (J − 1) − mu) C
 *
 * This is [Smith2018] without its logarithm, which only matters when a tet shrinks to a point and which a step that must
 * give the same bits everywhere cannot use. At small strain it is linear elasticity with Lamé parameters mu and
 * lambda − mu, so the lambda here is the material's plus mu. `shearStiffness` is mu V, `bulkStiffness` lambda V.
 */
import type { TetElements } from '../tet-groups.js';
import { deformationGradient } from './local-tets.js';

/** out -= dE/dx over all tets; returns their energy [J]. `x` and `out` are rows. */
export function localNeoHookean(tets: TetElements, x: ArrayLike<number>, out: Float64Array): number {
  const f = new Float64Array(9);
  const stress = new Float64Array(9);
  let energy = 0;
  for (let tet = 0; tet < tets.shearStiffness.length; tet++) {
    deformationGradient(f, tets, tet, x);
    energy += neoHookeanStress(stress, f, tets.shearStiffness[tet], tets.bulkStiffness[tet]);
    const origin = 4 * tets.corners[4 * tet];
    for (let k = 0; k < 3; k++) {
      const corner = 4 * tets.corners[4 * tet + k + 1];
      for (let row = 0; row < 3; row++) {
        let gradient = 0;
        for (let c = 0; c < 3; c++) gradient += stress[3 * row + c] * tets.inverseRest[9 * tet + 3 * k + c];
        out[corner + row] -= gradient;
        out[origin + row] += gradient;
      }
    }
  }
  return energy;
}

/** stress = P V for the nine numbers of F; returns the energy E. `mu` and `lambda` are stiffness times volume [J]. */
export function neoHookeanStress(stress: Float64Array, f: ArrayLike<number>, mu: number, lambda: number): number {
  // cofactors: entry (i, j) is the minor of the other two rows and columns, signs from the cyclic order
  for (let i = 0; i < 3; i++) {
    const i1 = ((i + 1) % 3) * 3;
    const i2 = ((i + 2) % 3) * 3;
    for (let j = 0; j < 3; j++) {
      const j1 = (j + 1) % 3;
      const j2 = (j + 2) % 3;
      stress[3 * i + j] = f[i1 + j1] * f[i2 + j2] - f[i1 + j2] * f[i2 + j1];
    }
  }
  const grown = f[0] * stress[0] + f[1] * stress[1] + f[2] * stress[2] - 1;
  let square = 0;
  for (let k = 0; k < 9; k++) {
    square += f[k] * f[k];
    stress[k] = mu * f[k] + (lambda * grown - mu) * stress[k];
  }
  return mu * (0.5 * (square - 3) - grown) + 0.5 * lambda * grown * grown;
}
