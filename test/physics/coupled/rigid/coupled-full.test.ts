/**
 * Heaps with more contacts than there is room for: many bodies with joints that start in each other. Conservation: what pushes still pushes both ways, so that momentum is explained to 1e-9 kg m/s (they weigh tons); what
 * found no room is counted. Rows of such a heap, joint blocks among them, once reached beyond their memory.
 */
import { describe, expect, it } from 'vitest';
import { buildSoftBox, FIRM } from '../../../../scenes/cast/coupled-bodies.js';
import { createWorld, disposeWorld, type RigidBodyDef, type RigidShape, stepWorld } from '../../../../src/index.js';

const SHAPES: readonly (readonly [string, RigidShape])[] = [
  ['boxes', { kind: 'box', halfExtents: [0.1, 0.1, 0.1] }],
  ['rings', { kind: 'torus', radius: 0.12, tubeRadius: 0.04 }],
  ['rods', { kind: 'capsule', radius: 0.05, halfLength: 0.1 }],
];
const SOFT = buildSoftBox('soft box', [2, 2, 2], 0.1, { ...FIRM, youngModulus: 1e5 });

/** Two of a shape with a ball joint between them. */
function pair(shape: RigidShape): RigidBodyDef {
  const parts = [0, 1].map((i) => ({ name: `part ${i}`, shape, position: [0.25 * i, 0, 0] as const, density: 1000 }));
  const joint = { type: 'ball', name: 'joint', bones: ['part 0', 'part 1'], anchor: [0.125, 0, 0] } as const;
  return { kind: 'rigid', name: 'pair', parts, joints: [joint] };
}

describe.each(SHAPES)('300 %s in the space of 30', (_name, shape) => {
  it.each([
    ['rigid', {}, false],
    ['with flesh', {}, true],
    ['rigid, velocities by projection', { velocityBy: 'projection' }, false],
  ] as const)('%s', async (_kind, options, isMixed) => {
    const body = pair(shape);
    const bodies = Array.from({ length: 150 }, (_, i) => ({
      name: `body ${i}`,
      body: isMixed && i % 5 === 0 ? SOFT : body,
      position: [0.08 * (i % 5), 0.2 + 0.08 * (Math.floor(i / 5) % 6), 0.08 * Math.floor(i / 30)] as const,
    }));
    const world = await createWorld({
      name: 'full',
      description: 'bodies in each other',
      solver: { kind: 'coupled', ...options },
      dt: 1 / 60,
      bodies,
      obstacles: [{ name: 'floor', shape: { kind: 'plane' } }],
    });
    let dropped = 0;
    for (let n = 0; n < 3; n++) {
      expect(stepWorld(world)).toBe(true);
      dropped = Math.max(dropped, world.certificate.droppedContacts);
      expect(world.certificate.momentumDrift).toBeLessThan(1e-9);
      for (const { state } of world.bodies) expect(state.positions.every(Number.isFinite)).toBe(true);
    }
    expect(dropped).toBeGreaterThan(0);
    disposeWorld(world);
  });
});
