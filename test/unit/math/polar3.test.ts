/**
 * The rotation of the polar decomposition: against exact arithmetic, and the Newton iteration. V35's bulk cases for
 * `polarRotation` are in svd3.test.ts, where both run on the same matrices.
 */

import { describe, expect, it } from 'vitest';
import { POLAR_SCRATCH_LENGTH, polarNewton, polarRotation } from '../../../src/math/polar3.js';
import { mat3ToQuat, multiplyQuat, quatToMat3 } from '../../../src/math/quat.js';
import { createRandom } from '../../../src/math/random.js';
import { axisAngleQuat } from '../../../src/math/rotation.js';
import { svd3 } from '../../../src/math/svd3.js';
import { exactDeterminant, maxDifference, randomIntegers, randomWithSingularValues } from './support.js';

const f = new Float64Array(9);
const r = new Float64Array(9);
const truth = new Float64Array(9);
const q = new Float64Array(4);
const turn = new Float64Array(4);
const axis = new Float64Array(3);
const s = new Float64Array(3);
const u = new Float64Array(9);
const v = new Float64Array(9);
const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

/**
 * The orthogonal factor of a whole-number matrix with 300 bits after the point: X <- (X + X^-T) / 2 [Higham1986] in
 * fixed-point BigInt arithmetic, until nothing changes. For det F > 0 that is the closest rotation.
 */
function exactPolar(integers: ArrayLike<number>): Float64Array {
  const bits = 300n;
  let x = Array.from(integers, (entry) => BigInt(entry) << bits);
  for (let iteration = 0; iteration < 200; iteration++) {
    const [a, b, c, d, e, g, h, i, j] = x;
    const cofactors = [e * j - g * i, g * h - d * j, d * i - e * h];
    cofactors.push(c * i - b * j, a * j - c * h, b * h - a * i);
    cofactors.push(b * g - c * e, c * d - a * g, a * e - b * d);
    const determinant = a * cofactors[0] + b * cofactors[1] + c * cofactors[2];
    const next = x.map((entry, k) => (entry + (cofactors[k] << (2n * bits)) / determinant) / 2n);
    const settled = next.every((entry, k) => (entry > x[k] ? entry - x[k] : x[k] - entry) < 1n << 100n);
    x = next;
    // 2^-200 is far below what a double can show.
    if (settled) return Float64Array.from(x, (entry) => Number(entry) / Number(1n << bits));
  }
  throw new Error('the exact iteration did not settle');
}

describe('polarRotation against exact arithmetic', () => {
  it('agrees for 500 whole-number matrices as far as their condition allows', () => {
    const random = createRandom(31);
    let worst = 0;
    for (let n = 0; n < 500; n++) {
      do {
        randomIntegers(f, random, n % 2 === 0 ? 1000 : 5);
        if (n % 4 < 2) for (let c = 0; c < 3; c++) f[6 + c] = f[c] + 2 * f[3 + c] + (c === n % 3 ? 1 : 0);
      } while (exactDeterminant(f) <= 0n);
      expect(polarRotation(r, 0, f, 0, scratch, 0)).toBe(true);
      svd3(u, 0, s, 0, v, 0, f, 0);
      // The condition number of the rotation is s0 / (s1 + s2) [Higham1986]; times a few roundings (measured 5e-16).
      const condition = s[0] / (s[1] + s[2]);
      worst = Math.max(worst, maxDifference(r, exactPolar(f)) / condition);
    }
    expect(worst).toBeLessThanOrEqual(2e-15);
  });

  it('returns the rotation it was built from, for stretched and for inverted matrices', () => {
    const random = createRandom(32);
    let worst = 0;
    for (let n = 0; n < 50_000; n++) {
      const last = random.range(0.01, 0.9);
      const sign = n % 2 === 0 ? 1 : -1;
      randomWithSingularValues(f, random, random.range(1, 3), 1, last * sign, truth);
      polarRotation(r, 0, f, 0, scratch, 0);
      worst = Math.max(worst, maxDifference(r, truth) * (1 + last * sign));
    }
    // About ten roundings in building F, up to 3 of size, over s1 + s2 (multiplied out above).
    expect(worst).toBeLessThanOrEqual(1e-14);
  });
});

describe('polarNewton', () => {
  /** q = the true rotation turned by `angle` about a random axis; f has the singular values given. */
  function startNear(random: ReturnType<typeof createRandom>, angle: number, inverted: boolean): void {
    const last = inverted ? -random.range(0, 0.3) : random.range(0.5, 1);
    randomWithSingularValues(f, random, random.range(1, 2), random.range(0.7, 1), last, truth);
    mat3ToQuat(q, 0, truth, 0);
    random.unitVector(axis, 0);
    axisAngleQuat(turn, 0, axis, 0, angle);
    multiplyQuat(q, 0, q, 0, turn, 0);
  }

  function error(): number {
    quatToMat3(r, 0, q, 0);
    return maxDifference(r, truth);
  }

  it.each([
    ['stretched', false],
    ['inverted', true],
  ])('converges with the third power from 0.1 rad: %s', (_, inverted) => {
    const random = createRandom(33);
    let refused = 0;
    let afterTwo = 0;
    let afterThree = 0;
    let cubic = 0;
    for (let n = 0; n < 20_000; n++) {
      startNear(random, 0.1, inverted);
      if (!polarNewton(q, 0, f, 0)) refused++;
      cubic = Math.max(cubic, error() / 0.1 ** 3);
      if (!polarNewton(q, 0, f, 0)) refused++;
      afterTwo = Math.max(afterTwo, error());
      if (!polarNewton(q, 0, f, 0)) refused++;
      afterThree = Math.max(afterThree, error());
    }
    expect(refused).toBe(0);
    // About a principal axis the step is w = tan e, which the Cayley map turns into 2 atan(w / 2) = e + e^3 / 4: one
    // iteration leaves e^3 / 4. About other axes that can grow by the condition s0 / (s1 + s2), here up to 1.7 and 5.
    const constant = 0.25 * (inverted ? 5 : 1.7);
    expect(cubic).toBeLessThanOrEqual(constant);
    // C (C e0^3)^3 is 3e-11 and 2e-9: two iterations are exact to f32, 6e-8.
    expect(afterTwo).toBeLessThanOrEqual(constant * (constant * 0.1 ** 3) ** 3);
    // What is left is rounding: that of building F, times the condition.
    expect(afterThree).toBeLessThanOrEqual(inverted ? 2e-14 : 5e-15);
  });

  it('stays at the solution', () => {
    const random = createRandom(34);
    let refused = 0;
    let worst = 0;
    for (let n = 0; n < 10_000; n++) {
      startNear(random, 0, false);
      if (!polarNewton(q, 0, f, 0)) refused++;
      worst = Math.max(worst, error());
    }
    expect(refused).toBe(0);
    // The rounding of building F, of the conversion to a quaternion and back.
    expect(worst).toBeLessThanOrEqual(5e-15);
  });

  it('never settles on a wrong rotation from a cold start: it is right or it refuses', () => {
    const random = createRandom(35);
    let settled = 0;
    let wrong = 0;
    for (let n = 0; n < 50_000; n++) {
      startNear(random, 0, n % 4 === 0);
      random.unitQuaternion(q, 0);
      let ok = true;
      for (let iteration = 0; iteration < 12 && ok; iteration++) ok = polarNewton(q, 0, f, 0);
      if (!ok) continue;
      settled++;
      if (error() > 1e-12) wrong++;
    }
    expect(wrong).toBe(0);
    // It must be of use, too: 6 % of all random rotations are within 60 degrees, (60 deg - sin 60 deg) / pi, and from
    // there it ought to succeed.
    expect(settled).toBeGreaterThan(0.05 * 50_000);
  });

  it('refuses, and leaves q alone, where H is not positive definite or something is not finite', () => {
    const cases: number[][] = [
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [-1, 0, 0, 0, -1, 0, 0, 0, -1],
      // Half a turn away from the solution: a stationary point that is no maximum.
      [-1, 0, 0, 0, -2, 0, 0, 0, 3],
      // s1 + s2 = 0: every turn about x is equally good.
      [2, 0, 0, 0, 1, 0, 0, 0, -1],
      [1, 0, 0, 0, 0, 0, 0, 0, 0],
      [Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1],
      [1, 0, 0, 0, 1, Number.POSITIVE_INFINITY, 0, 0, 1],
    ];
    for (const matrix of cases) {
      q.set([0, 0, 0, 1]);
      expect(polarNewton(q, 0, matrix, 0), String(matrix)).toBe(false);
      expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    }
    q.set([Number.NaN, 0, 0, 1]);
    expect(polarNewton(q, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1], 0)).toBe(false);
  });
});
