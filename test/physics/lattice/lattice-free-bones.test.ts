/**
 * Bones of lattices that move by themselves: a pendulum against the closed form of a compound one, as backward Euler has it; momentum of a body in
 * flight, however few iterations; joints closed in every step; and flesh that swings against its bone, both ways.
 */
import { describe, expect, it } from 'vitest';
import { createWorld, disposeWorld, hashWorld, restoreSnapshot, stepWorld, takeSnapshot } from '../../../src/index.js';
import type { LatticeSolver } from '../../../src/solvers/lattice/lattice-solver.js';
import { insideOf, type World } from '../../../src/world/world.js';
import { latticeLimb } from '../../support/models/lattice-limb.js';

const CELL = 0.05;

function sceneOf(body: object, more: object = {}): Parameters<typeof createWorld>[0] {
  return { name: 'limb', description: '', bodies: [{ body }], dt: 1 / 240, ...more } as never;
}

function momentumOf(world: World): Float64Array {
  const out = new Float64Array(3);
  (insideOf(world).solver as LatticeSolver).parts[0].momentum(out);
  return out;
}

describe('bones of lattices that move by themselves', () => {
  it('swing as a compound pendulum does', async () => {
    // a clamp of one layer of cells, a gap, and a bar that hangs on a hinge at its end: half of it bone, half stiff flesh
    const [from, to] = [2, 10];
    const pivot = [from * CELL, 0, 0] as const;
    const body = latticeLimb(
      to,
      CELL,
      [
        { name: 'clamp', parent: -1, layers: [0, 1], place: [0, 0, 0], kinematic: true },
        { name: 'bar', parent: 0, layers: [from, from + 4], place: pivot, joint: 'hinge' },
      ],
      5e7,
      1,
    );
    // gravity along the bar, and a little across: it swings about that small angle
    const [g, lean] = [9.81, 0.02];
    const h = 1 / 240;
    const world = await createWorld(
      sceneOf(body, { gravity: [g, -g * lean, 0], solver: { kind: 'lattice', iterations: 40, tolerance: 1e-4 } }),
    );
    const { state, model } = world.bodies[0];
    const angle = (): number => 2 * state.poses.quats[4 + 2];
    const crossings: number[] = [];
    for (let step = 1, before = angle() + lean; step < 400 && crossings.length < 2; step++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.jointGap).toBeLessThan(1e-9 * model.size);
      const now = angle() + lean;
      if (now * before < 0) crossings.push(step - now / (now - before));
      before = now;
    }
    // inertia about the hinge, mass in the corners of the cells: per mass L²/3 + w²/12 along and across, and a sixth of a cell's square for each
    const [long, wide] = [(to - from) * CELL, 2 * CELL];
    const inertia = (long * long) / 3 + (wide * wide) / 12 + (2 * CELL * CELL) / 6;
    const frequency = Math.sqrt((g * (long / 2)) / inertia);
    const seen = Math.PI / (crossings[1] - crossings[0]) / h;
    expect(Math.abs(seen / (Math.atan(h * frequency) / h) - 1)).toBeLessThan(0.01);
    disposeWorld(world);
  });

  it('hang on their joint by their weight', async () => {
    const [from, to] = [2, 6];
    const body = latticeLimb(
      to,
      CELL,
      [
        { name: 'clamp', parent: -1, layers: [0, 1], place: [0, 0, 0], kinematic: true },
        { name: 'bar', parent: 0, layers: [from, from + 2], place: [from * CELL, 0, 0], joint: 'ball' },
      ],
      1e6,
      1,
    );
    // down is along the bar
    const solver = { kind: 'lattice', iterations: 40, tolerance: 1e-4 };
    const world = await createWorld(sceneOf(body, { dt: 1 / 60, gravity: [9.81, 0, 0], solver }));
    for (let n = 0; n < 60; n++) expect(stepWorld(world)).toBe(true);
    const weight = 4 * 4 * CELL ** 3 * 1000 * 9.81;
    const [x, y, z] = insideOf(world).solver.jointMultipliers[0];
    // the clamp comes first, and is pulled along by as much as the bar weighs
    expect(Math.abs(-x / weight - 1)).toBeLessThan(0.01);
    expect(Math.hypot(y, z)).toBeLessThan(0.01 * weight);
    disposeWorld(world);
  });

  it('keep momentum in flight, and joints closed, with three iterations', async () => {
    const body = latticeLimb(
      8,
      CELL,
      [
        { name: 'upper', parent: -1, layers: [1, 2], place: [0, 0, 0] },
        { name: 'lower', parent: 0, layers: [5, 6], place: [4 * CELL, 0, 0], joint: 'ball' },
      ],
      2e4,
    );
    const scene = sceneOf(body, { dt: 1 / 60, solver: { kind: 'lattice', iterations: 3 } });
    const thrown = { ...scene, bodies: [{ ...scene.bodies[0], velocity: [1, 2, 0], angularVelocity: [1, 2, 8] }] };
    const world = await createWorld(thrown as never);
    const { model } = world.bodies[0];
    const mass = 32 * CELL ** 3 * 1000;
    expect(stepWorld(world)).toBe(true);
    const first = momentumOf(world);
    expect(Math.abs(first[0] / mass - 1)).toBeLessThan(1e-5);
    for (let n = 2; n <= 40; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.jointGap).toBeLessThan(1e-9 * model.size);
      const now = momentumOf(world);
      const expected = [mass, mass * (2 - (9.81 * n) / 60), 0];
      for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - expected[k])).toBeLessThan(1e-4 * mass);
    }
    expect(world.certificate.inverted).toBe(0);
    const snapshot = takeSnapshot(world);
    for (let n = 0; n < 3; n++) stepWorld(world);
    const hash = hashWorld(world);
    restoreSnapshot(world, snapshot);
    for (let n = 0; n < 3; n++) stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
    disposeWorld(world);
  });
});
