/** Quaternions: against quarter turns known by hand, Hamilton's rules, and the rotation matrix as a second route. */

import { describe, expect, it } from 'vitest';
import { multiplyMat3Vec3 } from '../../../src/math/mat3.js';
import { multiplyMat3 } from '../../../src/math/mat3-product.js';
import {
  conjugateQuat,
  copyQuat,
  identityQuat,
  mat3ToQuat,
  multiplyQuat,
  normaliseQuat,
  quatToMat3,
  rotateVec3,
  unrotateVec3,
} from '../../../src/math/quat.js';
import { createRandom } from '../../../src/math/random.js';
import { distanceVec3 } from '../../../src/math/vec3.js';
import { maxDifference, rotationError } from './support.js';

const p = new Float64Array(4);
const q = new Float64Array(4);
const pq = new Float64Array(4);
const v = new Float64Array(3);
const w = new Float64Array(3);
const x = new Float64Array(3);
const m = new Float64Array(9);
const n = new Float64Array(9);
const mn = new Float64Array(9);

describe('quat', () => {
  it('follows i j = k, j k = i, k i = j, i i = -1', () => {
    const i = [1, 0, 0, 0];
    const j = [0, 1, 0, 0];
    const k = [0, 0, 1, 0];
    const product = (a: number[], b: number[]) => {
      const out = a.slice();
      multiplyQuat(out, 0, out, 0, b, 0);
      return out.map((value) => value + 0);
    };
    expect(product(i, j)).toEqual(k);
    expect(product(j, k)).toEqual(i);
    expect(product(k, i)).toEqual(j);
    expect(product(j, i)).toEqual([0, 0, -1, 0]);
    expect(product(i, i)).toEqual([0, 0, 0, -1]);
  });

  it('turns by the right hand: a quarter about z takes x to y', () => {
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    rotateVec3(v, 0, quarter, 0, [1, 0, 0], 0);
    // Two roundings of sqrt(1/2), squared and doubled.
    expect(distanceVec3(v, 0, [0, 1, 0], 0)).toBeLessThanOrEqual(4e-16);
    unrotateVec3(v, 0, quarter, 0, v, 0);
    expect(distanceVec3(v, 0, [1, 0, 0], 0)).toBeLessThanOrEqual(8e-16);
  });

  it('agrees with its matrix: products, vectors, inverses, and back', () => {
    const random = createRandom(71);
    const worst = { rotation: 0, product: 0, vector: 0, inverse: 0, back: 0 };
    for (let count = 0; count < 50_000; count++) {
      random.unitQuaternion(p, 0);
      random.unitQuaternion(q, 0);
      // Half turns, where w = 0, are where conversions from matrices fail.
      if (count % 4 === 0) {
        q[3] = 0;
        if (count % 8 === 0) q[(count / 8) % 3] = 0;
        normaliseQuat(q, 0, q, 0);
      }
      random.unitVector(v, 0);
      quatToMat3(m, 0, p, 0);
      quatToMat3(n, 0, q, 0);
      worst.rotation = Math.max(worst.rotation, rotationError(n));
      multiplyQuat(pq, 0, p, 0, q, 0);
      quatToMat3(mn, 0, pq, 0);
      multiplyMat3(m, 0, m, 0, n, 0);
      worst.product = Math.max(worst.product, maxDifference(mn, m));
      rotateVec3(w, 0, q, 0, v, 0);
      multiplyMat3Vec3(x, 0, n, 0, v, 0);
      worst.vector = Math.max(worst.vector, distanceVec3(w, 0, x, 0));
      unrotateVec3(w, 0, q, 0, w, 0);
      worst.inverse = Math.max(worst.inverse, distanceVec3(w, 0, v, 0));
      mat3ToQuat(pq, 0, n, 0);
      const sign = pq[0] * q[0] + pq[1] * q[1] + pq[2] * q[2] + pq[3] * q[3] < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) worst.back = Math.max(worst.back, Math.abs(pq[k] * sign - q[k]));
    }
    // Ten to twenty roundings of 1.1e-16 each way.
    expect(worst.rotation).toBeLessThanOrEqual(2e-15);
    expect(worst.product).toBeLessThanOrEqual(2e-15);
    expect(worst.vector).toBeLessThanOrEqual(2e-15);
    expect(worst.inverse).toBeLessThanOrEqual(2e-15);
    expect(worst.back).toBeLessThanOrEqual(1e-15);
  });

  it('conjugates to the inverse, copies, and starts as the identity', () => {
    identityQuat(q, 0);
    expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    const half = [0.5, -0.5, 0.5, 0.5];
    copyQuat(q, 0, half, 0);
    expect(Array.from(q)).toEqual(half);
    conjugateQuat(p, 0, q, 0);
    multiplyQuat(pq, 0, p, 0, q, 0);
    expect(Array.from(pq)).toEqual([0, 0, 0, 1]);
  });

  it('normalises, and makes the identity of what has no direction', () => {
    expect(normaliseQuat(q, 0, [2, -4, 5, 6], 0)).toBe(true);
    // |(2, -4, 5, 6)| = 9.
    expect(Array.from(q)).toEqual([2 / 9, -4 / 9, 5 / 9, 6 / 9]);
    for (const bad of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e200]) {
      expect(normaliseQuat(q, 0, [bad, 0, bad, 0], 0)).toBe(false);
      expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    }
  });
});
