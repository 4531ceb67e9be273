/**
 * Friction in lattice worlds against Coulomb's law in closed form: a block on a slope of angle a stays where tan a is below the coefficient, and
 * else slides with g (sin a - m cos a).
 */
import { describe, expect, it } from 'vitest';
import { createWorld, disposeWorld, type SceneDef, stepWorld, type World } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const GRAVITY = 9.81;
const FRICTION = 0.4;

/** A flat block on a slope whose tangent is `tangent`; the slope is level and gravity is not. */
function onSlope(tangent: number): Promise<World> {
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const material = { model: 'corotated', youngModulus: 2e5, poissonRatio: 0.3, density: 1000 } as const;
  const body = { name: 'block', ...buildLattice({ cells: [4, 1, 4], cellSize: 0.1 }), materials: [material] };
  return createWorld({
    name: 'slope',
    description: '',
    bodies: [{ body }],
    obstacles: [{ name: 'slope', shape: { kind: 'plane' }, friction: FRICTION }],
    gravity: [GRAVITY * tangent * cosine, -GRAVITY * cosine, 0],
    dt: 1 / 60,
    solver: { kind: 'lattice', cells: 60, iterations: 60, tolerance: 3e-5 },
  } as SceneDef);
}

function meanPlace({ bodies }: World): number {
  const { positions } = bodies[0].state;
  let sum = 0;
  for (let i = 0; i < positions.length; i += 3) sum += positions[i];
  return (3 * sum) / positions.length;
}

function run(world: World, steps: number): number {
  for (let n = 0; n < steps; n++) expect(stepWorld(world)).toBe(true);
  return meanPlace(world);
}

describe('friction of lattice bodies', () => {
  it('holds a block on a slope that is flat enough', async () => {
    const world = await onSlope(0.3);
    const settled = run(world, 60);
    // 0.3 mm were seen, of 1.41 m that it would come without friction
    const free = (GRAVITY * 0.3) / Math.sqrt(1.09) / 2;
    expect(Math.abs(run(world, 60) - settled)).toBeLessThan(1e-3 * free);
    disposeWorld(world);
  });

  it('lets it slide on a steeper one with g (sin a - m cos a)', async () => {
    const tangent = 0.8;
    const world = await onSlope(tangent);
    const [h, steps] = [1 / 60, 30];
    const [a, b, c] = [run(world, steps), run(world, steps), run(world, steps)];
    const expected = (GRAVITY * (tangent - FRICTION)) / Math.sqrt(1 + tangent * tangent);
    expect(Math.abs((c - 2 * b + a) / (h * steps * h * steps) / expected - 1)).toBeLessThan(0.01);
    disposeWorld(world);
  });
});
