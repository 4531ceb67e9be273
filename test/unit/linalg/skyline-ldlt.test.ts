/** Skyline LDLᵀ: against a dense elimination, redundant rows, and the same bits from the kernel. */
import { describe, expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { SkylineLdlt, SkylineRoom } from '../../../src/linalg/skyline-ldlt.js';
import { createRandom } from '../../../src/math/random.js';

const random = createRandom(5);

/** A saddle-point matrix: `bones` blocks of 6, each followed by 3 rows that tie it to the block before. */
function chainPattern(bones: number): Int32Array {
  const first: number[] = [];
  for (let bone = 0; bone < bones; bone++) {
    const start = bone * 9;
    const reach = Math.max(0, start - 9);
    for (let k = 0; k < 9; k++) first.push(k < 6 ? start : reach);
  }
  return Int32Array.from(first);
}

function fillChain(system: SkylineLdlt): void {
  const { size, first, origin, values } = system;
  for (let i = 0; i < size; i++) {
    for (let j = first[i]; j <= i; j++) {
      const joint = i % 9 >= 6;
      const value = joint && j % 9 >= 6 ? 0 : random.range(-1, 1);
      values[origin[i] + j] = i === j && !joint ? 8 + value : value;
    }
  }
}

/** The matrix as a full symmetric one. */
function dense(system: SkylineLdlt): Float64Array {
  const { size, first, origin, values } = system;
  const full = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = first[i]; j <= i; j++) full[i * size + j] = full[j * size + i] = values[origin[i] + j];
  }
  return full;
}

describe('SkylineLdlt', () => {
  it.each([1, 2, 5, 20])('solves the saddle-point system of %i bones (residual of the full matrix)', (bones) => {
    const system = new SkylineLdlt(chainPattern(bones));
    fillChain(system);
    const matrix = dense(system);
    const { size } = system;
    const right = Float64Array.from({ length: size }, () => random.range(-1, 1));
    const x = right.slice();
    expect(system.factor()).toBe(0);
    system.solve(x);
    for (let i = 0; i < size; i++) {
      let sum = -right[i];
      for (let j = 0; j < size; j++) sum += matrix[i * size + j] * x[j];
      // backward stable to rounding times growth: entries up to 9, unknowns up to a few tens
      expect(Math.abs(sum)).toBeLessThan(1e-11);
    }
  });

  it('drops a row that repeats another, and solves the rest', () => {
    const system = new SkylineLdlt(new Int32Array(4));
    // two unknowns with unit stiffness, and the row (1, 1) twice
    system.values.set([1, 0, 1, 1, 1, 0, 1, 1, 0, 0]);
    expect(system.factor()).toBe(1);
    const x = Float64Array.of(1, 3, 0, 0);
    system.solve(x);
    // minimise ½|u − (1,3)|² with u0 + u1 = 0: u = (−1, 1), multiplier 2
    expect([...x].map((value) => Math.round(value * 1e12) / 1e12)).toEqual([-1, 1, 2, 0]);
  });

  // rows of all widths, so that two, four and single products at a time are all there; whole ones, as of bones that all feel each other; and ragged ones
  it.each([
    ['a chain', chainPattern(13)],
    ['rows that all begin at once', new Int32Array(89)],
    ['ragged rows', Int32Array.from({ length: 70 }, (_, row) => Math.min(row, (row * row * 7) % 23))],
  ])('has the same bits in the kernel: %s', async (_name, pattern) => {
    const here = new SkylineLdlt(pattern);
    const plan = new MemoryPlan();
    const room = new SkylineRoom(plan, pattern.length + 5);
    const memory = plan.allocate();
    room.kernels = instantiateKernels(await compileKernels(false), memory);
    const there = new SkylineLdlt(pattern, room);
    fillChain(here);
    there.values.set(here.values);
    expect(there.factor()).toBe(here.factor());
    expect(there.values).toEqual(here.values);
    const a = Float64Array.from(pattern, () => random.range(-1, 1));
    const b = a.slice();
    here.solve(a);
    there.solve(b);
    expect(b).toEqual(a);
    // half a solve at a time, of numbers that stand somewhere in an array and begin at the second bone
    const second = 6;
    const [c, d] = [here, there].map((system) => {
      const numbers = Float64Array.from({ length: pattern.length + 3 }, (_, i) => (i < 3 + second ? 0 : Math.sqrt(i)));
      system.forward(numbers, 3, second);
      const left = numbers.slice(3);
      system.backward(left);
      return [...numbers, ...left];
    });
    expect(d).toEqual(c);
    // six right-hand sides at once, from the third bone on: each is what it would be alone
    const from = 12;
    for (const system of [here, there]) {
      system.keep();
      system.six.fill(0);
      for (let i = from * 6; i < system.six.length; i++) system.six[i] = ((i * 37) % 101) / 50 - 1;
    }
    const alone = Float64Array.from(pattern, (_, row) => here.six[row * 6 + 4]);
    const aloneThere = alone.slice();
    here.solveKept(alone);
    there.solveKept(aloneThere);
    expect(aloneThere).toEqual(alone);
    here.solveSixKept(from);
    there.solveSixKept(from);
    expect(there.six).toEqual(here.six);
    pattern.forEach((_, row) => {
      expect(here.six[row * 6 + 4]).toBeCloseTo(alone[row], 9);
    });
  });
});
