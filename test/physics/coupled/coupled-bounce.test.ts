/** Bodies that bounce: what their blows do to angular momentum, and that they bounce off each other as their scene says. */
import { expect, it } from 'vitest';
import { rigidBody } from '../../../scenes/cast/coupled-bodies.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

const BOX = rigidBody('box', { kind: 'box', halfExtents: [0.2, 0.1, 0.15] });

// the law: what the floor gives, when and where it gives it, is all there is
it('angular momentum of a box that bounces askew off a floor is explained to rounding', async () => {
  for (const substeps of [1, 2, 4]) {
    for (let n = 0; n < 4; n++) {
      const world = await createWorld({
        name: 'bounce',
        description: '',
        solver: { kind: 'coupled', substeps },
        bodies: [{ body: BOX, position: [1, 0.5 + 0.02 * n, 0], velocity: [2, 0, 0.5], angularVelocity: [1, 2, 3] }],
        obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5, restitution: 0.6 }],
      });
      for (let step = 0; step < 60; step++) {
        expect(stepWorld(world)).toBe(true);
        expect(world.certificate.angularDrift).toBeLessThan(1e-11);
      }
      disposeWorld(world);
    }
  }
});
