/**
 * Rigid bodies of one bone that hit each other fast, and heaps of them. How deep they come is measured by points spread over their surfaces in the closed-form distance of the other
 * shape, which knows nothing of contacts; momentum is that of two free bodies, which no contact between them changes.
 */
import { describe, expect, it } from 'vitest';
import { buildRigidHeap, HEAP_SHAPES } from '../../scenes/cast/rigid-heap.js';
import type { RigidShape } from '../../src/body/kinds/rigid-def.js';
import { createWorld, disposeWorld, hashWorld, stepWorld, type World } from '../../src/index.js';
import { createRandom } from '../../src/math/random.js';
import type { ProjectiveState } from '../../src/solvers/projective/projective-state.js';

const SHAPES: Readonly<Record<string, RigidShape>> = {
  ...HEAP_SHAPES,
  plate: { kind: 'box', halfExtents: [0.12, 0.015, 0.12] },
};
/** Where a triangle is looked at. */
const POINTS = [
  [1, 0, 0],
  [0.5, 0.5, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [1 / 3, 1 / 3, 1 / 3],
];

/** Signed distance of a place in a shape's own frame [m]. */
function distanceTo(shape: RigidShape, [x, y, z]: readonly number[]): number {
  if (shape.kind === 'sphere') return Math.hypot(x, y, z) - shape.radius;
  if (shape.kind === 'torus') return Math.hypot(Math.hypot(x, z) - shape.radius, y) - shape.tubeRadius;
  if (shape.kind !== 'box') throw new Error(shape.kind);
  const over = [x, y, z].map((value, k) => Math.abs(value) - shape.halfExtents[k]);
  const outside = Math.hypot(...over.map((value) => Math.max(value, 0)));
  return outside > 0 ? outside : Math.max(...over);
}

/** How deep points of the surface of body a are in the shape of body b, at most [m]. */
function depthIn(world: World, a: number, b: number, shape: RigidShape): number {
  const { rotations: r, translations: t } = world.bodies[b].state.poses;
  const { positions } = world.bodies[a].state;
  const { vertices, triangles } = world.bodies[a].model.surface;
  let depth = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    for (const weights of POINTS) {
      const away = [0, 1, 2].map((k) =>
        weights.reduce((sum, w, c) => sum + w * positions[vertices[triangles[at + c]] * 3 + k], -t[k]),
      );
      const own = [0, 1, 2].map((k) => r[k] * away[0] + r[3 + k] * away[1] + r[6 + k] * away[2]);
      depth = Math.max(depth, -distanceTo(shape, own));
    }
  }
  return depth;
}

/** Sends a body off without turning [m/s]. */
function throwAlong(state: ProjectiveState, speed: number): void {
  for (let v = 0; v < state.velocities.length; v += 3) state.velocities[v] = speed;
  state.boneRates[9] = speed;
}

/** Two bodies at odd angles thrown at each other: how deep they come, and the momentum they have afterwards [m, kg m/s]. */
async function collide(names: readonly string[], speed: number, seed: number) {
  const random = createRandom(seed);
  const turned = () => {
    const q = [0, 0, 0, 0].map(() => random.range(-1, 1));
    return q.map((value) => value / Math.hypot(...q)) as unknown as readonly [number, number, number, number];
  };
  const bodies = names.map((name, i) => ({
    body: { kind: 'rigid', name, parts: [{ name, shape: SHAPES[name] }] } as const,
    position: [i === 0 ? -0.4 : 0.4, random.range(-0.05, 0.05), random.range(-0.05, 0.05)] as const,
    rotation: turned(),
  }));
  const world = await createWorld({ name: 'hit', description: 'two bodies', bodies, gravity: [0, 0, 0] });
  world.bodies.forEach(({ state }, i) => {
    throwAlong(state as ProjectiveState, i === 0 ? speed : -speed);
  });
  const momentum = () =>
    world.bodies.reduce((sum, { model, state }) => sum + model.totalMass * (state as ProjectiveState).boneRates[9], 0);
  const before = momentum();
  let deepest = 0;
  for (let n = 0; n < 48 / speed + 6; n++) {
    if (!stepWorld(world)) throw world.fault;
    deepest = Math.max(deepest, depthIn(world, 0, 1, SHAPES[names[1]]), depthIn(world, 1, 0, SHAPES[names[0]]));
  }
  const lost =
    Math.abs(momentum() - before) / (speed * (world.bodies[0].model.totalMass + world.bodies[1].model.totalMass));
  disposeWorld(world);
  return { deepest, lost };
}

/** Pairs, speeds, and how deep they may come: 2 cm where it was 10 to 33 cm when vertices met triangles where the step began; plates are 3 cm thick, and through when 1.5 cm deep. */
const HITS = [
  { names: ['box', 'box'], speeds: [3, 10, 30], most: 0.02 },
  { names: ['ring', 'ring'], speeds: [3, 10, 30], most: 0.02 },
  { names: ['ring', 'box'], speeds: [3, 10, 30], most: 0.02 },
  { names: ['plate', 'plate'], speeds: [3, 10, 30], most: 0.01 },
  { names: ['ring', 'plate'], speeds: [3, 10, 30], most: 0.01 },
  { names: ['ball', 'plate'], speeds: [3, 10, 30], most: 0.01 },
  { names: ['box', 'plate'], speeds: [30], most: 0.01 },
];

describe('rigid bodies that hit each other fast', () => {
  for (const { names, speeds, most } of HITS) {
    for (const speed of speeds) {
      it(`${names.join(' and ')} at ${speed} m/s each do not pass into each other`, async () => {
        // 1 and 8 are plates that cross each other between all of their corners
        for (const seed of [1, 2, 8]) {
          const { deepest, lost } = await collide(names, speed, seed);
          expect(deepest).toBeLessThan(most);
          expect(lost).toBeLessThan(1e-9);
        }
      });
    }
  }
});

describe('a heap of rigid bodies', () => {
  it('stays above the floor, is nowhere deep in itself, and has the same bits on two threads', async () => {
    const hashes: string[] = [];
    for (const threads of [1, 2]) {
      const world = await createWorld(buildRigidHeap(18), { threads });
      for (let n = 0; n < 45; n++) {
        if (!stepWorld(world)) throw world.fault;
        // while they land nothing is deeper than a tenth of a body
        expect(world.certificate.penetration).toBeLessThan(0.02);
      }
      for (const { state } of world.bodies) expect(state.poses.translations[1]).toBeGreaterThan(0.02);
      hashes.push(hashWorld(world));
      disposeWorld(world);
    }
    expect(hashes[1]).toBe(hashes[0]);
  });
});
