/**
 * Contact with obstacles: rest under gravity, the friction cone, distances and normals of shapes, and what obstacles must never let
 * through.
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import type { ObstacleDef } from '../../../src/collision/obstacles/obstacle.js';
import { type ShapeDef, shapeDistance } from '../../../src/collision/shapes/shape.js';
import { createWorld, hashWorld, resetWorld, stepWorld, type World } from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const G = 9.81;
const H = 1 / 60;
type Kind = 'soft' | 'rigid' | 'bone on flesh';

/** A box of 4 x 4 x 4 cells standing on y = 0, 20 cm wide. */
function box(kind: Kind): BodyDef {
  const mesh = buildLattice({ cells: [4, 4, 4], cellSize: 0.05, origin: [0, 0, 0] });
  const all = Array.from({ length: mesh.positions.length / 3 }, (_, i) => i);
  const vertices = kind === 'rigid' ? all : all.filter((i) => mesh.positions[3 * i + 1] > 0.06);
  const material = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.3, density: 1000 } as const;
  return { name: 'box', ...mesh, bones: kind === 'soft' ? [] : [{ name: 'bone', vertices }], materials: [material] };
}

/** The box on a floor; the incline is in the direction of gravity. */
function onIncline(kind: Kind, angle: number, friction: number): Promise<World> {
  const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;
  const obstacles: ObstacleDef[] = [{ name: 'floor', shape: { kind: 'plane' }, friction }];
  return createWorld({
    name: 'incline',
    description: '',
    bodies: [{ body: box(kind) }],
    obstacles,
    gravity,
    dt: H,
    iterations: 20,
  });
}

function centre(world: World, k: number): number {
  const { model, state } = world.bodies[0];
  let sum = 0;
  for (let v = 0; v < model.vertexCount; v++) sum += model.masses[v] * state.positions[3 * v + k];
  return sum / model.totalMass;
}

function contactForce(world: World, k: number): number {
  const { contacts } = world;
  let sum = 0;
  for (let c = 0; c < contacts.count; c++) sum += contacts.force[3 * c + k];
  return sum;
}

const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) expect(stepWorld(world)).toBe(true);
};

describe('at rest', () => {
  it.each<[Kind, number]>([
    ['rigid', 1e-9],
    ['soft', 1e-4],
    ['bone on flesh', 1e-3],
  ])('the floor carries the weight of a %s box, and nothing creeps', async (kind, tolerance) => {
    const world = await onIncline(kind, 0, 0.5);
    run(world, 240);
    const { model } = world.bodies[0];
    const weight = G * model.totalMass;
    // balance of forces
    expect(Math.abs(contactForce(world, 1) / weight - 1)).toBeLessThan(tolerance);
    const before = [centre(world, 0), centre(world, 1), centre(world, 2)];
    run(world, 600);
    const drift = Math.max(...before.map((value, k) => Math.abs(centre(world, k) - value)));
    expect(drift).toBeLessThan(1e-3 * model.size);
    expect(world.certificate.penetration).toBeLessThan(1e-3 * model.size);
  });

  it('no contact ever pulls, and friction stays in its cone', async () => {
    const world = await onIncline('soft', 0.3, 0.4);
    for (let i = 0; i < 120; i++) {
      run(world, 1);
      const { contacts } = world;
      for (let c = 0; c < contacts.count; c++) {
        const [x, y, z] = contacts.force.subarray(3 * c, 3 * c + 3);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(Math.hypot(x, z)).toBeLessThanOrEqual(0.4 * y * (1 + 1e-12));
      }
    }
  });

  it('a reset repeats the same bits, contact forces and moving obstacles included', async () => {
    const drum: ObstacleDef = {
      name: 'drum',
      shape: { kind: 'cylinder', radius: 0.4, halfLength: 0.4, container: true },
      position: [0.1, 0.2, 0.1],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      angularVelocity: [0, 0, 2],
    };
    const scene = { name: 'drum', description: '', bodies: [{ body: box('soft') }], obstacles: [drum], iterations: 10 };
    const world = await createWorld(scene);
    run(world, 90);
    const hash = hashWorld(world);
    resetWorld(world);
    run(world, 90);
    expect(hashWorld(world)).toBe(hash);
  });
});

describe('shapes', () => {
  const shapes: [string, ShapeDef][] = [
    ['plane', { kind: 'plane' }],
    ['sphere', { kind: 'sphere', radius: 0.7 }],
    ['box', { kind: 'box', halfExtents: [0.5, 0.8, 0.3] }],
    ['capsule', { kind: 'capsule', radius: 0.4, halfLength: 0.6 }],
    ['cylinder', { kind: 'cylinder', radius: 0.5, halfLength: 0.7 }],
    ['container', { kind: 'cylinder', radius: 0.5, halfLength: 0.7, container: true }],
  ];

  it.each(shapes)('%s: the normal is the gradient of the distance, and of length one', (_name, shape) => {
    const random = createRandom(3);
    const p = new Float64Array(3);
    const n = new Float64Array(3);
    const scratch = new Float64Array(3);
    let checked = 0;
    for (let i = 0; i < 2000; i++) {
      for (let k = 0; k < 3; k++) p[k] = random.range(-1.5, 1.5);
      shapeDistance(shape, p, 0, n, 0);
      expect(Math.abs(Math.hypot(n[0], n[1], n[2]) - 1)).toBeLessThan(1e-12);
      // central differences; points where the nearest face changes within the step are not differentiable and are skipped
      const gradient = [0, 1, 2].map((k) => {
        const at = (offset: number) => {
          const q = p.slice();
          q[k] += offset;
          return shapeDistance(shape, q, 0, scratch, 0);
        };
        return (at(1e-6) - at(-1e-6)) / 2e-6;
      });
      if (Math.abs(Math.hypot(gradient[0], gradient[1], gradient[2]) - 1) > 1e-6) continue;
      checked++;
      for (let k = 0; k < 3; k++) expect(Math.abs(gradient[k] - n[k])).toBeLessThan(1e-6);
    }
    expect(checked).toBeGreaterThan(1900);
  });

  it.each(shapes.slice(1, 5))(
    'a soft box dropped on a %s never gets deeper than 1 %% of its size',
    async (_name, shape) => {
      const obstacles: ObstacleDef[] = [
        { name: 'shape', shape, position: [0.1, -1.1, 0.1] },
        { name: 'floor', shape: { kind: 'plane' }, position: [0, -2, 0] },
      ];
      const world = await createWorld({
        name: 'drop',
        description: '',
        bodies: [{ body: box('soft') }],
        obstacles,
        iterations: 15,
      });
      for (let i = 0; i < 180; i++) {
        run(world, 1);
        expect(world.certificate.penetration).toBeLessThan(0.01 * world.certificate.bodySize);
      }
    },
  );

  it.each<[string, unknown, string]>([
    ['an unknown kind', { kind: 'torus' }, 'E_UNKNOWN'],
    ['a negative radius', { kind: 'sphere', radius: -1 }, 'E_RANGE'],
    ['a radius that is not a number', { kind: 'sphere', radius: Number.NaN }, 'E_NOT_FINITE'],
  ])('%s is refused', async (_name, shape, code) => {
    const obstacles = [{ name: 'bad', shape: shape as ShapeDef }];
    const world = createWorld({ name: 'bad', description: '', bodies: [{ body: box('soft') }], obstacles });
    await expect(world).rejects.toMatchObject({ code });
  });
});
