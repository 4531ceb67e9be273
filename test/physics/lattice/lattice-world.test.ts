/**
 * The lattice solver in a world: free fall as backward Euler has it in closed form (V01), bones exact, snapshots that go on bit
 * by bit, a body that comes to rest on the ground, and what is refused.
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef, SceneDef } from '../../../src/index.js';
import {
  createWorld,
  disposeWorld,
  grabBody,
  hashWorld,
  moveGrab,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { setBoneTarget } from '../../../src/world/bone-control.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const JELLY = { model: 'corotated', youngModulus: 2e4, poissonRatio: 0.3, density: 1000 } as const;

function block(): BodyDef {
  return { name: 'block', ...buildLattice({ cells: [3, 3, 3], cellSize: 0.1 }), materials: [JELLY] };
}

function sceneOf(body: BodyDef, more: Partial<SceneDef> & { solverOptions?: object } = {}): SceneDef {
  const { solverOptions, ...rest } = more;
  const solver = { kind: 'lattice', cells: 300, ...solverOptions };
  return { name: 'test', description: '', bodies: [{ body }], dt: 1 / 60, solver, ...rest } as SceneDef;
}

function meanHeight({ bodies }: World): number {
  const { positions } = bodies[0].state;
  let sum = 0;
  for (let i = 1; i < positions.length; i += 3) sum += positions[i];
  return (3 * sum) / positions.length;
}

describe('lattice worlds', () => {
  it('fall as backward Euler does: x0 + n h v0 - g h^2 n (n + 1) / 2', async () => {
    const scene = sceneOf(block());
    const thrown = { ...scene, bodies: [{ ...scene.bodies[0], velocity: [0, 2, 0] as const }] };
    const world = await createWorld(thrown);
    const start = meanHeight(world);
    const h = 1 / 60;
    for (let n = 1; n <= 30; n++) {
      expect(stepWorld(world)).toBe(true);
      const expected = start + n * h * 2 - (9.81 * h * h * n * (n + 1)) / 2;
      expect(Math.abs(meanHeight(world) - expected)).toBeLessThan(2e-5);
    }
    disposeWorld(world);
  });

  it('hold bones exactly where they are sent, and the flesh follows without turning inside out', async () => {
    const bar = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 2, material: JELLY, joint: 'none' });
    const body = { ...bar, bones: bar.bones!.map((bone) => ({ ...bone, kinematic: true })) };
    const world = await createWorld(
      sceneOf(body, { solverOptions: { mode: 'quasistatic', weight: false, tolerance: 0.001, iterations: 60 } }),
    );
    const { state, model } = world.bodies[0];
    for (let n = 1; n <= 10; n++) {
      const angle = (n * Math.PI) / 40;
      const position = [0.375 + 0.002 * n, 0.05 + 0.01 * n, 0.05];
      setBoneTarget(world.bodies[0], 1, { position, rotation: [0, 0, Math.sin(angle), Math.cos(angle)] });
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.inverted).toBe(0);
    }
    const { bones, positions } = model;
    for (let n = bones.vertexStart[0]; n < bones.vertexStart[1]; n++) {
      const v = bones.vertices[n];
      for (let k = 0; k < 3; k++) expect(state.positions[3 * v + k]).toBeCloseTo(positions[3 * v + k], 14);
    }
    // against the pull between the bones, Young's modulus times area times a stretch of a third: about 70 N
    expect(world.certificate.residual).toBeLessThan(0.05);
    disposeWorld(world);
  });

  it('take bones that nothing drives along with the one they are joined to', async () => {
    const bar = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 2, material: JELLY });
    const body = { ...bar, bones: bar.bones!.map((bone, i) => ({ ...bone, kinematic: i === 0 })) };
    const world = await createWorld(sceneOf(body, { solverOptions: { mode: 'quasistatic', weight: false } }));
    const { state, model } = world.bodies[0];
    const centre = model.bones.centre.slice(0, 3);
    // a quarter turn about y and a shift, in ten steps: then everything is the rest shape, turned and shifted
    for (let n = 1; n <= 10; n++) {
      const half = (n * Math.PI) / 40;
      const position = [centre[0] + 0.1 * n, centre[1], centre[2]];
      setBoneTarget(world.bodies[0], 0, { position, rotation: [0, Math.sin(half), 0, Math.cos(half)] });
      expect(stepWorld(world)).toBe(true);
    }
    for (let v = 0; v < model.vertexCount; v++) {
      const [x, y, z] = [0, 1, 2].map((k) => model.positions[3 * v + k] - centre[k]);
      const expected = [centre[0] + 1 + z, centre[1] + y, centre[2] - x];
      for (let k = 0; k < 3; k++) expect(Math.abs(state.positions[3 * v + k] - expected[k])).toBeLessThan(1e-4);
    }
    disposeWorld(world);
  });

  it('go on from a snapshot bit by bit', async () => {
    const scene = sceneOf(block(), {
      obstacles: [{ name: 'ground', shape: { kind: 'plane' }, position: [0, -0.2, 0] }],
    });
    const world = await createWorld(scene);
    for (let n = 0; n < 12; n++) stepWorld(world);
    const snapshot = takeSnapshot(world);
    for (let n = 0; n < 5; n++) stepWorld(world);
    const hash = hashWorld(world);
    restoreSnapshot(world, snapshot);
    for (let n = 0; n < 5; n++) stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
    disposeWorld(world);
  });

  it('land on the ground, carried by as much as they weigh', async () => {
    const scene = sceneOf(block(), {
      obstacles: [{ name: 'ground', shape: { kind: 'plane' }, position: [0, -0.02, 0] }],
    });
    const world = await createWorld(scene);
    let pushed = 0;
    for (let n = 0; n < 120; n++) {
      expect(stepWorld(world)).toBe(true);
      if (n < 90) continue;
      for (let c = 0; c < world.contacts.count; c++) pushed += world.contacts.force[3 * c + 1] / 30;
    }
    // momentum stays what it is in the mean, so what the ground gives is the weight of 27 litres of water
    expect(Math.abs(pushed / (27 * 9.81) - 1)).toBeLessThan(0.01);
    expect(world.certificate.penetration).toBeLessThan(0.005);
    disposeWorld(world);
  });

  it('follow a hand that pulls', async () => {
    const world = await createWorld(sceneOf(block(), { gravity: [0, 0, 0] }));
    const grab = grabBody(world, 0, [0.3, 0.3, 0.3]);
    moveGrab(grab, [0.5, 0.3, 0.3]);
    for (let n = 0; n < 90; n++) stepWorld(world);
    const point = new Float64Array(3);
    grab.point(point);
    expect(point[0]).toBeGreaterThan(0.4);
    disposeWorld(world);
  });

  it('refuse options that make no sense, and cells too large for a bone', async () => {
    const refused = async (solverOptions: object, body = block()) =>
      createWorld(sceneOf(body, { solverOptions })).then(
        () => 'built',
        (error) => error.code,
      );
    expect(await refused({ mode: 'fast' })).toBe('E_UNKNOWN');
    expect(await refused({ cells: 2 })).toBe('E_RANGE');
    expect(await refused({ kappa: 0 })).toBe('E_RANGE');
    const bar = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 1, material: JELLY, joint: 'none' });
    expect(await refused({ cell: 1 }, bar)).toBe('E_EMPTY_BONE');
  });
});
