/** Muscles against closed forms: the balance of a line with a weight, and how far a bar of fibres contracts. */
import { describe, expect, it } from 'vitest';
import { buildFlexingArmScene } from '../../../scenes/active/flexing-arm.js';
import { buildSwimmingFishScene } from '../../../scenes/active/swimming-fish.js';
import type { BodyDef, MaterialDef } from '../../../src/body/body-def.js';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import { buildModel } from '../../../src/body/model.js';
import type { MuscleDef } from '../../../src/body/muscle-def.js';
import {
  createWorld,
  disposeWorld,
  hashWorld,
  readMuscle,
  restoreSnapshot,
  setActivation,
  setJointMotor,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { centreOf, measured, momentOf, norm, single } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const GRAVITY = 9.81;

/** A forearm of 0.3 m on a hinge about z at the origin, level at 0, and a line from 0.25 m above the elbow to 0.04 m along the forearm. */
function forearm(muscle: Partial<MuscleDef> = {}, mass = 0.144338): RigidBodyDef {
  const box = (name: string, x: number, kinematic: boolean) =>
    ({
      name,
      shape: { kind: 'box', halfExtents: [0.15, 0.01, 0.01] },
      position: [x, 0, 0],
      mass,
      kinematic,
    }) as const;
  return {
    kind: 'rigid',
    name: 'arm',
    parts: [box('upper', -0.15, true), box('lower', 0.15, false)],
    joints: [{ name: 'elbow', type: 'hinge', bones: ['upper', 'lower'], anchor: [0, 0, 0], axis: [0, 0, 1] }],
    muscles: [
      {
        kind: 'line',
        name: 'biceps',
        path: [
          { bone: 'upper', point: [0, 0.25, 0] },
          { bone: 'lower', point: [0.04, 0, 0] },
        ],
        force: 8.11743,
        shortest: 0.8,
        activation: 1,
        damping: 30,
        ...muscle,
      } as never,
    ],
  };
}

const placed = (body: RigidBodyDef | BodyDef) => ({
  name: 'test',
  description: '',
  bodies: [{ body }],
  gravity: [0, -GRAVITY, 0] as const,
});

describe('a muscle that is a line', () => {
  it('holds a forearm at 0.5 rad with 4.95888 N: K (1 − l_min/l) a b = m g d, l² = a² + b² − 2 a b sin θ (statics)', async () => {
    const world = await createWorld(placed(forearm()), { dt: 1 / 60, contact: 'none' });
    const [body] = world.bodies;
    for (let n = 0; n < 600; n++) expect(stepWorld(world)).toBe(true);
    const { rotations } = body.state.poses;
    const angle = Math.atan2(rotations[12], rotations[9]);
    const { tension } = readMuscle(body, 'biceps');
    measured('forearm', { angle, tension });
    // the force is given to six digits
    expect(angle).toBeCloseTo(0.5, 5);
    expect(tension).toBeCloseTo(4.95888, 4);
    disposeWorld(world);
  });

  it('turns the forearm from its last via point: tension times the arm of that segment is the moment of the weight (statics)', async () => {
    const path = [
      { bone: 'upper', point: [-0.25, 0.2, 0] },
      { bone: 'upper', point: [-0.08, 0.05, 0] },
      { bone: 'lower', point: [0.04, 0.02, 0] },
    ];
    const def = forearm({ path, force: 12, shortest: 0.7 } as never);
    const world = await createWorld(placed(def), { dt: 1 / 60, contact: 'none' });
    for (let n = 0; n < 600; n++) stepWorld(world);
    const { rotations } = world.bodies[0].state.poses;
    const [c, s] = [rotations[9], rotations[12]];
    const end = [0.04 * c - 0.02 * s, 0.04 * s + 0.02 * c];
    const way = [-0.08 - end[0], 0.05 - end[1]];
    const arm = (end[0] * way[1] - end[1] * way[0]) / Math.hypot(...way);
    const { tension } = readMuscle(world.bodies[0], 'biceps');
    const weight = 0.144338 * GRAVITY * 0.15 * c;
    measured('via point', { angle: Math.atan2(s, c), moment: tension * arm, weight });
    expect(tension * arm).toBeCloseTo(weight, 5);
    disposeWorld(world);
  });

  it('moves no free body: the centre of mass stays and no moment comes from nowhere (conservation laws)', async () => {
    const boxes = ['a', 'b', 'c'].map((name, i) => ({
      name,
      centre: [0.3 * i, 0, 0] as const,
      sides: lumpedSides([0.28, 0.1, 0.1]),
    }));
    const joint = (name: string, a: string, b: string, x: number) =>
      ({ name, type: 'ball', bones: [a, b], anchor: [x, 0, 0] }) as const;
    const body: BodyDef = {
      ...buildBoxes(boxes, [joint('j', 'a', 'b', 0.15), joint('k', 'b', 'c', 0.45)]),
      // over two joints, past the bone between
      muscles: [
        {
          kind: 'line',
          name: 'm',
          path: [
            { bone: 'a', point: [0, 0.05, 0] },
            { bone: 'b', point: [0.3, 0.05, 0.02] },
            { bone: 'c', point: [0.6, 0.05, 0] },
          ],
          force: 400,
          damping: 5,
        },
      ],
    };
    const { world, model, state, step } = await single(body, { dt: 1 / 60, iterations: 3 });
    const start = centreOf(model, state.positions);
    let [drift, moment] = [0, 0];
    for (let n = 0; n < 120; n++) {
      setActivation(world.bodies[0], 'm', n % 40 < 20 ? 1 : 0.1);
      const y = state.positions.map((x, i) => x + state.velocities[i] / 60);
      step();
      const way = state.positions.map((x, i) => x - y[i]);
      moment = Math.max(moment, norm(momentOf(model, state.positions, way)) * 3600);
      drift = Math.max(drift, norm(centreOf(model, state.positions).map((x, k) => x - start[k])));
    }
    measured('free muscle', { drift: drift / model.size, moment });
    expect(drift).toBeLessThan(1e-9 * model.size);
    expect(moment).toBeLessThan(1e-6);
  });
});

const FLESH: MaterialDef = { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.45, density: 1000 };

function fibreBar(activation: number): BodyDef {
  const { positions, tets } = buildLattice({ cells: [6, 2, 2], cellSize: 0.05, split: 'five' });
  const all = Array.from({ length: tets.length / 4 }, (_, i) => i);
  return {
    name: 'bar',
    positions,
    tets,
    materials: [FLESH],
    muscles: [{ kind: 'fibres', name: 'm', tets: all, direction: [1, 0, 0], strength: 3e5, shortest: 0.5, activation }],
  };
}

describe('a bar of fibres', () => {
  it('contracts to (E + a w s₀)/(E + a w) and thickens by Poisson’s ratio (closed form of the uniform bar)', async () => {
    for (const activation of [0.3, 1]) {
      const { world, state, step } = await single(fibreBar(activation), { dt: 1 / 60, iterations: 20, damping: 4 });
      step(200);
      const span = (k: number) => {
        const values = state.positions.filter((_, i) => i % 3 === k);
        return Math.max(...values) - Math.min(...values);
      };
      const s = (4e4 + activation * 3e5 * 0.5) / (4e4 + activation * 3e5);
      measured('fibre bar', { s: span(0) / 0.3, wanted: s, wide: span(1) / 0.1, thick: 1 - 0.45 * (s - 1) });
      expect(span(0) / 0.3).toBeCloseTo(s, 4);
      expect(span(1) / 0.1).toBeCloseTo(1 - 0.45 * (s - 1), 4);
      disposeWorld(world);
    }
  });

  it('goes on from a snapshot to the same bits, activations included', async () => {
    const { world, step } = await single(fibreBar(0.5), { dt: 1 / 60, iterations: 5 });
    step(3);
    const bytes = takeSnapshot(world);
    step(3);
    const hash = hashWorld(world);
    setActivation(world.bodies[0], 'm', 0);
    restoreSnapshot(world, bytes);
    step(3);
    expect(hashWorld(world)).toBe(hash);
    expect(readMuscle(world.bodies[0], 'm').activation).toBe(0.5);
  });
});

describe('a muscle that follows a motor', () => {
  it('is as active as the motor works: torque about its direction over the torque of full activation', async () => {
    const follows = { joint: 'elbow', about: [0, 0, 1], torque: 2 } as const;
    const world = await createWorld(placed(forearm({ activation: 0, force: 0, follows } as never)), {
      contact: 'none',
    });
    const [body] = world.bodies;
    for (const [torque, wanted] of [
      [1, 0.5],
      [-1, 0],
      [9, 1],
    ]) {
      setJointMotor(body, 'elbow', { torque });
      for (let n = 0; n < 90; n++) stepWorld(world);
      expect(readMuscle(body, 'biceps').activation).toBeCloseTo(wanted, 6);
    }
    disposeWorld(world);
  });
});

describe('bellies of a limb', () => {
  it('work on the side the motor turns to, and bulge there: thicker in the middle than the same arm without muscles', async () => {
    const widths: number[] = [];
    for (const muscles of [true, false]) {
      const scene = buildFlexingArmScene({ muscles, cell: 0.03 });
      const world = await createWorld({ ...scene, iterations: 10 });
      const [{ state, model }] = world.bodies;
      for (let n = 0; n < 75; n++) expect(stepWorld(world)).toBe(true);
      if (muscles) {
        expect(readMuscle(world.bodies[0], 'elbow 1').activation).toBeGreaterThan(0.9);
        expect(readMuscle(world.bodies[0], 'elbow 2').activation).toBe(0);
        expect(world.certificate.inverted).toBe(0);
      }
      let widest = 0;
      for (let v = 0; v < model.vertexCount; v++) {
        const [x, y] = state.positions.subarray(v * 3);
        if (Math.abs(y - 0.76) < 0.02) widest = Math.max(widest, x);
      }
      widths.push(widest);
      disposeWorld(world);
    }
    measured('belly', widths);
    expect(widths[0]).toBeGreaterThan(widths[1] + 0.001);
  });
});

describe('water', () => {
  it('holds a falling box at the speed where m g = ρ C A v², half of it in front and half behind (closed form)', async () => {
    const half = 0.1;
    const body: RigidBodyDef = {
      kind: 'rigid',
      name: 'box',
      parts: [{ name: 'box', shape: { kind: 'box', halfExtents: [half, half, half] }, mass: 5 }],
    };
    const world = await createWorld(
      { ...placed(body), drives: [{ kind: 'water', body: 'box', drag: 1.3 }] },
      { dt: 1 / 120 },
    );
    for (let n = 0; n < 240; n++) stepWorld(world);
    const speed = -world.bodies[0].state.boneRates[10];
    measured('falling in water', speed);
    expect(speed).toBeCloseTo(Math.sqrt((5 * GRAVITY) / (1000 * 1.3 * 4 * half * half)), 5);
    disposeWorld(world);
  });

  it('carries a fish that beats its tail forward, and none that is still', async () => {
    const scene = buildSwimmingFishScene();
    const ways: number[] = [];
    for (const drives of [scene.drives, scene.drives!.slice(0, 1)]) {
      const world = await createWorld({ ...scene, drives: drives! }, { iterations: 5 });
      const start = centreOf(world.bodies[0].model, world.bodies[0].state.positions)[2];
      for (let n = 0; n < 96; n++) expect(stepWorld(world)).toBe(true);
      ways.push(centreOf(world.bodies[0].model, world.bodies[0].state.positions)[2] - start);
      disposeWorld(world);
    }
    measured('fish', ways);
    expect(ways[0]).toBeGreaterThan(0.02);
    expect(Math.abs(ways[1])).toBeLessThan(1e-9);
  });
});

describe('muscles that make no sense', () => {
  it('are refused by name and place', () => {
    const fails = (muscle: unknown) => () => buildModel({ ...fibreBar(0), muscles: [muscle as MuscleDef] });
    const good = fibreBar(0).muscles![0];
    expect(fails({ ...good, kind: 'rope' })).toThrow('E_UNKNOWN');
    expect(fails({ ...good, activation: 2 })).toThrow('E_RANGE');
    expect(fails({ ...good, strength: -1 })).toThrow('E_RANGE');
    expect(fails({ ...good, strength: Number.NaN })).toThrow('E_');
    expect(fails({ ...good, direction: [0, 0, 0] })).toThrow('E_RANGE');
    expect(fails({ ...good, direction: [1, 0] })).toThrow('E_RANGE');
    expect(fails({ ...good, tets: [1e6] })).toThrow('E_INDEX');
    expect(fails({ ...good, shares: [1] })).toThrow('E_RANGE');
    expect(fails({ ...good, tets: [0], shares: [1.5] })).toThrow('E_RANGE');
    expect(fails({ ...good, follows: { joint: 'none', about: [0, 0, 1] } })).toThrow('E_UNKNOWN');
    expect(fails({ kind: 'line', name: 'l', path: [], force: 1 })).toThrow('E_EMPTY');
    expect(
      fails({
        kind: 'line',
        name: 'l',
        path: [
          { bone: 'x', point: [0, 0, 0] },
          { bone: 'x', point: [1, 0, 0] },
        ],
        force: 1,
      }),
    ).toThrow('E_UNKNOWN');
  });
});
