/** Energy that is left to fall in a step, against the sum of a geometric series. */
import { describe, expect, it } from 'vitest';
import { Convergence } from '../../../src/solvers/projective/iterate/convergence.js';

function left(falls: readonly number[]): number {
  const convergence = new Convergence();
  convergence.begin();
  for (const fall of falls) convergence.add(fall);
  return convergence.left;
}

describe('energy left to fall', () => {
  it('is what falls that die away by the same share still add up to', () => {
    // 8 r^n with r = 1/2 from n = 0 to 5: what comes after is 8 (1/2)^6 / (1 - 1/2)
    expect(left([8, 4, 2, 1, 0.5, 0.25])).toBeCloseTo(0.25, 12);
  });

  it('is not nothing where the objective has risen', () => {
    expect(left([8, 4, 2, 1, 0.5, -0.25])).toBeCloseTo(0.25, 12);
    expect(left([1, 1, 1, 1, 1, -100])).toBeGreaterThan(100);
  });
});
