/**
 * Obstacles that meet a body where it has no vertex, and flesh so soft that it gives way from within. Depth is measured apart from the contacts
 * found: by a grid of points on every triangle, by all vertices, and by points of the obstacle that are in tets.
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef, Vec3 } from '../../../src/body/body-def.js';
import { MATERIALS } from '../../../src/body/materials.js';
import type { ObstacleDef } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { centre, contactWorld, floor, isAnyInside, run } from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { depthInObstacles } from '../../support/obstacle-depth.js';

/** A plate of two cells of 20 cm along each side, one high, its underside at y = 0. */
function plate(rigid: boolean): BodyDef {
  const mesh = buildLattice({ cells: [2, 1, 2], cellSize: 0.2, origin: [-0.2, 0, -0.2] });
  const vertices = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v);
  const material = { model: 'corotated', youngModulus: 2e5, poissonRatio: 0.4, density: 1000 } as const;
  return { name: 'plate', ...mesh, bones: rigid ? [{ name: 'all', vertices }] : [], materials: [material] };
}

const ALONG_X = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
const EDGE_UP = [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)] as const;
const rail = (name: string, z: number): ObstacleDef => ({
  name,
  shape: { kind: 'capsule', radius: 0.01, halfLength: 1 },
  position: [0, -0.01, z],
  rotation: ALONG_X,
});
/** Four of the same under the middles of the cells. */
const four = (shape: ObstacleDef['shape'], top: number, x: number, z: number): ObstacleDef[] =>
  [0, 1, 2, 3].map((n) => ({
    name: `${shape.kind}${n}`,
    shape,
    position: [n % 2 === 0 ? -x : x, -top, n < 2 ? -z : z],
  }));

/** Where each meets the plate, no vertex is nearer than 5 cm. */
const UNDER: readonly [string, ObstacleDef[], Vec3][] = [
  ['rails', [rail('left', -0.07), rail('right', 0.07)], [0.05, -0.01, 0.07]],
  ['pillars', four({ kind: 'box', halfExtents: [0.01, 0.3, 0.01] }, 0.3, 0.08, 0.12), [0.08, -0.01, 0.12]],
  [
    'ridges',
    [-0.07, 0.07].map((z, n) => ({
      name: `ridge${n}`,
      shape: { kind: 'box', halfExtents: [1, 0.05, 0.05] },
      position: [0, -0.05 * Math.SQRT2, z],
      rotation: EDGE_UP,
    })),
    [0.05, -0.01, 0.07],
  ],
  ['small balls', four({ kind: 'sphere', radius: 0.02 }, 0.02, 0.08, 0.12), [0.08, -0.02, 0.12]],
  ['rods on end', four({ kind: 'cylinder', radius: 0.01, halfLength: 0.2 }, 0.2, 0.08, 0.12), [0.08, -0.01, 0.12]],
];

describe('obstacles between vertices', () => {
  it.each(UNDER.flatMap((entry) => [[...entry, false] as const, [...entry, true] as const]))(
    '%s carry a plate (%#)',
    async (name, obstacles, inside, rigid) => {
      const world = await contactWorld({
        bodies: [{ body: plate(rigid), position: [0, 0.02, 0] }],
        obstacles,
        iterations: 10,
      });
      const { size } = world.bodies[0].model;
      let deepest = 0;
      let worst = 0;
      run(world, 60, () => {
        const depth = depthInObstacles(world);
        deepest = Math.max(deepest, depth);
        worst = Math.max(worst, Math.abs(world.certificate.penetration - depth) / Math.max(depth, 1e-3 * size));
      });
      measured(`${rigid ? 'rigid' : 'soft'} plate on ${name}`, {
        deepest: deepest / size,
        worst,
        y: centre(world.bodies[0])[1],
      });
      expect(isAnyInside(world.bodies[0], [inside])).toBe(false);
      expect(deepest).toBeLessThan(0.01 * size);
      // what the certificate says against the measure, from a thousandth of the size on
      expect(worst).toBeLessThan(0.1);
    },
  );
});

describe('flesh that gives way', () => {
  it('a cube of fat of half a metre keeps all of its vertices above the floor', async () => {
    const mesh = buildLattice({ cells: [4, 4, 4], cellSize: 0.125, origin: [-0.25, 0, -0.25] });
    const body: BodyDef = { name: 'fat', ...mesh, bones: [], materials: [MATERIALS.fat] };
    const world = await contactWorld({
      bodies: [{ body, position: [0, 0.01, 0] }],
      obstacles: [floor()],
      iterations: 10,
    });
    let deepest = 0;
    run(world, 120, () => {
      deepest = Math.max(deepest, depthInObstacles(world));
    });
    measured('cube of fat', { deepest: deepest / 0.5, y: centre(world.bodies[0])[1] });
    expect(deepest).toBeLessThan(0.01 * 0.5);
  });
});
