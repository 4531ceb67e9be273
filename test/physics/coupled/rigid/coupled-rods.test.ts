/**
 * Rods twenty times as long as thick. Two that cross do not pass through each other (topology: the side of the one that the other is on, by the triple product of their axes and the way between them, where they cross within
 * both); a bundle thrown on a floor comes to rest, its momentum explained to 1e-12 kg m/s in every step.
 */
import { describe, expect, it } from 'vitest';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../../src/index.js';

const RADIUS = 0.01;
const HALF = 0.19;
const ROD = {
  kind: 'rigid',
  name: 'rod',
  parts: [{ name: 'rod', shape: { kind: 'capsule', radius: RADIUS, halfLength: HALF }, density: 1000 }],
} as const;

/** The axis of rod n, and its middle. */
function rodOf(world: World, n: number) {
  const { translations: x, rotations: r } = world.bodies[n].state.poses;
  return { x: [x[0], x[1], x[2]], u: [r[1], r[4], r[7]] };
}

const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** How far rod 0 is on one side of rod 1, across both; nothing where they do not cross within both. */
function side(world: World) {
  const a = rodOf(world, 0);
  const b = rodOf(world, 1);
  const d = a.x.map((x, k) => x - b.x[k]);
  const c = dot(a.u, b.u);
  const square = 1 - c * c;
  const s = (c * dot(b.u, d) - dot(a.u, d)) / square;
  const t = (dot(b.u, d) - c * dot(a.u, d)) / square;
  if (square < 1e-3 || Math.abs(s) > 0.95 * HALF || Math.abs(t) > 0.95 * HALF) return undefined;
  const across = cross(a.u, b.u);
  return { across, far: dot(across, d) / Math.sqrt(square) };
}

/** How far the axes of two rods are from each other, by points a twentieth of a radius apart along the one. */
function between(a: ReturnType<typeof rodOf>, b: ReturnType<typeof rodOf>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let s = -HALF; s <= HALF; s += 0.05 * RADIUS) {
    const d = a.x.map((x, k) => x + s * a.u[k] - b.x[k]);
    const t = Math.max(-HALF, Math.min(HALF, dot(d, b.u)));
    least = Math.min(least, Math.hypot(...d.map((x, k) => x - t * b.u[k])));
  }
  return least;
}

/** Whether rods have changed sides between two steps. Where they have turned past being parallel, sides are others. */
function havePassed(before: ReturnType<typeof side>, now: ReturnType<typeof side>): boolean {
  if (!before || !now || dot(before.across, now.across) <= 0) return false;
  return before.far < 0 !== now.far < 0;
}

describe.each([1, 2, 4])('two rods that cross, %i substeps', (substeps) => {
  it.each([0.3, 2, 10, 40])('do not pass at %d m/s', async (speed) => {
    let met = 0;
    for (const along of [0, 0.11, 0.25, 0.37, 0.5, 0.83]) {
      for (const angle of [Math.PI / 2, 1, 0.4]) {
        const half = 0.5 * angle;
        const world = await createWorld({
          name: 'crossing',
          description: 'a rod thrown across a rod',
          gravity: [0, 0, 0],
          solver: { kind: 'coupled', substeps },
          dt: 1 / 60,
          bodies: [
            { name: 'one', body: ROD, position: [0, 0, 0] },
            {
              name: 'two',
              body: ROD,
              position: [-along * HALF * Math.sin(angle), along * HALF, 0.05 + 0.013 * speed],
              rotation: [0, 0, Math.sin(half), Math.cos(half)],
              velocity: [0, 0, -speed],
            },
          ],
        });
        let before = side(world);
        expect(before).toBeDefined();
        for (let n = 0; n < 60; n++) {
          expect(stepWorld(world)).toBe(true);
          if (world.certificate.contacts > 0) met++;
          expect(world.certificate.momentumDrift).toBeLessThan(1e-12);
          // deeper their axes would have met
          expect(world.certificate.penetration).toBeLessThan(2 * RADIUS);
          const now = side(world);
          expect(havePassed(before, now)).toBe(false);
          before = now;
        }
        disposeWorld(world);
      }
    }
    expect(met).toBeGreaterThan(0);
  });
});

it.each([2, 4, 16])('a bundle of 12 thrown on a floor comes to rest, %i substeps', async (substeps) => {
  const world = await createWorld({
    name: 'bundle',
    description: 'twelve rods',
    // nothing else slows a rod that rolls
    solver: { kind: 'coupled', substeps, spinDamping: 3 },
    dt: 1 / 60,
    bodies: Array.from({ length: 12 }, (_, i) => {
      const half = 0.4 * i;
      return {
        name: `rod ${i}`,
        body: ROD,
        position: [0.08 * Math.sin(5 * i), 0.1 + 0.03 * i, 0.08 * Math.cos(3 * i)] as const,
        // lying, each turned about the upright
        rotation: [
          Math.SQRT1_2 * Math.cos(half),
          Math.SQRT1_2 * Math.sin(half),
          -Math.SQRT1_2 * Math.sin(half),
          Math.SQRT1_2 * Math.cos(half),
        ] as const,
        velocity: [0.5, -3, 0] as const,
      };
    }),
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
  });
  for (let n = 0; n < 1200; n++) {
    expect(stepWorld(world)).toBe(true);
    expect(world.certificate.momentumDrift).toBeLessThan(1e-12);
    expect(world.certificate.penetration).toBeLessThan(2 * RADIUS);
  }
  const before = world.bodies.map((_, n) => rodOf(world, n).x);
  for (let n = 0; n < 30; n++) stepWorld(world);
  // no faster than 2 mm/s
  before.forEach((x, n) => {
    expect(Math.hypot(...rodOf(world, n).x.map((y, k) => y - x[k]))).toBeLessThan(1e-3);
  });
  // on the floor and on each other, not in each other: what lies in another is not seen by samples alone
  for (let n = 0; n < 12; n++) {
    for (let m = 0; m < n; m++) expect(between(rodOf(world, n), rodOf(world, m))).toBeGreaterThan(1.99 * RADIUS);
  }
  disposeWorld(world);
});
