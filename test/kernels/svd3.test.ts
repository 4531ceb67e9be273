/**
 * V35 for the compiled singular value decomposition, and its agreement, bit for bit, with src/math/svd3.ts: both are the
 * same sequence of operations.
 *
 * Tolerances 1e-14 (rotations) and 1e-13 of s0 (reconstruction) are those of V35.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { KernelTable } from '../../src/kernels/kernel-table.js';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../src/math/polar3.js';
import { quatToMat3 } from '../../src/math/quat.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { svd3 } from '../../src/math/svd3.js';
import { compose, IDENTITY, randomIntegers, randomWithSingularValues, rotationError } from '../unit/math/support.js';

const f = new Float64Array(9);
const u = new Float64Array(9);
const s = new Float64Array(3);
const v = new Float64Array(9);
const again = new Float64Array(9);
const mathU = new Float64Array(9);
const mathS = new Float64Array(3);
const mathV = new Float64Array(9);

/** Results below 2^-1022 are whole multiples of this. */
const QUANTUM = Number.MIN_VALUE;

let kernels: KernelTable;
let work: Float64Array;
let workAddress: number;
let matrix32: Float32Array;
let matrixAddress: number;
let quaternion32: Float32Array;
let quaternionAddress: number;

beforeAll(async () => {
  const plan = new MemoryPlan();
  const workSlot = plan.f64(30);
  const matrixSlot = plan.f32(36);
  const quaternionSlot = plan.f32(16);
  const memory = plan.allocate();
  kernels = instantiateKernels(await compileKernels(false), memory);
  work = workSlot.view;
  workAddress = workSlot.address;
  matrix32 = matrixSlot.view;
  matrixAddress = matrixSlot.address;
  quaternion32 = quaternionSlot.view;
  quaternionAddress = quaternionSlot.address;
});

/** Decomposes `f` with the kernel into u, s, v. */
function decompose(): boolean {
  work.fill(Number.NaN);
  work.set(f);
  const ok = kernels.svd3(workAddress) !== 0;
  u.set(work.subarray(0, 9));
  v.set(work.subarray(9, 18));
  s.set(work.subarray(18, 21));
  return ok;
}

interface Worst {
  refused: number;
  rotation: number;
  reconstruction: number;
  unsorted: number;
  /** Numbers that are not the ones of src/math/svd3. */
  different: number;
}

function measure(count: number, seed: number, make: (random: Random, n: number) => void): Worst {
  const random = createRandom(seed);
  const worst = { refused: 0, rotation: 0, reconstruction: 0, unsorted: 0, different: 0 };
  for (let n = 0; n < count; n++) {
    make(random, n);
    if (!decompose()) worst.refused++;
    // Math.max keeps a NaN, so one bad result among many still fails the assertion.
    worst.rotation = Math.max(worst.rotation, rotationError(u), rotationError(v));
    if (!(s[0] >= s[1] && s[1] >= Math.abs(s[2]))) worst.unsorted++;
    compose(again, u, s[0], s[1], s[2], v);
    svd3(mathU, 0, mathS, 0, mathV, 0, f, 0);
    for (let k = 0; k < 9; k++) if (!Object.is(u[k], mathU[k]) || !Object.is(v[k], mathV[k])) worst.different++;
    for (let k = 0; k < 3; k++) if (!Object.is(s[k], mathS[k])) worst.different++;
    if (s[0] === 0) {
      worst.reconstruction = Math.max(worst.reconstruction, ...again.map(Math.abs));
      continue;
    }
    for (let k = 0; k < 9; k++) {
      // Each of the three products of an entry, and each singular value, is rounded to whole quanta.
      const error = Math.max(0, Math.abs(again[k] - f[k]) - 4 * QUANTUM);
      worst.reconstruction = Math.max(worst.reconstruction, error / s[0]);
    }
  }
  return worst;
}

function expectV35(worst: Worst): void {
  if (process.env.TENDON_REPORT) console.log(expect.getState().currentTestName, JSON.stringify(worst));
  expect(worst.refused).toBe(0);
  expect(worst.unsorted).toBe(0);
  expect(worst.rotation).toBeLessThanOrEqual(1e-14);
  expect(worst.reconstruction).toBeLessThanOrEqual(1e-13);
  expect(worst.different).toBe(0);
}

function fillUniform(random: Random, scale: number): void {
  for (let k = 0; k < 9; k++) f[k] = random.range(-1, 1) * scale;
}

describe('kernel svd3 (V35)', () => {
  it('holds for 200 000 random matrices', () => {
    expectV35(measure(200_000, 1, (random) => fillUniform(random, 1)));
  });

  it('holds for rank 1, exact and built', () => {
    expectV35(
      measure(20_000, 2, (random, n) => {
        const a = [0, 0, 0].map(() => random.integer(199) - 99);
        const b = [0, 0, 0].map(() => random.integer(199) - 99);
        if (n % 2 === 0) for (let k = 0; k < 9; k++) f[k] = a[Math.floor(k / 3)] * b[k % 3];
        else randomWithSingularValues(f, random, random.range(1, 2), 0, 0);
      }),
    );
  });

  it('holds for rank 2, exact and built', () => {
    expectV35(
      measure(20_000, 3, (random, n) => {
        if (n % 2 === 0) {
          randomIntegers(f, random, 99);
          for (let k = 0; k < 3; k++) f[6 + k] = f[k] - 2 * f[3 + k];
        } else randomWithSingularValues(f, random, random.range(1, 2), random.range(0.001, 1), 0);
      }),
    );
  });

  it('gives the identity for 20 000 zero matrices with zeros of either sign', () => {
    expectV35(
      measure(20_000, 4, (random) => {
        for (let k = 0; k < 9; k++) f[k] = random.next() < 0.5 ? 0 : -0;
      }),
    );
    expect(Array.from(u)).toEqual(IDENTITY);
    expect(Array.from(v)).toEqual(IDENTITY);
    expect(Array.from(s)).toEqual([0, 0, 0]);
  });

  it('holds for repeated singular values', () => {
    expectV35(
      measure(20_000, 5, (random, n) => {
        const a = random.range(1, 2);
        const b = random.range(0.1, 1);
        if (n % 5 === 0) randomWithSingularValues(f, random, a, a, a);
        else if (n % 5 === 1) randomWithSingularValues(f, random, a, a, b);
        else if (n % 5 === 2) randomWithSingularValues(f, random, a, b, b);
        else if (n % 5 === 3) randomWithSingularValues(f, random, a, b, -b);
        else randomWithSingularValues(f, random, a, a * (1 - 1e-15), a * (1 - 2e-15));
      }),
    );
  });

  it('holds for inverted matrices; only the last singular value is negative', () => {
    let positive = 0;
    expectV35(
      measure(20_000, 6, (random, n) => {
        if (n > 0 && !(s[2] < 0)) positive++;
        const b = random.range(0.1, 1);
        randomWithSingularValues(f, random, random.range(1, 2), b, -b * random.range(0.001, 1));
      }),
    );
    expect(positive).toBe(0);
  });

  it('holds for condition numbers up to 1e30', () => {
    const powers = Array.from({ length: 31 }, (_, n) => Number(`1e-${n}`));
    expectV35(
      measure(20_000, 7, (random, n) => {
        const b = powers[n % 31];
        randomWithSingularValues(f, random, 1, b, b * powers[(n * 7) % 31] * (n % 2 === 0 ? 1 : -1));
      }),
    );
  });

  it.each([1e150, 1e-150])('holds for matrices scaled by %s', (scale) => {
    expectV35(measure(20_000, 8, (random) => fillUniform(random, scale)));
  });

  it('holds for rows and columns scaled by up to 1e+-150 each', () => {
    const powers = [1e-150, 1e-100, 1e-50, 1e-16, 1, 1e16, 1e50, 1e100, 1e150];
    expectV35(
      measure(20_000, 9, (random) => {
        fillUniform(random, 1);
        for (let k = 0; k < 3; k++) {
          const row = powers[random.integer(9)];
          const column = powers[random.integer(9)];
          for (let c = 0; c < 3; c++) {
            f[3 * k + c] *= row;
            f[3 * c + k] *= column;
          }
        }
      }),
    );
  });

  it('holds for subnormal matrices', () => {
    expectV35(
      measure(20_000, 10, (random, n) => {
        randomIntegers(f, random, n % 3 === 0 ? 9 : n % 3 === 1 ? 1000 : 1_000_000_000);
        if (f.every((x) => x === 0)) f[4] = 1;
        for (let k = 0; k < 9; k++) f[k] *= QUANTUM;
      }),
    );
  });

  it('flags NaN and infinity in every combination of entries and does not spread them', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (let mask = 1; mask < 512; mask++) {
        for (let k = 0; k < 9; k++) f[k] = (mask >> k) & 1 ? bad : k - 3.5;
        expect(decompose()).toBe(false);
        expect(Array.from(u)).toEqual(IDENTITY);
        expect(Array.from(v)).toEqual(IDENTITY);
        expect(Array.from(s)).toEqual([0, 0, 0]);
      }
    }
  });

  it('decomposes the largest numbers, and flags singular values that overflow', () => {
    f.fill(Number.MAX_VALUE / 4);
    expect(decompose()).toBe(true);
    expect(Math.abs(s[0] / (Number.MAX_VALUE / 4) - 3)).toBeLessThanOrEqual(1e-14);
    f.fill(Number.MAX_VALUE);
    expect(decompose()).toBe(false);
    expect(Array.from(s)).toEqual([0, 0, 0]);
    expect(Array.from(u)).toEqual(IDENTITY);
  });
});

describe('kernel rotationBySvd', () => {
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  const expected = new Float64Array(9);
  const found = new Float64Array(9);
  const q = new Float64Array(4);

  /** Runs the kernel on the f32 matrix in `f` (rounded here); `found` is its rotation matrix. */
  function rotate(): void {
    for (let k = 0; k < 9; k++) {
      matrix32[4 * k] = f[k];
      f[k] = matrix32[4 * k];
    }
    kernels.rotationBySvd(matrixAddress, quaternionAddress, workAddress);
    // w, x, y, z every fourth float; src/math has x, y, z, w
    for (let k = 0; k < 4; k++) q[(k + 3) % 4] = quaternion32[4 * k];
    quatToMat3(found, 0, q, 0);
  }

  it('is the rotation of src/math/polar3, to the rounding of a quaternion to f32', () => {
    const random = createRandom(31);
    let worst = 0;
    let worstUnit = 0;
    for (let n = 0; n < 50_000; n++) {
      const last = random.range(-0.2, 0.3);
      if (n % 2 === 0) randomWithSingularValues(f, random, random.range(1, 3), random.range(0.4, 1), last);
      else for (let k = 0; k < 9; k++) f[k] = random.range(-1, 1);
      rotate();
      expect(polarRotation(expected, 0, f, 0, scratch, 0)).toBe(true);
      // A random matrix may have s1 = -s2, where the closest rotation is not unique; errors are 1 / (s1 + s2) there.
      const gap = (scratch[19] + scratch[20]) / scratch[18];
      if (gap < 1e-6) continue;
      for (let k = 0; k < 9; k++) worst = Math.max(worst, Math.abs(found[k] - expected[k]));
      worstUnit = Math.max(worstUnit, Math.abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1));
    }
    if (process.env.TENDON_REPORT) console.log('rotationBySvd', worst, worstUnit);
    // Four components rounded by 2^-25 each (half a unit of numbers below 1) enter R twice; the f64 part adds 1e-9.
    expect(worst).toBeLessThanOrEqual(8 * 2 ** -25);
    expect(worstUnit).toBeLessThanOrEqual(8 * 2 ** -25);
  });

  it('is exact for the quarter and half turns about the axes', () => {
    const turns = [
      [IDENTITY, [1, 0, 0, 0]],
      [
        [1, 0, 0, 0, -1, 0, 0, 0, -1],
        [0, 1, 0, 0],
      ],
      [
        [-1, 0, 0, 0, 1, 0, 0, 0, -1],
        [0, 0, 1, 0],
      ],
      [
        [-1, 0, 0, 0, -1, 0, 0, 0, 1],
        [0, 0, 0, 1],
      ],
      [
        [0, 0, 1, 1, 0, 0, 0, 1, 0],
        [0.5, 0.5, 0.5, 0.5],
      ],
    ] as const;
    for (const [matrix, quaternion] of turns) {
      f.set(matrix);
      rotate();
      const sign = quaternion.find((x, k) => x !== 0 && quaternion32[4 * k] < 0) === undefined ? 1 : -1;
      for (let k = 0; k < 4; k++)
        expect(Math.abs(sign * quaternion32[4 * k] - quaternion[k])).toBeLessThanOrEqual(1e-7);
    }
  });

  it('gives a unit quaternion for zero, flat and non-finite matrices; the identity where nothing is known', () => {
    for (const entry of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
      f.fill(entry);
      rotate();
      expect([0, 4, 8, 12].map((k) => quaternion32[k])).toEqual([1, 0, 0, 0]);
    }
    f.set([1, 2, 3, 2, 4, 6, -1, -2, -3]);
    rotate();
    // Rounded to f32 as above.
    expect(rotationError(found)).toBeLessThanOrEqual(24 * 2 ** -25);
  });
});
