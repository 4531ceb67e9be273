/** A solver nobody knew goes through scene, world, step, snapshot, the viewer's simulation and that of tendon/three, none of which changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENES, type SceneEntry } from '../../../scenes/index.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  hashWorld,
  resetWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import { addSolverKind } from '../../../src/solvers/added-kinds.js';
import { SimulationCore } from '../../../three/simulation-core.js';
import { Simulation } from '../../../viewer/worker/simulation.js';
import { fleshScene } from '../../support/models/bodies.js';
import { TOY } from '../../support/models/toy-solver.js';

const G = 9.81;
const scenes = SCENES as Map<string, SceneEntry>;
const build = (): AnySceneDef => ({
  ...fleshScene('jelly-bar'),
  name: 'toy',
  solver: { kind: 'toy', gravityShare: 0.5 },
});

beforeAll(() => {
  addSolverKind(TOY);
  scenes.set('toy', { description: 'falls and nothing else', build });
});
afterAll(() => {
  scenes.delete('toy');
});

/** How far a body falls in n steps of h by symplectic Euler, at half of gravity: closed form. */
const fallen = (n: number, h: number) => (-G * 0.5 * h * h * n * (n + 1)) / 2;

describe('a solver of 70 lines', () => {
  it('moves a world, certifies it, and starts it again', async () => {
    const world = await createWorld(build());
    expect(world.solverName).toBe('toy');
    const start = hashWorld(world);
    const y = world.bodies[0].state.positions[1];
    for (let n = 0; n < 10; n++) expect(stepWorld(world)).toBe(true);
    expect(world.bodies[0].state.positions[1] - y).toBeCloseTo(fallen(10, world.dt), 12);
    expect(Object.keys(world.certificate.ms)).toEqual(['fall', 'contact']);
    resetWorld(world);
    expect(hashWorld(world)).toBe(start);
    disposeWorld(world);
  });

  it('goes on the same way from a snapshot', async () => {
    const world = await createWorld(build());
    stepWorld(world);
    const bytes = takeSnapshot(world);
    stepWorld(world);
    const hash = hashWorld(world);
    restoreSnapshot(world, bytes);
    stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
    disposeWorld(world);
  });

  it('reads its own options, and only its own', async () => {
    const scene = { ...build(), solver: { kind: 'toy', gravityShare: Number.NaN } };
    await expect(createWorld(scene)).rejects.toMatchObject({ code: 'E_NOT_FINITE', place: 'options/gravityShare' });
    const unknown = { ...build(), solver: { kind: 'nobody' } };
    await expect(createWorld(unknown)).rejects.toMatchObject({ code: 'E_UNKNOWN', value: 'nobody' });
  });

  it("runs in the viewer's simulation", async () => {
    const simulation = await Simulation.create({ source: { kind: 'scene', name: 'toy' }, settings: {} });
    const heights = [0, 10].map((steps) => {
      const out = new Float32Array(simulation.length);
      simulation.advance(steps, 1, out);
      return out[1];
    });
    expect(heights[1] - heights[0]).toBeCloseTo(fallen(10, 1 / 60), 5);
  });

  it('runs in the simulation of tendon/three', async () => {
    const source = { kind: 'scene', scene: build() } as const;
    const core = await SimulationCore.create({ source, obstacles: [], world: {} });
    const out = new Float32Array(core.length);
    core.advance(0, 1, out);
    const y = out[1];
    const { stepCount } = core.advance(10, 1, out);
    expect(stepCount).toBe(10);
    expect(out[1] - y).toBeCloseTo(fallen(10, 1 / 60), 5);
    core.dispose();
  });
});
