/** Outside forces on rigid bodies of a coupled world: a step does not look for them before somebody has asked for the array, and feels all that is written to it from then on. */
import { describe, expect, it } from 'vitest';
import {
  type AnySceneDef,
  createWorld,
  resetWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';

const ball = {
  kind: 'rigid' as const,
  name: 'ball',
  parts: [{ name: 'ball', shape: { kind: 'sphere' as const, radius: 0.1 } }],
};
const scene: AnySceneDef = {
  name: 'pulled',
  description: 'a ball in the air',
  solver: { kind: 'coupled' },
  gravity: [0, 0, 0],
  dt: 1 / 60,
  bodies: [{ body: ball, position: [0, 1, 0] }],
};
/** Force on a vertex [N]. */
const PULL = 3;

type Ball = Awaited<ReturnType<typeof createWorld>>;
const speedOf = ({ bodies: [{ state }] }: Ball) => state.boneRates[9];
const massOf = ({ bodies: [{ model }] }: Ball) => model.masses.reduce((sum, mass) => sum + mass, 0);

it('gravity that is changed while a world runs is felt from then on: v = Σ g t, and a sleeper wakes', async () => {
  const solver = { kind: 'coupled', sleepSpeed: 0.01 } as const;
  const obstacles = [{ name: 'floor', shape: { kind: 'plane' as const } }];
  const placed = [{ body: ball, position: [0, 9, 0] as const }];
  const lying = { body: ball, name: 'lying', position: [5, 0.1, 0] as const };
  const world = await createWorld({ ...scene, solver, obstacles, bodies: [...placed, lying], gravity: [0, -6, 0] });
  for (let n = 0; n < 60; n++) stepWorld(world);
  expect(world.bodies[0].state.boneRates[10]).toBeCloseTo(-6, 9);
  expect(world.certificate.sleeping).toBe(1);
  world.gravity.set([0, 3, 0]);
  for (let n = 0; n < 30; n++) stepWorld(world);
  expect(world.bodies[0].state.boneRates[10]).toBeCloseTo(-6 + 3 / 2, 9);
  expect(world.bodies[1].state.boneRates[10]).toBeCloseTo(3 / 2, 6);
});

describe('a force on a rigid body', () => {
  it('is felt when it is written between steps, to an array that was taken long before: v = f t / m', async () => {
    const world = await createWorld(scene);
    for (let n = 0; n < 3; n++) stepWorld(world);
    const { forces } = world.bodies[0].state;
    for (let n = 0; n < 3; n++) stepWorld(world);
    expect(speedOf(world)).toBe(0);
    forces[0] = PULL;
    for (let n = 0; n < 6; n++) stepWorld(world);
    expect(speedOf(world)).toBeCloseTo((PULL * 6) / 60 / massOf(world), 10);
  });

  it('comes with a snapshot, to a world in which nobody has asked for it', async () => {
    const [from, to] = [await createWorld(scene), await createWorld(scene)];
    from.bodies[0].state.forces[0] = PULL;
    restoreSnapshot(to, takeSnapshot(from));
    stepWorld(to);
    expect(speedOf(to)).toBeCloseTo(PULL / 60 / massOf(to), 10);
  });

  it('goes with a reset, and is felt again after it by who has kept the array', async () => {
    const world = await createWorld(scene);
    const { forces } = world.bodies[0].state;
    forces[0] = PULL;
    resetWorld(world);
    stepWorld(world);
    expect(speedOf(world)).toBe(0);
    forces[0] = PULL;
    stepWorld(world);
    expect(speedOf(world)).toBeCloseTo(PULL / 60 / massOf(world), 10);
  });
});
