/**
 * Symmetric eigenvalues: matrices built from a known rotation and known values (Weyl: a rounding d of A moves the values
 * by at most |d|), and closed forms.
 */

import { describe, expect, it } from 'vitest';
import { eigenSymmetricMat3 } from '../../../src/math/eigen3.js';
import { createRandom } from '../../../src/math/random.js';
import { compose, IDENTITY, maxDifference, randomRotation, rotationError } from './support.js';

const a = new Float64Array(9);
const turn = new Float64Array(9);
const again = new Float64Array(9);
const values = new Float64Array(3);
const vectors = new Float64Array(9);

/** Worst errors over `count` matrices Q diag Q^T, relative to the largest magnitude of the known values. */
function measure(count: number, seed: number, scale: number, repeated: boolean) {
  const random = createRandom(seed);
  const worst = { rotation: 0, reconstruction: 0, values: 0, refused: 0 };
  for (let n = 0; n < count; n++) {
    let known = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)].sort((x, y) => y - x);
    if (repeated) known = n % 2 === 0 ? [known[0], known[0], known[2]] : [known[0], known[2], known[2]];
    randomRotation(turn, random);
    compose(a, turn, known[0] * scale, known[1] * scale, known[2] * scale, turn);
    if (!eigenSymmetricMat3(values, 0, vectors, 0, a, 0)) worst.refused++;
    worst.rotation = Math.max(worst.rotation, rotationError(vectors));
    const size = Math.max(Math.abs(known[0]), Math.abs(known[2])) * scale;
    compose(again, vectors, values[0], values[1], values[2], vectors);
    worst.reconstruction = Math.max(worst.reconstruction, maxDifference(again, a) / size);
    for (let k = 0; k < 3; k++) worst.values = Math.max(worst.values, Math.abs(values[k] - known[k] * scale) / size);
    if (!(values[0] >= values[1] && values[1] >= values[2])) worst.refused++;
  }
  return worst;
}

describe('eigenSymmetricMat3', () => {
  it.each([
    ['random', 1, false],
    ['repeated', 1, true],
    ['huge', 1e150, false],
    ['tiny', 1e-150, false],
  ])('%s matrices: orthonormal vectors, reconstruction and values', (_, scale, repeated) => {
    const worst = measure(50_000, 61, scale, repeated);
    expect(worst.refused).toBe(0);
    // The same bounds as V35 asks of the singular values; rotations pile up a rounding each, about fifteen of them.
    expect(worst.rotation).toBeLessThanOrEqual(1e-14);
    expect(worst.reconstruction).toBeLessThanOrEqual(1e-14);
    expect(worst.values).toBeLessThanOrEqual(1e-14);
  });

  it('knows closed forms', () => {
    // The second difference on three points: 2 - 2 cos(k pi / 4).
    expect(eigenSymmetricMat3(values, 0, vectors, 0, [2, -1, 0, -1, 2, -1, 0, -1, 2], 0)).toBe(true);
    const expected = [2 + Math.SQRT2, 2, 2 - Math.SQRT2];
    for (let k = 0; k < 3; k++) expect(Math.abs(values[k] - expected[k])).toBeLessThanOrEqual(2e-15);
    // A diagonal is only sorted, exactly.
    eigenSymmetricMat3(values, 0, vectors, 0, [-1, 0, 0, 0, 5, 0, 0, 0, 3], 0);
    expect(Array.from(values)).toEqual([5, 3, -1]);
    expect(rotationError(vectors)).toBe(0);
    eigenSymmetricMat3(values, 0, vectors, 0, new Float64Array(9), 0);
    expect(Array.from(values)).toEqual([0, 0, 0]);
    expect(Array.from(vectors)).toEqual(IDENTITY);
  });

  it('reads the upper triangle', () => {
    eigenSymmetricMat3(values, 0, vectors, 0, [2, 1, 0, 77, 2, 0, 77, 77, 9], 0);
    const expected = [9, 3, 1];
    for (let k = 0; k < 3; k++) expect(Math.abs(values[k] - expected[k])).toBeLessThanOrEqual(2e-15);
  });

  it('flags what is not finite, and values that overflow, and does not spread them', () => {
    const overflowing = new Float64Array(9).fill(Number.MAX_VALUE);
    const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].flatMap((x) =>
      IDENTITY.map((_, k) => IDENTITY.map((y, n) => (n === k ? x : y))),
    );
    for (const matrix of [overflowing, ...bad]) {
      values.fill(Number.NaN);
      vectors.fill(Number.NaN);
      expect(eigenSymmetricMat3(values, 0, vectors, 0, matrix, 0)).toBe(false);
      expect(Array.from(values)).toEqual([0, 0, 0]);
      expect(Array.from(vectors)).toEqual(IDENTITY);
    }
  });
});
