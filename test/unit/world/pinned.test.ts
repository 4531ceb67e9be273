/** A body that cannot move at all is a solid others can touch. */
import { describe, expect, it } from 'vitest';
import { grabBody, hashWorld, resetWorld, restoreSnapshot, takeSnapshot } from '../../../src/index.js';
import { contactWorld, floor, run, topSpeed } from '../../support/checks/contact-measure.js';
import { standingBox, withPins } from '../../support/models/contact-shapes.js';

describe('a body whose every vertex is pinned', () => {
  it.each(['corotated', 'stableNeoHookean'] as const)(
    'of %s stays to the last bit, and others rest on it',
    async (model) => {
      const material = { model, youngModulus: 1e5, poissonRatio: 0.3, density: 1000 };
      const block = withPins(standingBox('soft', { cells: [2, 2, 2], material }), () => true);
      const box = { body: standingBox('rigid', { cells: [2, 2, 2] }), position: [0.03, 0.2, 0.02] as const };
      const world = await contactWorld({ bodies: [{ body: block, velocity: [1, 0, 0] }, box], obstacles: [floor()] });
      const before = world.bodies[0].state.positions.slice();
      run(world, 60);
      expect(world.bodies[0].state.positions).toEqual(before);
      expect(world.bodies[0].state.velocities.every((v) => v === 0)).toBe(true);
      // balance: the box rests
      expect(topSpeed(world)).toBeLessThan(1e-6);
      expect(Math.min(...world.bodies[1].state.positions.filter((_, i) => i % 3 === 1))).toBeGreaterThan(0.2 - 1e-4);
    },
  );

  it.each(['exact', 'stiff', 'shape'] as const)(
    'alone, with bones %s, can be stepped, reset and saved',
    async (bones) => {
      const block = withPins(standingBox('soft', { cells: [1, 1, 1] }), () => true);
      const world = await contactWorld({ bodies: [{ body: block }] }, { bones, integrator: 'bdf2' });
      run(world, 3);
      const later = hashWorld(world);
      expect(world.certificate.residual).toBe(0);
      restoreSnapshot(world, takeSnapshot(world));
      resetWorld(world);
      run(world, 3);
      expect(hashWorld(world)).toBe(later);
      expect(() => grabBody(world, 0, [0, 0, 0])).toThrow(/every vertex of the body is pinned/);
    },
  );
});
