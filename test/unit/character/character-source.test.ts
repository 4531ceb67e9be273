/** Characters written into the file they were built from: nothing of it is lost, and what was wrong in it is put right. */
import { describe, expect, it } from 'vitest';
import { readCharacter, writeCharacter } from '../../../src/character/character-file.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import { CHARACTER_EXTENSION } from '../../../src/character/read-character.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { GltfEdit, type OpenObject } from '../../../src/io/gltf/gltf-edit.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../../support/models/rigged-model.js';

const NO_RESOURCES = new Map<string, Uint8Array>();

/** An arm in a file with much that a character does not need. */
async function furnishedArm(): Promise<Uint8Array> {
  const edit = new GltfEdit(openGltfSource(await writeGltf(armModel({ swing: 0.5 }))));
  edit.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
  edit.list('scenes')[0].nodes = [...(edit.list('scenes')[0].nodes as number[]), edit.list('nodes').length];
  edit.add('nodes', { name: 'eye', camera: 0, translation: [0, 1, 3], extras: { note: 'mine' } });
  const [part] = edit.list('meshes')[0].primitives as OpenObject[];
  const count = edit.list('accessors')[(part.attributes as OpenObject).POSITION as number].count as number;
  const colours = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0.5));
  (part.attributes as OpenObject).COLOR_0 = edit.addAccessor(colours, 'VEC4', { target: 34962 });
  part.targets = [{ POSITION: edit.addAccessor(new Float32Array(3 * count), 'VEC3', { bounds: true }) }];
  edit.json.extensions = { KHR_lights_punctual: { lights: [{ type: 'point' }] } };
  edit.useExtension('KHR_lights_punctual');
  return edit.pack();
}

describe('a character written into its own file', () => {
  it('leaves everything that was there, and comes back as it was, again and again', async () => {
    const bytes = await furnishedArm();
    const character = await loadCharacter(bytes, { name: 'arm', tets: 800 });
    const written = await writeCharacter(character);
    const before = openGltfSource(bytes).json;
    const after = openGltfSource(written).json;
    for (const key of ['nodes', 'meshes', 'skins', 'animations', 'materials', 'cameras', 'accessors', 'scenes']) {
      expect(after[key], key).toEqual(before[key]);
    }
    expect(after.extensions).toMatchObject(before.extensions as object);
    expect(after.extensionsUsed).toEqual(['KHR_lights_punctual', CHARACTER_EXTENSION]);

    const once = await readCharacter(written);
    expect({ ...once, source: undefined }).toEqual({ ...character, source: undefined });
    expect(once.source?.json).toEqual(before);
    // nothing piles up when it is written again
    expect(await writeCharacter(once)).toEqual(written);
  });

  it('takes in the files beside a .gltf', async () => {
    const { json, bin } = openGltfSource(await writeGltf(armModel()));
    const beside = { ...json, buffers: [{ uri: 'arm.bin', byteLength: bin!.length }], images: [{ uri: 'skin.png' }] };
    const picture = Uint8Array.of(1, 2, 3, 4, 5);
    const resources = new Map([
      ['arm.bin', bin!],
      ['skin.png', picture],
    ]);
    const bytes = new TextEncoder().encode(JSON.stringify(beside));
    const written = await writeCharacter(await loadCharacter(bytes, { tets: 500, resources }));
    const model = await readGltf(written);
    expect(model.look.images.map(({ bytes: image, mimeType }) => [Array.from(image), mimeType])).toEqual([
      [[1, 2, 3, 4, 5], 'image/png'],
    ]);
    expect(model.meshes[0].primitives[0].positions).toEqual(armModel().meshes[0].primitives[0].positions);
  });

  it('puts right what the file had wrong, and says so', async () => {
    const arm = armModel();
    const [part] = arm.meshes[0].primitives;
    const weights = part.weights!.map((weight, i) => (i < 40 ? 1.5 * weight : weight));
    const normals = new Float32Array(part.positions.length).fill(0.1);
    const crooked = { ...part, weights, normals, indices: Uint32Array.from([0, 0, 1, ...part.indices]) };
    const bytes = await writeGltf({ ...arm, meshes: [{ name: 'arm', primitives: [crooked] }] });
    const edit = new GltfEdit(openGltfSource(bytes));
    // the mesh below a node that is turned: joints place it, the node does not
    edit.list('scenes')[0].nodes = [...(edit.list('scenes')[0].nodes as number[]).slice(1), edit.list('nodes').length];
    edit.add('nodes', { name: 'turned', children: [0], translation: [5, 0, 0] });
    const character = await loadCharacter(edit.pack(), { tets: 500 });
    const notes = character.report.notes.filter((note) => note.startsWith('put right'));
    expect(notes).toHaveLength(4);
    expect(notes[0]).toContain('10 vertices');
    const model = await readGltf(await writeCharacter(character));
    const [mended] = model.meshes[0].primitives;
    expect(mended.weights).toEqual(part.weights);
    expect(mended.indices).toEqual(part.indices);
    expect(mended.normals!.slice(0, 3)).toEqual(new Float32Array(3).fill(Math.fround(1 / Math.sqrt(3))));
    expect(model.nodes[0].parent).toBe(-1);
    expect(Array.from(model.scenes[0].nodes)).toContain(0);
    expect(character.skin.positions).toEqual((await loadCharacter(await writeGltf(arm), { tets: 500 })).skin.positions);
  });

  it('is refused where the model does not fit it', async () => {
    const written = await writeCharacter(await loadCharacter(await writeGltf(armModel()), { tets: 500 }));
    const edit = new GltfEdit({ ...openGltfSource(written), resources: NO_RESOURCES });
    edit.list('nodes')[1].name = 'renamed';
    await expect(readCharacter(edit.pack())).rejects.toThrow(/renamed/);
  });
});
