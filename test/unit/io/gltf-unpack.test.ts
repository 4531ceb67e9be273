/** Packed files: what the packers of their makers wrote comes out as it went in. */
import { describe, expect, it } from 'vitest';
import { loadCharacter } from '../../../src/character/load-character.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import { packByDraco, packByMeshopt } from '../../support/files/packed-models.js';
import { armModel } from '../../support/models/rigged-model.js';

const arm = armModel();
const [part] = arm.meshes[0].primitives;

/** Corners of all triangles, as packers may number vertices anew. */
function corners({ positions, indices }: { positions: Float32Array; indices: Uint32Array }): number[][] {
  const triangles = Array.from({ length: indices.length / 3 }, (_, t) =>
    [0, 1, 2].flatMap((k) => Array.from(positions.subarray(3 * indices[3 * t + k], 3 * indices[3 * t + k] + 3))),
  );
  // a triangle may begin at any of its corners
  return triangles
    .map((c) => [c, [...c.slice(3), ...c.slice(0, 3)], [...c.slice(6), ...c.slice(0, 6)]].sort()[0])
    .sort();
}

describe('a packed file', () => {
  it('by meshopt has every vertex and triangle', async () => {
    const bytes = await packByMeshopt();
    const model = await readGltf(bytes);
    expect(model.meshes[0].primitives[0].positions).toEqual(part.positions);
    expect(corners(model.meshes[0].primitives[0])).toEqual(corners(part));
    const character = await loadCharacter(bytes, { tets: 500 });
    expect(character.skeleton.length).toBe(2);
    // what is written is plain
    expect(character.source?.json.extensionsRequired).toBeUndefined();
  });

  it('by meshopt that is damaged is refused with its place', async () => {
    const bytes = await packByMeshopt();
    const { json, bin } = openGltfSource(bytes);
    const views = json.bufferViews as { extensions?: { EXT_meshopt_compression: { byteOffset: number } } }[];
    const packed = views.find(({ extensions }) => extensions)!.extensions!.EXT_meshopt_compression;
    bin!.fill(255, packed.byteOffset, packed.byteOffset + 40);
    await expect(readGltf(bytes)).rejects.toThrow(/bufferViews/);
  });

  it('by Draco needs a decoder, and has every vertex and triangle with it', async () => {
    const { bytes, draco } = await packByDraco();
    await expect(readGltf(bytes)).rejects.toThrow(/Draco needs a decoder/);
    const model = await readGltf(bytes, { decoders: { draco } });
    const [unpacked] = model.meshes[0].primitives;
    expect(corners(unpacked)).toEqual(corners(part));
    expect(unpacked.weights!.length).toBe(part.weights!.length);
    const character = await loadCharacter(bytes, { tets: 500, decoders: { draco } });
    expect(character.skeleton.length).toBe(2);
  });
});
