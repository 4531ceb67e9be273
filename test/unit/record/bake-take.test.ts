/** A take of the page in every format: the same vertices as in the take, read by the formats' own descriptions. */
import { expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import { createWorld, disposeWorld, readJointForce, stepWorld } from '../../../src/index.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { largestExtent } from '../../../src/mesh/tets/tet-mesh.js';
import { bakeTake, bakeTakeFiles, TAKE_ENDINGS } from '../../../src/record/bake-take.js';
import type { Json } from '../../support/checks/glb-parts.js';
import { playGlb } from '../../support/checks/play-glb.js';
import { validateGltf } from '../../support/checks/validate-gltf.js';
import { armModel } from '../../support/models/rigged-model.js';
import { recordScene } from '../../support/record-scene.js';

it('is written by the code of the terminal, vertex by vertex', async () => {
  const take = await recordScene({ kind: 'scene', name: 'pendulum' }, 0.5);
  const [body] = take.bodies;
  const files = new Map<string, Buffer>();
  for (const ending of TAKE_ENDINGS) files.set(ending, Buffer.from(await bakeTake(take, ending)));
  const pc2 = files.get('pc2')!;
  const vertices = body.positions[0].length / 3;
  expect([pc2.readInt32LE(16), pc2.readInt32LE(28)]).toEqual([vertices, take.times.length]);
  const mdd = files.get('mdd')!;
  expect([mdd.readInt32BE(0), mdd.readInt32BE(4)]).toEqual([take.times.length, vertices]);
  take.times.forEach((time, n) => {
    expect(mdd.readFloatBE(8 + 4 * n)).toBeCloseTo(time, 6);
    const shown = Array.from({ length: 3 * vertices }, (_, i) => pc2.readFloatLE(32 + 4 * (3 * vertices * n + i)));
    expect(shown).toEqual(Array.from(body.positions[n], (x, i) => Math.fround(x + body.offset[i % 3])));
  });
  expect(files.get('usda')!.toString()).toContain('timeCodesPerSecond = 30');
  const rows = files
    .get('csv')!
    .toString()
    .split('\n')
    .filter((line) => line.includes(',bone,'));
  expect(rows.length).toBe(take.times.length * body.bones.length);
  expect(files.get('glb')!.toString('latin1', 0, 4)).toBe('glTF');
});

it('of a character goes back into the file it came from, every vertex where it was', async () => {
  const bytes = (await writeGltf(armModel({ swing: 1 }))) as Uint8Array<ArrayBuffer>;
  const take = await recordScene(
    { kind: 'files', id: 7001, name: 'arm.glb', files: [{ name: 'arm.glb', bytes }] },
    0.4,
  );
  const baked = await bakeTake(take, 'glb');
  expect(await validateGltf(baked)).toEqual([]);
  const [before, after] = [bytes, baked].map((file) => openGltfSource(file).json as Json);
  expect(after.nodes.map(({ name }: Json) => name)).toEqual(before.nodes.map(({ name }: Json) => name));
  const { name } = before.nodes.find(({ mesh }: Json) => mesh !== undefined);
  const played = playGlb(baked, name);
  expect(played.length).toBe(take.times.length);
  const [{ positions }] = take.bodies;
  // the bake promises half a thousandth of the size
  const allowed = 5e-4 * largestExtent(positions[0]);
  let moved = 0;
  played.forEach((state, n) => {
    expect(state.length).toBe(positions[n].length);
    state.forEach((x, i) => {
      expect(Math.abs(x - positions[n][i])).toBeLessThan(allowed);
      moved = Math.max(moved, Math.abs(x - positions[0][i]));
    });
  });
  expect(moved).toBeGreaterThan(10 * allowed);
});

it('is a file for every frame where the format has it so', async () => {
  const take = await recordScene({ kind: 'scene', name: 'pendulum' }, 0.2);
  const files = await bakeTakeFiles(take, 'obj', 'swing');
  expect([...files.keys()]).toEqual(take.times.map((_, n) => `swing.000${n}.obj`));
  const lines = new TextDecoder().decode([...files.values()].at(-1)).split('\n');
  const points = lines.filter((line) => line.startsWith('v ')).map((line) => line.split(' ').slice(1).map(Number));
  const [{ positions, offset }] = take.bodies;
  const last = Array.from(positions.at(-1)!, (x, i) => x + offset[i % 3]);
  expect(points.flat().length).toBe(last.length);
  points.flat().forEach((x, i) => {
    expect(x).toBeCloseTo(last[i], 5);
  });
  expect([...(await bakeTakeFiles(take, 'pc2', 'swing')).keys()]).toEqual(['swing.pc2']);
});

/** Rows of a table that say what kind of thing they are about. */
async function rowsOf(take: Awaited<ReturnType<typeof recordScene>>, what: string): Promise<string[][]> {
  const text = new TextDecoder().decode(await bakeTake(take, 'csv'));
  return text
    .split('\n')
    .map((line) => line.split(','))
    .filter(([, kind]) => kind === what);
}

it('has the force of every joint in its table: the same as in a world without a page', async () => {
  const take = await recordScene({ kind: 'scene', name: 'pendulum' }, 0.5);
  const world = await createWorld(buildScene('pendulum'));
  while (world.time < take.times.at(-1)! - 1e-9) expect(stepWorld(world)).toBe(true);
  const [body] = world.bodies;
  const rows = await rowsOf(take, 'joint');
  expect(rows.length).toBe(take.times.length * body.model.joints.names.length);
  const shown = rows.slice(-body.model.joints.names.length);
  shown.forEach(([, , bodyName, joint, ...numbers]) => {
    expect(bodyName).toBe(body.name);
    const force = readJointForce(body, joint);
    expect(Math.hypot(...force)).toBeGreaterThan(1);
    numbers.slice(-3).forEach((text, k) => {
      expect(Number(text)).toBeCloseTo(force[k], 3);
    });
  });
  disposeWorld(world);
});

it('has every contact in its table: what lies still is carried with its weight', async () => {
  const take = await recordScene({ kind: 'scene', name: 'incline' }, 0);
  expect(await rowsOf(take, 'contact')).toEqual([]);
  const fallen = await recordScene({ kind: 'scene', name: 'jelly-drop' }, 4);
  const world = await createWorld(buildScene('jelly-drop'));
  const mass = world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0);
  disposeWorld(world);
  const rows = await rowsOf(fallen, 'contact');
  const [last] = rows.at(-1)!;
  const carried = rows.filter(([time]) => time === last).reduce((sum, row) => sum + Number(row[12]), 0);
  expect(carried / (9.81 * mass)).toBeCloseTo(1, 2);
});
