/** Worlds of the coupled solver: rigid bodies, loops and flesh together, through the contract that every world has. */
import { describe, expect, it } from 'vitest';
import {
  type AnySceneDef,
  addObstacle,
  createWorld,
  grabBody,
  hashWorld,
  moveGrab,
  resetWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { RUBBER } from '../../support/models/coupled-soft.js';

/** A hexagon of six rods, ball joints between them. */
function loopDef() {
  const radius = 0.2;
  const corner = (i: number) =>
    [radius * Math.cos((Math.PI * i) / 3), 0, radius * Math.sin((Math.PI * i) / 3)] as const;
  const parts = Array.from({ length: 6 }, (_, i) => {
    const [p, q] = [corner(i), corner(i + 1)];
    const middle = [0, 1, 2].map((k) => 0.5 * (p[k] + q[k])) as unknown as [number, number, number];
    const along = [q[0] - p[0], 0, q[2] - p[2]];
    const length = Math.hypot(along[0], along[2]);
    // y to the direction of the rod: half a turn about the line between them
    const axis = [along[0] / length, 1, along[2] / length];
    const size = Math.hypot(...axis);
    const rotation = [axis[0] / size, axis[1] / size, axis[2] / size, 0] as [number, number, number, number];
    const shape = { kind: 'capsule', radius: 0.03, halfLength: length / 2 - 0.03 } as const;
    return { name: `rod ${i}`, shape, position: middle, rotation };
  });
  const joints = parts.map((_, i) => ({
    name: `joint ${i}`,
    type: 'ball' as const,
    bones: [`rod ${i}`, `rod ${(i + 1) % 6}`],
    anchor: corner(i + 1),
  }));
  return { kind: 'rigid' as const, name: 'loop', parts, joints };
}

const cube = buildLattice({ cells: [2, 2, 2], cellSize: 0.1, origin: [-0.1, -0.1, -0.1] });
const flesh = { name: 'cube', ...cube, materials: [RUBBER] };
const ball = {
  kind: 'rigid' as const,
  name: 'ball',
  parts: [{ name: 'ball', shape: { kind: 'sphere' as const, radius: 0.1 } }],
};
const box = {
  kind: 'rigid' as const,
  name: 'box',
  parts: [{ name: 'box', shape: { kind: 'box' as const, halfExtents: [0.1, 0.1, 0.1] as const } }],
};

const scene: AnySceneDef = {
  name: 'mixed',
  description: 'a bit of everything',
  solver: { kind: 'coupled' },
  bodies: [
    { body: flesh, position: [0, 0.2, 0] },
    { body: box, position: [0, 0.5, 0] },
    { body: flesh, position: [0.05, 0.8, 0.02] },
    { body: ball, position: [0.02, 1.1, 0] },
    { body: loopDef(), position: [0.5, 0.3, 0] },
    { body: loopDef(), position: [0.5, 0.5, 0.1] },
  ],
  obstacles: [{ name: 'ground', shape: { kind: 'plane' } }],
};

describe('a coupled world', () => {
  it('settles, keeps its joints closed and explains its momentum', async () => {
    const world = await createWorld(scene);
    let drift = 0;
    for (let n = 0; n < 180; n++) {
      expect(stepWorld(world)).toBe(true);
      drift = Math.max(drift, world.certificate.momentumDrift);
    }
    expect(drift).toBeLessThan(1e-11);
    expect(world.certificate.jointGap).toBeLessThan(1e-9);
    expect(world.certificate.penetration).toBeLessThan(2e-3);
    expect(world.certificate.contacts).toBeGreaterThan(10);
    const heights = world.bodies.map(({ state }) => Math.min(...state.positions.filter((_, i) => i % 3 === 1)));
    for (const height of heights) expect(height).toBeGreaterThan(-2e-3);
  });

  it('goes on the same way from a snapshot, and starts anew', async () => {
    const world = await createWorld(scene);
    const start = hashWorld(world);
    for (let n = 0; n < 40; n++) stepWorld(world);
    const bytes = takeSnapshot(world);
    for (let n = 0; n < 20; n++) stepWorld(world);
    const hash = hashWorld(world);
    restoreSnapshot(world, bytes);
    for (let n = 0; n < 20; n++) stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
    resetWorld(world);
    expect(hashWorld(world)).toBe(start);
    for (let n = 0; n < 60; n++) stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
  });

  it('can be taken hold of, and takes obstacles later', async () => {
    const world = await createWorld({ ...scene, bodies: [{ body: ball, position: [0, 0.5, 0] }], obstacles: [] });
    const grab = grabBody(world, 0, [0, 0.6, 0]);
    moveGrab(grab, [0.3, 0.9, 0]);
    for (let n = 0; n < 400; n++) stepWorld(world);
    const point = new Float64Array(3);
    grab.point(point);
    expect(point[0]).toBeCloseTo(0.3, 2);
    expect(point[1]).toBeCloseTo(0.9, 2);
    resetWorld(world);
    addObstacle(world, { name: 'floor', shape: { kind: 'plane' } });
    for (let n = 0; n < 120; n++) stepWorld(world);
    expect(world.bodies[0].state.poses.translations[1]).toBeCloseTo(0.1, 3);
  });

  it('refuses what it does not know', async () => {
    const bad = { ...scene, solver: { kind: 'coupled', substeps: 1.5 } };
    await expect(createWorld(bad)).rejects.toMatchObject({ code: 'E_RANGE', place: 'options/substeps' });
  });
});
