/** Scenes in which bodies are struck, wound up or land: while that happens nothing is deeper in anything than a tenth of a body. Depth is what the certificate measures after each step, sizes are those of the bodies. */
import { describe, expect, it } from 'vitest';
import { findScene } from '../../../scenes/index.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

/** Scenes and the frames until the worst is over: the ball through the stack, the chain wound by four turns. */
const SCENES = [
  ['mixed-stack', 170],
  ['winding-chain', 400],
] as const;

describe('nothing is deeper than a tenth of the smallest body', () => {
  it.each(SCENES)('in %s, %d frames', async (name, frames) => {
    const world = await createWorld(findScene(name).build());
    const smallest = Math.min(...world.bodies.map(({ model }) => model.size));
    for (let n = 0; n < frames; n++) {
      if (!stepWorld(world)) throw world.fault;
      expect(world.certificate.penetration).toBeLessThan(0.1 * smallest);
    }
    disposeWorld(world);
  });
});
