/** Memory that is not allowed is refused before the matrix is factored, the longest part of building a large body. */
import { expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ConstantMatrix } from '../../../src/solvers/projective/constant-matrix.js';
import { layOut } from '../../../src/solvers/projective/layout.js';
import { buildFleshBar, STIFF } from '../../support/models/bodies.js';

it('a factor without room is not made', () => {
  const model = buildModel(buildFleshBar({ cells: [8, 2, 2], cell: 0.1, layers: 2, material: STIFF }));
  // no matrix with this inertia has a factor: whoever tries to make it says so
  const make = (limit: number) =>
    new ConstantMatrix(new MemoryPlan(limit), model, layOut(model), { inertia: -1e9, divided: false });
  expect(() => make(2 ** 30)).toThrow(expect.objectContaining({ code: 'E_NOT_POSITIVE_DEFINITE' }));
  expect(() => make(4096)).toThrow(expect.objectContaining({ code: 'E_MEM_LIMIT' }));
});
