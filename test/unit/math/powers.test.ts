import { describe, expect, it } from 'vitest';
import { exp, log, power, square } from '../../../src/math/powers.js';

// compared with the engine's own functions, which are good to about one part in 1e16
describe('powers', () => {
  const numbers = [1e-300, 1e-9, 0.3, 0.7499, 0.75, 1, 1.0000001, 1.5, 1.5001, 2, 7, 1e5, 1e300];

  it.each(numbers)('log of %s', (x) => {
    expect(Math.abs(log(x) - Math.log(x))).toBeLessThan(1e-15 * Math.max(1, Math.abs(Math.log(x))));
  });

  it.each([-600, -20, -1, -0.1, 0, 1e-9, 0.5, 1, 10, 600])('exp of %s', (x) => {
    expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15 * Math.max(1, Math.abs(x)));
  });

  it('power and square', () => {
    expect(power(2, 0.5)).toBeCloseTo(Math.SQRT2, 14);
    expect(power(27, 1 / 3)).toBeCloseTo(3, 14);
    expect(power(0.3, 2.6)).toBeCloseTo(0.3 ** 2.6, 14);
    expect(square(-3)).toBe(9);
  });

  it('what has no answer', () => {
    expect(log(0)).toBeNaN();
    expect(log(-1)).toBeNaN();
    expect(log(Number.POSITIVE_INFINITY)).toBeNaN();
    expect(exp(1000)).toBe(Number.POSITIVE_INFINITY);
    expect(exp(-1000)).toBe(0);
    expect(exp(Number.NaN)).toBeNaN();
  });
});
