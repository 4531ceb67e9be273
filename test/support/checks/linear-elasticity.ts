/** Small-strain elasticity of a model's tets by conjugate gradients: an independent solution for statics. */
import type { Model } from '../../../src/body/model.js';

/** Displacements that balance the forces (3 per vertex), pinned vertices held: σ = 2με + λ tr ε, no rotations. */
export function linearDisplacement(model: Model, forces: ArrayLike<number>): Float64Array {
  const n = model.vertexCount * 3;
  const free = Float64Array.from({ length: n }, (_, i) => (model.pinned[Math.floor(i / 3)] ? 0 : 1));
  const u = new Float64Array(n);
  const r = free.map((f, i) => f * forces[i]);
  const p = r.slice();
  let square = dot(r, r);
  const goal = square * 1e-20;
  for (let iteration = 0; iteration < 10 * n && square > goal; iteration++) {
    const kp = stiffnessTimes(model, p);
    for (let i = 0; i < n; i++) kp[i] *= free[i];
    const step = square / dot(p, kp);
    for (let i = 0; i < n; i++) {
      u[i] += step * p[i];
      r[i] -= step * kp[i];
    }
    const next = dot(r, r);
    for (let i = 0; i < n; i++) p[i] = r[i] + (next / square) * p[i];
    square = next;
  }
  return u;
}

function stiffnessTimes(model: Model, u: Float64Array): Float64Array {
  const out = new Float64Array(u.length);
  const gradient = new Float64Array(9);
  for (let tet = 0; tet < model.tetCount; tet++) {
    const b = tet * 9;
    const corner = [0, 1, 2, 3].map((k) => model.tets[tet * 4 + k] * 3);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += (u[corner[k + 1] + i] - u[corner[0] + i]) * model.inverseRest[b + k * 3 + j];
        gradient[i * 3 + j] = sum;
      }
    }
    const pressure = model.lambda[tet] * (gradient[0] + gradient[4] + gradient[8]);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) {
        let force = 0;
        for (let j = 0; j < 3; j++) {
          const stress = model.mu[tet] * (gradient[i * 3 + j] + gradient[j * 3 + i]) + (i === j ? pressure : 0);
          force += stress * model.inverseRest[b + k * 3 + j];
        }
        out[corner[k + 1] + i] += model.volumes[tet] * force;
        out[corner[0] + i] -= model.volumes[tet] * force;
      }
    }
  }
  return out;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
