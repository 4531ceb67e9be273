/** Own sine, cosine and atan2: against the engine's (below one unit in the last place in V8), identities and zeros. */

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { atan2, cos, sin } from '../../../src/math/trig.js';

/** sin 1, cos 1, sin 1234.5, cos -9999, atan2(1, 3), atan2(-2, -0.7): the same bits in every engine. */
const PINNED = [
  0.8414709848078965, 0.5403023058681398, 0.14539565052293643, -0.7716173818043345, 0.32175055439664213,
  -1.9074711461816238,
];

describe('sin and cos', () => {
  it('agree with the engine within 1e-15 for |x| <= 1e4, at random and around every multiple of pi/4', () => {
    const random = createRandom(91);
    let worst = 0;
    const compare = (x: number) => {
      worst = Math.max(worst, Math.abs(sin(x) - Math.sin(x)), Math.abs(cos(x) - Math.cos(x)));
    };
    for (let n = 0; n < 200_000; n++) {
      compare(random.range(-1e4, 1e4));
      compare(random.range(-4, 4));
    }
    for (let n = -12_732; n <= 12_732; n++) {
      const x = (n * Math.PI) / 4;
      compare(x);
      compare(x * (1 + 2.3e-16));
      compare(x + 1e-9);
    }
    // The promise: a few roundings in the reduction and in the sum, and the engine's own (measured 1.2e-16).
    expect(worst).toBeLessThanOrEqual(1e-15);
  });

  it('satisfy sin^2 + cos^2 = 1, the sum of angles, and their symmetries', () => {
    const random = createRandom(92);
    let square = 0;
    let sum = 0;
    let asymmetric = 0;
    for (let n = 0; n < 100_000; n++) {
      // Whole multiples of 2^-20, so that x + y is exact and the identity holds for the very same numbers.
      const x = random.integer(2 ** 31) / 2 ** 20 - 1024;
      const y = random.integer(2 ** 31) / 2 ** 20 - 1024;
      square = Math.max(square, Math.abs(sin(x) * sin(x) + cos(x) * cos(x) - 1));
      sum = Math.max(sum, Math.abs(sin(x + y) - (sin(x) * cos(y) + cos(x) * sin(y))));
      sum = Math.max(sum, Math.abs(cos(x + y) - (cos(x) * cos(y) - sin(x) * sin(y))));
      if (sin(-x) !== -sin(x) || cos(-x) !== cos(x)) asymmetric++;
    }
    // Six roundings of numbers below one, and four values of 1.2e-16 each.
    expect(square).toBeLessThanOrEqual(1e-15);
    expect(sum).toBeLessThanOrEqual(2e-15);
    expect(asymmetric).toBe(0);
  });

  it('know 0 and the landmarks', () => {
    expect(sin(0)).toBe(0);
    expect(cos(0)).toBe(1);
    // sin(pi) of the rounded pi is what the rounding left out. The low part of pi/2, 6e-11, is itself rounded by half a
    // unit in its last place, 6e-27, and counts twice.
    expect(Math.abs(sin(Math.PI) - 1.2246467991473532e-16)).toBeLessThanOrEqual(1.3e-26);
    expect(Math.abs(sin(Math.PI / 6) - 0.5)).toBeLessThanOrEqual(1.2e-16);
    expect(Math.abs(cos(Math.PI / 3) - 0.5)).toBeLessThanOrEqual(2.3e-16);
    expect(sin(1e-300)).toBe(1e-300);
  });

  it('are NaN for what is not finite', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(sin(bad)).toBeNaN();
      expect(cos(bad)).toBeNaN();
    }
  });

  it('have pinned bits', () => {
    expect([sin(1), cos(1), sin(1234.5), cos(-9999), atan2(1, 3), atan2(-2, -0.7)]).toEqual(PINNED);
  });
});

describe('atan2', () => {
  it('agrees with the engine within 1e-15 in all quadrants and over all ratios', () => {
    const random = createRandom(93);
    let worst = 0;
    for (let n = 0; n < 300_000; n++) {
      const scale = n % 3 === 0 ? 1 : n % 3 === 1 ? 1e-9 : 1e200;
      const y = random.range(-1, 1) * scale;
      const x = random.range(-1, 1);
      worst = Math.max(worst, Math.abs(atan2(y, x) - Math.atan2(y, x)));
    }
    // One unit in the last place of pi is 4.4e-16.
    expect(worst).toBeLessThanOrEqual(1e-15);
  });

  it('is the inverse of sin and cos', () => {
    const random = createRandom(94);
    let worst = 0;
    for (let n = 0; n < 100_000; n++) {
      const angle = random.range(-Math.PI, Math.PI);
      worst = Math.max(worst, Math.abs(atan2(sin(angle), cos(angle)) - angle));
    }
    expect(worst).toBeLessThanOrEqual(1e-15);
  });

  it('treats axes and signed zeros as the engine does', () => {
    for (const y of [0, -0, 1, -1]) {
      for (const x of [0, -0, 1, -1]) {
        if (x === 0 && y === 0) expect(atan2(y, x)).toBe(0);
        else expect(atan2(y, x)).toBe(Math.atan2(y, x));
      }
    }
    expect(atan2(Number.NaN, 1)).toBeNaN();
    expect(atan2(1, Number.NaN)).toBeNaN();
  });
});
