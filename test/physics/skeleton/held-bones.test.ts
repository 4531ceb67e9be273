/**
 * A bar as soft as fat that falls from one held bone, at five times its weight. A bone that stands still does no work, so motion and height together never have
 * more energy than at the start (what is stored in the flesh only takes from it); and every step is taken, however little is known of its error.
 */
import { expect, it } from 'vitest';
import { buildBar } from '../../../scenes/cast/bar.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

it.each([3e3, 1e4])(
  'flesh of %d Pa falls from a held bone without faults and without gaining energy',
  async (youngModulus) => {
    const material = { model: 'stableNeoHookean', youngModulus, poissonRatio: 0.45, density: 1000 } as const;
    const bar = buildBar({ cells: [16, 3, 3], cell: 0.06, boneLayers: 3, material });
    const body = { ...bar, bones: (bar.bones ?? []).map((bone, i) => ({ ...bone, kinematic: i === 0 })) };
    const scene = { name: 'held bone', description: '', bodies: [{ body, name: 'bar' }] };
    const world = await createWorld(scene, { integrator: 'backwardEuler' });
    const gravity = 5 * 9.81;
    world.gravity[1] = -gravity;
    const { model, state } = world.bodies[0];
    const energy = () => {
      let sum = 0;
      for (let i = 0; i < 3 * model.vertexCount; i++) {
        const height = i % 3 === 1 ? gravity * state.positions[i] : 0;
        sum += model.masses[Math.floor(i / 3)] * (0.5 * state.velocities[i] ** 2 + height);
      }
      return sum;
    };
    const start = energy();
    let most = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < 60; n++) {
      expect(stepWorld(world), `step ${n}`).toBe(true);
      most = Math.max(most, energy());
    }
    expect(most - start).toBeLessThan(1e-9 * model.totalMass * gravity * model.size);
    expect(energy()).toBeLessThan(start);
    disposeWorld(world);
  },
);
