/** Shapes and weights of a fit: what was mixed from few is given back, and adding bones in turns is adding them at once. */
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { fitWeights, WeightFit } from '../../../src/record/fit-weights.js';
import { fitShapes } from '../../../src/record/shapes.js';

const [STATES, VERTICES, MIXED] = [40, 30, 7];

const random = createRandom(16);
const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.range(-1, 1));

/** Each state a mix of the same few shapes. */
function mix(shapes: readonly Float64Array[], weights: readonly Float64Array[]): Float32Array[] {
  return weights.map((row) => Float32Array.from(shapes[0], (_, i) => shapes.reduce((x, s, k) => x + row[k] * s[i], 0)));
}

it('gives back offsets and normals that are mixed by the same weights, to rounding', () => {
  const weights = Array.from({ length: STATES }, () => numbers(MIXED));
  const places = Array.from({ length: MIXED }, () => numbers(3 * VERTICES));
  const facing = Array.from({ length: MIXED }, () => numbers(3 * VERTICES));
  const [offsets, normals] = [mix(places, weights), mix(facing, weights)];
  const copies = offsets.map((one) => one.slice());
  const fit = fitShapes(offsets, normals, 1e-5, STATES);
  expect(fit.shapes.length).toBe(MIXED);
  expect(fit.error.max).toBeLessThan(1e-5);
  expect(fit.error.rms).toBeLessThanOrEqual(fit.error.max);
  const worst = (given: readonly Float32Array[], shapes: readonly Float32Array[]): number =>
    Math.max(
      ...given.flatMap((state, n) =>
        Array.from(state, (x, i) => Math.abs(x - shapes.reduce((sum, s, k) => sum + fit.weights[k][n] * s[i], 0))),
      ),
    );
  // f32 of numbers up to seven; the resistance of the fit of normals is 1e-6
  expect(worst(copies, fit.shapes)).toBeLessThan(1e-5);
  expect(worst(normals, fit.normals)).toBeLessThan(1e-4);
});

it('says how far vertices are off where shapes are too few', () => {
  const offsets = [Float32Array.of(3, 4, 0, 0, 0, 0), Float32Array.of(0, 0, 0, 0, 0, 2)];
  const { error, shapes } = fitShapes(offsets, offsets, 0, 1);
  // the first state, which is the largest, becomes the shape; the second has nothing of it
  expect(shapes).toEqual([Float32Array.of(3, 4, 0, 0, 0, 0)]);
  expect(error).toEqual({ max: 2, rms: 1 });
});

it('finds the same weights whether bones come in turns or at once', () => {
  const motions = Array.from({ length: 14 }, () => Array.from({ length: STATES }, () => numbers(12)));
  const states = Array.from({ length: STATES }, () => Float32Array.from(numbers(3 * VERTICES)));
  const whole = fitWeights(states[0], states, motions);
  const fit = new WeightFit(states[0], states);
  const changed = [motions.slice(0, 5), motions.slice(5, 11), motions.slice(11)].map((few) => fit.add(few));
  expect(fit.bones).toEqual(whole.bones);
  expect(fit.weights).toEqual(whole.weights);
  expect(changed[0].length).toBe(VERTICES);
  expect(changed[2].length).toBeLessThan(VERTICES);
  for (let v = 0; v < VERTICES; v++) {
    expect(whole.weights.subarray(4 * v, 4 * v + 4).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
  }
});
