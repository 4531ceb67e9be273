/**
 * Flesh and cloth that rigid bodies carry, which are touched themselves: a sheet in a ring, a bar on a box. In the air both fall as everything does and keep their momentum; on the
 * floor it is the ring that lies, at its own radius, and carries the sheet; a ball that falls on the sheet is carried by the ring.
 */
import { describe, expect, it } from 'vitest';
import { buildSheet, buildSoftBox, FIRM, rigidBody } from '../../../../scenes/cast/coupled-bodies.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  resetWorld,
  stepWorld,
  type World,
} from '../../../../src/index.js';

const g = 9.81;
const SIDE = 0.4;
const TUBE = 0.02;
const SHEET = buildSheet('sheet', [8, 8], [SIDE, SIDE], 0.004, { youngModulus: 5e6, poissonRatio: 0.3, density: 300 });
/** Vertices on the edge of the sheet. */
const HEM = Array.from({ length: 81 }, (_, v) => v).filter(
  (v) =>
    Math.max(Math.abs(SHEET.positions[v * 3] as number), Math.abs(SHEET.positions[v * 3 + 2] as number)) >
    SIDE / 2 - 1e-9,
);
const RING = rigidBody('ring', { kind: 'torus', radius: 0.3, tubeRadius: TUBE });

function drum(height: number, more: Partial<AnySceneDef> = {}, others: AnySceneDef['bodies'] = []): AnySceneDef {
  return {
    name: 'drum',
    description: '',
    solver: { kind: 'coupled', substeps: 4 },
    bodies: [
      { body: RING, position: [0, height, 0] },
      { body: SHEET, position: [0, height, 0], attachments: [{ to: 'ring', vertices: HEM }] },
      ...others,
    ],
    ...more,
  };
}

/** How far the hem is from where the ring has it, at most [m]. */
function openest({ bodies: [ring, sheet] }: World): number {
  const { rotations: r, translations: t } = ring.state.poses;
  let worst = 0;
  for (const v of HEM) {
    for (let k = 0; k < 3; k++) {
      let at = t[k];
      for (let m = 0; m < 3; m++) at += r[k * 3 + m] * (SHEET.positions[v * 3 + m] as number);
      worst = Math.max(worst, Math.abs(at - sheet.state.positions[v * 3 + k]));
    }
  }
  return worst;
}

describe('a sheet in a ring', () => {
  it('falls as everything does while it turns, hem on the ring, momentum kept', async () => {
    const scene = drum(5);
    const [ring, sheet] = scene.bodies;
    const world = await createWorld({ ...scene, bodies: [{ ...ring, angularVelocity: [2, 1, 3] }, sheet] });
    const masses = world.bodies.map(({ model }) => model.totalMass);
    for (let n = 1; n <= 60; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.momentumDrift).toBeLessThan(1e-10);
      expect(openest(world)).toBeLessThan(1e-4);
    }
    const heights = [world.bodies[0].state.poses.translations[1], middle(world.bodies[1])];
    const height = (masses[0] * heights[0] + masses[1] * heights[1]) / (masses[0] + masses[1]);
    expect(Math.abs(height - 5 + 0.5 * g)).toBeLessThan(1e-5);
    disposeWorld(world);
  });

  it('lands on the ring, which carries sheet and ball; starts anew bit for bit', async () => {
    const ball = rigidBody('ball', { kind: 'sphere', radius: 0.05 }, 100);
    const obstacles = [{ name: 'floor', shape: { kind: 'plane' } }] as const;
    const scene = drum(0.2, { obstacles }, [{ body: ball, position: [0.02, 0.4, 0.01] }]);
    const world = await createWorld(scene);
    const run = () => {
      for (let n = 0; n < 240; n++) expect(stepWorld(world)).toBe(true);
      return world.bodies[2].state.poses.translations.slice();
    };
    const first = run();
    // the ring lies at its own radius; the ball on the sheet, which gives way by less than the tube is thick
    expect(Math.abs(world.bodies[0].state.poses.translations[1] - TUBE)).toBeLessThan(1e-3);
    expect(first[1]).toBeGreaterThan(0.05 + 0.001);
    expect(openest(world)).toBeLessThan(1e-4);
    // the floor carries everything, through the ring alone
    const { contacts } = world;
    let force = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.obstacle[c] < 0) continue;
      expect(contacts.body[2 * c]).toBe(0);
      force += contacts.force[3 * c + 1];
    }
    const weight = world.bodies.reduce((sum, { model }) => sum + model.totalMass * g, 0);
    expect(Math.abs(force / weight - 1)).toBeLessThan(0.02);
    resetWorld(world);
    expect(run()).toEqual(first);
    disposeWorld(world);
  });
});

function middle({ model, state }: World['bodies'][number]): number {
  return model.masses.reduce((sum, m, v) => sum + m * state.positions[v * 3 + 1], 0) / model.totalMass;
}

it('flesh hangs from a box that lies on a shelf, longer by half its weight times length over E A', async () => {
  const bar = buildSoftBox('bar', [1, 6, 1], 0.1, { ...FIRM, youngModulus: 2e5, poissonRatio: 0 });
  const top = Array.from({ length: bar.positions.length / 3 }, (_, v) => v).filter(
    (v) => bar.positions[v * 3 + 1] > 0.3 - 1e-9,
  );
  const world = await createWorld({
    name: 'shelf',
    description: '',
    solver: { kind: 'coupled', damping: 5 },
    bodies: [
      { body: rigidBody('plate', { kind: 'box', halfExtents: [0.3, 0.02, 0.3] }), position: [0, 0.02, 0] },
      { body: bar, position: [0, -0.3, 0], attachments: [{ to: 'plate', part: 'plate', vertices: top }] },
    ],
    obstacles: [-1, 1].map((side) => ({
      name: `shelf ${side}`,
      shape: { kind: 'box', halfExtents: [0.1, 0.1, 0.4] },
      position: [0.25 * side, -0.1, 0],
    })),
  });
  for (let n = 0; n < 300; n++) expect(stepWorld(world)).toBe(true);
  const { positions } = world.bodies[1].state;
  let lowest = 0;
  for (let v = 0; v < positions.length / 3; v++) lowest = Math.min(lowest, positions[v * 3 + 1]);
  // ρ g L²/2E = 8.8 mm, and the plate lies where it was
  const longer = (1000 * g * 0.6 * 0.6) / (2 * 2e5);
  expect(Math.abs((-lowest - 0.6) / longer - 1)).toBeLessThan(0.02);
  expect(Math.abs(world.bodies[0].state.poses.translations[1] - 0.02)).toBeLessThan(1e-4);
  disposeWorld(world);
});

describe('what cannot be attached', () => {
  const attach = (attachments: unknown, kind = 'coupled') =>
    createWorld({
      ...drum(1),
      solver: { kind },
      bodies: [{ body: RING }, { body: kind === 'coupled' ? SHEET : buildSoftBox('box', [1, 1, 1], 0.1), attachments }],
    } as AnySceneDef);
  it.each([
    ['to what is not there', [{ to: 'rung', vertices: [0] }], 'coupled', 'E_UNKNOWN', '/0/to'],
    ['to a sheet', [{ to: 'sheet', vertices: [0] }], 'coupled', 'E_UNKNOWN', '/0/to'],
    ['to no part', [{ to: 'ring', part: 'rim', vertices: [0] }], 'coupled', 'E_UNKNOWN', '/0/part'],
    ['by no vertex', [{ to: 'ring', vertices: [0, 500] }], 'coupled', 'E_INDEX', '/0/vertices/1'],
    ['twice', [{ to: 'ring', vertices: [3, 3] }], 'coupled', 'E_SHARED_VERTEX', '/0/vertices/1'],
    ['by another solver', [{ to: 'ring', vertices: [0] }], 'projective', 'E_UNKNOWN', ''],
  ])('%s', async (_, attachments, kind, code, place) => {
    await expect(attach(attachments, kind)).rejects.toMatchObject({
      code,
      place: `scene/bodies/1/attachments${place}`,
    });
  });
});
