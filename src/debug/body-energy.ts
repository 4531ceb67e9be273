/** Elastic energy of a body, tet by tet as the solver's specification has it: exact, and too slow for every frame. */
import type { Model } from '../body/model.js';
import { elasticEnergy } from '../kernels/reference/local-tets.js';
import { localNeoHookean } from '../kernels/reference/neo-hookean.js';
import type { TetElements } from '../kernels/tet-groups.js';

/** Energy of one body; tets wholly inside a bone have none. */
export class BodyEnergy {
  readonly #corotated: TetElements;
  readonly #neoHookean: TetElements;
  readonly #rows: Float64Array;
  readonly #unused: Float64Array;

  constructor(model: Model) {
    this.#corotated = pick(model, false);
    this.#neoHookean = pick(model, true);
    this.#rows = new Float64Array(model.vertexCount * 4);
    this.#unused = new Float64Array(model.vertexCount * 4);
  }

  measure(positions: Float64Array): number {
    for (let v = 0; v * 3 < positions.length; v++) {
      for (let k = 0; k < 3; k++) this.#rows[v * 4 + k] = positions[v * 3 + k];
    }
    return elasticEnergy(this.#corotated, this.#rows) + localNeoHookean(this.#neoHookean, this.#rows, this.#unused);
  }
}

/** The tets of one of the two families, with the stiffness its specification asks for. */
function pick(model: Model, neoHookean: boolean): TetElements {
  const { tets, bones, volumes, mu, lambda, inverseRest } = model;
  const chosen: number[] = [];
  for (let tet = 0; tet < model.tetCount; tet++) {
    const bone = bones.ofVertex[tets[tet * 4]];
    const rigid = bone >= 0 && [1, 2, 3].every((k) => bones.ofVertex[tets[tet * 4 + k]] === bone);
    if (!rigid && (model.neoHookean[tet] === 1) === neoHookean) chosen.push(tet);
  }
  const gather = (from: ArrayLike<number>, count: number) =>
    Float64Array.from(
      { length: chosen.length * count },
      (_, i) => from[chosen[Math.floor(i / count)] * count + (i % count)],
    );
  return {
    corners: gather(tets, 4),
    inverseRest: gather(inverseRest, 9),
    shearStiffness: Float64Array.from(chosen, (tet) => (neoHookean ? 1 : 2) * mu[tet] * volumes[tet]),
    // a neo-Hookean lambda counts from mu on [Smith2018]
    bulkStiffness: Float64Array.from(chosen, (tet) => (lambda[tet] + (neoHookean ? mu[tet] : 0)) * volumes[tet]),
  };
}
