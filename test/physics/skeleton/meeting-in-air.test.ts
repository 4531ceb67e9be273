/**
 * Bodies that meet in the air off their middles. Laws, at any iteration count: nothing acts from outside, so the momentum of all stays what it was, and backward Euler's steps leave no moment of
 * inertia, Σ m x × (v − v') = 0 with x where the step ends; and what each body gains is what contacts are reported to push it with.
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef, MaterialDef, RigidBodyDef, SceneDef } from '../../../src/index.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../src/index.js';
import { linearMomentum, measured, momentOf, norm } from '../../support/checks/measure.js';
import { buildFleshBar, STIFF } from '../../support/models/bodies.js';
import { ball, standingBox } from '../../support/models/contact-shapes.js';

const SIZE = 0.3;
const SPEED = 2;
const SIDES = [SIZE, SIZE, SIZE] as const;
const FLESH: MaterialDef = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.3, density: 1000 };
const GUARDED: MaterialDef = { ...FLESH, model: 'stableNeoHookean' };
const soft = standingBox('soft', { sides: SIDES, material: FLESH });
const guarded = standingBox('soft', { sides: SIDES, material: GUARDED });
const rigid = standingBox('rigid', { sides: SIDES });
const round = ball('soft', SIZE / 2, 5, FLESH);
const jointed = buildFleshBar({ cells: [6, 2, 2], cell: 0.1, layers: 2, material: { ...STIFF, poissonRatio: 0.3 } });
const RIGID: RigidBodyDef = {
  kind: 'rigid',
  name: 'box',
  parts: [{ name: 'box', shape: { kind: 'box', halfExtents: [SIZE / 2, SIZE / 2, SIZE / 2] } }],
};

/** Bodies that fly at each other along x from both sides, the second one higher and aside; more of them from above. */
function meeting(bodies: readonly (BodyDef | RigidBodyDef)[]): SceneDef {
  const flights = [
    { position: [-0.5, 0, 0], velocity: [SPEED, 0, 0] },
    { position: [0.5, 0.55 * SIZE, 0.3 * SIZE], velocity: [-SPEED, 0, 0] },
    { position: [0.1, 0.8, 0.1], velocity: [0, -SPEED, 0] },
  ] as const;
  const placed = bodies.map((body, i) => ({ body, ...flights[i] }));
  return { name: 'meeting', description: '', bodies: placed as SceneDef['bodies'], gravity: [0, 0, 0], dt: 1 / 60 };
}

/** Σ m a × b of all bodies, a and b given body by body. */
function momentOfAll({ bodies }: World, b: readonly Float64Array[]): number[] {
  const sum = [0, 0, 0];
  bodies.forEach(({ model, state }, i) => {
    momentOf(model, state.positions, b[i]).forEach((m, k) => {
      sum[k] += m;
    });
  });
  return sum;
}

/** The momentum that each body gains beyond what contacts say, the worst of them [kg m/s]. */
function unexplained({ bodies, contacts, dt }: World, before: readonly number[][]): number {
  const gained = bodies.map(({ model, state }, i) => linearMomentum(model, state).map((p, k) => p - before[i][k]));
  for (let c = 0; c < contacts.count * 3; c++) {
    const [first, second] = contacts.body.subarray(2 * Math.floor(c / 3));
    gained[first][c % 3] -= dt * contacts.force[c];
    gained[second][c % 3] += dt * contacts.force[c];
  }
  return Math.max(...gained.map(norm));
}

async function meet(scene: SceneDef, iterations: number) {
  const world = await createWorld(scene, { iterations });
  const scale = SPEED * world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0);
  let [moment, momentum, reported, certified, pushed, deepest] = [0, 0, 0, 0, 0, 0];
  const start = [0, 1, 2].map((k) =>
    world.bodies.reduce((s, { model, state }) => s + linearMomentum(model, state)[k], 0),
  );
  for (let n = 0; n < 45; n++) {
    const velocities = world.bodies.map(({ state }) => state.velocities.slice());
    const before = world.bodies.map(({ model, state }) => linearMomentum(model, state));
    expect(stepWorld(world)).toBe(true);
    const now = world.bodies.map(({ model, state }) => linearMomentum(model, state));
    momentum = Math.max(momentum, norm(start.map((p, k) => now.reduce((sum, own) => sum + own[k], -p))) / scale);
    const { contacts, certificate } = world;
    deepest = Math.max(deepest, certificate.penetration / SIZE);
    if (contacts.force.subarray(0, contacts.count * 3).some((f) => f !== 0)) pushed++;
    certified = Math.max(certified, (certificate.angularDrift ?? Number.NaN) / (scale * SIZE));
    // of steps in parts only the last part's forces and velocities are there
    if (certificate.substeps > 1) continue;
    const changes = world.bodies.map(({ state }, i) => state.velocities.map((v, k) => v - velocities[i][k]));
    moment = Math.max(moment, norm(momentOfAll(world, changes)) / (scale * SIZE));
    reported = Math.max(reported, unexplained(world, before) / scale);
  }
  disposeWorld(world);
  return { moment, momentum, reported, certified, pushed, deepest };
}

describe('bodies that meet in the air', () => {
  const pairs: [string, readonly (BodyDef | RigidBodyDef)[]][] = [
    ['two soft boxes', [soft, soft]],
    ['two boxes of neo-Hookean flesh', [guarded, guarded]],
    ['a soft box and a rigid one', [soft, rigid]],
    ['two soft balls', [round, round]],
    ['two boxes that are one bone', [rigid, rigid]],
    ['two rigid bodies', [RIGID, RIGID]],
    ['a jointed body and a soft box', [jointed, soft]],
    ['three boxes, soft, rigid and soft', [soft, rigid, soft]],
  ];
  it.each(pairs.flatMap(([name, bodies]) => [2, 5, 10].map((n) => [name, n, bodies] as const)))(
    '%s, %d iterations: keep their angular momentum to 1e-9',
    async (name, iterations, bodies) => {
      const found = await meet(meeting(bodies), iterations);
      measured(`${name}, ${iterations} iterations`, found);
      expect(found.pushed).toBeGreaterThan(0);
      expect(found.moment).toBeLessThan(1e-9);
      expect(found.momentum).toBeLessThan(1e-9);
      expect(found.reported).toBeLessThan(1e-9);
      expect(found.certified).toBeLessThan(1e-9);
    },
  );
});
