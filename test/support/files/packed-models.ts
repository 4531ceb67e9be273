/** The rigged arm in files of many kinds: packed by the packers of their makers, and covered with one picture in several formats. */
import { createRequire } from 'node:module';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { GltfEdit, type OpenObject } from '../../../src/io/gltf/gltf-edit.js';
import { openGltfSource } from '../../../src/io/gltf/gltf-source.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../models/rigged-model.js';

const arm = armModel();
const [part] = arm.meshes[0].primitives;

/** The arm with the views of its vertices packed by meshopt, and nothing where they were. */
export async function packByMeshopt(): Promise<Uint8Array> {
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
export async function packByDraco(): Promise<{ bytes: Uint8Array; draco: never }> {
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

/**
 * A picture of 16 x 16 pixels: a quarter each blue, red, green and yellow. As PNG, and as KTX2 in both ways of Basis Universal, written by its encoder (2.50):
 * ETC1S, and UASTC packed once more by Zstandard.
 */
const PICTURES = {
  png: {
    mimeType: 'image/png',
    base64:
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAADFBMVEUUKObw3CjmKBQeyDzTYdaqAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVQY02NggAImKGAYIAFmKGCEggESAACrEAGB3CqaxgAAAABJRU5ErkJggg==',
  },
  etc1s: {
    mimeType: 'image/ktx2',
    base64:
      'q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAACwAAACUAAAAJAAAALgAAAAAAAAAlgAAAAAAAABOAQAAAAAAAAQAAAAAAAAAAAAAAAAAAAAsAAAAAAAAAAIAKACjAQIAAwMAAAgAAAAAAAAAAAA/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAAAQAAgA1AAAACQAAADAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAgQNQAAQAAQFj0AkHDmAUwJWAAAAAAhBXAsSsAcwACAAAAQBjRMQRgCgAAAAAABMrCMk/zA6yqqqr6////BxTARAAAAAAAABJBAJgAAAAAAABAGALmBAwAAAwCsKznTiQgBQNgBgAAAAAAAClAAOCVvCM=',
  },
  uastc: {
    mimeType: 'image/ktx2',
    base64:
      'q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAEAAAACAAAAaAAAACwAAACUAAAAJAAAAAAAAAAAAAAAAAAAAAAAAAC4AAAAAAAAAEAAAAAAAAAAAAEAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAACi1L/1gAAC1AQAUApcCxfw/GoUDANccheI/4mUA1wOZ538iGQEXnhvlP+aaAAcABRIAIJ8BuQOWAgB5JgoZOAI=',
  },
};

/** The arm, swinging, with the picture wrapped around it; undefined: with none. */
export async function picturedArm(kind: keyof typeof PICTURES | undefined): Promise<Uint8Array> {
  const materials = [{ name: 'paint', pbrMetallicRoughness: { metallicFactor: 0 } as OpenObject }];
  const model = armModel({ swing: 0.8 });
  const [primitive] = model.meshes[0].primitives;
  const meshes = [{ name: 'arm', primitives: [{ ...primitive, material: 0 }] }];
  const plain = await writeGltf({ ...model, meshes, look: { ...model.look, materials: materials as never } });
  if (kind === undefined) return plain;
  const { mimeType, base64 } = PICTURES[kind];
  const edit = new GltfEdit(openGltfSource(plain));
  const source = edit.add('images', { bufferView: edit.addView(pictureBytes(kind)), mimeType });
  const isBasis = base64 !== PICTURES.png.base64;
  const index = edit.add('textures', isBasis ? { extensions: { KHR_texture_basisu: { source } } } : { source });
  (edit.list('materials')[0].pbrMetallicRoughness as OpenObject).baseColorTexture = { index };
  if (isBasis) edit.useExtension('KHR_texture_basisu', true);
  return edit.pack();
}

/** The file of the picture. */
export function pictureBytes(kind: keyof typeof PICTURES): Uint8Array {
  return new Uint8Array(Buffer.from(PICTURES[kind].base64, 'base64'));
}
