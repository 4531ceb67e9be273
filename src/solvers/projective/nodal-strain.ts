/**
 * Less locking: strains that tets share through their vertices. A mesh of linear tets bends too stiffly when it is coarse, and the more so the less
 * its volume may change, because every tet must strain evenly by itself. Here half of the energy of shape and all of that of volume is taken from the mean
 * deformation around each vertex instead,
 *
 *     F_a = Σ_e V_e/4 F_e / V_a = Σ_b x_b g_abᵀ        E_a = V_a ( ½ μ |F_a − R_a|² + λ/2 (tr R_aᵀF_a − 3)² )
 *
 * over the tets e around vertex a, and the tets keep the other half of |F − R|², without which patterns that cancel around a vertex would cost nothing.
 * Even strains, and so materials, are as before; nodal averages of the volume are [Bonet1998]'s. The constant matrix stays: means are no stiffer than what they
 * are of. Measured in docs/decisions/0015. Called by flesh-rows.ts after the local step, where the option `smoothed` asks for it.
 */
import type { Model } from '../../body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';
import { cornerGradients } from './system.js';

/** Share of the energy of shape that the vertices have; the tets have the rest. */
export const NODAL_SHAPE = 0.5;

/** Mean deformations around the vertices of one model. */
export class NodalStrain {
  readonly #count: number;
  /** count+1 offsets into `rows` and `gradients`: the vertices that each mean depends on. */
  readonly #start: Int32Array;
  readonly #rows: Int32Array;
  /** g_ab, 3 per entry [1/m]. */
  readonly #gradients: Float64Array;
  /** Shares of 2 μ V and of λ V [J]. */
  readonly #shape: Float64Array;
  readonly #bulk: Float64Array;
  readonly #f = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  /** `rowOfVertex`: row of each vertex that can move or is carried. Neo-Hookean tets keep to themselves. */
  constructor(model: Model, layout: Layout, rowOfVertex: Int32Array) {
    const around = gather(model, layout);
    const used = [...around.keys()].sort((a, b) => a - b);
    this.#count = used.length;
    this.#start = new Int32Array(used.length + 1);
    this.#shape = new Float64Array(used.length);
    this.#bulk = new Float64Array(used.length);
    const rows: number[] = [];
    const gradients: number[] = [];
    used.forEach((vertex, node) => {
      const { volume, shape, bulk, weights } = around.get(vertex)!;
      this.#shape[node] = shape;
      this.#bulk[node] = bulk;
      for (const other of [...weights.keys()].sort((a, b) => a - b)) {
        rows.push(rowOfVertex[other]);
        for (const value of weights.get(other)!) gradients.push(value / volume);
      }
      this.#start[node + 1] = rows.length;
    });
    this.#rows = Int32Array.from(rows);
    this.#gradients = Float64Array.from(gradients);
  }

  /** Adds the forces at the current positions to the right-hand side `y` (rows of 4), and to that of carried vertices [N]. */
  addForces({ x32, carriedRow, carriedForce }: FleshRows, y: Float32Array): void {
    const carried = carriedForce.view;
    for (let node = 0; node < this.#count; node++) {
      const strain = this.#deform(node, x32.view);
      const f = this.#f;
      for (let i = 0; i < 9; i++) {
        f[i] = this.#shape[node] * (f[i] - this.#rotation[i]) + this.#bulk[node] * strain * this.#rotation[i];
      }
      for (let n = this.#start[node]; n < this.#start[node + 1]; n++) {
        const row = this.#rows[n];
        const out = row < carriedRow ? y : carried;
        const at = (row < carriedRow ? row : row - carriedRow) * 4;
        for (let k = 0; k < 3; k++) {
          out[at + k] -=
            f[k * 3] * this.#gradients[n * 3] +
            f[k * 3 + 1] * this.#gradients[n * 3 + 1] +
            f[k * 3 + 2] * this.#gradients[n * 3 + 2];
        }
      }
    }
  }

  /** Energy at the current positions [J]. */
  energy({ x32 }: FleshRows): number {
    let sum = 0;
    for (let node = 0; node < this.#count; node++) {
      const strain = this.#deform(node, x32.view);
      let square = 0;
      for (let i = 0; i < 9; i++) square += (this.#f[i] - this.#rotation[i]) * (this.#f[i] - this.#rotation[i]);
      sum += 0.5 * (this.#shape[node] * square + this.#bulk[node] * strain * strain);
    }
    return sum;
  }

  /** Mean deformation around a vertex and its rotation; returns tr RᵀF − 3. */
  #deform(node: number, x: Float32Array): number {
    const f = this.#f.fill(0);
    for (let n = this.#start[node]; n < this.#start[node + 1]; n++) {
      const row = this.#rows[n] * 4;
      for (let k = 0; k < 3; k++) {
        for (let p = 0; p < 3; p++) f[k * 3 + p] += x[row + k] * this.#gradients[n * 3 + p];
      }
    }
    polarRotation(this.#rotation, 0, f, 0, this.#scratch, 0);
    let trace = -3;
    for (let i = 0; i < 9; i++) trace += this.#rotation[i] * f[i];
    return trace;
  }
}

interface Surroundings {
  volume: number;
  shape: number;
  bulk: number;
  /** Σ V/4 times the gradient of each vertex's shape function, by vertex. */
  readonly weights: Map<number, number[]>;
}

/** What is around each vertex of the tets that share their strains. */
function gather(model: Model, { tets }: Layout): Map<number, Surroundings> {
  const around = new Map<number, Surroundings>();
  const gradient = new Float64Array(12);
  for (const tet of tets) {
    if (model.neoHookean[tet]) continue;
    cornerGradients(model, tet, gradient);
    const share = model.volumes[tet] / 4;
    for (let a = 0; a < 4; a++) {
      const vertex = model.tets[tet * 4 + a];
      const one = around.get(vertex) ?? { volume: 0, shape: 0, bulk: 0, weights: new Map() };
      around.set(vertex, one);
      one.volume += share;
      one.shape += 2 * NODAL_SHAPE * model.mu[tet] * share;
      one.bulk += model.lambda[tet] * share;
      for (let b = 0; b < 4; b++) {
        const other = model.tets[tet * 4 + b];
        const sum = one.weights.get(other) ?? [0, 0, 0];
        one.weights.set(other, sum);
        for (let k = 0; k < 3; k++) sum[k] += share * gradient[b * 3 + k];
      }
    }
  }
  return around;
}
