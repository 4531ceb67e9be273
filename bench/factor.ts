/** Ordering, analysis and factorisation of a body's matrix, first call and best of several. */
import type { BodyDef } from '../src/body/body-def.js';
import { buildModel } from '../src/body/model.js';
import { factor, refactor } from '../src/linalg/cholesky.js';
import { orderAmd } from '../src/linalg/order/amd.js';
import { buildSupernodes } from '../src/linalg/supernodes.js';
import { layOut } from '../src/solvers/projective/layout.js';
import { assembleSystem, setInertia } from '../src/solvers/projective/system.js';
import { time } from './stats.js';

const RUNS = 15;

/** Prints one block for a body without its bones. */
export function benchFactor(body: BodyDef): void {
  const model = buildModel({ ...body, bones: [], joints: [] });
  const system = assembleSystem(model, layOut(model));
  setInertia(system, 1 / 0.033 ** 2);
  const { matrix } = system;
  const first = { order: 0, analyse: 0, factor: 0 };
  const began = performance.now();
  const order = orderAmd(matrix);
  first.order = performance.now() - began;
  const structure = buildSupernodes(matrix, order, 0, 4);
  first.analyse = performance.now() - began - first.order;
  const result = factor(structure, matrix);
  first.factor = performance.now() - began - first.order - first.analyse;
  const ordering = time(() => orderAmd(matrix), RUNS);
  const analysis = time(() => buildSupernodes(matrix, order, 0, 4), RUNS);
  const factoring = time(() => refactor(result, matrix), RUNS);
  const cold = first.order + first.analyse + first.factor;
  const warm = ordering.min + analysis.min + factoring.min;
  console.log(
    `factor ${body.name}: ${model.vertexCount} vertices, ${model.tetCount} tets, nnz(L) ${structure.entries}`,
  );
  console.log('                 first call      min   median  [ms]');
  for (const [label, once, many] of [
    ['order', first.order, ordering],
    ['analyse', first.analyse, analysis],
    ['factor', first.factor, factoring],
  ] as const) {
    const cells = [once, many.min, many.median].map((ms) => ms.toFixed(1).padStart(8));
    console.log(`  ${label.padEnd(12)} ${cells[0].padStart(12)} ${cells[1]} ${cells[2]}`);
  }
  console.log(`  all          ${cold.toFixed(1).padStart(12)} ${warm.toFixed(1).padStart(8)}\n`);
}
