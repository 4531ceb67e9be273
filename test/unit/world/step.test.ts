/** The step as a whole: what it refuses, what it undoes, what it leaves alone. */
import { describe, expect, it } from 'vitest';
import { buildBarScene } from '../../../scenes/bar.js';
import { buildJellyBarScene } from '../../../scenes/flesh/jelly-bar.js';
import { buildPendulumScene } from '../../../scenes/pendulum.js';
import { createWorld, hashWorld, type SceneDef, stepWorld, TendonError } from '../../../src/index.js';
import { bodySolverOf } from '../../support/projective-inside.js';

const twoPendulums = (): SceneDef => {
  const scene = buildPendulumScene();
  const [first] = scene.bodies;
  return { ...scene, bodies: [first, { ...first, name: 'second', position: [3, 0, 0] }] };
};

describe('a step', () => {
  it.each([
    ['negative', -1, 'E_RANGE'],
    ['longer than allowed', 1, 'E_RANGE'],
    ['NaN', Number.NaN, 'E_NOT_FINITE'],
    ['infinite', Number.POSITIVE_INFINITY, 'E_NOT_FINITE'],
  ])('refuses a time step that is %s', async (_name, dt, code) => {
    const world = await createWorld(buildPendulumScene());
    const hash = hashWorld(world);
    expect(() => stepWorld(world, dt)).toThrow(expect.objectContaining({ code }));
    expect(hashWorld(world)).toBe(hash);
  });

  it('of length zero changes nothing', async () => {
    const world = await createWorld(buildPendulumScene());
    const hash = hashWorld(world);
    expect(stepWorld(world, 0)).toBe(true);
    expect(hashWorld(world)).toBe(hash);
  });

  it('that fails in the second body is undone in the first', async () => {
    const world = await createWorld(twoPendulums());
    expect(stepWorld(world)).toBe(true);
    world.bodies[1].state.forces[0] = Number.NaN;
    const hash = hashWorld(world);
    expect(stepWorld(world)).toBe(false);
    expect(world.fault).toBeInstanceOf(TendonError);
    expect(world.fault).toMatchObject({ code: 'E_DIVERGED', place: 'bodies/second' });
    expect(hashWorld(world)).toBe(hash);
    world.bodies[1].state.forces[0] = 0;
    expect(stepWorld(world)).toBe(true);
    expect(world.fault).toBeUndefined();
  });

  it('shares one model and solver between placements of one body', async () => {
    const world = await createWorld(twoPendulums());
    expect(world.bodies[0].model).toBe(world.bodies[1].model);
    expect(bodySolverOf(world, 0).matrix).toBe(bodySolverOf(world, 1).matrix);
    for (let i = 0; i < 10; i++) stepWorld(world);
    const [a, b] = world.bodies.map(({ state }) => state.positions);
    // same motion, three metres apart: translation invariance, to the rounding of f64 at 3 m
    for (let i = 0; i < a.length; i++) expect(b[i] - (i % 3 === 0 ? 3 : 0)).toBeCloseTo(a[i], 12);
  });

  it.each([
    ['no bodies', { bodies: [] }, {}, 'E_EMPTY'],
    ['gravity that is not finite', { gravity: [0, Number.NaN, 0] }, {}, 'E_NOT_FINITE'],
    ['half an iteration', {}, { iterations: 1.5 }, 'E_RANGE'],
    ['an unknown bone step', {}, { bones: 'magic' }, 'E_UNKNOWN'],
    ['an unknown integrator', {}, { integrator: 'rk4' }, 'E_UNKNOWN'],
    ['negative damping', {}, { damping: -1 }, 'E_RANGE'],
    ['memory that is no number', {}, { memoryLimit: Number.NaN }, 'E_NOT_FINITE'],
    ['too little memory', {}, { memoryLimit: 1000 }, 'E_MEM_LIMIT'],
    ['no threads', {}, { threads: 0 }, 'E_RANGE'],
  ])('a world with %s is refused', async (_name, scene, options, code) => {
    const world = createWorld({ ...buildPendulumScene(), ...scene } as SceneDef, options as object);
    await expect(world).rejects.toMatchObject({ name: 'TendonError', code });
  });
});

describe('a world that does not fit', () => {
  it('is refused before anything is factored', async () => {
    let told = 0;
    const progress = () => {
      told++;
    };
    await createWorld(buildJellyBarScene(), { progress });
    expect(told).toBeGreaterThan(0);
    told = 0;
    const world = createWorld(buildJellyBarScene(), { progress, memoryLimit: 100_000 });
    await expect(world).rejects.toMatchObject({ code: 'E_MEM_LIMIT' });
    expect(told).toBe(0);
  });
});

describe('a tolerance', () => {
  it('ends the iterations when little is left to correct, and costs no exactness of the joints', async () => {
    const all = await createWorld(buildBarScene(), { iterations: 200 });
    const some = await createWorld(buildBarScene(), { iterations: 200, tolerance: 0.001 });
    for (let i = 0; i < 3; i++) {
      stepWorld(all);
      stepWorld(some);
      expect(all.certificate.iterations).toBe(200);
      expect(some.certificate.iterations).toBeLessThan(200);
      expect(some.certificate.iterations).toBeGreaterThan(2);
      expect(some.certificate.error).toBeLessThanOrEqual(0.001);
      expect(some.certificate.jointGap).toBeLessThan(1e-9);
    }
    // gravity alone moves the bar by 2.7 mm in a step: a thousandth of that, three times, and what velocities add to it
    const [a, b] = [all, some].map((world) => world.bodies[0].state.positions);
    const apart = Math.max(...a.map((value, i) => Math.abs(value - b[i])));
    expect(apart).toBeLessThan(1e-4);
  });
});

describe('a step that fails', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('says at once that a position was set to %f', async (value) => {
    const world = await createWorld(buildBarScene());
    stepWorld(world);
    world.bodies[0].state.positions[4] = value;
    expect(stepWorld(world)).toBe(false);
    expect(world.fault).toMatchObject({ name: 'TendonError', code: 'E_NOT_FINITE' });
    expect(world.stepCount).toBe(1);
  });

  it('is taken again as shorter ones, and says so', async () => {
    const world = await createWorld(buildJellyBarScene());
    const shorter = await createWorld(buildJellyBarScene());
    const solver = bodySolverOf(world, 0);
    const [begin, settle] = [solver.begin.bind(solver), solver.settle.bind(solver)];
    let length = 0;
    solver.begin = (state, gravity, h, ignoreHistory) => {
      length = h;
      begin(state, gravity, h, ignoreHistory);
    };
    // a failure that only long steps have, injected where a real one would show: the solver reports it and changes nothing
    solver.settle = (isLastTry) => {
      if (length < world.dt / 3) return settle(isLastTry);
      solver.abandon();
      return false;
    };
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.substeps).toBe(4);
    expect(world.fault).toBeUndefined();
    expect(world.time).toBe(world.dt);
    expect(world.stepCount).toBe(1);
    for (let i = 0; i < 4; i++) stepWorld(shorter, world.dt / 4);
    expect(world.bodies[0].state.positions).toEqual(shorter.bodies[0].state.positions);
    solver.settle = settle;
    stepWorld(world);
    expect(world.certificate.substeps).toBe(1);
  });

  it('at every length leaves everything as it was', async () => {
    const world = await createWorld(twoPendulums());
    stepWorld(world);
    const hash = hashWorld(world);
    const solver = bodySolverOf(world, 1);
    let calls = 0;
    // the second body fails in every attempt
    solver.settle = () => {
      calls++;
      solver.abandon();
      return false;
    };
    expect(stepWorld(world)).toBe(false);
    expect(calls).toBe(4);
    expect(world.fault).toMatchObject({ code: 'E_DIVERGED' });
    expect(hashWorld(world)).toBe(hash);
  });
});
