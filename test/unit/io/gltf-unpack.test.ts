/** Packed files: what the packers of their makers wrote comes out as it went in. */
import { createRequire } from 'node:module';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, it } from 'vitest';
import { loadCharacter } from '../../../src/character/load-character.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { GltfEdit, type OpenObject } from '../../../src/io/gltf/gltf-edit.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../../support/models/rigged-model.js';

const arm = armModel();
const [part] = arm.meshes[0].primitives;

/** The arm with the views of its vertices packed by meshopt, and nothing where they were. */
async function packByMeshopt(): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const source = openGltfSource(await writeGltf(arm));
  const edit = new GltfEdit(source);
  const accessors = edit.list('accessors');
  const pack = (accessor: OpenObject, size: number, mode: string): void => {
    const view = edit.list('bufferViews')[accessor.bufferView as number];
    const start = (view.byteOffset as number) + ((accessor.byteOffset as number | undefined) ?? 0);
    const bytes = source.bin!.slice(start, start + (accessor.count as number) * size);
    const packed = MeshoptEncoder.encodeGltfBuffer(bytes, accessor.count as number, size, mode);
    const at = edit.addView(packed);
    const { byteOffset, byteLength } = edit.list('bufferViews')[at];
    accessor.bufferView = edit.add('bufferViews', {
      buffer: 1,
      byteLength: bytes.length,
      ...(mode === 'ATTRIBUTES' && { byteStride: size }),
      extensions: {
        EXT_meshopt_compression: { buffer: 0, byteOffset, byteLength, byteStride: size, count: accessor.count, mode },
      },
    });
    delete accessor.byteOffset;
  };
  const { attributes, indices } = (edit.list('meshes')[0].primitives as OpenObject[])[0];
  pack(accessors[(attributes as OpenObject).POSITION as number], 12, 'ATTRIBUTES');
  pack(accessors[indices as number], 4, 'TRIANGLES');
  edit.json.buffers = [
    { byteLength: 0 },
    { byteLength: 1e6, extensions: { EXT_meshopt_compression: { fallback: true } } },
  ];
  edit.useExtension('EXT_meshopt_compression', true);
  return edit.pack();
}

/** The arm's mesh packed by Draco without loss. */
async function packByDraco(): Promise<{ bytes: Uint8Array; draco: never }> {
  const { createEncoderModule, createDecoderModule } = createRequire(import.meta.url)('draco3dgltf');
  const module = await createEncoderModule();
  const encoder = new module.Encoder();
  const builder = new module.MeshBuilder();
  const mesh = new module.Mesh();
  const count = part.positions.length / 3;
  builder.AddFacesToMesh(mesh, part.indices.length / 3, part.indices);
  const ids = {
    POSITION: builder.AddFloatAttribute(mesh, module.POSITION, count, 3, part.positions),
    JOINTS_0: builder.AddUInt16Attribute(mesh, module.GENERIC, count, 4, part.joints),
    WEIGHTS_0: builder.AddFloatAttribute(mesh, module.GENERIC, count, 4, part.weights),
  };
  encoder.SetEncodingMethod(module.MESH_SEQUENTIAL_ENCODING);
  const out = new module.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
  const packed = Uint8Array.from({ length }, (_, i) => out.GetValue(i));
  const edit = new GltfEdit(openGltfSource(await writeGltf(arm)));
  const [primitive] = edit.list('meshes')[0].primitives as OpenObject[];
  const attributes = primitive.attributes as OpenObject;
  delete attributes.TEXCOORD_0;
  for (const index of [...Object.values(attributes), primitive.indices]) {
    delete edit.list('accessors')[index as number].bufferView;
    delete edit.list('accessors')[index as number].byteOffset;
  }
  primitive.extensions = { KHR_draco_mesh_compression: { bufferView: edit.addView(packed), attributes: ids } };
  edit.useExtension('KHR_draco_mesh_compression', true);
  return { bytes: edit.pack(), draco: (await createDecoderModule()) as never };
}

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
