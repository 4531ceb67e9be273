/**
 * Regions of flesh that turn as one (src/solvers/projective/regions). References: the turn that a moment gives a stiff body, in closed form; and plain
 * local/global iterations, which have no regions, run until they have converged.
 */
import { describe, expect, it } from 'vitest';
import { buildHuman } from '../../scenes/cast/human.js';
import { buildScene } from '../../scenes/index.js';
import {
  type AnySceneDef,
  createWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { measured, single } from '../support/checks/measure.js';

const STIFF = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.4, density: 1000 } as const;

describe('a block of stiff flesh under a moment', () => {
  it.each([
    [true, 0.93, 1.01],
    // the matrix of plain iterations resists the turn by the stiffness of all tets
    [false, 0, 0.1],
  ])('turning regions %s: three iterations turn it by this share of α h²', async (turningRegions, least, most) => {
    const mesh = buildLattice({ cells: [8, 4, 4], cellSize: 0.05, origin: [-0.2, -0.1, -0.1], split: 'five' });
    // held along its axis: the end of a step does not turn it
    const pins = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter(
      (v) => Math.abs(mesh.positions[v * 3]) + Math.abs(mesh.positions[v * 3 + 1]) < 1e-9,
    );
    const s = await single(
      { name: 'block', ...mesh, pins, materials: [STIFF] },
      { iterations: 3, accelerated: turningRegions, turningRegions, gravity: [0, 0, 0] },
    );
    const alpha = 2;
    const { masses, positions } = s.model;
    // forces m α × r about z: the moment that turns it, and nothing that bends it
    masses.forEach((mass, v) => {
      s.state.forces[v * 3] = -mass * alpha * positions[v * 3 + 1];
      s.state.forces[v * 3 + 1] = mass * alpha * positions[v * 3];
    });
    s.step();
    let [moment, inertia] = [0, 0];
    masses.forEach((mass, v) => {
      const [x, y] = [positions[v * 3], positions[v * 3 + 1]];
      moment += mass * (x * (s.state.positions[v * 3 + 1] - y) - y * (s.state.positions[v * 3] - x));
      inertia += mass * (x * x + y * y);
    });
    const share = moment / inertia / (alpha * s.world.dt * s.world.dt);
    measured(`turn after three iterations, ${turningRegions}`, { share });
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(most);
  });
});

describe('steps of ten iterations', () => {
  /** Distance of a step from where plain iterations lead, as a share of the correction that was needed, and that of plain ones. */
  async function stepError(scene: AnySceneDef, steps: number, enough = 3000) {
    const world = await createWorld(scene, { threads: 1, iterations: 10, turningRegions: true });
    const plain = await createWorld(scene, { threads: 1, iterations: 10, accelerated: false });
    for (let n = 0; n < steps; n++) stepWorld(world);
    const snapshot = takeSnapshot(world);
    const { dt, gravity } = world;
    const [{ model, state }] = world.bodies;
    const free = state.positions.map((x, i) => x + dt * state.velocities[i] + dt * dt * gravity[i % 3]);
    const stepOf = (from: World, iterations: number) => {
      restoreSnapshot(from, snapshot);
      from.options.iterations = iterations;
      stepWorld(from);
      return from.bodies[0].state.positions.slice();
    };
    const converged = stepOf(plain, enough);
    const distance = (a: Float64Array) =>
      Math.sqrt(a.reduce((sum, x, i) => sum + model.masses[Math.floor(i / 3)] * (x - converged[i]) ** 2, 0));
    const [ours, theirs] = [stepOf(world, 10), stepOf(plain, 10)].map((x) => distance(x) / distance(free));
    return { ours, theirs };
  }

  it('a hand that swings: within 1 % (plain: 3 % and more)', async () => {
    const { ours, theirs } = await stepError(buildScene('hand'), 24);
    measured('step error of the hand', { ours, theirs });
    expect(ours).toBeLessThan(0.01);
    expect(theirs).toBeGreaterThan(0.03);
  });

  it('a human that swings from one forearm, head and feet without bones: within 2.5 % (plain: 15 % and more)', async () => {
    const human = buildHuman({ cell: 0.05 });
    const bones = (human.bones ?? []).map((bone) => ({ ...bone, kinematic: bone.name === 'forearmLeft' }));
    const scene = { name: 'swing', description: '', bodies: [{ body: { ...human, bones } }], dt: 1 / 60 };
    const { ours, theirs } = await stepError(scene, 12);
    measured('step error of the swinging human', { ours, theirs });
    expect(ours).toBeLessThan(0.025);
    expect(theirs).toBeGreaterThan(0.15);
  });

  it('a ragdoll that comes down on the ground: within 4 % (plain: 15 % and more)', async () => {
    const { ours, theirs } = await stepError(buildScene('ragdoll'), 66, 600);
    measured('step error of the ragdoll', { ours, theirs });
    expect(ours).toBeLessThan(0.04);
    expect(theirs).toBeGreaterThan(0.15);
  });

  it('a fish that has come down on the ground: within 3 % (plain: 5 % and more)', async () => {
    const { ours, theirs } = await stepError(buildScene('fish'), 33, 600);
    measured('step error of the fish', { ours, theirs });
    expect(ours).toBeLessThan(0.03);
    expect(theirs).toBeGreaterThan(0.05);
  });
});

describe('a dog that lands on its feet', () => {
  // bones turn by tenths of a radian in a step: what regions take off their metric, taken off askew, left less than nothing, and 694 tets were turned inside out
  it('no more tets are turned inside out than without regions', async () => {
    const world = await createWorld(buildScene('quadruped'), { threads: 1, turningRegions: true });
    let inverted = 0;
    for (let n = 0; n < 36; n++) {
      expect(stepWorld(world)).toBe(true);
      inverted = Math.max(inverted, world.certificate.inverted);
    }
    measured('tets of the dog inside out at worst', { inverted });
    expect(inverted).toBeLessThan(55);
  });
});
