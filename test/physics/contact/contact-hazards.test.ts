/** Contact where it is hardest: deep overlaps, too few iterations, large ratios, everything in one place. Nothing explodes. */
import { describe, expect, it } from 'vitest';
import type { BodyDef, MaterialDef } from '../../../src/body/body-def.js';
import { type PlacementDef, stepWorld, type World } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  deepestOverlap,
  floor,
  run,
  runFor,
  topSpeed,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { buildFleshBar } from '../../support/models/bodies.js';
import { ball, type Kind, RUBBER, standingBox } from '../../support/models/contact-shapes.js';

const SIDE = 0.2;
const JELLY = { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 };
const allFinite = ({ bodies }: World) =>
  bodies.every(({ state }) => state.positions.every(Number.isFinite) && state.velocities.every(Number.isFinite));

describe('bodies that start inside each other', () => {
  it.each<[Kind, Kind, number]>([
    ['soft', 'soft', 0.25],
    ['soft', 'soft', 0.5],
    ['rigid', 'soft', 0.25],
    ['rigid', 'soft', 0.5],
    ['rigid', 'rigid', 0.25],
    ['rigid', 'rigid', 0.5],
    ['bone on flesh', 'soft', 0.25],
    ['bone on flesh', 'soft', 0.5],
  ])('come apart without haste: %s in %s, %f deep', async (a, b, share) => {
    const bodies: PlacementDef[] = [
      { body: standingBox(a, { cells: [3, 3, 3], material: JELLY }) },
      {
        body: standingBox(b, { cells: [3, 3, 3], material: JELLY }),
        position: [SIDE * (1 - share), 0.01, 0.013],
      },
    ];
    const world = await contactWorld({ bodies, gravity: [0, 0, 0] });
    const before = deepestOverlap(world, 4);
    let fastest = 0;
    run(world, 120, () => {
      fastest = Math.max(fastest, topSpeed(world));
    });
    const after = deepestOverlap(world, 4);
    measured(`overlap ${a} in ${b} ${share}`, {
      before,
      after,
      fastest,
      apart: centre(world.bodies[1])[0] - centre(world.bodies[0])[0],
    });
    expect(after).toBeLessThan(0.01 * SIDE);
    // out by less than its whole depth in a step; in fact by a few sizes per second, whatever the depth
    expect(fastest).toBeLessThan(before / world.dt);
    expect(fastest).toBeLessThan(4 * SIDE);
  });

  it.each<Kind>(['soft', 'rigid'])('or half in the floor, %s, come out without haste', async (kind) => {
    const body = standingBox(kind, { cells: [3, 3, 3], material: JELLY });
    const world = await contactWorld({ bodies: [{ body, position: [0, -SIDE / 2, 0] }], obstacles: [floor()] });
    let fastest = 0;
    runFor(world, 3, () => {
      fastest = Math.max(fastest, topSpeed(world));
    });
    measured(`in the floor ${kind}`, {
      fastest,
      end: centre(world.bodies[0]),
      penetration: world.certificate.penetration,
    });
    expect(fastest).toBeLessThan((1.5 * SIDE) / 2 / world.dt);
    expect(world.certificate.penetration).toBeLessThan(1e-3 * SIDE);
  });
});

describe('too few iterations', () => {
  it.each([0, 1, 2, 3])('%d of them: everything stays finite and in its place', async (iterations) => {
    const bodies: PlacementDef[] = [
      { body: standingBox('soft', { cells: [2, 2, 2], material: JELLY }), position: [0, 0.01, 0] },
      { body: standingBox('rigid', { cells: [2, 2, 2] }), position: [0.03, 0.25, 0.02] },
      { body: ball('soft', 0.1, 4, JELLY), position: [0, 0.6, 0] },
    ];
    const world = await contactWorld({ bodies, obstacles: [floor()], iterations });
    let deepest = 0;
    runFor(world, 3, () => {
      deepest = Math.max(deepest, world.certificate.penetration);
    });
    measured(`iterations ${iterations}`, { deepest, speed: topSpeed(world), centres: world.bodies.map(centre) });
    expect(allFinite(world)).toBe(true);
    if (iterations > 0) {
      expect(deepest).toBeLessThan(0.05 * SIDE);
      expect(topSpeed(world)).toBeLessThan(1);
    }
  });
});

describe('large ratios', () => {
  const light: MaterialDef = { model: 'corotated', youngModulus: 1e3, poissonRatio: 0.3, density: 10 };
  const heavy: MaterialDef = { model: 'corotated', youngModulus: 1e11, poissonRatio: 0.3, density: 1e5 };

  it('of mass (1e4) and stiffness (1e8) in one jointed body that falls on a floor (V56)', async () => {
    const bar = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 3, material: light });
    const regions = Array.from({ length: bar.tets.length / 4 }, (_, t) => {
      let x = 0;
      for (let k = 0; k < 4; k++) x += bar.positions[bar.tets[t * 4 + k] * 3] / 4;
      return x < 0.2 ? 0 : 1;
    });
    const body: BodyDef = { ...bar, materials: [light, heavy], regions };
    const world = await contactWorld({ bodies: [{ body, position: [0, 0.3, 0] }], obstacles: [floor()] });
    let [deepest, gap] = [0, 0];
    runFor(world, 4, () => {
      deepest = Math.max(deepest, world.certificate.penetration);
      gap = Math.max(gap, world.certificate.jointGap);
    });
    measured('V56', { deepest: deepest / world.certificate.bodySize, gap, speed: topSpeed(world) });
    expect(allFinite(world)).toBe(true);
    expect(deepest).toBeLessThan(0.05 * world.certificate.bodySize);
    expect(gap).toBeLessThan(1e-6);
  });
});

describe('everything in one place', () => {
  it('ends, and leaves a world that is finite', async () => {
    const body = standingBox('soft', { cells: [7, 7, 7], material: JELLY });
    const startPositions = new Float64Array(body.positions.length).fill(0.1);
    const bodies: PlacementDef[] = [0, 1, 2].map(() => ({ body, startPositions }));
    const world = await contactWorld({ bodies, obstacles: [floor()], iterations: 5 });
    let good = 0;
    for (let i = 0; i < 10; i++) if (stepWorld(world)) good++;
    measured('one place', {
      good,
      contacts: world.contacts.count,
      dropped: world.certificate.droppedContacts,
      unswept: world.certificate.unswept,
      speed: topSpeed(world),
    });
    expect(allFinite(world)).toBe(true);
    expect(world.contacts.count).toBeLessThanOrEqual(world.contacts.capacity);
  });
});
