/** A light body between heavy ones: the messenger problem of [Shinar2008 §6.1]. V53b. */
import { describe, expect, it } from 'vitest';
import type { PlacementDef } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  deepestOverlap,
  floor,
  forceBetween,
  G,
  meanVelocity,
  run,
  runFor,
  totalMomentum,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { type Kind, RUBBER, standingBox } from '../../support/models/contact-shapes.js';

const SIDE = 0.2;
const HEAVY = 1e4;

function box(kind: Kind, density: number) {
  return standingBox(kind, { cells: [2, 2, 2], material: { ...RUBBER, youngModulus: 5e6, density } });
}

describe('heavy, light, heavy', () => {
  it.each<[Kind, number]>([
    ['rigid', 10],
    ['rigid', 100],
    ['rigid', 1e3],
    ['rigid', 1e6],
    ['soft', 1e3],
    ['soft', 1e5],
  ])('%s, in a row, ratio %d: the first pushes the last through the middle one (V53b)', async (kind, ratio) => {
    const heavy = box(kind, HEAVY);
    const bodies: PlacementDef[] = [
      { body: heavy, position: [-0.3, 0, 0], velocity: [1, 0, 0] },
      { body: box(kind, HEAVY / ratio) },
      { body: heavy, position: [SIDE, 0, 0] },
    ];
    const world = await contactWorld({ bodies, gravity: [0, 0, 0], iterations: 10 });
    const [before] = totalMomentum(world);
    let deepest = 0;
    run(world, 60, () => {
      deepest = Math.max(deepest, deepestOverlap(world, 1));
    });
    const speeds = world.bodies.map((body) => meanVelocity(body)[0]);
    measured(`V53b row ${kind} ${ratio}`, { deepest: deepest / SIDE, speeds });
    expect(deepest).toBeLessThan(1e-3 * SIDE);
    // conservation of momentum
    expect(Math.abs(totalMomentum(world)[0] / before - 1)).toBeLessThan(1e-9);
    // rigid ones go on together, without restitution: m v / (2 m + m/ratio); soft ones spring
    for (const speed of kind === 'rigid' ? speeds : []) {
      expect(Math.abs(speed * (2 + 1 / ratio) - 1)).toBeLessThan(0.05);
    }
  });

  it.each<[Kind, number]>([
    ['rigid', 10],
    ['rigid', 100],
    ['rigid', 1e3],
    ['rigid', 1e6],
    ['soft', 1e3],
  ])('%s, on top of each other, ratio %d: nothing sinks in (V53b)', async (kind, ratio) => {
    const heavy = box(kind, HEAVY);
    const bodies: PlacementDef[] = [
      { body: heavy },
      { body: box(kind, HEAVY / ratio), position: [0, SIDE, 0] },
      { body: heavy, position: [0, 2 * SIDE, 0] },
    ];
    const world = await contactWorld({ bodies, obstacles: [floor()], iterations: 10 });
    let deepest = 0;
    let load = 0;
    runFor(world, 1, () => {
      deepest = Math.max(deepest, deepestOverlap(world, 1));
    });
    runFor(world, 1, () => {
      deepest = Math.max(deepest, deepestOverlap(world, 1));
      load += (forceBetween(world, 2, 1)[1] * world.dt) / (world.bodies[2].model.totalMass * G);
    });
    // balance of forces over a second: the light one carries the upper heavy one
    measured(`V53b stack ${kind} ${ratio}`, { deepest: deepest / SIDE, load });
    expect(deepest).toBeLessThan(1e-3 * SIDE);
    expect(Math.abs(load - 1)).toBeLessThan(0.01);
  });

  it.each<[string, number, readonly number[], number]>([
    ['light below', 1e6, [1e6, 1], 0],
    ['two light ones below', 1e6, [1e6, 1e6, 1], 0],
    ['light in between, beside the middle', 1e6, [1, 1e6, 1], 0.02],
    ['light ones in between', 1e5, [1, 1e5, 1, 1e5, 1], 0],
  ])('rigid, %s, ratio %d: nothing sinks in or is thrown out (V53b)', async (name, ratio, lighter, aside) => {
    const bodies = lighter.map((times, i): PlacementDef => {
      return { body: box('rigid', HEAVY / times), position: [aside * (i % 2), i * SIDE, aside * (i % 2)] };
    });
    const world = await contactWorld({ bodies, obstacles: [floor()], iterations: 10 });
    const top = world.bodies.length - 1;
    let [deepest, load] = [0, 0];
    run(world, 120, (step) => {
      deepest = Math.max(deepest, deepestOverlap(world, 1));
      if (step > 60) load += forceBetween(world, top, top - 1)[1] / (world.bodies[top].model.totalMass * G) / 60;
    });
    // balance of forces, and nothing has moved: the middle of each is where it was
    const moved = world.bodies.map((body, i) =>
      Math.hypot(...centre(body).map((x, k) => x - (bodies[i].position?.[k] ?? 0) - (k === 1 ? SIDE / 2 : 0))),
    );
    measured(`V53b ${name} ${ratio}`, { deepest: deepest / SIDE, load, moved });
    expect(deepest).toBeLessThan(1e-3 * SIDE);
    expect(Math.abs(load - 1)).toBeLessThan(0.01);
    for (const distance of moved) expect(distance).toBeLessThan(1e-3 * SIDE);
  });
});
