/** LU of small dense matrices, against the product that made the right-hand side. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { DenseLu } from '../../../src/solvers/projective/adjoint/dense-lu.js';

describe('DenseLu', () => {
  it('gives back what a matrix was multiplied by, with zeros on its diagonal too', () => {
    const random = createRandom(7);
    for (const size of [1, 2, 5, 17]) {
      const a = Float64Array.from({ length: size * size }, () => random.range(-1, 1));
      for (let i = 0; i < size; i += 2) if (size > 1) a[i * size + i] = 0;
      const x = Float64Array.from({ length: size }, () => random.range(-1, 1));
      const b = x.map((_, i) => x.reduce((sum, value, j) => sum + a[i * size + j] * value, 0));
      new DenseLu(a, size).solve(b);
      b.forEach((value, i) => {
        expect(value).toBeCloseTo(x[i], 10);
      });
    }
  });

  it('leaves out what a matrix says nothing about', () => {
    const b = Float64Array.of(3, 0, 8);
    new DenseLu(Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 2), 3).solve(b);
    expect([...b]).toEqual([3, 0, 4]);
  });
});
