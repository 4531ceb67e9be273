/** Controls over rollouts: slopes and results against closed forms, and an arm that learns to reach. */
import { describe, expect, it } from 'vitest';
import { buildReachingArm, REACH, reachingTask } from '../../../scenes/active/reaching.js';
import { type ControlGoal, createWorld, disposeWorld, goalSlopes, optimiseControls } from '../../../src/index.js';
import { centreOf, measured, single } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const H = 1 / 60;
const STEPS = 30;
const TARGET = [2, 0.5, -1] as const;

/** How far the middle of the first body is from a place after the rollout. */
const flight: ControlGoal = {
  steps: STEPS,
  effort: 0,
  miss: ({ bodies: [{ model, state }] }) => centreOf(model, state.positions).map((x, k) => x - TARGET[k]),
};

async function ball() {
  const body = buildBoxes([{ name: 'ball', centre: [0, 0, 0], sides: lumpedSides([0.1, 0.1, 0.1]) }]);
  return single(body, { dt: H, gravity: [0, -9.81, 0] });
}

describe('a thrown body', () => {
  const controls = [{ kind: 'velocity', body: 'boxes', most: 50 }] as const;

  it('comes as much farther as it is faster, times the time (closed form)', async () => {
    const { world } = await ball();
    const named = controls.map((one) => ({ ...one, body: world.bodies[0].name }));
    const slopes = goalSlopes(world, named, flight, [1, 2, 3]);
    for (let i = 0; i < 9; i++) expect(slopes[i]).toBeCloseTo(i % 4 === 0 ? STEPS * H : 0, 9);
  });

  it('is thrown so that it meets its target: v = (x + g h² n (n + 1)/2)/(n h) of backward Euler', async () => {
    const { world, model, state } = await ball();
    const named = controls.map((one) => ({ ...one, body: world.bodies[0].name }));
    const start = centreOf(model, state.positions);
    const { values, costs } = optimiseControls(world, named, flight);
    const wanted = TARGET.map(
      (x, k) => (x - start[k] + (k === 1 ? (9.81 * H * H * STEPS * (STEPS + 1)) / 2 : 0)) / (STEPS * H),
    );
    measured('throw', { values, wanted, costs });
    values.forEach((value, k) => {
      expect(value).toBeCloseTo(wanted[k], 6);
    });
  });
});

describe('an arm of flesh', () => {
  it('learns to reach a place with its fingertips and to hold still there', async () => {
    const body = buildReachingArm(0.045);
    const scene = { name: 'reach', description: '', bodies: [{ body }] };
    const world = await createWorld(scene, { dt: H, iterations: 6, contact: 'none' });
    const { controls, goal, start } = reachingTask(body);
    const { costs, rollouts } = optimiseControls(world, controls, goal, { rounds: 8, start });
    const miss = Array.from(goal.miss(world));
    const away = Math.hypot(miss[0], miss[2], miss[4]);
    measured('reaching', { costs, rollouts, away, target: REACH.target });
    expect(away).toBeLessThan(0.02);
    disposeWorld(world);
  });
});

describe('controls that make no sense', () => {
  it('are refused by name', async () => {
    const { world } = await ball();
    const fails = (control: object) => () => optimiseControls(world, [control as never], flight);
    expect(fails({ kind: 'velocity', body: 'nobody' })).toThrow('E_UNKNOWN');
    expect(fails({ kind: 'wish', body: world.bodies[0].name })).toThrow('E_UNKNOWN');
    expect(fails({ kind: 'motor', body: world.bodies[0].name, joint: 'none', times: [0] })).toThrow('E_UNKNOWN');
    expect(fails({ kind: 'activation', body: world.bodies[0].name, muscle: 'none', times: [1, 0] })).toThrow('E_RANGE');
    expect(() => optimiseControls(world, [], flight)).toThrow('E_EMPTY');
  });
});
