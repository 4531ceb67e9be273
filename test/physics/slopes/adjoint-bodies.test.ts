/** Slopes that go back over steps in which bodies push each other: against closed forms of sliding and sticking, and against central differences of the world itself. */
import { describe, expect, it } from 'vitest';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import {
  type ControlDef,
  type ControlGoal,
  createWorld,
  disposeWorld,
  goalSlopes,
  type SceneDef,
  type World,
} from '../../../src/index.js';
import { makeControls } from '../../../src/world/control/controls.js';
import { RolloutTape } from '../../../src/world/control/rollout-slopes.js';
import { restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { stepWorld } from '../../../src/world/step.js';
import { measured } from '../../support/checks/measure.js';
import { cosine, differences } from '../../support/checks/rollout-differences.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const H = 1 / 60;
const G = 9.81;
const MASS = { above: 2, below: 6 } as const;
const TOTAL = MASS.above + MASS.below;

function box(name: string, half: readonly [number, number, number], place: readonly number[], mass: number) {
  const shape = { kind: 'box', halfExtents: half } as const;
  return { kind: 'rigid', name, parts: [{ name, shape, position: place, mass }] } as unknown as RigidBodyDef;
}

async function build(bodies: readonly object[], friction: number, height: number, iterations: number): Promise<World> {
  const floor = { name: 'floor', shape: { kind: 'plane' }, position: [0, height, 0], friction: 0 };
  const scene = {
    name: 'test',
    description: '',
    bodies: bodies.map((body) => ({ body, friction })),
    obstacles: [floor],
    selfContact: false,
  } as unknown as SceneDef;
  return createWorld(scene, { dt: H, iterations });
}

/** Why a rollout with these numbers cannot be traced; undefined where it can. */
function whyNot(world: World, defs: readonly ControlDef[], steps: number, values: readonly number[]) {
  const controls = makeControls(world, defs);
  const start = takeSnapshot(world);
  const tape = new RolloutTape(world);
  tape.start();
  for (let n = 0; n < steps; n++) {
    let o = 0;
    for (const control of controls) {
      control.apply(Float64Array.from(values), o, world.time + world.dt, n === 0);
      o += control.size;
    }
    stepWorld(world);
    tape.record();
  }
  restoreSnapshot(world, start);
  return tape.reason;
}

const places: ControlGoal = {
  steps: 12,
  miss: ({ bodies }) => bodies.flatMap(({ state }) => [...state.poses.translations.subarray(0, 3)]),
};
const speeds: ControlDef[] = [
  { kind: 'velocity', body: 'above' },
  { kind: 'velocity', body: 'below' },
];

describe('slopes of a box on a box on a floor without friction', () => {
  const boxes = [
    box('below', [1.5, 0.05, 1.5], [0, 0.05, 0], MASS.below),
    box('above', [0.1, 0.02, 0.1], [0, 0.12, 0], MASS.above),
  ];

  it('are those of sliding: momentum is shared, and friction turns with the speed between them (closed forms)', async () => {
    const [mu, speed, steps] = [0.3, 3, places.steps];
    const world = await build(boxes, mu, 0, 25);
    const values = [speed, 0, 0, 0, 0, 0];
    expect(whyNot(world, speeds, steps, values)).toBeUndefined();
    const slopes = goalSlopes(world, speeds, places, values);
    // between them the speed falls by μ g h (1 + m/M) in a step, across it by the same share; their middle goes on
    const slower = mu * G * H * (1 + MASS.above / MASS.below);
    let [across, share, between] = [0, 1, speed];
    for (let n = 0; n < steps; n++) {
      share *= 1 - slower / between;
      between -= slower;
      across += H * share;
    }
    const middle = (MASS.above / TOTAL) * steps * H;
    const slope = (body: number, k: number, by: number) => slopes[(body * 3 + k) * 6 + by];
    const found = { along: slope(1, 0, 0), passive: slope(0, 0, 0), across: slope(1, 2, 2), drawn: slope(0, 2, 2) };
    const wanted = {
      along: steps * H,
      passive: 0,
      across: (MASS.below / TOTAL) * across + middle,
      drawn: middle - (MASS.above / TOTAL) * across,
    };
    measured('slopes of a box that slides on a box', { found, wanted });
    expect(found.along).toBeCloseTo(wanted.along, 6);
    expect(found.passive).toBeCloseTo(wanted.passive, 6);
    // solids have their points of contact given: that they shift along the lower box as the upper one does is left out, 1e-4 of the slopes
    expect(Math.abs(found.across - wanted.across)).toBeLessThan(2e-4 * wanted.along);
    expect(Math.abs(found.drawn - wanted.drawn)).toBeLessThan(2e-4 * wanted.along);
    disposeWorld(world);
  });

  it('are those of one body where they stick: each speed counts by its share of the mass (closed form)', async () => {
    const world = await build(boxes, 0.8, 0, 25);
    const slopes = goalSlopes(world, speeds, places, [0.05, 0, 0.02, 0, 0, 0]);
    for (const body of [0, 1]) {
      for (const k of [0, 2]) {
        const at = (body * 3 + k) * 6 + k;
        expect(slopes[at]).toBeCloseTo((MASS.above / TOTAL) * places.steps * H, 6);
        expect(slopes[at + 3]).toBeCloseTo((MASS.below / TOTAL) * places.steps * H, 6);
      }
    }
    disposeWorld(world);
  });
});

describe('slopes of an arm that pushes what lies loose', () => {
  const motor = { stiffness: 20, damping: 1 };
  const part = (name: string, x: number) => ({
    name,
    shape: { kind: 'box', halfExtents: [0.15, 0.02, 0.03] },
    position: [x, 0.3, 0],
    mass: 0.5,
  });
  const arm = {
    kind: 'rigid',
    name: 'arm',
    parts: [part('upper', 0.15), part('lower', 0.46)],
    joints: [
      { name: 'shoulder', type: 'ball', bones: ['upper'], anchor: [0, 0.3, 0], motor },
      { name: 'elbow', type: 'hinge', bones: ['upper', 'lower'], anchor: [0.305, 0.3, 0], axis: [0, 1, 0], motor },
    ],
  };
  const controls: ControlDef[] = [
    { kind: 'motor', body: 'arm', joint: 'shoulder', times: [0, 0.2] },
    { kind: 'motor', body: 'arm', joint: 'elbow', times: [0.1] },
  ];
  const values = [0.05, 0.6, -0.3, 0.02, 0.72, -0.4, 0.4];

  it.each([
    ['sticks to', 1.5],
    ['slides over', 0.1],
    ['slides without friction over', 0],
  ] as const)('are those of central differences where it %s a plate', async (name, friction) => {
    const plate = box('plate', [0.9, 0.05, 0.9], [0.5, 0.22, 0], 1);
    const world = await build([arm, plate], friction, 0.17, 40);
    expect(whyNot(world, controls, places.steps, values)).toBeUndefined();
    const wanted = differences(world, controls, places, values, 1e-3);
    const slopes = goalSlopes(world, controls, places, values);
    const same = cosine(slopes, wanted);
    // the last three rows are the plate, which nothing but the arm moves
    const plateOnly = friction === 0 ? 1 : cosine(slopes.slice(21), wanted.slice(21));
    measured(`slopes of an arm that ${name} a plate`, { same, plateOnly });
    expect(same).toBeGreaterThan(0.9999);
    expect(plateOnly).toBeGreaterThan(0.9999);
    disposeWorld(world);
  });

  it('are differences where edges meet, and say so', async () => {
    const bar = box('bar', [0.02, 0.02, 0.3], [0.45, 0.25, 0], 1);
    const world = await build([arm, bar], 0.3, 0.23, 20);
    expect(whyNot(world, controls, 3, values)).toContain('edges');
    disposeWorld(world);
  });
});

describe('slopes of flesh on a loose plate', () => {
  it.each([0.8, 0.05])('point where central differences do, friction %f', async (friction) => {
    const material = { model: 'corotated', youngModulus: 3e4, poissonRatio: 0.4, density: 1000 } as const;
    const bar = buildFleshBar({ cells: [4, 2, 2], cell: 0.05, layers: 2, material, joint: 'hinge' });
    const low = Math.min(...Array.from({ length: bar.positions.length / 3 }, (_, v) => bar.positions[v * 3 + 1]));
    const plate = box('plate', [0.5, 0.05, 0.5], [0, low - 0.05, 0], 2);
    const world = await build([bar, plate], friction, low - 0.1, 60);
    const defs: ControlDef[] = [{ kind: 'velocity', body: bar.name }];
    const goal: ControlGoal = {
      steps: 8,
      miss: ({ bodies: [{ state }, { state: under }] }) => [
        ...state.positions.subarray(0, 12),
        ...under.poses.translations.subarray(0, 3),
      ],
    };
    const values = [0.5, -0.2, 0.1];
    expect(whyNot(world, defs, goal.steps, values)).toBeUndefined();
    const wanted = differences(world, defs, goal, values, 1e-3);
    const slopes = goalSlopes(world, defs, goal, values);
    const same = cosine(slopes, wanted);
    const plateOnly = cosine(slopes.slice(36), wanted.slice(36));
    measured('slopes of flesh on a plate', { friction, same, plateOnly });
    expect(same).toBeGreaterThan(0.999);
    expect(plateOnly).toBeGreaterThan(0.99);
    disposeWorld(world);
  });
});
