/** 3x3 matrices: against a plain triple loop on whole numbers, which is exact. */

import { describe, expect, it } from 'vitest';
import {
  addOuterMat3,
  addScaledMat3,
  copyMat3,
  crossMat3,
  determinantMat3,
  identityMat3,
  multiplyMat3Vec3,
  traceMat3,
  transposeMultiplyMat3Vec3,
} from '../../../src/math/mat3.js';
import { invertMat3 } from '../../../src/math/mat3-inverse.js';
import {
  exchangeColumnsMat3,
  multiplyMat3,
  multiplyTransposeMat3,
  rotateColumnsMat3,
  transposeMultiplyMat3,
} from '../../../src/math/mat3-product.js';
import { createRandom } from '../../../src/math/random.js';
import { crossVec3 } from '../../../src/math/vec3.js';
import { exactDeterminant, IDENTITY, maxDifference, randomIntegers, randomWithSingularValues } from './support.js';

const random = createRandom(51);
const a = new Float64Array(9);
const b = new Float64Array(9);
const out = new Float64Array(9);
randomIntegers(a, random, 9);
randomIntegers(b, random, 9);
const at = (m: ArrayLike<number>, r: number, c: number) => m[3 * r + c];

/** The matrix whose entry (r, c) is the sum over k of x(r, k) y(k, c). */
function product(x: (r: number, k: number) => number, y: (k: number, c: number) => number): number[] {
  return IDENTITY.map((_, n) => [0, 1, 2].reduce((sum, k) => sum + x(Math.floor(n / 3), k) * y(k, n % 3), 0));
}

describe('mat3', () => {
  it.each([
    [
      'A B',
      multiplyMat3,
      product(
        (r, k) => at(a, r, k),
        (k, c) => at(b, k, c),
      ),
    ],
    [
      'A^T B',
      transposeMultiplyMat3,
      product(
        (r, k) => at(a, k, r),
        (k, c) => at(b, k, c),
      ),
    ],
    [
      'A B^T',
      multiplyTransposeMat3,
      product(
        (r, k) => at(a, r, k),
        (k, c) => at(b, c, k),
      ),
    ],
  ])('%s equals the triple loop, also in place and at an offset', (_, multiply, expected) => {
    multiply(out, 0, a, 0, b, 0);
    expect(Array.from(out)).toEqual(expected);
    const inPlace = a.slice();
    multiply(inPlace, 0, inPlace, 0, b, 0);
    expect(Array.from(inPlace)).toEqual(expected);
    const joined = new Float64Array(29);
    joined.set(a, 1);
    joined.set(b, 10);
    multiply(joined, 19, joined, 1, joined, 10);
    expect(Array.from(joined.subarray(19, 28))).toEqual(expected);
    expect(joined[28]).toBe(0);
  });

  it('multiplies vectors, in place too', () => {
    const v = [2, -3, 5];
    const expected = [0, 1, 2].map((r) => v.reduce((sum, x, c) => sum + at(a, r, c) * x, 0));
    const transposed = [0, 1, 2].map((c) => v.reduce((sum, x, r) => sum + at(a, r, c) * x, 0));
    const w = v.slice();
    multiplyMat3Vec3(w, 0, a, 0, w, 0);
    expect(w).toEqual(expected);
    transposeMultiplyMat3Vec3(v, 0, a, 0, v, 0);
    expect(v).toEqual(transposed);
  });

  it('makes outer and cross products', () => {
    const u = [1, -2, 3];
    const v = [4, 5, -6];
    const expected = [4, 5, -6, -8, -10, 12, 12, 15, -18];
    out.fill(0);
    addOuterMat3(out, 0, u, 0, v, 0, 1);
    expect(Array.from(out)).toEqual(expected);
    addOuterMat3(out, 0, u, 0, v, 0, -2);
    expect(Array.from(out)).toEqual(expected.map((x) => -x));
    crossMat3(out, 0, u, 0);
    const viaMatrix = [0, 0, 0];
    const direct = [0, 0, 0];
    multiplyMat3Vec3(viaMatrix, 0, out, 0, v, 0);
    crossVec3(direct, 0, u, 0, v, 0);
    expect(viaMatrix).toEqual(direct);
  });

  it('does the entrywise operations', () => {
    identityMat3(out, 0);
    expect(Array.from(out)).toEqual(IDENTITY);
    copyMat3(out, 0, a, 0);
    expect(out).toEqual(a);
    addScaledMat3(out, 0, out, 0, a, 0, 2);
    addScaledMat3(out, 0, out, 0, a, 0, -2);
    expect(out).toEqual(a);
    expect(traceMat3([1, 9, 9, 9, 2, 9, 9, 9, 4], 0)).toBe(7);
  });

  it('rotates and exchanges columns by right factors of determinant +1', () => {
    const c = 0.6;
    const s = 0.8;
    copyMat3(out, 0, a, 0);
    rotateColumnsMat3(out, 0, 0, 2, c, s);
    const rotated = product(
      (r, k) => at(a, r, k),
      (k, n) => at([c, 0, s, 0, 1, 0, -s, 0, c], k, n),
    );
    // One rounding of a sum of two products of size up to 9.
    expect(maxDifference(out, rotated)).toBeLessThanOrEqual(4e-15);
    copyMat3(out, 0, a, 0);
    exchangeColumnsMat3(out, 0, 0, 2);
    expect(Array.from(out)).toEqual([a[2], a[1], -a[0], a[5], a[4], -a[3], a[8], a[7], -a[6]]);
    expect(determinantMat3(out, 0)).toBe(determinantMat3(a, 0));
  });

  it('has the exact determinant of small whole-number matrices', () => {
    for (let n = 0; n < 2000; n++) {
      randomIntegers(out, random, 1000);
      expect(BigInt(determinantMat3(out, 0))).toBe(exactDeterminant(out));
    }
  });
});

describe('invertMat3', () => {
  it('equals adjugate over determinant, rounded, for whole-number matrices of every scale', () => {
    let worst = 0;
    for (let n = 0; n < 5000; n++) {
      randomIntegers(a, random, 20);
      const determinant = exactDeterminant(a);
      const scale = [1, 2 ** 500, 2 ** -500][n % 3];
      const scaled = a.map((x) => x * scale);
      const ok = invertMat3(out, 0, scaled, 0);
      expect(ok).toBe(determinant !== 0n);
      if (!ok) continue;
      for (let k = 0; k < 9; k++) {
        const [r, c] = [Math.floor(k / 3), k % 3];
        // Cyclic indices give the cofactors of the transpose their signs.
        const p = (x: number) => (x + 1) % 3;
        const q = (x: number) => (x + 2) % 3;
        const cofactor = at(a, p(c), p(r)) * at(a, q(c), q(r)) - at(a, p(c), q(r)) * at(a, q(c), p(r));
        worst = Math.max(worst, Math.abs(out[k] * scale - cofactor / Number(determinant)));
      }
    }
    // Cofactor and determinant are exact here, so only the quotient rounds: the same as above.
    expect(worst).toBe(0);
  });

  it('inverts random matrices within their condition number', () => {
    let refused = 0;
    let worst = 0;
    for (let n = 0; n < 20_000; n++) {
      const last = random.range(0.001, 1);
      randomWithSingularValues(a, random, 2, 1, last);
      const inPlace = a.slice();
      if (!invertMat3(inPlace, 0, inPlace, 0)) refused++;
      multiplyMat3(out, 0, a, 0, inPlace, 0);
      worst = Math.max(worst, maxDifference(out, IDENTITY) * (last / 2));
    }
    expect(refused).toBe(0);
    // About ten roundings, times the condition 2 / last (divided out); cofactors cost one factor of s0 / s1 = 2 more.
    expect(worst).toBeLessThanOrEqual(4e-15);
  });

  it('accepts flat tetrahedra and refuses singular ones, whatever the unit', () => {
    for (const unit of [1, 1e-3, 1e-90, 1e90]) {
      out.fill(7);
      // Edges of a tetrahedron 1e-12 as high as it is wide.
      const flat = [1, 0.3, 0.2, 0, 1, 0.4, 0, 0, 1e-12].map((x) => x * unit);
      expect(invertMat3(out, 0, flat, 0)).toBe(true);
      expect(Math.abs(out[8] * unit - 1e12) / 1e12).toBeLessThanOrEqual(1e-15);
      out.fill(7);
      const singular = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((x) => x * unit);
      expect(invertMat3(out, 0, singular, 0)).toBe(false);
      expect(invertMat3(out, 0, new Float64Array(9), 0)).toBe(false);
      expect(Array.from(out)).toEqual(Array(9).fill(7));
    }
  });

  it('refuses what is not finite, and inverses that overflow', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (let k = 0; k < 9; k++) {
        const m = [2, 1, 0, 1, 3, 1, 0, 1, 4];
        m[k] = bad;
        expect(invertMat3(out, 0, m, 0)).toBe(false);
      }
    }
    expect(
      invertMat3(
        out,
        0,
        IDENTITY.map((x) => x * Number.MIN_VALUE),
        0,
      ),
    ).toBe(false);
    expect(
      invertMat3(
        out,
        0,
        IDENTITY.map((x) => x * 1e300),
        0,
      ),
    ).toBe(true);
    expect(Math.abs(out[0] - 1e-300) / 1e-300).toBeLessThanOrEqual(4e-16);
  });
});
