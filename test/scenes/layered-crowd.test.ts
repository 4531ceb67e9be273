/** What `tendon bench layered --crowd` and its slopes measure: crowds whose members are alone on their floor, and slopes of known laws. */
import { describe, expect, it } from 'vitest';
import { makeCrowd } from '../../bench/layered/crowd.js';
import { slope } from '../../bench/layered/slopes.js';
import { loadLayered } from '../../src/character/load-character.js';
import { stepWorld } from '../../src/world/step.js';
import { hasAssets, readAsset } from '../support/assets.js';

const STEPS = 60;

describe.skipIf(!hasAssets('CesiumMan.glb'))('a crowd of the bench', () => {
  it.each([
    ['limp', false],
    ['driven', true],
  ])(
    '%s: stands on the floor, each by itself',
    async (_, isDriven) => {
      const character = await loadLayered(readAsset('CesiumMan.glb'));
      const world = await makeCrowd(character, isDriven, 3);
      for (let step = 0; step < STEPS; step++) if (!stepWorld(world)) throw world.fault;
      const { body, count } = world.contacts;
      const touching = new Set<number>();
      for (let c = 0; c < count; c++) {
        touching.add(body[2 * c]);
        expect(body[2 * c + 1]).toBe(-1);
      }
      expect([...touching].sort()).toEqual([0, 1, 2]);
      expect(world.certificate.penetration).toBeLessThan(0.02 * world.certificate.bodySize);
    },
    60000,
  );
});

describe('a slope in logarithms', () => {
  it('is the exponent of a power law, and between those of its ends where it is none', () => {
    const sizes = [3, 6, 12, 24];
    expect(slope(sizes.map((size) => ({ size, ms: 0.2 * size ** 0.7 })))).toBeCloseTo(0.7, 12);
    // a constant and a linear part: by least squares at doublings, between 0 and 1
    const mixed = slope(sizes.map((size) => ({ size, ms: 12 + size })));
    expect(mixed).toBeGreaterThan(0.2);
    expect(mixed).toBeLessThan(0.67);
  });
});
