/**
 * Boxes of flesh of equal size exactly on each other: every corner of one is on the rim of the other, where the nearest face is beside it. Statics:
 * the force under each is the weight of what is above it, nothing tilts, drifts or sinks in (V52).
 */
import { describe, expect, it } from 'vitest';
import { buildSoftBox, FIRM } from '../../../../scenes/cast/coupled-bodies.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../../src/index.js';

const HALF = 0.15;
const g = 9.81;

async function stackOf(count: number, cells: number, youngModulus: number, substeps: number): Promise<World> {
  const size = [cells, cells, cells] as const;
  const body = buildSoftBox('soft box', size, (2 * HALF) / cells, { ...FIRM, youngModulus });
  return await createWorld({
    name: 'stack',
    description: '',
    solver: { kind: 'coupled', substeps },
    dt: 1 / 60,
    bodies: Array.from({ length: count }, (_, i) => ({
      name: `box ${i}`,
      body,
      position: [0, HALF + 2 * HALF * i, 0] as const,
    })),
    obstacles: [{ name: 'floor', shape: { kind: 'plane' } }],
  });
}

/** How far the middle of the vertices of a body is from the axis of the stack [m]. */
function drift({ state: { positions } }: World['bodies'][number]): number {
  let x = 0;
  let z = 0;
  for (let i = 0; i < positions.length; i += 3) {
    x += (3 * positions[i]) / positions.length;
    z += (3 * positions[i + 2]) / positions.length;
  }
  return Math.hypot(x, z);
}

/** Largest angle by which the upper side of a box of 2 cells leans [degrees]. */
function lean({ state: { positions } }: World['bodies'][number]): number {
  const height = (vertex: number) => positions[vertex * 3 + 1];
  const corners = [];
  for (let v = 0; v < positions.length / 3; v++) if (height(v) > height(0) + HALF) corners.push(v);
  const low = Math.min(...corners.map((v) => (positions[v * 3] < -HALF / 2 ? height(v) : Number.POSITIVE_INFINITY)));
  const high = Math.min(...corners.map((v) => (positions[v * 3] > HALF / 2 ? height(v) : Number.POSITIVE_INFINITY)));
  return (Math.atan(Math.abs(high - low) / (2 * HALF)) * 180) / Math.PI;
}

/** Force under each box, as a share of the weight above it, less one. */
function excess({ contacts, bodies }: World): number[] {
  const force = bodies.map(() => 0);
  for (let c = 0; c < contacts.count; c++) {
    const upper = contacts.obstacle[c] >= 0 ? 0 : Math.max(contacts.body[2 * c], contacts.body[2 * c + 1]);
    force[upper] += Math.abs(contacts.force[3 * c + 1]);
  }
  const weights = bodies.map(({ model }) => model.totalMass * g);
  return force.map((value, i) => value / weights.slice(i).reduce((sum, w) => sum + w, 0) - 1);
}

describe('soft boxes exactly on each other (V52)', () => {
  it('five stand for 30 s, each carrying what is above it', async () => {
    const world = await stackOf(5, 2, 5e6, 4);
    let deepest = 0;
    for (let n = 0; n < 1800; n++) {
      expect(stepWorld(world)).toBe(true);
      deepest = Math.max(deepest, world.certificate.penetration);
    }
    for (const share of excess(world)) expect(Math.abs(share)).toBeLessThan(0.01);
    for (const body of world.bodies) {
      expect(drift(body)).toBeLessThan(1e-5);
      expect(lean(body)).toBeLessThan(0.1);
    }
    expect(deepest).toBeLessThan(1e-3 * 2 * HALF);
    disposeWorld(world);
  });

  it.each([
    ['stiffer', 2, 5e7, 4],
    ['softer', 2, 1e6, 4],
    ['in shorter substeps', 2, 5e6, 8],
    ['of three cells', 3, 5e6, 4],
  ])('three do not drift, %s', async (_, cells, youngModulus, substeps) => {
    const world = await stackOf(3, cells, youngModulus, substeps);
    for (let n = 0; n < 300; n++) expect(stepWorld(world)).toBe(true);
    for (const body of world.bodies) expect(drift(body)).toBeLessThan(1e-5);
    disposeWorld(world);
  });
});
