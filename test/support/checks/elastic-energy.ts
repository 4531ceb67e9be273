/** Elastic energy of a body of one material family, in f64 by the kernels' specification. */
import { elasticEnergy } from '../../../src/kernels/reference/local-tets.js';
import { localNeoHookean } from '../../../src/kernels/reference/neo-hookean.js';
import type { TetElements } from '../../../src/kernels/tet-groups.js';
import type { Single } from './measure.js';

/** Energy at the present positions [J]; the material of the first tet counts for all. */
export function elasticEnergyOf({ model, state }: Pick<Single, 'model' | 'state'>): number {
  const { volumes, mu, lambda } = model;
  const neoHookean = model.neoHookean[0] === 1;
  const tets: TetElements = {
    corners: model.tets,
    inverseRest: model.inverseRest,
    shearStiffness: mu.map((value, tet) => (neoHookean ? 1 : 2) * value * volumes[tet]),
    bulkStiffness: lambda.map((value, tet) => (value + (neoHookean ? mu[tet] : 0)) * volumes[tet]),
  };
  const rows = new Float64Array(model.vertexCount * 4);
  for (let v = 0; v < model.vertexCount; v++) rows.set(state.positions.subarray(v * 3, v * 3 + 3), v * 4);
  return neoHookean ? localNeoHookean(tets, rows, new Float64Array(rows.length)) : elasticEnergy(tets, rows);
}
