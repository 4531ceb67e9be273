/** The kernels over rows against their specification: the same bits wherever both round at the same places. */
import { describe, expect, it } from 'vitest';
import type { KernelTable } from '../../src/kernels/kernel-table.js';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import * as reference from '../../src/kernels/reference/rows.js';
import { createRandom } from '../../src/math/random.js';

/** More than two chunks of a reduction, the last one not full. */
const ROWS = 2500;
const CHUNKS = Math.ceil(ROWS / reference.CHUNK_ROWS);

async function instantiate(plan: MemoryPlan): Promise<KernelTable> {
  const memory = plan.allocate();
  return instantiateKernels(await compileKernels(false), memory);
}

/** Random rows whose pad is zero, of very different sizes. */
function fillRows(rows: Float32Array | Float64Array, seed: number, size = 1): void {
  const random = createRandom(seed);
  for (let at = 0; at < rows.length; at++) {
    rows[at] = at % 4 === 3 ? 0 : random.range(-size, size) * (random.integer(8) === 0 ? 1e-6 : 1);
  }
}

/** Ranges that cover `count`, cut in a few ways. */
function cuts(count: number): number[][] {
  const odd = Math.min(7, count);
  return [
    [0, count],
    [0, odd, count],
    [0, odd, odd, Math.floor(count / 2), count - 1, count],
  ];
}

describe('kernel moveRows', () => {
  it('gives the bits of the specification, however the rows are cut', async () => {
    const plan = new MemoryPlan();
    const x = plan.f64(4 * ROWS);
    const increment = plan.f32(4 * ROWS);
    const target = plan.f64(4 * ROWS);
    const weights = plan.f64(ROWS);
    const origin = plan.f64(3);
    const x32 = plan.f32(4 * ROWS);
    const residual = plan.f32(4 * ROWS);
    const kernels = await instantiate(plan);
    for (const bounds of cuts(ROWS)) {
      fillRows(x.view, 1, 100);
      fillRows(increment.view, 2, 1e-3);
      fillRows(target.view, 3, 100);
      const random = createRandom(4);
      for (let row = 0; row < ROWS; row++) weights.view[row] = random.range(0.01, 1e4);
      origin.view.set([12.25, -3.5, 99.125]);
      const rows = {
        x: x.view.slice(),
        increment: increment.view.slice(),
        target: target.view.slice(),
        weights: weights.view.slice(),
        origin: origin.view.slice(),
        x32: new Float32Array(4 * ROWS),
        residual: new Float32Array(4 * ROWS),
      };
      reference.moveRows(0, ROWS, rows);
      x32.view.fill(Number.NaN);
      residual.view.fill(Number.NaN);
      for (let piece = 0; piece + 1 < bounds.length; piece++) {
        kernels.moveRows(
          bounds[piece],
          bounds[piece + 1],
          x.address,
          increment.address,
          target.address,
          weights.address,
          origin.address,
          x32.address,
          residual.address,
        );
      }
      expect(x.view).toEqual(rows.x);
      expect(x32.view).toEqual(rows.x32);
      expect(residual.view).toEqual(rows.residual);
    }
  });

  it('moves only the rows of its range', async () => {
    const plan = new MemoryPlan();
    const [x, target] = [plan.f64(40), plan.f64(40)];
    const [increment, x32, residual] = [plan.f32(40), plan.f32(40), plan.f32(40)];
    const [weights, origin] = [plan.f64(10), plan.f64(3)];
    const kernels = await instantiate(plan);
    increment.view.fill(1);
    kernels.moveRows(
      3,
      5,
      x.address,
      increment.address,
      target.address,
      weights.address,
      origin.address,
      x32.address,
      residual.address,
    );
    for (let row = 0; row < 10; row++) expect(x.view[4 * row]).toBe(row === 3 || row === 4 ? 1 : 0);
  });
});

describe('kernel sumCopies', () => {
  it.each([
    [0, true],
    [1, false],
    [3, true],
    [4, false],
  ])('sums %s copies in order, accumulate %s: the bits of the specification', async (parts, accumulate) => {
    const plan = new MemoryPlan();
    const out = plan.f32(4 * ROWS);
    const copies = plan.f32(4 * ROWS * Math.max(1, parts));
    const kernels = await instantiate(plan);
    for (const bounds of cuts(ROWS)) {
      fillRows(out.view, 5);
      fillRows(copies.view, 6);
      const expected = out.view.slice();
      const expectedCopies = copies.view.slice();
      reference.sumCopies(0, ROWS, expected, expectedCopies, parts, 4 * ROWS, accumulate);
      for (let piece = 0; piece + 1 < bounds.length; piece++) {
        const [first, last] = [bounds[piece], bounds[piece + 1]];
        kernels.sumCopies(first, last, out.address, copies.address, parts, 16 * ROWS, accumulate ? 1 : 0);
      }
      expect(out.view).toEqual(expected);
      expect(copies.view).toEqual(expectedCopies);
      if (parts > 0) expect(copies.view.every((value) => value === 0)).toBe(true);
    }
  });
});

describe('kernel addScaledRows', () => {
  it('is the specification, with the product rounded to f32 as well', async () => {
    const plan = new MemoryPlan();
    const y = plan.f32(4 * ROWS);
    const x = plan.f32(4 * ROWS);
    const kernels = await instantiate(plan);
    fillRows(x.view, 8);
    for (const scale of [0, 1, -1, 0.1, 1e-3, 1e6]) {
      fillRows(y.view, 7);
      const before = y.view.slice();
      const expected = Float64Array.from(y.view);
      reference.addScaledRows(5, ROWS - 5, expected, Math.fround(scale), x.view);
      kernels.addScaledRows(5, ROWS - 5, y.address, scale, x.address);
      for (let at = 0; at < y.view.length; at++) {
        // Two roundings of 2^-24: of the product and of the sum.
        const size = Math.abs(Math.fround(scale) * x.view[at]) + Math.abs(expected[at]);
        expect(Math.abs(y.view[at] - expected[at])).toBeLessThanOrEqual(size * 2 ** -24);
        if (at < 20 || at >= 4 * (ROWS - 5)) expect(y.view[at]).toBe(before[at]);
      }
    }
  });
});

describe('kernel dotRows', () => {
  it('gives the bits of the specification, however the chunks are cut', async () => {
    const plan = new MemoryPlan();
    const a = plan.f32(4 * ROWS);
    const b = plan.f32(4 * ROWS);
    const out = plan.f64(CHUNKS);
    const kernels = await instantiate(plan);
    fillRows(a.view, 9, 1e3);
    fillRows(b.view, 10);
    const expected = new Float64Array(CHUNKS);
    reference.dotRows(0, CHUNKS, ROWS, a.view, b.view, expected);
    for (const bounds of [
      [0, CHUNKS],
      [0, 1, CHUNKS],
      [0, 1, 2, CHUNKS],
    ]) {
      out.view.fill(Number.NaN);
      // last piece first: the order of the pieces does not matter either
      for (let piece = bounds.length - 2; piece >= 0; piece--) {
        kernels.dotRows(bounds[piece], bounds[piece + 1], ROWS, a.address, b.address, out.address);
      }
      expect(out.view).toEqual(expected);
    }
    let plain = 0;
    let size = 0;
    for (let at = 0; at < 4 * ROWS; at++) {
      plain += a.view[at] * b.view[at];
      size += Math.abs(a.view[at] * b.view[at]);
    }
    // a product and at most fifteen additions of 2^-24 each within a block of sixteen rows; beyond it f64 loses next to nothing
    expect(Math.abs(expected[0] + expected[1] + expected[2] - plain)).toBeLessThanOrEqual(size * 17 * 2 ** -24);
  });
});
