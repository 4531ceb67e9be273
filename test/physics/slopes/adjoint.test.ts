/** Slopes that go back over the steps of a rollout: against closed forms of small cases, and against central differences of the world itself. */
import { describe, expect, it } from 'vitest';
import { buildReachingArm, reachingTask } from '../../../scenes/active/reaching.js';
import type { BodyDef } from '../../../src/body/body-def.js';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import type { MuscleDef } from '../../../src/body/muscle-def.js';
import {
  addObstacle,
  type ControlDef,
  type ControlGoal,
  createWorld,
  disposeWorld,
  goalSlopes,
  optimiseControls,
  removeObstacle,
  type WorldOptions,
} from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';
import { cosine, differences } from '../../support/checks/rollout-differences.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const H = 1 / 60;

const motor = { stiffness: 20, damping: 1 };

/** Two boxes, a ball at the shoulder and a hinge at the elbow, both with motors. */
function rigidArm(shoulder: object, elbow: object): RigidBodyDef {
  const part = (name: string, x: number) =>
    ({ name, shape: { kind: 'box', halfExtents: [0.15, 0.02, 0.03] }, position: [x, 0, 0], mass: 0.5 }) as const;
  return {
    kind: 'rigid',
    name: 'arm',
    parts: [part('upper', 0.15), part('lower', 0.45)],
    joints: [
      { name: 'shoulder', type: 'ball', bones: ['upper'], anchor: [0, 0, 0], ...shoulder },
      { name: 'elbow', type: 'hinge', bones: ['upper', 'lower'], anchor: [0.3, 0, 0], axis: [0, 1, 0], ...elbow },
    ],
  };
}

async function worldOf(body: BodyDef | RigidBodyDef, options: WorldOptions, gravity = [0, -9.81, 0] as const) {
  const scene = { name: 'test', description: '', bodies: [{ body }], gravity: gravity as [number, number, number] };
  return createWorld(scene, { dt: H, contact: 'none', ...options });
}

describe('slopes of rigid bones', () => {
  it('are those of the exact map of backward Euler for a hinge with a motor (closed form, differentiated)', async () => {
    const [mass, half, k, d, target, steps] = [0.5, [0.15, 0.02, 0.03], 20, 1, 0.8, 12];
    const body: RigidBodyDef = {
      kind: 'rigid',
      name: 'bar',
      parts: [{ name: 'bar', shape: { kind: 'box', halfExtents: half as never }, position: [0.15, 0, 0], mass }],
      joints: [
        {
          name: 'h',
          type: 'hinge',
          bones: ['bar'],
          anchor: [0, 0, 0],
          axis: [0, 0, 1],
          motor: { stiffness: k, damping: d },
        },
      ],
    };
    const world = await worldOf(body, { iterations: 20 }, [0, 0, 0] as never);
    const goal: ControlGoal = { steps, miss: ({ bodies: [{ state }] }) => [state.poses.translations[1]] };
    const [slope] = goalSlopes(world, [{ kind: 'motor', body: 'bar', joint: 'h', times: [0] }], goal, [target]);
    // (I/h²)(2 sin(θ − θₙ) − sin(θ − θₙ₋₁)) = k (target − θ) − d (θ − θₙ)/h, and the same differentiated by the target
    const { bones } = world.bodies[0].model;
    const inertia = bones.secondMoment[0] + bones.secondMoment[4] + mass * 0.15 * 0.15;
    let [before, now, slopeBefore, slopeNow] = [0, 0, 0, 0];
    for (let n = 0; n < steps; n++) {
      let next = now;
      const i = inertia / (H * H);
      for (let round = 0; round < 30; round++) {
        const out =
          i * (2 * Math.sin(next - now) - Math.sin(next - before)) - k * (target - next) + (d * (next - now)) / H;
        next -= out / (i * (2 * Math.cos(next - now) - Math.cos(next - before)) + k + d / H);
      }
      const [a, b] = [2 * i * Math.cos(next - now), i * Math.cos(next - before)];
      const slopeNext = (k + (a + d / H) * slopeNow - b * slopeBefore) / (a - b + k + d / H);
      [before, now, slopeBefore, slopeNow] = [now, next, slopeNow, slopeNext];
    }
    const wanted = 0.15 * Math.cos(now) * slopeNow;
    measured('slope of a hinge', { slope, wanted });
    expect(slope).toBeCloseTo(wanted, 8);
    disposeWorld(world);
  });

  it.each([
    ['motors', { motor }, { motor: { stiffness: 5, damping: 0.3 } }, {}],
    ['motors and BDF2', { motor }, { motor: { stiffness: 5, damping: 0.3 } }, { integrator: 'bdf2' }],
    ['a limit that pushes', { motor }, { motor: { stiffness: 5, damping: 0.3 }, limits: { range: [-0.3, 0.3] } }, {}],
    [
      'a motor at its largest torque',
      { motor: { ...motor, maxTorque: 1.5 } },
      { motor: { stiffness: 5, damping: 0.3 } },
      {},
    ],
    [
      'a cone and a twist that push',
      { motor, axis: [1, 0, 0], secondAxis: [0, 1, 0], limits: { cone: [0.08, 0.3], twist: [-0.05, 0.05] } },
      { motor },
      {},
    ],
  ] as const)('are those of central differences, with %s', async (name, shoulder, elbow, options) => {
    const world = await worldOf(rigidArm(shoulder, elbow), { iterations: 30, ...options });
    const controls: ControlDef[] = [
      { kind: 'velocity', body: 'arm' },
      { kind: 'motor', body: 'arm', joint: 'shoulder', times: [0, 0.2] },
      { kind: 'motor', body: 'arm', joint: 'elbow', times: [0.1] },
    ];
    const goal: ControlGoal = {
      steps: 20,
      miss: ({ bodies: [{ state }] }) =>
        [0, 1, 2].flatMap((k) => [state.poses.translations[3 + k], 0.1 * state.boneRates[21 + k]]),
    };
    const values = [0.1, 0.2, 0.3, 0.2, -0.5, 0.3, 0.3, -0.4, 0.4, 0.8];
    const wanted = differences(world, controls, goal, values, 1e-4);
    const slopes = goalSlopes(world, controls, goal, values);
    const worst = Math.max(...wanted.map((x, i) => Math.abs(x - slopes[i])));
    const largest = Math.max(...wanted.map(Math.abs));
    measured(`slopes with ${name}`, { worst, largest });
    expect(worst).toBeLessThan(2e-5 * largest);
    disposeWorld(world);
  });
});

describe('slopes of flesh', () => {
  it.each([
    ['', false],
    [' that shares strains', true],
  ])('point where central differences do, for an arm%s with soft motors and few iterations', async (_, smoothed) => {
    const body = buildReachingArm(0.045);
    const world = await worldOf(body, { iterations: 10, smoothed });
    const { controls, goal } = reachingTask(body);
    const short = { ...goal, steps: 12 };
    const values = [0.2, -0.5, 0.1, -0.5, -0.4, 0.4, 0.6, 1.2];
    const wanted = differences(world, controls, short, values, 2e-3);
    const same = cosine(goalSlopes(world, controls, short, values), wanted);
    measured('slopes of an arm', { same, smoothed });
    expect(same).toBeGreaterThan(0.999);
    disposeWorld(world);
  });

  it.each(['corotated', 'stableNeoHookean'] as const)('count activations of fibres (%s)', async (model) => {
    const material = { model, youngModulus: 3e4, poissonRatio: 0.4, density: 1000 } as const;
    const bar = buildFleshBar({ cells: [4, 2, 2], cell: 0.05, layers: 2, material, joint: 'hinge' });
    const all = Array.from({ length: bar.tets.length / 4 }, (_, i) => i);
    const muscle: MuscleDef = { kind: 'fibres', name: 'm', tets: all, direction: [1, 0.3, 0], strength: 2e4 };
    const world = await worldOf({ ...bar, muscles: [muscle] }, { iterations: 40 });
    const controls: ControlDef[] = [{ kind: 'activation', body: bar.name, muscle: 'm', times: [0, 0.1] }];
    const goal: ControlGoal = {
      steps: 8,
      miss: ({ bodies: [{ state }] }) => [...state.positions.subarray(0, 15)],
    };
    const wanted = differences(world, controls, goal, [0.3, 0.6], 0.02);
    const same = cosine(goalSlopes(world, controls, goal, [0.3, 0.6]), wanted);
    measured(`slopes by activation, ${model}`, { same });
    expect(same).toBeGreaterThan(0.999);
    disposeWorld(world);
  });
});

describe('what cannot be traced', () => {
  it('is said, and differences take over: a body that bounces off an obstacle', async () => {
    const world = await worldOf(rigidArm({ motor }, { motor }), {
      contact: 'implicit',
      obstaclesLater: true,
      iterations: 5,
    });
    const controls: ControlDef[] = [{ kind: 'motor', body: 'arm', joint: 'shoulder', times: [0] }];
    const goal: ControlGoal = { steps: 15, miss: ({ bodies: [{ state }] }) => [state.poses.translations[4] + 0.1] };
    expect(optimiseControls(world, controls, goal, { rounds: 1, slopes: 'adjoint' }).slopes).toBe('adjoint');
    // one number for a goal of one: a rollout more is cheaper
    expect(optimiseControls(world, controls, goal, { rounds: 1 }).slopes).toBe('differences');
    const floor = { name: 'floor', shape: { kind: 'plane' }, position: [0, -0.08, 0] } as const;
    const dead = addObstacle(world, floor);
    expect(optimiseControls(world, controls, goal, { rounds: 1, slopes: 'adjoint' }).slopes).toBe('adjoint');
    expect(world.contacts.count).toBeGreaterThan(0);
    removeObstacle(world, dead);
    addObstacle(world, { ...floor, restitution: 0.5 });
    const result = optimiseControls(world, controls, goal, { rounds: 1, slopes: 'adjoint' });
    expect(result.slopes).toBe('differences');
    expect(result.untraced).toContain('bounce');
    disposeWorld(world);
  });
});
