/**
 * A body in the air whose bones move by themselves, and that folds on to itself: two hands bring its ends together and let go, so that they meet in flight.
 * From there on nothing acts on it: its momentum stays (conservation law), its joint is closed, its two halves, which mirror each other, do not
 * cross the plane between them, and no energy comes from nowhere.
 */
import { describe, expect, it } from 'vitest';
import {
  createWorld,
  disposeWorld,
  grabBody,
  hashWorld,
  moveGrab,
  releaseGrab,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import type { LatticeSolver } from '../../../src/solvers/lattice/lattice-solver.js';
import { insideOf, type World } from '../../../src/world/world.js';
import { latticeLimb } from '../../support/models/lattice-limb.js';

const [CELL, LONG, THICK, DT] = [0.025, 30, 4, 1 / 120];
const MIDDLE = (LONG * CELL) / 2;

function momentumOf(world: World): number[] {
  const out = new Float64Array(3);
  (insideOf(world).solver as LatticeSolver).parts[0].momentum(out);
  return [...out];
}

async function foldingLimb(selfContact: boolean): Promise<World> {
  const body = latticeLimb(
    LONG,
    CELL,
    [
      { name: 'upper', parent: -1, layers: [1, 11], place: [0, 0, 0] },
      { name: 'lower', parent: 0, layers: [19, 29], place: [MIDDLE, 0, 0], joint: 'hinge' },
    ],
    2e4,
    -1,
    THICK,
  );
  const solver = { kind: 'lattice', iterations: 20, selfContact } as const;
  return createWorld({
    name: 'fold',
    description: '',
    bodies: [{ body }],
    dt: DT,
    gravity: [0, 0, 0],
    solver,
  } as never);
}

/** Brings both ends up and together by 72 degrees each, farther than their halves have room, and holds them there for `held` steps. */
function fold(world: World, held: number, visit: () => void = () => {}): void {
  const ends = [0, LONG * CELL].map((x) => ({ x, grab: grabBody(world, 0, [x, 0, 0], { radius: 1.5 * CELL }) }));
  for (let n = 1; n <= 50 + held; n++) {
    const angle = 1.25 * Math.min(1, n / 50);
    for (const { x, grab } of ends) {
      moveGrab(grab, [MIDDLE + (x - MIDDLE) * Math.cos(angle), MIDDLE * Math.sin(angle), 0]);
    }
    expect(stepWorld(world)).toBe(true);
    if (n > 50) visit();
  }
  for (const { grab } of ends) releaseGrab(world, grab);
}

/** How deep vertices of one half are behind the skin of the other: behind the nearest of its triangles, by their middles, in cells. */
function overlap({ bodies: [{ model, state }] }: World): number {
  const p = state.positions;
  const sideOf = (v: number): number => {
    const x = model.positions[3 * v] - MIDDLE;
    return Math.abs(x) < 3.5 * CELL ? 0 : Math.sign(x);
  };
  const facets = Array.from({ length: model.surface.triangles.length / 3 }, (_, t) => {
    const corners = [...model.surface.triangles.slice(3 * t, 3 * t + 3)];
    const [a, b, c] = corners.map((v) => at(p, v));
    const [u, w] = [minus(b, a), minus(c, a)];
    const normal = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const length = Math.hypot(...normal);
    const middle = [0, 1, 2].map((k) => (a[k] + b[k] + c[k]) / 3);
    const sides = corners.map(sideOf);
    return { middle, normal: normal.map((n) => n / length), side: sides.every((s) => s === sides[0]) ? sides[0] : 0 };
  });
  let deepest = 0;
  for (const v of new Set(model.surface.triangles)) {
    if (sideOf(v) === 0) continue;
    let [nearest, behind] = [2 * CELL, 0];
    for (const { middle, normal, side } of facets) {
      if (side !== -sideOf(v)) continue;
      const [x, y, z] = [p[3 * v] - middle[0], p[3 * v + 1] - middle[1], p[3 * v + 2] - middle[2]];
      const distance = Math.sqrt(x * x + y * y + z * z);
      if (distance < nearest) [nearest, behind] = [distance, -(normal[0] * x + normal[1] * y + normal[2] * z)];
    }
    deepest = Math.max(deepest, behind);
  }
  return deepest / CELL;
}

function at(p: ArrayLike<number>, v: number): number[] {
  return [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

describe('a body of free bones that folds on to itself in the air', () => {
  it('keeps its momentum, its joint closed and its halves apart', async () => {
    const world = await foldingLimb(true);
    const { model } = world.bodies[0];
    fold(world, 0);
    const mass = model.masses.reduce((sum, m) => sum + m, 0);
    const started = momentumOf(world);
    let [touched, deepest] = [0, 0];
    for (let n = 0; n < 60; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.jointGap).toBeLessThan(1e-9 * model.size);
      expect(world.certificate.inverted).toBe(0);
      if (world.certificate.contacts > 0) touched++;
      if (n % 5 === 0) deepest = Math.max(deepest, overlap(world));
      // the last push of the hands is in the first of these steps: they let go before it
      const now = momentumOf(world);
      for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - started[k])).toBeLessThan(1e-4 * mass);
      if (n === 30) expectSameAgain(world);
    }
    expect(touched).toBeGreaterThan(20);
    expect(deepest).toBeLessThan(0.5);
    disposeWorld(world);
  });

  it('does not sink into itself while hands press it together, and does without contact', async () => {
    const world = await foldingLimb(true);
    const depths: number[] = [];
    fold(world, 60, () => depths.push(overlap(world)));
    const free = await foldingLimb(false);
    fold(free, 0);
    expect(Math.max(...depths)).toBeLessThan(0.5);
    expect(overlap(free)).toBeGreaterThan(1);
    disposeWorld(world);
    disposeWorld(free);
  });
});

/** A step from a snapshot has the same bits as the first time. */
function expectSameAgain(world: World): void {
  const snapshot = takeSnapshot(world);
  const hashes = [0, 1].map(() => {
    restoreSnapshot(world, snapshot);
    for (let n = 0; n < 3; n++) stepWorld(world);
    return hashWorld(world);
  });
  restoreSnapshot(world, snapshot);
  expect(hashes[0]).toBe(hashes[1]);
}
