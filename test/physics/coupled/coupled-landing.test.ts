/**
 * Heaps that land: a body that falls behind another does not come near it until that one is stopped, and is then on it within one substep. It must have been seen before:
 * by geometry it would else be inside by the way of a substep less the gap.
 */
import { expect, it } from 'vitest';
import { rigidBody } from '../../../scenes/cast/coupled-bodies.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

const RING = rigidBody('ring', { kind: 'torus', radius: 0.1, tubeRadius: 0.03 });
const ROD = rigidBody('rod', { kind: 'capsule', radius: 0.025, halfLength: 0.12 });
const SPEED = 8;
const SUBSTEP = 1 / 120;
/** Between the ring and the rod behind it [m]. */
const GAP = 0.015;
/** Rods lie: their axis is y. */
const LYING = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;

/** Deepest of all frames [m], for a heap of two rings that starts so high above the floor, with a rod behind it. */
async function deepest(height: number): Promise<number> {
  const velocity = [0, -SPEED, 0] as const;
  const world = await createWorld({
    name: 'landing',
    description: 'a rod falls behind two rings',
    solver: { kind: 'coupled', substeps: 2, gradientRows: 1, sweeps: [40, 40], pushOut: 0.5 },
    bodies: [
      { body: RING, position: [0, 0.03 + height, 0], velocity },
      { body: RING, name: 'second ring', position: [0, 0.09 + height, 0], velocity },
      { body: ROD, position: [0, 0.09 + height + 0.055 + GAP, 0], rotation: LYING, velocity },
    ],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
  });
  let deep = 0;
  for (let n = 0; n < 8; n++) {
    expect(stepWorld(world)).toBe(true);
    deep = Math.max(deep, world.certificate.penetration);
  }
  disposeWorld(world);
  return deep;
}

it('what falls behind a body that is stopped stops behind it', async () => {
  // wherever in the substep the rings meet the floor; the way of a substep is 67 mm, and 52 of them the rod would be inside
  for (const height of [0.15, 0.17, 0.19, 0.21, 0.23]) {
    expect(await deepest(height)).toBeLessThan(0.1 * (SPEED * SUBSTEP - GAP));
  }
});
