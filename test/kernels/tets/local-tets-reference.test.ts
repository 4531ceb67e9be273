/** The f64 specification of the local step against finite differences, and the count of inverted tets against it. */
import { describe, expect, it } from 'vitest';
import { countInverted, elasticEnergy, localTets } from '../../../src/kernels/reference/local-tets.js';
import { createRandom } from '../../../src/math/random.js';
import { deformTet, makeSoup } from '../../support/models/tet-soup.js';
import { fromValues, runSoup } from './local-tets-measure.js';

describe('reference/local-tets', () => {
  it('gives the gradient of its energy (central differences)', () => {
    const random = createRandom(1);
    const soup = makeSoup(random, 20, 1, () => random.range(0, 2));
    const x = Float32Array.from(soup.rest);
    const matrix = new Float64Array(9);
    for (let tet = 0; tet < 20; tet++) {
      fromValues(matrix, random, random.range(1, 2), random.range(0.5, 1), random.range(-0.3, 0.5));
      deformTet(x, soup, tet, matrix);
    }
    const force = new Float64Array(x.length);
    localTets(soup.tets, x, force);
    const moved = Float64Array.from(x);
    const step = 1e-5;
    for (let k = 0; k < x.length; k++) {
      if (k % 4 === 3) continue;
      moved[k] = x[k] + step;
      const above = elasticEnergy(soup.tets, moved);
      moved[k] = x[k] - step;
      const below = elasticEnergy(soup.tets, moved);
      moved[k] = x[k];
      // Third derivatives of about 10 times step^2 / 6, and rounding 1e-16 * 100 / step: both below 1e-7.
      expect(Math.abs(force[k] + (above - below) / (2 * step))).toBeLessThanOrEqual(1e-7);
    }
  });

  it('counts inverted, flat and non-finite tets', () => {
    const random = createRandom(2);
    const soup = makeSoup(random, 4);
    const x = Float32Array.from(soup.rest);
    deformTet(x, soup, 1, [1, 0, 0, 0, 1, 0, 0, 0, -1]);
    deformTet(x, soup, 2, [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    x[4 * 12] = Number.NaN;
    expect(localTets(soup.tets, x, new Float64Array(x.length))).toBe(3);
  });
});

describe('countInverted', () => {
  it('counts what the specification counts, in any cut, without the copies that fill up the last group', async () => {
    for (const count of [1, 2, 3, 4, 401]) {
      // Volumes are clear of zero: at least 0.03 of the rest volume, far above the rounding of f32.
      const { soup, rig } = await runSoup(30, count, (m, random) =>
        fromValues(
          m,
          random,
          random.range(1, 2),
          random.range(0.3, 1),
          random.range(0.1, 0.3) * (random.integer(3) - 1 || -1),
        ),
      );
      const expected = countInverted(soup.tets, rig.x);
      expect(rig.countInverted()).toBe(expected);
      let sum = 0;
      for (let group = 0; group < rig.groupCount; group++) sum += rig.countInverted(group, group + 1);
      expect(sum).toBe(expected);
      if (count > 4) expect(expected).toBeGreaterThan(100);
    }
  });

  it('counts none at rest and all in the mirror', async () => {
    for (const [count, mirrored] of [
      [7, 1],
      [7, -1],
    ]) {
      const { rig } = await runSoup(31, count, (m) => m.set([1, 0, 0, 0, mirrored, 0, 0, 0, 1]));
      expect(rig.countInverted()).toBe(mirrored < 0 ? 7 : 0);
    }
  });

  it('does not count tets that are flat or not finite', async () => {
    const { rig } = await runSoup(32, 6, (m) => m.set([1, 0, 0, 0, 1, 0, 0, 0, 0]));
    expect(rig.countInverted()).toBe(0);
    rig.x.fill(Number.NaN);
    expect(rig.countInverted()).toBe(0);
  });
});
