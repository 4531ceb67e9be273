/** Things at rest on a floor and on each other: balance of forces, and nothing moves. V52, V59. */
import { describe, expect, it } from 'vitest';
import { contactForceOnBody, contactForceOnObstacle, type World } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  deepestOverlap,
  floor,
  forceBetween,
  G,
  massOf,
  run,
  runFor,
  tilt,
  topSpeed,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { type Kind, RUBBER, standingBox } from '../../support/models/contact-shapes.js';

const SIDE = 0.2;
/** So hard that five of them do not give way under their weight. */
const HARD = { ...RUBBER, youngModulus: 5e6 };
const JELLY = { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 };

/** Boxes on top of each other on a floor. */
function stack(kinds: readonly Kind[], material = RUBBER, iterations = 20): Promise<World> {
  const defs = new Map(kinds.map((kind) => [kind, standingBox(kind, { cells: [2, 2, 2], material })]));
  const bodies = kinds.map((kind, i) => ({ body: defs.get(kind)!, position: [0, i * SIDE, 0] as const }));
  return contactWorld({ bodies, obstacles: [floor()], iterations });
}

describe('a box at rest', () => {
  it.each<Kind>(['rigid', 'soft', 'bone on flesh'])('of kind %s neither creeps nor jitters for 20 s', async (kind) => {
    const body = standingBox(kind, { cells: [3, 3, 3], material: JELLY });
    const world = await contactWorld({ bodies: [{ body }], obstacles: [floor()] });
    runFor(world, 2);
    const before = centre(world.bodies[0]);
    let fastest = 0;
    let worst = 0;
    runFor(world, 20, () => {
      fastest = Math.max(fastest, topSpeed(world));
      worst = Math.max(worst, Math.abs(contactForceOnBody(world, 0)[1] / (massOf(world) * G) - 1));
    });
    const after = centre(world.bodies[0]);
    const drift = Math.hypot(...after.map((value, k) => value - before[k]));
    measured(`rest ${kind}`, { drift, fastest, worst });
    // the floor carries the weight in every step, and no more
    expect(worst).toBeLessThan(1e-4);
    expect(drift).toBeLessThan(3e-5 * SIDE);
    // f32 positions of 0.2 m move in steps of 1e-8 m: within a 60th of a second, 1e-6 m/s
    expect(fastest).toBeLessThan(5e-6);
  });
});

describe('many iterations', () => {
  it.each([30, 60])('%d of them leave a soft box as much at rest as few', async (iterations) => {
    const body = standingBox('soft', { cells: [3, 3, 3], material: { ...JELLY, poissonRatio: 0.4 } });
    const world = await contactWorld({ bodies: [{ body }], obstacles: [floor()], iterations });
    runFor(world, 2);
    let fastest = 0;
    run(world, 60, () => {
      fastest = Math.max(fastest, topSpeed(world));
    });
    measured(`rest, ${iterations} iterations`, fastest);
    expect(fastest).toBeLessThan(5e-6);
  });
});

describe('stiff flesh at rest', () => {
  it.each([
    { cells: 4, young: 1e6, iterations: 10 },
    { cells: 2, young: 5e6, iterations: 10 },
    { cells: 2, young: 5e6, iterations: 40 },
  ])('neither creeps nor jitters: $cells cells, E = $young, $iterations iterations', async (given) => {
    const material = { ...JELLY, youngModulus: given.young, poissonRatio: 0.4 };
    const body = standingBox('soft', { cells: [given.cells, given.cells, given.cells], material });
    const world = await contactWorld({ bodies: [{ body }], obstacles: [floor()], iterations: given.iterations });
    runFor(world, 2);
    const before = centre(world.bodies[0]);
    let fastest = 0;
    let worst = 0;
    runFor(world, 2, () => {
      fastest = Math.max(fastest, topSpeed(world));
      // balance of forces
      worst = Math.max(worst, Math.abs(forceBetween(world, 0, -1)[1] / (massOf(world) * G) - 1));
    });
    const drift = Math.hypot(...centre(world.bodies[0]).map((value, k) => value - before[k]));
    measured(`rest, E ${given.young}, ${given.iterations} iterations`, { drift, fastest, worst });
    expect(worst).toBeLessThan(1e-4);
    expect(drift).toBeLessThan(1e-6 * SIDE);
    expect(fastest).toBeLessThan(5e-6);
  });
});

describe('a stack of five', () => {
  it.each<[string, Kind[]]>([
    ['rigid', ['rigid', 'rigid', 'rigid', 'rigid', 'rigid']],
    ['rigid and soft', ['rigid', 'soft', 'rigid', 'soft', 'rigid']],
    ['soft', ['soft', 'soft', 'soft', 'soft', 'soft']],
    ['all kinds of', ['soft', 'rigid', 'bone on flesh', 'soft', 'rigid']],
  ])('%s boxes stands, each level carrying what is above it (V52)', async (name, kinds) => {
    const world = await stack(kinds, HARD);
    runFor(world, 3);
    // balance of forces at level k: (N − k) m g
    const loads = kinds.map(
      (_, k) => forceBetween(world, k, k - 1)[1] / ((kinds.length - k) * massOf(world) * G * 0.2),
    );
    const tilts = world.bodies.map(tilt);
    const overlap = deepestOverlap(world);
    measured(`V52 ${name}`, { loads, tilts, overlap, penetration: world.certificate.penetration });
    for (const load of loads) expect(Math.abs(load - 1)).toBeLessThan(0.01);
    expect(Math.max(...tilts)).toBeLessThan(0.1);
    expect(Math.max(overlap, world.certificate.penetration)).toBeLessThan(1e-3 * SIDE);
  });
});

describe('pulling a body away', () => {
  it.each<Kind>(['rigid', 'soft', 'bone on flesh'])('of kind %s: no contact ever holds it back (V59)', async (kind) => {
    const body = standingBox(kind, { cells: [2, 2, 2] });
    const world = await contactWorld({ bodies: [{ body }], obstacles: [floor()] });
    const { model, state } = world.bodies[0];
    runFor(world, 1);
    let least = 0;
    run(world, 120, (step) => {
      // up to twice the weight, and then past it
      for (let v = 0; v < model.vertexCount; v++) state.forces[v * 3 + 1] = (2 * step * model.masses[v] * G) / 120;
      const { contacts } = world;
      for (let c = 0; c < contacts.count; c++) {
        let push = 0;
        for (let k = 0; k < 3; k++) push += contacts.force[c * 3 + k] * contacts.normal[c * 3 + k];
        least = Math.min(least, push);
      }
    });
    // unilateral: the sum of half the pull's impulse above the weight is all there is, m v = ∫ (F − m g)
    expect(least).toBe(0);
    expect(contactForceOnObstacle(world, 0)[1]).toBe(0);
    expect(centre(world.bodies[0])[1]).toBeGreaterThan(SIDE);
  });
});
