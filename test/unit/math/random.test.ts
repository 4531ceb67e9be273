/** Seeded random numbers: the published sequence, pinned values, and rough statistics with bounds of five deviations. */

import { describe, expect, it } from 'vitest';
import { TendonError } from '../../../src/errors.js';
import { createRandom, nextXoshiro128 } from '../../../src/math/random.js';

/** From the seed 42: two of next, one of range(-1, 1), integer(1000) and normal. Scenes built from a seed stay the same. */
const PINNED = [0.6606157208001621, 0.1117019639532224, -0.8417887087710172, 186, -0.6359983278680749];

describe('nextXoshiro128', () => {
  it('gives the sequence of the reference implementation from the state 1, 2, 3, 4', () => {
    // As published in the tests of rand_xoshiro, made with xoshiro128starstar.c version 1.1.
    const state = Uint32Array.of(1, 2, 3, 4);
    const expected = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597];
    expect(expected.map(() => nextXoshiro128(state))).toEqual(expected);
  });
});

describe('createRandom', () => {
  it('is reproducible: pinned first numbers, equal streams for equal seeds, different for different ones', () => {
    const random = createRandom(42);
    expect([random.next(), random.next(), random.range(-1, 1), random.integer(1000), random.normal()]).toEqual(PINNED);
    const first = createRandom(7);
    const second = createRandom(7);
    const other = createRandom(8);
    const take = (stream: typeof first) => Array.from({ length: 100 }, () => stream.next());
    const numbers = take(first);
    expect(take(second)).toEqual(numbers);
    expect(take(other).filter((x) => numbers.includes(x))).toEqual([]);
  });

  it('is uniform in [0, 1): chi-squared over 100 bins, mean, and correlation of neighbours', () => {
    const random = createRandom(0);
    const count = 1_000_000;
    const bins = new Float64Array(100);
    let outside = 0;
    let sum = 0;
    let products = 0;
    let last = 0.5;
    for (let n = 0; n < count; n++) {
      const x = random.next();
      if (!(x >= 0 && x < 1)) outside++;
      bins[Math.floor(100 * x)]++;
      sum += x - 0.5;
      products += (x - 0.5) * (last - 0.5);
      last = x;
    }
    const chiSq = bins.reduce((total, bin) => total + (bin - count / 100) ** 2 / (count / 100), 0);
    expect(outside).toBe(0);
    // 99 degrees of freedom: mean 99, deviation sqrt(198) = 14.
    expect(Math.abs(chiSq - 99)).toBeLessThanOrEqual(5 * 14.1);
    // Deviations of the sums: sqrt(count / 12) and sqrt(count) / 12.
    expect(Math.abs(sum)).toBeLessThanOrEqual(5 * Math.sqrt(count / 12));
    expect(Math.abs(products)).toBeLessThanOrEqual((5 * Math.sqrt(count)) / 12);
  });

  it('gives whole numbers without bias, up to the full range', () => {
    const random = createRandom(1);
    const counts = new Float64Array(6);
    for (let n = 0; n < 600_000; n++) counts[random.integer(6)]++;
    // Each count has the deviation sqrt(600000 (1/6) (5/6)) = 289.
    for (const count of counts) expect(Math.abs(count - 100_000)).toBeLessThanOrEqual(5 * 289);
    expect(random.integer(1)).toBe(0);
    // Three quarters of 2^32: with a plain remainder the lowest third would be twice as frequent.
    let low = 0;
    for (let n = 0; n < 100_000; n++) if (random.integer(3_221_225_472) < 1_073_741_824) low++;
    expect(Math.abs(low - 100_000 / 3)).toBeLessThanOrEqual(5 * 149);
    const full = Array.from({ length: 1000 }, () => random.integer(4_294_967_296));
    expect(full.every((x) => Number.isInteger(x) && x >= 0 && x < 4_294_967_296)).toBe(true);
    expect(Math.max(...full)).toBeGreaterThan(4_000_000_000);
  });

  it('range stays inside and fills the interval', () => {
    const random = createRandom(2);
    const numbers = Array.from({ length: 10_000 }, () => random.range(-3, 5));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-3);
    expect(Math.max(...numbers)).toBeLessThan(5);
    // The chance that 10000 numbers miss the outer hundredth is 0.99^10000 = 2e-44.
    expect(Math.min(...numbers)).toBeLessThan(-2.92);
    expect(Math.max(...numbers)).toBeGreaterThan(4.92);
  });

  it('normal has mean 0, deviation 1 and the kurtosis 2.9 of twelve uniform numbers', () => {
    const random = createRandom(3);
    const count = 200_000;
    let first = 0;
    let second = 0;
    let fourth = 0;
    for (let n = 0; n < count; n++) {
      const x = random.normal();
      first += x / count;
      second += (x * x) / count;
      fourth += (x * x * x * x) / count;
    }
    // Deviations of the averages: 1, sqrt(1.9) and sqrt(96), the latter two roughly, over sqrt(count) = 447.
    expect(Math.abs(first)).toBeLessThanOrEqual(5 / 447);
    expect(Math.abs(second - 1)).toBeLessThanOrEqual((5 * 1.4) / 447);
    expect(Math.abs(fourth - 2.9)).toBeLessThanOrEqual((5 * 9.8) / 447);
  });

  it('unit vectors and quaternions have length 1 and no preferred direction', () => {
    const random = createRandom(4);
    const q = new Float64Array(4);
    const count = 100_000;
    for (const dimension of [3, 4]) {
      const mean = new Float64Array(4);
      const square = new Float64Array(4);
      let length = 0;
      for (let n = 0; n < count; n++) {
        q.fill(0);
        if (dimension === 3) random.unitVector(q, 0);
        else random.unitQuaternion(q, 0);
        length = Math.max(length, Math.abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1));
        for (let k = 0; k < dimension; k++) {
          mean[k] += q[k] / count;
          square[k] += (q[k] * q[k]) / count;
        }
      }
      // Four squares of rounded quotients.
      expect(length).toBeLessThanOrEqual(1e-15);
      for (let k = 0; k < dimension; k++) {
        // Deviations below 0.6 and 0.3, over sqrt(count) = 316.
        expect(Math.abs(mean[k])).toBeLessThanOrEqual((5 * 0.6) / 316);
        expect(Math.abs(square[k] - 1 / dimension)).toBeLessThanOrEqual((5 * 0.3) / 316);
      }
    }
  });

  it('refuses seeds and counts that make no sense', () => {
    for (const bad of [-1, 0.5, 4_294_967_296, Number.NaN]) expect(() => createRandom(bad)).toThrow(TendonError);
    const random = createRandom(0);
    for (const bad of [0, 1.5, -3, 4_294_967_297, Number.POSITIVE_INFINITY]) {
      expect(() => random.integer(bad)).toThrow(TendonError);
    }
  });
});
