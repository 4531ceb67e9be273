/**
 * V35 for the singular value decomposition and the rotation of the polar decomposition.
 *
 * Oracles, none of which uses the code under test:
 * - matrices built from known rotations and known singular values (Weyl: an error d in F moves them by at most |d|);
 * - whole-number matrices, whose characteristic polynomial is evaluated exactly with BigInt;
 * - von Neumann: the largest tr(Q^T F) over all rotations is s0 + s1 + s2 with the sign of det F on s2, so a rotation
 *   that reaches it is a closest one, even where there are several;
 * - subnormal matrices against the same whole numbers at an ordinary scale.
 *
 * Tolerances: 1e-14 and 1e-13 are those of V35 (measured: rotations 1.6e-15, reconstruction 1.2e-15). 1e-14 of s0 for
 * values and traces: the built F carries about ten roundings of 1.1e-16, and so does the answer (measured: values
 * 1.8e-15, traces 3.2e-15). Where the values are not known beforehand, the orthonormality and the reconstruction
 * determine them.
 */

import { describe, expect, it } from 'vitest';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../src/math/polar3.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { svd3 } from '../../src/math/svd3.js';
import {
  compose,
  exactDeterminant,
  IDENTITY,
  maxDifference,
  randomIntegers,
  randomWithSingularValues,
  rotationError,
} from '../unit/math/support.js';

const f = new Float64Array(9);
const u = new Float64Array(9);
const s = new Float64Array(3);
const v = new Float64Array(9);
const r = new Float64Array(9);
const again = new Float64Array(9);
const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
const known = new Float64Array(3);

/** The smallest number above zero: results below 2^-1022 are whole multiples of it. */
const QUANTUM = Number.MIN_VALUE;

interface Worst {
  refused: number;
  rotation: number;
  polarRotation: number;
  reconstruction: number;
  unsorted: number;
  trace: number;
  values: number;
}

/** tr(R^T F) in parts of s0, summed so that it cannot overflow. */
function relativeTrace(): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += r[k] * (f[k] / s[0]);
  return sum;
}

/** Decomposes `count` matrices from `make`, which fills `f` and, when it knows them, the singular values `known`. */
function measure(count: number, seed: number, valuesKnown: boolean, make: (random: Random, n: number) => void): Worst {
  const random = createRandom(seed);
  const worst = { refused: 0, rotation: 0, polarRotation: 0, reconstruction: 0, unsorted: 0, trace: 0, values: 0 };
  for (let n = 0; n < count; n++) {
    make(random, n);
    const ok = svd3(u, 0, s, 0, v, 0, f, 0);
    const polarOk = polarRotation(r, 0, f, 0, scratch, 0);
    if (!ok || !polarOk) worst.refused++;
    // Math.max keeps a NaN, so one bad result among a million still fails the assertion.
    worst.rotation = Math.max(worst.rotation, rotationError(u), rotationError(v));
    worst.polarRotation = Math.max(worst.polarRotation, rotationError(r));
    if (!(s[0] >= s[1] && s[1] >= Math.abs(s[2]))) worst.unsorted++;
    const expected = valuesKnown ? known : s;
    compose(again, u, s[0], s[1], s[2], v);
    // Each of the three products of an entry, and each singular value, is rounded to whole quanta.
    const quanta = s[0] < 1e-290 ? 8 * QUANTUM : 0;
    const size = s[0] > 0 ? s[0] : 1;
    worst.reconstruction = Math.max(worst.reconstruction, (maxDifference(again, f) - quanta) / size);
    for (let k = 0; k < 3; k++) {
      worst.values = Math.max(worst.values, (Math.abs(s[k] - expected[k]) - quanta) / size);
    }
    if (s[0] > 1e-290) {
      const best = (expected[0] + expected[1] + expected[2]) / s[0];
      worst.trace = Math.max(worst.trace, Math.abs(relativeTrace() - best));
    }
  }
  return worst;
}

function expectV35(worst: Worst): void {
  expect(worst.refused).toBe(0);
  expect(worst.unsorted).toBe(0);
  expect(worst.rotation).toBeLessThanOrEqual(1e-14);
  expect(worst.polarRotation).toBeLessThanOrEqual(1e-14);
  expect(worst.reconstruction).toBeLessThanOrEqual(1e-13);
  expect(worst.values).toBeLessThanOrEqual(1e-14);
  expect(worst.trace).toBeLessThanOrEqual(1e-14);
}

/** f = L diag P^T with the values given, which become the known ones. */
function build(random: Random, s0: number, s1: number, s2: number): void {
  known[0] = s0;
  known[1] = s1;
  known[2] = s2;
  randomWithSingularValues(f, random, s0, s1, s2);
}

function fillUniform(random: Random, scale: number): void {
  for (let k = 0; k < 9; k++) f[k] = random.range(-1, 1) * scale;
}

describe('svd3 and polarRotation (V35)', () => {
  it('holds for a million random matrices', () => {
    expectV35(measure(1_000_000, 1, false, (random) => fillUniform(random, 1)));
  });

  it('holds for rank 1: outer products of whole numbers, so the rank is exact', () => {
    expectV35(
      measure(100_000, 2, true, (random) => {
        const a = [0, 0, 0].map(() => random.integer(199) - 99);
        const b = [0, 0, 0].map(() => random.integer(199) - 99);
        for (let k = 0; k < 9; k++) f[k] = a[Math.floor(k / 3)] * b[k % 3];
        known.fill(0);
        known[0] = Math.sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
      }),
    );
  });

  it('holds for rank 2: sums of two whole-number outer products; the last value is zero to rounding', () => {
    let worstLast = 0;
    expectV35(
      measure(100_000, 3, false, (random, n) => {
        // The previous matrix's result is still in s.
        if (n > 0) worstLast = Math.max(worstLast, Math.abs(s[2]) / s[0]);
        const [a, b, c, d] = [0, 0, 0, 0].map(() => [0, 0, 0].map(() => random.integer(199) - 99));
        for (let k = 0; k < 9; k++) f[k] = a[Math.floor(k / 3)] * b[k % 3] + c[Math.floor(k / 3)] * d[k % 3];
      }),
    );
    expect(worstLast).toBeLessThanOrEqual(1e-15);
  });

  it('holds for rank 2 with known singular values', () => {
    expectV35(measure(100_000, 4, true, (random) => build(random, random.range(1, 2), random.range(0.001, 1), 0)));
  });

  it('gives the identity for 100 000 zero matrices with zeros of either sign', () => {
    const worst = measure(100_000, 5, true, (random) => {
      known.fill(0);
      for (let k = 0; k < 9; k++) f[k] = random.next() < 0.5 ? 0 : -0;
    });
    expectV35(worst);
    expect(Array.from(u)).toEqual(IDENTITY);
    expect(Array.from(v)).toEqual(IDENTITY);
    expect(Array.from(r)).toEqual(IDENTITY);
    expect(Array.from(s)).toEqual([0, 0, 0]);
  });

  it('holds for repeated singular values, exactly equal and equal to rounding', () => {
    expectV35(
      measure(100_000, 6, true, (random, n) => {
        const a = random.range(1, 2);
        const b = random.range(0.1, 1);
        if (n % 5 === 0) build(random, a, a, a);
        else if (n % 5 === 1) build(random, a, a, b);
        else if (n % 5 === 2) build(random, a, b, b);
        else if (n % 5 === 3) build(random, a, b, -b);
        else build(random, a, a * (1 - 1e-15), a * (1 - 2e-15));
      }),
    );
    for (const values of [
      [2, 2, 2],
      [3, 3, 1],
      [3, 1, -1],
      [1, 1, -1],
    ]) {
      compose(f, IDENTITY, values[0], values[1], values[2], IDENTITY);
      expect(svd3(u, 0, s, 0, v, 0, f, 0)).toBe(true);
      expect(Array.from(s)).toEqual(values);
    }
  });

  it('holds for inverted matrices; only the last singular value is negative', () => {
    let positive = 0;
    expectV35(
      measure(100_000, 7, true, (random, n) => {
        if (n > 0 && !(s[2] < 0)) positive++;
        const a = random.range(1, 2);
        const b = random.range(0.1, 1);
        build(random, a, b, -b * random.range(0.001, 1));
      }),
    );
    expect(positive).toBe(0);
  });

  it('holds for condition numbers up to 1e30', () => {
    const powers = Array.from({ length: 31 }, (_, n) => Number(`1e-${n}`));
    expectV35(
      measure(100_000, 8, true, (random, n) => {
        const b = powers[n % 31];
        build(random, 1, b, b * powers[(n * 7) % 31] * (n % 2 === 0 ? 1 : -1));
      }),
    );
  });

  it.each([1e150, 1e-150])('holds for matrices scaled by %s', (scale) => {
    expectV35(measure(100_000, 9, false, (random) => fillUniform(random, scale)));
  });

  it('holds for rows and columns scaled by up to 1e+-150 each', () => {
    const powers = [1e-150, 1e-100, 1e-50, 1e-16, 1, 1e16, 1e50, 1e100, 1e150];
    expectV35(
      measure(100_000, 10, false, (random) => {
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

  it('holds for subnormal matrices, with the very U and V of the same whole numbers at an ordinary scale', () => {
    const ordinary = new Float64Array(9);
    const u1 = new Float64Array(9);
    const s1 = new Float64Array(3);
    const v1 = new Float64Array(9);
    let otherRotations = 0;
    let worstQuanta = 0;
    const compareLast = () => {
      svd3(u1, 0, s1, 0, v1, 0, ordinary, 0);
      if (maxDifference(u, u1) !== 0 || maxDifference(v, v1) !== 0) otherRotations++;
      for (let k = 0; k < 3; k++) worstQuanta = Math.max(worstQuanta, Math.abs(s[k] / QUANTUM - s1[k]));
    };
    expectV35(
      measure(100_000, 11, false, (random, n) => {
        if (n > 0) compareLast();
        // From a few quanta, where the singular values themselves have two digits, to the whole subnormal range.
        randomIntegers(ordinary, random, n % 3 === 0 ? 9 : n % 3 === 1 ? 1000 : 1_000_000_000);
        if (ordinary.every((x) => x === 0)) ordinary[4] = 1;
        for (let k = 0; k < 9; k++) f[k] = ordinary[k] * QUANTUM;
      }),
    );
    compareLast();
    expect(otherRotations).toBe(0);
    // Rounding to whole quanta: half a quantum at most.
    expect(worstQuanta).toBeLessThanOrEqual(0.5);
  });

  it('does not change but for exponents when the matrix is multiplied by a power of two', () => {
    const random = createRandom(12);
    const scaled = new Float64Array(9);
    const t = new Float64Array(3);
    let different = 0;
    for (let exponent = -900; exponent <= 900; exponent++) {
      const factor = 2 ** exponent;
      fillUniform(random, 1);
      for (let k = 0; k < 9; k++) scaled[k] = f[k] * factor;
      svd3(u, 0, s, 0, v, 0, f, 0);
      svd3(again, 0, t, 0, r, 0, scaled, 0);
      for (let k = 0; k < 9; k++) if (u[k] !== again[k] || v[k] !== r[k]) different++;
      for (let k = 0; k < 3; k++) if (s[k] * factor !== t[k]) different++;
    }
    expect(different).toBe(0);
  });

  it('allows u and f to be the same array, and any offsets', () => {
    const random = createRandom(13);
    const shared = new Float64Array(40);
    fillUniform(random, 1);
    svd3(u, 0, s, 0, v, 0, f, 0);
    shared.set(f, 5);
    svd3(shared, 5, shared, 14, shared, 20, shared, 5);
    expect(shared.subarray(5, 14)).toEqual(u);
    expect(shared.subarray(14, 17)).toEqual(s);
    expect(shared.subarray(20, 29)).toEqual(v);
  });

  it('flags NaN and infinity in every entry and does not spread them', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (let mask = 1; mask < 512; mask++) {
        for (let k = 0; k < 9; k++) f[k] = (mask >> k) & 1 ? bad : k - 3.5;
        u.fill(Number.NaN);
        v.fill(Number.NaN);
        s.fill(Number.NaN);
        r.fill(Number.NaN);
        expect(svd3(u, 0, s, 0, v, 0, f, 0)).toBe(false);
        expect(polarRotation(r, 0, f, 0, scratch, 0)).toBe(false);
        expect(Array.from(u)).toEqual(IDENTITY);
        expect(Array.from(v)).toEqual(IDENTITY);
        expect(Array.from(s)).toEqual([0, 0, 0]);
        expect(Array.from(r)).toEqual(IDENTITY);
      }
    }
  });

  it('decomposes the largest numbers, and flags singular values that overflow', () => {
    f.fill(Number.MAX_VALUE / 4);
    expect(svd3(u, 0, s, 0, v, 0, f, 0)).toBe(true);
    // All entries equal to a: the singular values are 3a, 0, 0.
    expect(Math.abs(s[0] / (Number.MAX_VALUE / 4) - 3)).toBeLessThanOrEqual(1e-14);
    f.fill(Number.MAX_VALUE);
    expect(svd3(u, 0, s, 0, v, 0, f, 0)).toBe(false);
    expect(Array.from(s)).toEqual([0, 0, 0]);
    expect(Array.from(u)).toEqual(IDENTITY);
  });
});

describe('svd3 against exact arithmetic', () => {
  /** p(x / 2^80), times 2^480, for p(s) = det(F^T F - s^2 I): its sign changes at each simple singular value. */
  function characteristic(c1: bigint, c2: bigint, c3: bigint, x: bigint): bigint {
    const square = x * x;
    return ((square - (c1 << 160n)) * square + (c2 << 320n)) * square - (c3 << 480n);
  }

  /** x 2^80 as a whole number; exact for |x| >= 2^-28, where the last bit of x is at least 2^-80. */
  function toFixed80(x: number): bigint {
    return BigInt(Math.round(x * 2 ** 80));
  }

  it('encloses each singular value of 1000 whole-number matrices within 2e-15 of the largest', () => {
    const random = createRandom(21);
    let proven = 0;
    let rightSign = 0;
    for (let n = 0; n < 1000; n++) {
      randomIntegers(f, random, n % 2 === 0 ? 1000 : 5);
      // Half of them: the third row is nearly a combination of the others, which makes the last value small.
      if (n % 4 < 2) for (let c = 0; c < 3; c++) f[6 + c] = f[c] + 2 * f[3 + c] + (c === n % 3 ? 1 : 0);
      const determinant = exactDeterminant(f);
      // The coefficients of the characteristic polynomial of F^T F: the squares of all entries, of all 2x2 minors, and
      // of the determinant (Cauchy-Binet).
      const m = Array.from(f, BigInt);
      let c1 = 0n;
      for (const entry of m) c1 += entry * entry;
      let c2 = 0n;
      for (const [p, q] of [
        [0, 3],
        [0, 6],
        [3, 6],
      ]) {
        for (const [a, b] of [
          [0, 1],
          [0, 2],
          [1, 2],
        ]) {
          const minor = m[p + a] * m[q + b] - m[p + b] * m[q + a];
          c2 += minor * minor;
        }
      }
      const c3 = determinant * determinant;
      expect(svd3(u, 0, s, 0, v, 0, f, 0)).toBe(true);
      const tolerance = 2e-15 * s[0];
      const last = Math.abs(s[2]);
      const sortedApart = s[0] - s[1] > 2 * tolerance && s[1] - last > 2 * tolerance;
      let enclosed = 0;
      for (const value of [s[0], s[1], last]) {
        const low = characteristic(c1, c2, c3, toFixed80(Math.max(0, value - tolerance)));
        const high = characteristic(c1, c2, c3, toFixed80(value + tolerance));
        if (low <= 0n !== high <= 0n) enclosed++;
      }
      // Three disjoint intervals, one sign change in each: those are the three singular values.
      if (sortedApart && (enclosed === 3 || (determinant === 0n && enclosed >= 2 && last <= tolerance))) proven++;
      const sign = s[2] > 0 ? 1n : -1n;
      if (determinant === 0n ? last <= tolerance : determinant * sign > 0n) rightSign++;
    }
    expect(proven).toBe(1000);
    expect(rightSign).toBe(1000);
  });
});
