/** What is missing, too short or for another world is refused with a typed error that names the place, and nothing is built or changed. */
import { expect, it } from 'vitest';
import {
  addObstacle,
  createWorld,
  grabBody,
  hashWorld,
  restoreSnapshot,
  setJointMotor,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';

const MESH = buildLattice({ cells: [2, 1, 1], cellSize: 0.1, origin: [0, 0, 0] });
const MATERIAL = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.3, density: 1000 } as const;
const BODY = { name: 'body', ...MESH, materials: [MATERIAL] };
/** With a hinge between its two ends. */
const HINGED = (more: object = {}) => ({
  ...BODY,
  bones: [
    { name: 'a', vertices: [0] },
    { name: 'b', vertices: [MESH.positions.length / 3 - 1] },
  ],
  joints: [{ name: 'j', type: 'hinge', bones: ['a', 'b'], anchor: [0.1, 0.05, 0.05], axis: [0, 0, 1], ...more }],
});
const drives = (...all: object[]) => ({ drives: all.map((drive) => ({ body: 'body', bone: 'a', ...drive })) });
const JOINT = 'scene/bodies/0/body/joints/0';
const scene = (more: object, placement: object = {}, body: object = BODY) =>
  ({ name: 'scene', description: '', bodies: [{ body, ...placement }], ...more }) as never;

it.each<[string, object, object?, object?]>([
  ['scene/gravity', { gravity: [0, -9.81] }],
  ['scene/bodies/0/position', {}, { position: [0, 1] }],
  ['scene/bodies/0/rotation', {}, { rotation: [0, 0, 1] }],
  ['scene/bodies/0/velocity', {}, { velocity: [1] }],
  ['scene/bodies/0/angularVelocity', {}, { angularVelocity: [1, 2, 3, 4] }],
  ['scene/bodies', { bodies: undefined }],
  ['scene/bodies', { bodies: 5 }],
  ['scene/gravity/1', { gravity: [0, '-9.81', 0] }],
  ['scene/obstacles', { obstacles: 'floor' }],
  ['scene/drives', { drives: {} }],
  ['scene/solver', { solver: 'projective' }],
  ['options/smoothed', { solver: { kind: 'projective', smoothed: 'no' } }],
  ['options/accelerated', { solver: { kind: 'projective', accelerated: 1 } }],
  ['options/selfContact', { selfContact: 'yes' }],
  ['scene/bodies/0/name', {}, { name: 5 }],
  ['scene/bodies/0/body/name', {}, {}, { ...BODY, name: undefined }],
  ['scene/bodies/0/startPositions', {}, { startPositions: 0 }],
  ['scene/bodies/0/startPositions/0', {}, { startPositions: new Float64Array(MESH.positions.length).fill(Number.NaN) }],
  ['scene/bodies/0/attachments', {}, { attachments: 5 }],
  ['scene/bodies/0/body/materials', {}, {}, { ...BODY, materials: 5 }],
  ['scene/bodies/0/body/bones', {}, {}, { ...BODY, bones: {} }],
  ['scene/bodies/0/body/pins', {}, {}, { ...BODY, pins: 5 }],
  ['scene/bodies/0/body/muscles', {}, {}, { ...BODY, muscles: 5 }],
  ['scene/bodies/0/body/joints', {}, {}, { ...BODY, joints: 'j' }],
  [`${JOINT}/bones`, {}, {}, HINGED({ bones: 'ab' })],
  [`${JOINT}/limits`, {}, {}, HINGED({ limits: 5 })],
  [`${JOINT}/motor/maxTorque`, {}, {}, HINGED({ motor: { maxTorque: 'much' } })],
  [`${JOINT}/motor/maxTorque`, {}, {}, HINGED({ motor: { maxTorque: [1, '2', 3] } })],
  ['scene/bodies/0/body', {}, { body: undefined }],
  ['scene/bodies/0/body/positions', {}, {}, { ...BODY, positions: undefined }],
  ['scene/bodies/0/body/tets', {}, {}, { ...BODY, tets: undefined }],
  ['scene/bodies/0/body/materials', {}, {}, { ...BODY, materials: undefined }],
  ['scene/bodies/0/body/bones/0/vertices', {}, {}, { ...BODY, bones: [{ name: 'bone' }] }],
  [`${JOINT}/anchor`, {}, {}, HINGED({ anchor: [0.1, 0.05] })],
  [`${JOINT}/anchor`, {}, {}, HINGED({ anchor: undefined })],
  [`${JOINT}/anchor`, {}, {}, HINGED({ anchor: [1e6, 0, 0] })],
  [`${JOINT}/bones`, {}, {}, HINGED({ bones: undefined })],
  [`${JOINT}/axis`, {}, {}, HINGED({ axis: [0, 1] })],
  ['scene/drives/0/offsets/1', drives({ kind: 'pose', times: [0, 1], offsets: [[0, 0, 0], [1]] }), {}, HINGED()],
  [
    'scene/drives/0/turns/1',
    drives({
      kind: 'pose',
      times: [0, 1],
      turns: [
        [0, 0, 0, 1],
        [0, 0, 1],
      ],
    }),
    {},
    HINGED(),
  ],
  ['scene/drives/0/force', drives({ kind: 'push', force: [1, 0] }), {}, HINGED()],
  ['scene/obstacles/0/shape', { obstacles: [{ name: 'floor' }] }],
  [
    'scene/obstacles/0/shape/halfExtents',
    { obstacles: [{ name: 'box', shape: { kind: 'box', halfExtents: [1, 1] } }] },
  ],
  ['scene/obstacles/0/rotation', { obstacles: [{ name: 'floor', shape: { kind: 'plane' }, rotation: [0, 1, 0] }] }],
])('%s', async (place, more, placement, body) => {
  await expect(createWorld(scene(more, placement, body))).rejects.toMatchObject({ name: 'TendonError', place });
});

it.each<[string, object]>([
  ['options/clock', { clock: 5 }],
  ['options/progress', { progress: 'loud' }],
  ['options/kernels', { kernels: 'here' }],
  ['options/obstaclesLater', { obstaclesLater: 1 }],
])('%s', async (place, options) => {
  await expect(createWorld(scene({}), options)).rejects.toMatchObject({ name: 'TendonError', place });
});

it.each<[string, (world: World) => unknown]>([
  ['grab/radius', (world) => grabBody(world, 0, [0, 0, 0], { radius: Number.NaN })],
  ['bodies/body/joints/j/motor', (world) => setJointMotor(world.bodies[0], 'j', null as never)],
  ['obstacle', (world) => addObstacle(world, null as never)],
  ['snapshot/bytes', (world) => restoreSnapshot(world, null as never)],
  ['snapshot/bytes', (world) => restoreSnapshot(world, 'TNDN' as never)],
])('%s, of a world that runs', async (place, act) => {
  const world = await createWorld(scene({ obstacles: [{ name: 'floor', shape: { kind: 'plane' } }] }, {}, HINGED()));
  stepWorld(world);
  const before = hashWorld(world);
  expect(() => act(world)).toThrow(expect.objectContaining({ name: 'TendonError', place }));
  expect(hashWorld(world)).toBe(before);
  expect(stepWorld(world)).toBe(true);
});

it('a snapshot of a world of another material is refused', async () => {
  const soft = await createWorld(scene({}));
  const stiff = await createWorld(scene({}, {}, { ...BODY, materials: [{ ...MATERIAL, youngModulus: 2e5 }] }));
  stepWorld(stiff);
  const before = hashWorld(soft);
  expect(() => restoreSnapshot(soft, takeSnapshot(stiff))).toThrow(expect.objectContaining({ code: 'E_SNAPSHOT' }));
  expect(hashWorld(soft)).toBe(before);
});

it('nothing is held after a restore: the world goes on as the one the snapshot was taken of', async () => {
  const world = await createWorld(scene({}));
  stepWorld(world);
  const bytes = takeSnapshot(world);
  for (let n = 0; n < 5; n++) stepWorld(world);
  const free = hashWorld(world);
  restoreSnapshot(world, bytes);
  grabBody(world, 0, [0, 0.1, 0]).target[1] += 0.3;
  stepWorld(world);
  restoreSnapshot(world, bytes);
  for (let n = 0; n < 5; n++) stepWorld(world);
  expect(hashWorld(world)).toBe(free);
  expect(() => grabBody(world, 0, [0, 1])).toThrow(expect.objectContaining({ place: 'grab/point' }));
});

it.each(['positions', 'velocities'] as const)(
  'what is no number among the %s is named, at once, and nothing is changed',
  async (what) => {
    // looking for neighbours of such a place once had no end
    const bodies = [{ body: BODY }, { body: BODY, position: [0, 0.2, 0] }];
    const obstacles = [{ name: 'floor', shape: { kind: 'plane' }, position: [0, -0.1, 0] }];
    const world = await createWorld({ name: 'scene', description: '', bodies, obstacles } as never);
    stepWorld(world);
    const numbers = world.bodies[1].state[what];
    const good = numbers[4];
    numbers[4] = Number.NaN;
    const hash = hashWorld(world);
    expect(stepWorld(world)).toBe(false);
    expect(world.fault).toMatchObject({ code: 'E_NOT_FINITE', place: 'bodies/body/state' });
    expect(hashWorld(world)).toBe(hash);
    numbers[4] = good;
    expect(stepWorld(world)).toBe(true);
  },
);
