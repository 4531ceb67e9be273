/** Whose snapshots a world takes: those of worlds with the same bodies, obstacles and equations, however closely these are solved. */
import { describe, expect, it } from 'vitest';
import { buildSheet } from '../../../scenes/cast/coupled-bodies.js';
import {
  createWorld,
  hashWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
  type WorldOptions,
} from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const MESH = buildLattice({ cells: [4, 1, 1], cellSize: 0.1, origin: [0, 0, 0] });
const LAST = MESH.positions.length / 3 - 1;
const MATERIAL = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.3, density: 1000 };
const CLOTH = { youngModulus: 1e5, poissonRatio: 0.3, density: 500, bendingStiffness: 1e-4 };
const SHEET = buildSheet('sheet', [3, 3], [1, 1], 0.002, CLOTH);
const FLOOR = { name: 'floor', shape: { kind: 'box', halfExtents: [2, 0.1, 2] }, position: [0, -1, 0] };

const flesh = (more: object = {}, material: object = {}, joint: object = {}) => ({
  name: 'flesh',
  ...MESH,
  materials: [{ ...MATERIAL, ...material }],
  bones: [
    { name: 'a', vertices: [0, 1, 2] },
    { name: 'b', vertices: [LAST, LAST - 1, LAST - 2] },
  ],
  joints: [{ name: 'j', type: 'hinge', bones: ['a', 'b'], anchor: [0.2, 0, 0], axis: [0, 0, 1], ...joint }],
  pins: [5],
  ...more,
});
const sheet = (more: object = {}, material: object = {}) => ({
  ...SHEET,
  ...more,
  material: { ...SHEET.material, ...material },
});
const ball = (radius: number) => ({
  kind: 'rigid',
  name: 'ball',
  parts: [{ name: 'ball', shape: { kind: 'sphere', radius }, mass: 1 }],
});
const world = (body: object, more: object = {}, options: WorldOptions = {}) =>
  createWorld({ name: 'scene', description: '', bodies: [{ body }], obstacles: [FLOOR], ...more } as never, options);
const coupled = (body: object, more: object = {}) => world(body, { solver: { kind: 'coupled', ...more } });
type Made = ReturnType<typeof world>;

/** A world, and one whose snapshots it must not take. */
const OTHERS: readonly (readonly [string, () => readonly [Made, Made]])[] = [
  ['stiffer cloth', () => [coupled(sheet()), coupled(sheet({}, { youngModulus: 2e5 }))]],
  // as heavy: only how it bends and stretches is another
  ['thinner cloth', () => [coupled(sheet()), coupled(sheet({ thickness: 0.001 }, { density: 1000 }))]],
  ['cloth that bends less', () => [coupled(sheet()), coupled(sheet({}, { bendingStiffness: 2e-4 }))]],
  ['arap for corotated flesh', () => [world(flesh()), world(flesh({}, { model: 'arap' }))]],
  // the same Lamé parameters, another law
  ['neo-Hookean for corotated flesh', () => [world(flesh()), world(flesh({}, { model: 'stableNeoHookean' }))]],
  ['other pins', () => [world(flesh()), world(flesh({ pins: [6] }))]],
  [
    'other bones',
    () => {
      const bones = [
        { name: 'a', vertices: [0, 1, 3] },
        { name: 'b', vertices: [LAST, LAST - 1, LAST - 2] },
      ];
      return [world(flesh()), world(flesh({ bones }))];
    },
  ],
  ['another axis', () => [world(flesh()), world(flesh({}, {}, { axis: [0, 1, 0] }))]],
  ['another anchor', () => [world(flesh()), world(flesh({}, {}, { anchor: [0.1, 0, 0] }))]],
  [
    'other limits',
    () => [
      world(flesh({}, {}, { limits: { range: [-1, 1] } })),
      world(flesh({}, {}, { limits: { range: [-1, 0.5] } })),
    ],
  ],
  ['a larger part of the same weight', () => [coupled(ball(0.1)), coupled(ball(0.2))]],
  [
    'another obstacle',
    () => {
      const obstacles = [{ ...FLOOR, shape: { kind: 'box', halfExtents: [2, 0.2, 2] } }];
      return [world(flesh()), world(flesh(), { obstacles })];
    },
  ],
  [
    'an obstacle on another way',
    () => [world(flesh()), world(flesh(), { obstacles: [{ ...FLOOR, velocity: [1, 0, 0] }] })],
  ],
  ['other gravity', () => [world(flesh()), world(flesh(), { gravity: [0, -1.62, 0] })]],
  ['another integrator', () => [world(flesh()), world(flesh(), {}, { integrator: 'bdf2' })]],
  ['more substeps', () => [coupled(sheet()), coupled(sheet(), { substeps: 4 })]],
];

describe('a snapshot of a world with', () => {
  it.each(OTHERS)('%s is refused, and nothing changes', async (_what, make) => {
    const [own, other] = await Promise.all(make());
    stepWorld(other);
    const before = hashWorld(own);
    const refused = expect.objectContaining({ code: 'E_SNAPSHOT', place: 'snapshot/layout' });
    expect(() => restoreSnapshot(own, takeSnapshot(other))).toThrow(refused);
    expect(hashWorld(own)).toBe(before);
  });

  it.each<[string, () => readonly [Made, Made]]>([
    ['the same, written otherwise', () => [world(flesh()), world(flesh({ name: 'other', pins: Int32Array.of(5) }))]],
    [
      'other iterations, acceleration and regions',
      () => [world(flesh()), world(flesh(), {}, { iterations: 33, accelerated: false, turningRegions: true })],
    ],
    ['two threads and damping', () => [world(flesh()), world(flesh(), {}, { threads: 2, damping: 0.5 })]],
    ['another motor', () => [world(flesh()), world(flesh({}, {}, { motor: { target: 1, stiffness: 5 } }))]],
    ['another friction', () => [world(flesh()), world(flesh(), { obstacles: [{ ...FLOOR, friction: 0.1 }] })]],
    ['other sweeps', () => [coupled(sheet()), coupled(sheet(), { sweeps: [20, 20], gradientRows: 0 })]],
  ])('%s is taken', async (_what, make) => {
    const [own, other] = await Promise.all(make());
    for (let n = 0; n < 3; n++) stepWorld(other);
    restoreSnapshot(own, takeSnapshot(other));
    expect(hashWorld(own)).toBe(hashWorld(other));
    for (const { threads } of [own, other]) threads.stop();
  });

  it('its own past is taken by a world that was given other gravity and another integrator meanwhile', async () => {
    const own = await world(flesh());
    stepWorld(own);
    const bytes = takeSnapshot(own);
    own.gravity[1] = 0;
    own.options.integrator = 'bdf2';
    stepWorld(own);
    restoreSnapshot(own, bytes);
    expect(own.stepCount).toBe(1);
  });
});
