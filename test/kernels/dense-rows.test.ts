/** The kernel `denseRows` against its f64 specification. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { denseRows } from '../../src/kernels/reference/dense-rows.js';
import { createRandom } from '../../src/math/random.js';

it.each([1, 2, 7, 98])('denseRows multiplies %d rows as the specification does, however they are cut', async (size) => {
  const plan = new MemoryPlan();
  const table = plan.f32(size * size);
  const x = plan.f32(size * 4);
  const y = plan.f32(size * 4);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const random = createRandom(size);
  for (const array of [table.view, x.view]) for (let i = 0; i < array.length; i++) array[i] = random.range(-1, 1);
  const wanted = new Float64Array(size * 4);
  denseRows(table.view, size, x.view, wanted);
  kernels.denseRows(0, size, table.address, size, x.address, y.address);
  // size additions of numbers below one, in f32
  y.view.forEach((value, i) => {
    expect(Math.abs(value - wanted[i])).toBeLessThan(size * 1.2e-7);
  });
  const whole = y.view.slice();
  y.view.fill(0);
  kernels.denseRows(0, size >> 1, table.address, size, x.address, y.address);
  kernels.denseRows(size >> 1, size, table.address, size, x.address, y.address);
  expect(y.view).toEqual(whole);
});
