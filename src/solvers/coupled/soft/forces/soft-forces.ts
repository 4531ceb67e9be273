/**
 * Elastic forces of tetrahedra, corotated or stable neo-Hookean, in f64. With D the edges, B their inverse at rest, F = D B and R the
 * rotation closest to F:  P = 2μ (F − R) + λ tr(RᵀF − I) R,  force on corner k: −V P B_k.
 */

import { neoHookeanStress } from '../../../../kernels/reference/neo-hookean.js';
import { POLAR_SCRATCH_LENGTH, polarNewton, polarRotation } from '../../../../math/polar3.js';
import { mat3ToQuat, quatToMat3 } from '../../../../math/quat.js';
import type { SoftElements } from '../soft-model.js';

/** Newton iterations from the rotation of the call before. */
const NEWTON = 2;

const F = new Float64Array(9);
const R = new Float64Array(9);
const P = new Float64Array(9);
const SCRATCH = new Float64Array(POLAR_SCRATCH_LENGTH);

/** out += forces of all elements of a body whose vertices start at `first`, and its rotations at `firstTet`. */
export function addElasticForces(
  elements: SoftElements,
  x: Float64Array,
  first: number,
  quats: Float64Array,
  firstTet: number,
  out: Float64Array,
): void {
  const { tetCount, tets, volumes, inverseRest, mu, lambda, neoHookean } = elements;
  for (let t = 0; t < tetCount; t++) {
    const a = (first + tets[t * 4]) * 3;
    const b = (first + tets[t * 4 + 1]) * 3;
    const c = (first + tets[t * 4 + 2]) * 3;
    const d = (first + tets[t * 4 + 3]) * 3;
    const o = t * 9;
    for (let k = 0; k < 3; k++) {
      const e0 = x[b + k] - x[a + k];
      const e1 = x[c + k] - x[a + k];
      const e2 = x[d + k] - x[a + k];
      F[k * 3] = e0 * inverseRest[o] + e1 * inverseRest[o + 3] + e2 * inverseRest[o + 6];
      F[k * 3 + 1] = e0 * inverseRest[o + 1] + e1 * inverseRest[o + 4] + e2 * inverseRest[o + 7];
      F[k * 3 + 2] = e0 * inverseRest[o + 2] + e1 * inverseRest[o + 5] + e2 * inverseRest[o + 8];
    }
    // at small strain stable neo-Hookean is linear elasticity with λ − μ: so its λ is the material's plus μ
    if (neoHookean[t] === 1) neoHookeanStress(P, F, volumes[t] * mu[t], volumes[t] * (lambda[t] + mu[t]));
    else corotatedStress(quats, (firstTet + t) * 4, volumes[t] * mu[t], volumes[t] * lambda[t]);
    for (let k = 0; k < 3; k++) {
      const p0 = P[k * 3];
      const p1 = P[k * 3 + 1];
      const p2 = P[k * 3 + 2];
      const f1 = p0 * inverseRest[o] + p1 * inverseRest[o + 1] + p2 * inverseRest[o + 2];
      const f2 = p0 * inverseRest[o + 3] + p1 * inverseRest[o + 4] + p2 * inverseRest[o + 5];
      const f3 = p0 * inverseRest[o + 6] + p1 * inverseRest[o + 7] + p2 * inverseRest[o + 8];
      out[b + k] -= f1;
      out[c + k] -= f2;
      out[d + k] -= f3;
      out[a + k] += f1 + f2 + f3;
    }
  }
}

/** P = V (2μ (F − R) + λ tr(RᵀF − I) R), with R found from the quaternion at q and kept there. */
function corotatedStress(quats: Float64Array, q: number, mu: number, lambda: number): void {
  findRotation(quats, q);
  let trace = -3;
  for (let k = 0; k < 9; k++) trace += R[k] * F[k];
  for (let k = 0; k < 9; k++) P[k] = 2 * mu * (F[k] - R[k]) + lambda * trace * R[k];
}

/** R = the rotation closest to F. A quaternion of zeros is not known yet. */
function findRotation(quats: Float64Array, q: number): void {
  const known = quats[q] !== 0 || quats[q + 1] !== 0 || quats[q + 2] !== 0 || quats[q + 3] !== 0;
  let good = known;
  for (let n = 0; n < NEWTON && good; n++) good = polarNewton(quats, q, F, 0);
  if (good) {
    quatToMat3(R, 0, quats, q);
    return;
  }
  polarRotation(R, 0, F, 0, SCRATCH, 0);
  mat3ToQuat(quats, q, R, 0);
}
