/**
 * Less locking: strains that tets share through their vertices. A mesh of linear tets bends too stiffly when it is coarse, and the more so the less
 * its volume may change, because every tet must strain evenly by itself. Here most of the energy of shape and all of that of volume is taken from the mean
 * deformation around each vertex instead,
 *
 *     F_a = Σ_e V_ea F_e / V_a          E_a = V_a ( s ψ_μ(F_a) + ψ_λ(F_a) )          V_a = Σ_e V_ea
 *
 * with the material's energies of shape and volume, over the tets e around vertex a; the tets keep the other 1 − s of shape, without which patterns that cancel around
 * a vertex would cost nothing. A tet's volume is shared evenly among its corners that are free to move: a mean around one that is held is a demand that nobody
 * can meet there. Each material has means of its own, because strains jump where materials meet.
 *
 * Even strains, and so materials, are as before; nodal averages of the volume are [Bonet1998]'s. The constant matrix stays: means are no stiffer than what they
 * are of. Measured in docs/decisions/0015 and 0064. Packed for the kernels by packed-means.ts, where the option `smoothed` asks for it.
 */
import type { Model } from '../../body/model.js';
import type { NodalMeans } from '../../kernels/nodal-groups.js';
import type { Layout } from './layout.js';
import { cornerGradients } from './system.js';

/** Share s of the energy of shape that the vertices have; the tets have the rest. */
export const NODAL_SHAPE = 0.75;

/** What is around one vertex, of one material. */
interface Surroundings {
  readonly vertex: number;
  /** V_a [m³], and the Lamé parameters [Pa]. */
  volume: number;
  readonly mu: number;
  readonly lambda: number;
  /** Σ V_ea times the gradient of each vertex's shape function, by vertex. */
  readonly weights: Map<number, number[]>;
}

/** The means of neo-Hookean tets, or those of the others. `rowOfVertex`: row of each vertex that can move or is carried. */
export function nodalMeans(model: Model, layout: Layout, rowOfVertex: Int32Array, neoHookean: boolean): NodalMeans {
  const around = gather(model, layout, neoHookean);
  const used = [...around.values()].sort((a, b) => rowOfVertex[a.vertex] - rowOfVertex[b.vertex] || a.mu - b.mu);
  const start = [0];
  const entryRows: number[] = [];
  const gradients: number[] = [];
  for (const { vertex, volume, weights } of used) {
    for (const other of [...weights.keys()].sort((a, b) => rowOfVertex[a] - rowOfVertex[b])) {
      // positions are measured from the vertex's own
      if (other === vertex) continue;
      entryRows.push(rowOfVertex[other]);
      for (const value of weights.get(other)!) gradients.push(value / volume);
    }
    start.push(entryRows.length);
  }
  return {
    rows: Int32Array.from(used, ({ vertex }) => rowOfVertex[vertex]),
    start: Int32Array.from(start),
    entryRows: Int32Array.from(entryRows),
    gradients: Float64Array.from(gradients),
    shearStiffness: Float64Array.from(used, ({ mu, volume }) => (neoHookean ? 1 : 2) * NODAL_SHAPE * mu * volume),
    // a neo-Hookean lambda counts from its mu on [Smith2018]
    bulkStiffness: Float64Array.from(
      used,
      ({ mu, lambda, volume }) => (lambda + (neoHookean ? NODAL_SHAPE * mu : 0)) * volume,
    ),
  };
}

/** What is around each vertex of the tets of one family, by vertex and material. */
function gather(model: Model, { tets, fleshOfVertex }: Layout, neoHookean: boolean): Map<string, Surroundings> {
  const around = new Map<string, Surroundings>();
  const gradient = new Float64Array(12);
  for (const tet of tets) {
    if ((model.neoHookean[tet] === 1) !== neoHookean) continue;
    cornerGradients(model, tet, gradient);
    const corners = model.tets.subarray(tet * 4, tet * 4 + 4);
    const free = corners.filter((vertex) => fleshOfVertex[vertex] >= 0);
    const sharing = free.length > 0 ? free : corners;
    const share = model.volumes[tet] / sharing.length;
    const [mu, lambda] = [model.mu[tet], model.lambda[tet]];
    for (const vertex of sharing) {
      const key = `${vertex} ${mu} ${lambda}`;
      const one = around.get(key) ?? { vertex, volume: 0, mu, lambda, weights: new Map<number, number[]>() };
      around.set(key, one);
      one.volume += share;
      for (let b = 0; b < 4; b++) {
        const sum = one.weights.get(corners[b]) ?? [0, 0, 0];
        one.weights.set(corners[b], sum);
        for (let k = 0; k < 3; k++) sum[k] += share * gradient[b * 3 + k];
      }
    }
  }
  return around;
}
