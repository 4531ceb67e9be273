/**
 * Linear elasticity with strains shared through the vertices, independent of the solver: matrix free, by conjugate gradients, with the means taken tet by
 * tet. `shape` and `volume`: shares of the energy that the vertices have; 0, 0 is the plain tet.
 */
import type { Model } from '../../../src/body/model.js';

/** Gradients of the four shape functions of a tet, 12 numbers. */
function gradients({ inverseRest }: Model, tet: number): number[] {
  const g = new Array<number>(12).fill(0);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 3; i++) {
      g[(k + 1) * 3 + i] = inverseRest[tet * 9 + k * 3 + i];
      g[i] -= g[(k + 1) * 3 + i];
    }
  }
  return g;
}

/** Forces K u for displacements u. */
export function smoothedForces(model: Model, shape: number, volume: number): (u: Float64Array) => Float64Array {
  const { tets, tetCount, vertexCount, volumes, mu, lambda } = model;
  const slopes = Array.from({ length: tetCount }, (_, tet) => gradients(model, tet));
  const own = new Float64Array(vertexCount);
  for (let i = 0; i < tets.length; i++) own[tets[i]] += volumes[i >> 2] / 4;
  return (u) => {
    const of = (tet: number) =>
      Array.from({ length: 9 }, (_, q) =>
        [0, 1, 2, 3].reduce(
          (sum, k) => sum + u[tets[tet * 4 + k] * 3 + Math.floor(q / 3)] * slopes[tet][k * 3 + (q % 3)],
          0,
        ),
      );
    const strain = Array.from({ length: tetCount }, (_, tet) => of(tet));
    const mean = Array.from({ length: vertexCount }, () => new Float64Array(9));
    strain.forEach((e, tet) => {
      for (let k = 0; k < 4; k++) {
        const v = tets[tet * 4 + k];
        for (let q = 0; q < 9; q++) mean[v][q] += (volumes[tet] / 4 / own[v]) * e[q];
      }
    });
    const out = new Float64Array(u.length);
    strain.forEach((e, tet) => {
      const corners = [0, 1, 2, 3].map((k) => mean[tets[tet * 4 + k]]);
      const at = (q: number, share: number) =>
        (1 - share) * e[q] + share * corners.reduce((sum, m) => sum + m[q] / 4, 0);
      const trace = at(0, volume) + at(4, volume) + at(8, volume);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const shear = mu[tet] * (at(i * 3 + j, shape) + at(j * 3 + i, shape));
          const stress = volumes[tet] * (shear + (i === j ? lambda[tet] * trace : 0));
          for (let k = 0; k < 4; k++) out[tets[tet * 4 + k] * 3 + i] += stress * slopes[tet][k * 3 + j];
        }
      }
    });
    return out;
  };
}

/** Displacements under forces, pinned vertices at rest. */
export function smoothedDisplacement(model: Model, forces: ArrayLike<number>, shape: number, volume: number) {
  const multiply = smoothedForces(model, shape, volume);
  const u = new Float64Array(forces.length);
  const r = Float64Array.from(forces, (f, i) => (model.pinned[Math.floor(i / 3)] ? 0 : f));
  const p = r.slice();
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  let square = dot(r, r);
  for (const least = 1e-10 * square; square > least; ) {
    const q = multiply(p).map((x, i) => (model.pinned[Math.floor(i / 3)] ? 0 : x));
    const step = square / dot(p, q);
    for (let i = 0; i < u.length; i++) {
      u[i] += step * p[i];
      r[i] -= step * q[i];
    }
    const next = dot(r, r);
    for (let i = 0; i < p.length; i++) p[i] = r[i] + (next / square) * p[i];
    square = next;
  }
  return u;
}
