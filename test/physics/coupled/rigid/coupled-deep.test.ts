/**
 * Rigid bodies that start deep in each other come apart, without gravity: the depth that is said after the first step is that of the shortest way out (closed form for what does not turn: 0.3 of it a substep, at 2 m/s at
 * most), no step moves anything half as fast again as that, their common centre of mass stays (conservation, to 1e-12 of a metre), and they lie still when they are apart.
 */
import { expect, it } from 'vitest';
import { createWorld, disposeWorld, type RigidShape, stepWorld, type Vec3, type World } from '../../../../src/index.js';

type Quat = readonly [number, number, number, number];

const CUBE: RigidShape = { kind: 'box', halfExtents: [0.1, 0.1, 0.1] };
const LARGE: RigidShape = { kind: 'box', halfExtents: [0.2, 0.2, 0.2] };
const SLAB: RigidShape = { kind: 'box', halfExtents: [0.4, 0.05, 0.4] };
const BALL: RigidShape = { kind: 'sphere', radius: 0.05 };
const ROD: RigidShape = { kind: 'capsule', radius: 0.03, halfLength: 0.06 };
const LONG: RigidShape = { kind: 'capsule', radius: 0.03, halfLength: 0.2 };
const RING: RigidShape = { kind: 'torus', radius: 0.1, tubeRadius: 0.03 };
const LEVEL: Quat = [0, 0, 0, 1];
const UPRIGHT: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const ASKEW: Quat = [0.2, 0.3, 0.1, Math.sqrt(1 - 0.14)];

/** What is in what, where its middle is, how it is turned, and the length of the shortest way out [m], where they do not turn on it. */
const CASES: [string, RigidShape, RigidShape, Vec3, Quat, number?][] = [
  ['box in box, 50 mm between the middles', CUBE, CUBE, [0.05, 0, 0], LEVEL, 0.15],
  ['box in box, 90 mm', CUBE, CUBE, [0.09, 0.03, 0.01], LEVEL, 0.11],
  ['box in box, 150 mm', CUBE, CUBE, [0.15, 0, 0], LEVEL, 0.05],
  ['box in box, at one place', CUBE, CUBE, [0, 0, 0], LEVEL, 0.2],
  ['box in box, turned', CUBE, CUBE, [0.03, 0.02, 0.01], ASKEW],
  ['box in a larger one', LARGE, CUBE, [0.02, 0.01, 0], LEVEL],
  ['box in a larger one, turned', LARGE, CUBE, [0.08, 0.05, 0], ASKEW],
  ['box sunk in a slab', SLAB, CUBE, [0.1, 0.08, 0.05], LEVEL],
  ['box through a slab, turned', SLAB, CUBE, [0.1, 0.01, 0.05], ASKEW],
  ['ball in box', CUBE, BALL, [0.01, 0.02, 0], LEVEL, 0.13],
  ['ball in the middle of a box', CUBE, BALL, [0, 0, 0], LEVEL, 0.15],
  ['rod in box', CUBE, ROD, [0, 0, 0], LEVEL, 0.13],
  ['rod in box, turned', CUBE, ROD, [0.02, 0.01, 0.03], ASKEW],
  ['rod through a box', CUBE, LONG, [0.01, 0, 0.02], LEVEL],
  ['rod in rod', ROD, ROD, [0, 0, 0], LEVEL],
  ['rod across rod', LONG, LONG, [0, 0, 0], UPRIGHT, 0.06],
  ['ring in ring', RING, RING, [0, 0, 0], LEVEL, 0.06],
  ['ring in ring, beside it', RING, RING, [0.01, 0, 0], LEVEL, 0.06],
  ['ring in ring, turned', RING, RING, [0.01, 0.005, 0], ASKEW],
  ['ring across ring', RING, RING, [0, 0, 0], UPRIGHT, 0.06],
  ['ball in ball', BALL, BALL, [0, 0, 0], LEVEL, 0.1],
];

const STEP = 1 / 60;
/** How deep it still is after a step of two substeps. */
function left(depth: number): number {
  for (let n = 0; n < 2; n++) depth -= Math.min(0.3 * depth, 2 * (STEP / 2));
  return depth;
}

const places = (world: World) => world.bodies.map(({ state }) => Float64Array.from(state.poses.translations));

it.each(CASES.map(([name, ...rest]) => ({ name, rest })))('$name', async ({ rest }) => {
  const [first, second, position, rotation, depth] = rest;
  const body = (shape: RigidShape, name: string) =>
    ({ kind: 'rigid', name, parts: [{ name, shape, density: 1000 }] }) as const;
  const world = await createWorld({
    name: 'deep',
    description: 'two bodies in each other',
    gravity: [0, 0, 0],
    solver: { kind: 'coupled' },
    dt: STEP,
    bodies: [
      { name: 'one', body: body(first, 'one') },
      { name: 'two', body: body(second, 'two'), position, rotation },
    ],
  });
  const masses = world.bodies.map(({ model }) => model.masses.reduce((sum, m) => sum + m, 0));
  const middle = () => [0, 1, 2].map((k) => places(world).reduce((sum, at, b) => sum + masses[b] * at[k], 0));
  const start = middle();
  let before = places(world);
  for (let n = 0; n < 60; n++) {
    expect(stepWorld(world)).toBe(true);
    if (n === 0 && depth) expect(world.certificate.penetration).toBeCloseTo(left(depth), 3);
    if (n === 0) expect(world.certificate.penetration).toBeGreaterThan(0.02);
    const now = places(world);
    // middles of what turns while its corners are led out go a little faster than these
    const most = n < 30 ? 1.5 * 2 * STEP : 1e-4;
    now.forEach((at, b) => {
      expect(Math.hypot(...at.map((x, k) => x - before[b][k]))).toBeLessThan(most);
    });
    before = now;
  }
  expect(world.certificate.penetration).toBeLessThan(1e-5);
  middle().forEach((at, k) => {
    expect(Math.abs(at - start[k])).toBeLessThan(1e-12);
  });
  disposeWorld(world);
});
