/** `certificate.error` against the true distance from the converged step: a thousand iterations from the same state. */
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import type { MaterialDef } from '../../../src/body/body-def.js';
import { createWorld, restoreSnapshot, stepWorld, takeSnapshot, type World } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { measured, type Single, single } from '../../support/checks/measure.js';

const GRAVITY = -9.81;
const H = 1 / 60;

/** A bar held at one end, swinging for the 15th step. */
async function swinging(
  material: MaterialDef,
  iterations: number,
  accelerated: boolean,
  start?: Single,
): Promise<Single> {
  const mesh = buildLattice({ cells: [10, 2, 2], cellSize: 0.1, split: 'five' });
  const pins = Array.from(mesh.positions.keys()).filter((i) => i % 3 === 0 && mesh.positions[i] < 1e-9);
  const body = { name: 'bar', ...mesh, pins: pins.map((i) => i / 3), materials: [material] };
  const s = await single(body, { iterations, accelerated, gravity: [0, GRAVITY, 0], dt: H });
  if (start) {
    s.state.arrays.forEach((array, i) => {
      array.set(start.state.arrays[i]);
    });
  }
  s.step(start ? 1 : 15);
  return s;
}

describe('the error of a step', () => {
  const material: MaterialDef = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.45, density: 1000 };

  it.each([
    [true, 10],
    [true, 20],
    [true, 40],
    [false, 10],
    [false, 40],
  ])('accelerated %s, %i iterations: between half and five times the true one', async (accelerated, iterations) => {
    const start = await swinging(material, 40, true);
    const { model, state } = start;
    const converged = (await swinging(material, 1000, true, start)).state.positions;
    // where inertia and gravity alone lead
    const free = state.positions.map((x, i) => {
      const falls = i % 3 === 1 && !model.pinned[Math.floor(i / 3)] ? H * H * GRAVITY : 0;
      return x + H * state.velocities[i] + falls;
    });
    const distance = (a: Float64Array) =>
      Math.sqrt(a.reduce((sum, x, i) => sum + model.masses[Math.floor(i / 3)] * (x - converged[i]) ** 2, 0));
    const s = await swinging(material, iterations, accelerated, start);
    const truth = distance(s.state.positions) / distance(free);
    const { error } = s.world.certificate;
    measured(`error of a step, ${accelerated}, ${iterations}`, { truth, error });
    expect(error).toBeGreaterThan(0.5 * truth);
    expect(error).toBeLessThan(5 * truth);
  });

  it('is one where too little is known', async () => {
    expect((await swinging(material, 1, true)).world.certificate.error).toBe(1);
  });
});

describe('the error of a step on the ground', () => {
  /** Every sixth step, six times. */
  const [STATES, APART] = [6, 6];
  const CONVERGED = 600;
  const positionsOf = (world: World) => world.bodies[0].state.positions.slice();

  function stepOf(world: World, snapshot: Uint8Array, iterations: number): Float64Array {
    restoreSnapshot(world, snapshot);
    world.options.iterations = iterations;
    expect(stepWorld(world)).toBe(true);
    return positionsOf(world);
  }

  // with forty, what is left is that of two ends which friction allows (0.37 % where 0.05 are said), and rounding
  it.each([
    ['ragdoll', 40],
    ['fish', 24],
  ])(
    '%s, ten and twenty iterations: never below half of the true one, nor 20 times and 1 % above',
    async (name, from) => {
      const scene = buildScene(name);
      const world = await createWorld(scene);
      const probe = await createWorld(scene);
      const plain = await createWorld(scene, { turningRegions: false });
      const [{ model, state }] = world.bodies;
      const distance = (a: Float64Array, b: Float64Array) =>
        Math.sqrt(a.reduce((sum, x, i) => sum + model.masses[Math.floor(i / 3)] * (x - b[i]) ** 2, 0));
      const { dt, gravity } = world;
      const falling = Math.sqrt(model.totalMass) * dt * dt * Math.hypot(...gravity);
      const ratios: number[] = [];
      let above = 0;
      for (let n = 0; n < from; n++) stepWorld(world);
      for (let n = 0; n < STATES; n++) {
        for (let k = 0; k < APART; k++) stepWorld(world);
        expect(world.certificate.contacts).toBeGreaterThan(0);
        const free = state.positions.map((x, i) => x + dt * state.velocities[i] + dt * dt * gravity[i % 3]);
        const snapshot = takeSnapshot(world);
        const converged = stepOf(plain, snapshot, CONVERGED);
        const needed = Math.max(distance(free, converged), falling);
        for (const iterations of [10, 20]) {
          const truth = distance(stepOf(probe, snapshot, iterations), converged) / needed;
          ratios.push(probe.certificate.error / truth);
          above = Math.max(above, probe.certificate.error - 20 * truth);
        }
      }
      measured(`error over truth, ${name}`, { ratios, above });
      expect(Math.min(...ratios)).toBeGreaterThan(0.5);
      expect(above).toBeLessThan(0.01);
    },
  );
});
