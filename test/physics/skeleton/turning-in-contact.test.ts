/**
 * Free bodies that move themselves and touch something: angular momentum changes as contact forces want, at any iteration count. Law: the moments of inertia,
 * Σ m (x − x̄) × (v − v')/h, are those of the contact forces about the centre of mass; gravity has none there, and flesh, joints and motors have none at all.
 */
import { describe, expect, it } from 'vitest';
import { buildHuman } from '../../../scenes/cast/human.js';
import { buildScene } from '../../../scenes/index.js';
import { createWorld, disposeWorld, type SceneDef, setJointMotor, stepWorld, type World } from '../../../src/index.js';
import { contactMoments } from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';

/** Runs a world and returns the largest moment that nothing explains, as a share of those that act in its step, and in how many steps something did. */
async function run(scene: SceneDef, iterations: number, steps: number, act: (world: World, n: number) => void) {
  const world = await createWorld(scene, { iterations });
  let [share, touched, deepest] = [0, 0, 0];
  for (let n = 0; n < steps; n++) {
    act(world, n);
    const before = world.bodies.map(({ state }) => state.velocities.slice());
    expect(stepWorld(world)).toBe(true);
    const { certificate } = world;
    deepest = Math.max(deepest, certificate.penetration / certificate.bodySize);
    // of steps in parts only the last part's forces are there
    if (certificate.substeps > 1) continue;
    for (const { left, acting } of contactMoments(world, before, world.dt)) {
      if (acting === 0) continue;
      touched++;
      share = Math.max(share, left / acting);
    }
  }
  disposeWorld(world);
  return { share, touched, deepest };
}

const still = () => undefined;

describe('angular momentum in contact', () => {
  it.each([2, 5, 10])('a snake that falls over a box, %d iterations', async (iterations) => {
    const found = await run(buildScene('snake') as SceneDef, iterations, 90, still);
    measured(`snake, ${iterations} iterations`, found);
    expect(found.touched).toBeGreaterThan(50);
    expect(found.share).toBeLessThan(1e-11);
    expect(found.deepest).toBeLessThan(0.01);
  });

  it.each([2, 10])('a human that kicks with its motors on the floor, %d iterations', async (iterations) => {
    const body = buildHuman({ cell: 0.1, limits: true });
    const scene: SceneDef = {
      name: 'kicking',
      description: '',
      bodies: [{ body, position: [0, 0.25, 0], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }],
      obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }],
      dt: 1 / 60,
    };
    const kick = (world: World, n: number) => {
      const [human] = world.bodies;
      body.joints?.forEach(({ name, type }, pair) => {
        const angle = 0.4 * Math.sin(0.2 * n + pair);
        const target = type === 'hinge' ? angle : ([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)] as const);
        setJointMotor(human, name, { target, stiffness: 60, damping: 4 });
      });
    };
    const found = await run(scene, iterations, 60, kick);
    measured(`kicking human, ${iterations} iterations`, found);
    expect(found.touched).toBeGreaterThan(30);
    expect(found.share).toBeLessThan(1e-11);
    expect(found.deepest).toBeLessThan(0.01);
  });
});
