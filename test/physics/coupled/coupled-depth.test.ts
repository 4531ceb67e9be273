/** Scenes in which bodies are struck, wound up or land: while that happens nothing is deeper in anything than a tenth of a body. Depth is what the certificate measures after each step, sizes are those of the bodies. */
import { describe, expect, it } from 'vitest';
import { buildPile1600Scene } from '../../../scenes/coupled/pile-1600.js';
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

/** Scenes in which things fall on each other, the frames until they have landed, and how thick the thinnest part of any of their bodies is [m]: a soft ring, a maggot at its head. */
const LANDINGS = [
  ['trampoline', 120, 0.12],
  ['maggots', 60, 0.06],
  ['maggot-plate', 120, 0.06],
] as const;
/** Rods of the pile's loops [m]. */
const ROD = 0.05;

describe('nothing that lands is deeper than a tenth of what is thinnest', () => {
  it.each(LANDINGS)('in %s, %d frames', async (name, frames, thinnest) => {
    const world = await createWorld(findScene(name).build());
    let deepest = 0;
    for (let n = 0; n < frames; n++) {
      if (!stepWorld(world)) throw world.fault;
      deepest = Math.max(deepest, world.certificate.penetration);
    }
    expect(world.certificate.contacts).toBeGreaterThan(0);
    expect(deepest).toBeLessThan(0.1 * thinnest);
    disposeWorld(world);
  });

  it('in a pile of 16 of each of the five kinds, and half of that when it lies', async () => {
    const world = await createWorld(buildPile1600Scene({ each: 16 }));
    let landing = 0;
    let lying = 0;
    for (let n = 0; n < 240; n++) {
      if (!stepWorld(world)) throw world.fault;
      if (n < 180) landing = Math.max(landing, world.certificate.penetration);
      else lying = Math.max(lying, world.certificate.penetration);
    }
    expect(landing).toBeLessThan(0.1 * ROD);
    expect(lying).toBeLessThan(0.05 * ROD);
    disposeWorld(world);
  });
});
