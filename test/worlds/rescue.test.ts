/** Steps that fail at every length: without the grips that pulled, or, where they would fail for ever, from rest. */
import { describe, expect, it } from 'vitest';
import { buildJellyBarScene } from '../../scenes/flesh/jelly-bar.js';
import { buildPendulumScene } from '../../scenes/pendulum.js';
import { createWorld, grabBody, hashWorld, stepWorld } from '../../src/index.js';
import { bodySolverOf } from '../support/projective-inside.js';

describe('a step that only fails while a body is held', () => {
  it('is taken without the grip, says which one, and the grip is there again in the next', async () => {
    const world = await createWorld(buildJellyBarScene());
    const alone = await createWorld(buildJellyBarScene());
    const solver = bodySolverOf(world, 0);
    const [hold, settle] = [solver.hold.bind(solver), solver.settle.bind(solver)];
    let held = 0;
    solver.hold = (points) => {
      held = points.length;
      hold(points);
    };
    // a failure that only held bodies have, injected where a real one would show
    solver.settle = (isLastTry) => {
      if (held === 0) return settle(isLastTry);
      solver.abandon();
      return false;
    };
    const grab = grabBody(world, 0, [1, 0, 0]);
    grab.target[1] = 5;
    expect(stepWorld(world)).toBe(true);
    expect(world.fault).toBeUndefined();
    expect(world.certificate.slipped).toEqual(['bodies/jelly-bar/grips/0']);
    stepWorld(alone);
    expect(hashWorld(world)).toBe(hashWorld(alone));
    solver.settle = settle;
    expect(held).toBe(1);
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.slipped).toEqual([]);
    stepWorld(alone);
    // pulled again: no longer the world that nobody holds
    expect(hashWorld(world)).not.toBe(hashWorld(alone));
  });
});

describe('a state that no step can leave', () => {
  it('fails once, undone and with advice, and goes on from rest', async () => {
    const world = await createWorld(buildJellyBarScene());
    stepWorld(world);
    const { velocities } = world.bodies[0].state;
    for (let i = 0; i < velocities.length; i++) velocities[i] = i % 2 === 0 ? 1e30 : -1e30;
    const hash = hashWorld(world);
    expect(stepWorld(world)).toBe(false);
    expect(world.fault).toMatchObject({ code: 'E_DIVERGED', place: 'bodies/jelly-bar' });
    expect(world.fault?.message).toMatch(/starts from rest.*resetWorld/);
    expect(hashWorld(world)).toBe(hash);
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.stilled).toBe(true);
    // about a step of free fall from rest
    expect(Math.max(...velocities.map(Math.abs))).toBeLessThan(1.5 * 9.81 * world.dt);
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.stilled).toBe(false);
  });

  it('is left to the user where a force of theirs keeps it: the fault names it, and goes with it', async () => {
    const world = await createWorld(buildPendulumScene());
    const { state, name } = world.bodies[0];
    state.forces[0] = Number.NaN;
    for (let i = 0; i < 2; i++) {
      expect(stepWorld(world)).toBe(false);
      expect(world.fault?.message).toContain(`bodies/${name}/forces`);
      expect(world.certificate.stilled).toBe(false);
    }
    state.forces[0] = 0;
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.stilled).toBe(false);
  });
});
