/** Slopes that go back over steps in which contacts push: against closed forms of sliding and sticking, and against central differences of the world itself. */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import {
  type ControlDef,
  type ControlGoal,
  createWorld,
  disposeWorld,
  goalSlopes,
  type SceneDef,
  type WorldOptions,
} from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';
import { cosine, differences } from '../../support/checks/rollout-differences.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const H = 1 / 60;
const G = 9.81;

async function onFloor(body: BodyDef | RigidBodyDef, friction: number, options: WorldOptions, height = 0) {
  const floor = { name: 'floor', shape: { kind: 'plane' }, position: [0, height, 0], friction };
  const scene = { name: 'test', description: '', bodies: [{ body }], obstacles: [floor] } as unknown as SceneDef;
  return createWorld(scene, { dt: H, iterations: 25, ...options });
}

function box(half: readonly [number, number, number]): RigidBodyDef {
  const shape = { kind: 'box', halfExtents: half } as const;
  return { kind: 'rigid', name: 'box', parts: [{ name: 'box', shape, position: [0, half[1], 0], mass: 2 }] };
}

const place: ControlGoal = {
  steps: 12,
  miss: ({ bodies: [{ state }] }) => [...state.poses.translations.subarray(0, 3)],
};

describe('slopes of a rigid box on the floor', () => {
  it('are those of sliding: way along the speed n h, across it as friction turns with it (closed forms)', async () => {
    const [mu, speed, steps] = [0.3, 3, place.steps];
    const world = await onFloor(box([0.3, 0.02, 0.3]), mu, {});
    const slopes = goalSlopes(world, [{ kind: 'velocity', body: 'box' }], place, [speed, 0, 0]);
    // u⁺ = (u − μ g h) along the way; across, the speed falls by the same share: Π (1 − μ g h/u)
    let [along, across, share, way] = [0, 0, 1, speed];
    for (let n = 0; n < steps; n++) {
      share *= 1 - (mu * G * H) / way;
      way -= mu * G * H;
      along += H;
      across += H * share;
    }
    const [wanted, found] = [
      [along, 0, across],
      [slopes[0], slopes[3], slopes[8]],
    ];
    measured('slopes of a sliding box', { along, across, found });
    found.forEach((x, i) => {
      expect(x).toBeCloseTo(wanted[i], 7);
    });
    disposeWorld(world);
  });

  it('are none where it sticks', async () => {
    const world = await onFloor(box([0.1, 0.02, 0.1]), 0.8, {});
    const slopes = goalSlopes(world, [{ kind: 'velocity', body: 'box' }], place, [0.02, 0, 0.01]);
    measured('slopes of a box that sticks', { largest: Math.max(...slopes.map(Math.abs)) });
    for (const slope of slopes) expect(Math.abs(slope)).toBeLessThan(1e-9);
    disposeWorld(world);
  });
});

describe('slopes of an arm that leans on the floor', () => {
  it.each([
    ['sticks', 1.5, 0],
    ['slides', 0.1, 0.6],
    ['slides without friction', 0, 0.6],
  ] as const)('are those of central differences where it %s', async (name, friction, aside) => {
    const part = (part: string, x: number) =>
      ({
        name: part,
        shape: { kind: 'box', halfExtents: [0.15, 0.02, 0.03] },
        position: [x, 0.02, 0],
        mass: 0.5,
      }) as const;
    const motor = { stiffness: 20, damping: 1 };
    const body: RigidBodyDef = {
      kind: 'rigid',
      name: 'arm',
      parts: [part('upper', 0.15), part('lower', 0.46)],
      joints: [
        { name: 'shoulder', type: 'ball', bones: ['upper'], anchor: [0, 0.02, 0], motor },
        { name: 'elbow', type: 'hinge', bones: ['upper', 'lower'], anchor: [0.305, 0.02, 0], axis: [0, 1, 0], motor },
      ],
    };
    // slopes take steps as converged: what 25 iterations leave of the sliding one is 1.1e-6 of the largest
    const world = await onFloor(body, friction, { selfContact: false, iterations: 40 }, -0.01);
    const controls: ControlDef[] = [
      { kind: 'motor', body: 'arm', joint: 'shoulder', times: [0, 0.2] },
      { kind: 'motor', body: 'arm', joint: 'elbow', times: [0.1] },
    ];
    const goal: ControlGoal = {
      // at step 15 of the frictionless arm another corner touches, and differences of 1e-4 and 1e-5 disagree by a seventh
      steps: 12,
      miss: ({ bodies: [{ state }] }) =>
        [0, 1, 2].flatMap((k) => [state.poses.translations[3 + k], 0.1 * state.boneRates[21 + k]]),
    };
    const values = [0.05, aside, -0.3, 0.02, 1.2 * aside, -0.4, 0.5 * aside + 0.1];
    const wanted = differences(world, controls, goal, values, 1e-4);
    const slopes = goalSlopes(world, controls, goal, values);
    const worst = Math.max(...wanted.map((x, i) => Math.abs(x - slopes[i])));
    const largest = Math.max(...wanted.map(Math.abs));
    measured(`slopes of an arm that ${name}`, { worst, largest, contacts: world.contacts.count });
    expect(worst).toBeLessThan(1e-6 * largest);
    disposeWorld(world);
  });
});

describe('slopes of flesh on the floor', () => {
  it.each([0.8, 0.05])('point where central differences do, friction %f', async (friction) => {
    const material = { model: 'corotated', youngModulus: 3e4, poissonRatio: 0.4, density: 1000 } as const;
    const bar = buildFleshBar({ cells: [4, 2, 2], cell: 0.05, layers: 2, material, joint: 'hinge' });
    const low = Math.min(...Array.from({ length: bar.positions.length / 3 }, (_, v) => bar.positions[v * 3 + 1]));
    const world = await onFloor(bar, friction, { iterations: 60 }, low);
    const controls: ControlDef[] = [{ kind: 'velocity', body: bar.name }];
    const goal: ControlGoal = {
      steps: 8,
      miss: ({ bodies: [{ state }] }) => [...state.positions.subarray(0, 12)],
    };
    const values = [0.5, -0.2, 0.1];
    const wanted = differences(world, controls, goal, values, 1e-3);
    const same = cosine(goalSlopes(world, controls, goal, values), wanted);
    measured('slopes of flesh on the floor', { friction, same });
    expect(same).toBeGreaterThan(0.999);
    disposeWorld(world);
  });
});
