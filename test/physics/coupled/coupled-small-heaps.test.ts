/** Small islands that are swept until they are settled: at rest the floor carries the weight of what stands on it, and a rod that two bodies share in the air keeps momentum (closed forms). */
import { expect, it } from 'vitest';
import { buildLoop, rigidBody } from '../../../scenes/cast/coupled-bodies.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

const BOX = rigidBody('box', { kind: 'box', halfExtents: [0.1, 0.05, 0.1] });
const FLOOR = { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 } as const;
const SWEPT = { kind: 'coupled', substeps: 2, gradientRows: 1, sweeps: [40, 40], pushOut: 0.5 } as const;
const G = 9.81;

it.each([1, 2, 3])('a column of %d boxes stands, and the floor carries its weight', async (tall) => {
  const world = await createWorld({
    name: 'column',
    description: 'boxes on each other',
    solver: SWEPT,
    bodies: Array.from({ length: tall }, (_, n) => ({
      name: `box ${n}`,
      body: BOX,
      position: [0, 0.05 + 0.1 * n, 0] as const,
    })),
    obstacles: [FLOOR],
  });
  const weight = G * world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0);
  for (let n = 0; n < 240; n++) expect(stepWorld(world)).toBe(true);
  let carried = 0;
  for (let c = 0; c < world.contacts.count; c++) {
    if (world.contacts.obstacle[c] === 0) carried += world.contacts.force[c * 3 + 1];
  }
  // the sum of forces; sweeps end where f32 does, 1e-6 m/s of the 0.08 that gravity adds in a substep
  expect(Math.abs(carried / weight - 1)).toBeLessThan(1e-4);
  world.bodies.forEach(({ state }, n) => {
    expect(Math.abs(state.poses.translations[1] - 0.05 - 0.1 * n)).toBeLessThan(1e-4);
  });
  disposeWorld(world);
});

it('a loop that lands on a peg stays closed, and its momentum is explained', async () => {
  const world = await createWorld({
    name: 'loop',
    description: 'a loop on a peg',
    solver: SWEPT,
    bodies: [{ name: 'loop', body: buildLoop('loop', 6, 0.13, 0.025), position: [0.02, 0.6, 0.01] }],
    obstacles: [
      { name: 'peg', shape: { kind: 'capsule', radius: 0.06, halfLength: 0.3 }, position: [0, 0.2, 0], friction: 0.4 },
    ],
  });
  let touched = 0;
  for (let n = 0; n < 60; n++) {
    expect(stepWorld(world)).toBe(true);
    touched += world.certificate.contacts > 0 ? 1 : 0;
    expect(world.certificate.jointGap).toBeLessThan(1e-10);
    expect(world.certificate.momentumDrift).toBeLessThan(1e-9);
    expect(world.certificate.penetration).toBeLessThan(0.005);
  }
  expect(touched).toBeGreaterThan(10);
  disposeWorld(world);
});
