/** The kernels of the acceleration against their specification: sums to f32 within blocks, everything else to the rounding of a few terms. */
import { describe, expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan, type Slot } from '../../src/kernels/memory.js';
import * as reference from '../../src/kernels/reference/mix.js';
import { createRandom } from '../../src/math/random.js';

const ROWS = 517;
const COUNT = 3;

async function rig() {
  const plan = new MemoryPlan();
  const vectors = Array.from({ length: 8 }, () => plan.f32(4 * ROWS));
  const list = plan.i32(COUNT);
  const shares = plan.f32(COUNT);
  const out = plan.f64(COUNT);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const random = createRandom(7);
  for (const { view } of vectors) for (let i = 0; i < view.length; i++) view[i] = i % 4 === 3 ? 0 : random.range(-1, 1);
  for (let i = 0; i < COUNT; i++) shares.view[i] = random.range(-2, 2);
  const listed = (slots: Slot<Float32Array>[]) => {
    slots.forEach((slot, i) => {
      list.view[i] = slot.address;
    });
    return list.address;
  };
  return { vectors, shares, out, kernels, listed };
}

describe('kernel dotOthers', () => {
  it.each([
    [0, ROWS, 0],
    [3, 200, 1],
  ])('rows %i to %i, accumulate %i', async (first, last, accumulate) => {
    const { vectors, out, kernels, listed } = await rig();
    const [a, kept, ...others] = vectors.slice(0, 2 + COUNT);
    const expected = Float64Array.from(kept.view);
    const dots = reference.dotOthers(
      first,
      last,
      a.view,
      expected,
      accumulate === 1,
      others.map(({ view }) => view),
    );
    kernels.dotOthers(first, last, a.address, kept.address, accumulate, listed(others), COUNT, out.address);
    dots.forEach((dot, i) => {
      // 64 terms of size one per f32 sum
      expect(Math.abs(out.view[i] - dot)).toBeLessThan(1e-5 * Math.sqrt(ROWS));
    });
    for (let i = 0; i < expected.length; i++) expect(kept.view[i]).toBe(Math.fround(expected[i]));
  });
});

describe('kernel mixRows', () => {
  it.each([
    [0, ROWS, 0],
    [5, 300, 1],
  ])('rows %i to %i, apart %i: the newest end counts among the others', async (first, last, apart) => {
    const { vectors, shares, out, kernels, listed } = await rig();
    const [move, mixed, force, next, y, ...others] = vectors;
    const wide = vectors.map(({ view }) => Float64Array.from(view));
    const rows = {
      move: wide[0],
      mixed: wide[1],
      force: wide[2],
      next: wide[3],
      y: wide[4],
      newest: wide[6],
      others: wide.slice(5),
      shares: Array.from(shares.view),
    };
    const work = reference.mixRows(first, last, rows, apart === 1);
    const addresses = [move, mixed, force].map(({ address }) => address) as [number, number, number];
    const list = listed(others);
    kernels.mixRows(
      first,
      last,
      ...addresses,
      others[1].address,
      list,
      shares.address,
      COUNT,
      next.address,
      y.address,
      apart,
      out.address,
    );
    expect(Math.abs(out.view[0] - work)).toBeLessThan(1e-4 * Math.sqrt(ROWS));
    vectors.forEach(({ view }, n) => {
      for (let i = 0; i < view.length; i++) expect(Math.abs(view[i] - wide[n][i])).toBeLessThan(2e-6);
    });
  });
});
