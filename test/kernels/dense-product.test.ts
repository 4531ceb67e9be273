/** The kernel `denseProduct` against its specification, to the last bit. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { denseProduct } from '../../src/kernels/reference/dense-product.js';
import { createRandom } from '../../src/math/random.js';

it.each([
  [1, 1, 1],
  [4, 1, 6],
  [7, 3, 5],
  [54, 72, 72],
  [3, 2, 0],
])('denseProduct of %d rows and %d rows of %d numbers', async (rows, columns, inner) => {
  const plan = new MemoryPlan();
  const a = plan.f64(rows * inner);
  const b = plan.f64(columns * inner);
  const out = plan.f64(rows * columns);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const random = createRandom(rows + inner);
  for (const array of [a.view, b.view, out.view]) for (let i = 0; i < array.length; i++) array[i] = random.range(-1, 1);
  const wanted = new Float64Array(rows * columns);
  denseProduct(rows, columns, inner, a.view, b.view, wanted);
  kernels.denseProduct(rows, columns, inner, a.address, b.address, out.address);
  expect(out.view).toEqual(wanted);
});
