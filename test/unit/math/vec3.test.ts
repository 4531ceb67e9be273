/** Vectors: against hand-computed whole numbers (exact) and identities of vector algebra. */

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import {
  addScaledVec3,
  copyVec3,
  crossVec3,
  distanceSqVec3,
  distanceVec3,
  dotVec3,
  lengthSqVec3,
  lengthVec3,
  normaliseVec3,
  perpendicularVec3,
  scaleVec3,
  setVec3,
} from '../../../src/math/vec3.js';

/** a = (1, -2, 3) at 1, b = (4, 5, -6) at 5; the nines must survive. */
const source = () => [9, 1, -2, 3, 9, 4, 5, -6, 9, 9, 9, 9];

describe('vec3', () => {
  it.each([
    ['scale', (m: number[], o: number) => scaleVec3(m, o, m, 1, -2), [-2, 4, -6]],
    ['addScaled', (m: number[], o: number) => addScaledVec3(m, o, m, 1, m, 5, 0.5), [3, 0.5, 0]],
    ['cross', (m: number[], o: number) => crossVec3(m, o, m, 1, m, 5), [-3, 18, 13]],
    ['copy', (m: number[], o: number) => copyVec3(m, o, m, 5), [4, 5, -6]],
    ['set', (m: number[], o: number) => setVec3(m, o, 7, 8, 9), [7, 8, 9]],
  ])('%s gives the hand-computed numbers, also when the result is one of the operands', (_, apply, expected) => {
    for (const o of [9, 1, 5]) {
      const m = source();
      const untouched = source();
      apply(m, o);
      expect(m.slice(o, o + 3)).toEqual(expected);
      m.splice(o, 3);
      untouched.splice(o, 3);
      expect(m).toEqual(untouched);
    }
  });

  it('measures', () => {
    const m = source();
    expect(dotVec3(m, 1, m, 5)).toBe(-24);
    expect(lengthSqVec3(m, 1)).toBe(14);
    expect(lengthVec3([2, 3, 6], 0)).toBe(7);
    expect(distanceSqVec3(m, 1, m, 5)).toBe(139);
    expect(distanceVec3([1, 1, 1], 0, [3, 4, 7], 0)).toBe(7);
  });

  it('normalises, and refuses what has no direction', () => {
    const out = [9, 9, 9];
    expect(normaliseVec3(out, 0, [0, -3, 4], 0)).toBe(5);
    expect(out).toEqual([0, -0.6, 0.8]);
    for (const bad of [
      [0, 0, 0],
      [1e-160, 0, 0],
      [1e200, 0, 0],
      [Number.NaN, 1, 1],
      [Number.POSITIVE_INFINITY, 1, 1],
    ]) {
      expect(normaliseVec3(out, 0, bad, 0)).toBe(0);
      expect(out).toEqual([0, 0, 0]);
    }
  });

  it('finds perpendicular unit vectors', () => {
    const random = createRandom(41);
    const a = new Float64Array(3);
    const b = new Float64Array(3);
    let worst = 0;
    for (let n = 0; n < 10_000; n++) {
      random.unitVector(a, 0);
      // Axes and planes are where such code fails.
      if (n % 3 === 0) a[n % 9 < 3 ? 0 : n % 9 < 6 ? 1 : 2] = 0;
      if (n % 7 === 0) setVec3(a, 0, n % 3 === 0 ? 1 : 0, n % 3 === 1 ? -1 : 0, n % 3 === 2 ? 1 : 0);
      perpendicularVec3(b, 0, a, 0);
      worst = Math.max(worst, Math.abs(dotVec3(a, 0, b, 0)), Math.abs(lengthVec3(b, 0) - 1));
    }
    // Two roundings of 1.1e-16 in each of the products that cancel.
    expect(worst).toBeLessThanOrEqual(4e-16);
  });
});
