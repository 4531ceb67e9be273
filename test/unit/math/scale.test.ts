/** Powers of two that bring numbers near 1: over every exponent there is. */

import { describe, expect, it } from 'vitest';
import { maxMagnitude, powerOfTwoScale } from '../../../src/math/scale.js';

describe('powerOfTwoScale', () => {
  it('brings every magnitude into [2^-100, 2^100] exactly and can be undone exactly', () => {
    let failures = 0;
    for (let exponent = -1074; exponent <= 1023; exponent++) {
      const x = 2 ** exponent;
      const scale = powerOfTwoScale(x);
      if (!(x * scale >= 2 ** -100 && x * scale <= 2 ** 100)) failures++;
      if (x * scale * (1 / scale) !== x || Math.log2(scale) % 1 !== 0) failures++;
    }
    expect(failures).toBe(0);
    expect(powerOfTwoScale(0)).toBe(1);
    expect(powerOfTwoScale(123)).toBe(1);
    expect(Number.MAX_VALUE * powerOfTwoScale(Number.MAX_VALUE)).toBeLessThan(2 ** 100);
  });
});

describe('maxMagnitude', () => {
  it('finds the largest magnitude in the part asked for, and NaN if a number there is not finite', () => {
    expect(maxMagnitude([99, 1, -7, 3, 99], 1, 3)).toBe(7);
    expect(maxMagnitude([0, -0], 0, 2)).toBe(0);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (let k = 0; k < 3; k++) expect(maxMagnitude([1, 2, 3].with(k, bad), 0, 3)).toBeNaN();
    }
  });
});
