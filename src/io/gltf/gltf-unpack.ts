/**
 * Packed glTF unpacked: meshopt (`EXT_meshopt_compression`, `KHR_meshopt_compression`) with the decoder of its makers, Draco
 * (`KHR_draco_mesh_compression`) with one that the caller hands over. What comes out is a plain `.glb` that any reader opens;
 * everything else in the file stays. First thing `readGltf` does.
 */
import { TendonError } from '../../errors.js';
import { failAt, type JsonPlace, listObjects, optionalObject } from '../text/json-fields.js';
import { isObject } from '../text/safe-json.js';
import { AccessorReader } from './accessor-reader.js';
import { type DracoModule, decodeDraco } from './draco.js';
import type { OpenObject } from './gltf-edit.js';
import type { JsonObject } from './gltf-model.js';
import { packGlb } from './gltf-pack.js';
import type { GltfSource } from './gltf-source.js';

/** Decoders that cannot be part of the library. */
export interface GltfDecoders {
  /** The module that `createDecoderModule` of the package draco3dgltf, or of Draco's script for pages, gives; or what makes one when a file needs it. */
  readonly draco?: DracoModule | (() => Promise<DracoModule>);
}

const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
const DRACO = 'KHR_draco_mesh_compression';

/** The bytes of an unpacked file; undefined where nothing is packed. Throws a `TendonError` where it cannot be unpacked. */
export async function unpackGltf(
  source: GltfSource,
  decoders: GltfDecoders,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const { extensionsUsed, extensionsRequired } = source.json;
  const names = [extensionsUsed, extensionsRequired].flatMap((list) => (Array.isArray(list) ? list : []));
  const packed = [...MESHOPT, DRACO].filter((name) => names.includes(name));
  if (packed.length === 0) return undefined;
  const json = structuredClone(source.json) as OpenObject;
  const views = await unpackViews(source, json, maxBytes);
  if (packed.includes(DRACO)) {
    const draco = typeof decoders.draco === 'function' ? await decoders.draco() : decoders.draco;
    unpackMeshes(json, views, draco, maxBytes);
  }
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const left = ((json[key] ?? []) as string[]).filter((name) => !packed.includes(name));
    if (left.length > 0) json[key] = left;
    else delete json[key];
  }
  let byteOffset = 0;
  ((json.bufferViews ?? []) as OpenObject[]).forEach((view, i) => {
    Object.assign(view, { buffer: 0, byteOffset, byteLength: views[i].length });
    byteOffset += views[i].length + (-views[i].length & 3);
  });
  return packGlb({ ...(json as JsonObject), buffers: [] }, views);
}

/** The bytes of every buffer view, meshopt's unpacked. */
async function unpackViews(source: GltfSource, json: OpenObject, maxBytes: number): Promise<Uint8Array[]> {
  const reader = new AccessorReader(source);
  const views = (json.bufferViews ?? []) as OpenObject[];
  const out: Uint8Array[] = [];
  let total = 0;
  for (const [i, view] of views.entries()) {
    const place = `/bufferViews/${i}`;
    const extensions = optionalObject({ object: view as JsonObject, pointer: place }, 'extensions')?.object;
    const name = MESHOPT.find((one) => isObject(extensions?.[one]));
    if (name === undefined) {
      out.push(bytesAt(reader, view, place));
      continue;
    }
    const packed = extensions?.[name] as OpenObject;
    total += Number(packed.count) * Number(packed.byteStride);
    if (!(total <= maxBytes)) failAt(place, total, `at most ${maxBytes} bytes may be unpacked`, 'E_RANGE');
    out.push(await decodeMeshopt(bytesAt(reader, packed, `${place}/extensions/${name}`), packed, place));
    delete view.extensions;
  }
  return out;
}

function bytesAt(reader: AccessorReader, range: OpenObject, place: string): Uint8Array {
  const bytes = reader.buffer(Number(range.buffer));
  const start = Number(range.byteOffset ?? 0);
  const end = start + Number(range.byteLength);
  if (bytes === undefined || !(start >= 0 && end <= bytes.length))
    failAt(place, end, 'the data is not there', 'E_INDEX');
  return bytes.subarray(start, end);
}

async function decodeMeshopt(bytes: Uint8Array, packed: OpenObject, place: string): Promise<Uint8Array> {
  // only fetched for files that need it
  const { MeshoptDecoder } = await import('meshoptimizer/decoder');
  await MeshoptDecoder.ready;
  const [count, stride] = [Number(packed.count), Number(packed.byteStride)];
  const target = new Uint8Array(count * stride);
  try {
    MeshoptDecoder.decodeGltfBuffer(target, count, stride, bytes, String(packed.mode), String(packed.filter ?? 'NONE'));
  } catch (cause) {
    throw new TendonError('E_FORMAT', place, String(cause), 'the packed data is damaged');
  }
  return target;
}

/** Throws unless everything that is looked at is of the kind it should be. */
function requireMeshes(root: JsonPlace): void {
  for (const mesh of listObjects(root, 'meshes')) {
    for (const primitive of listObjects(mesh, 'primitives')) {
      optionalObject(primitive, 'attributes');
      const extensions = optionalObject(primitive, 'extensions');
      const packed = extensions && optionalObject(extensions, DRACO);
      if (packed === undefined) continue;
      if (primitive.object.attributes === undefined) failAt(primitive.pointer, undefined, 'the attributes are missing');
      if (optionalObject(packed, 'attributes') === undefined)
        failAt(packed.pointer, undefined, 'the attributes are missing');
    }
  }
}

/** Gives the accessors of every Draco mesh views of their own. */
function unpackMeshes(json: OpenObject, views: Uint8Array[], draco: DracoModule | undefined, maxBytes: number): void {
  requireMeshes({ object: json as JsonObject, pointer: '' });
  const accessors = (json.accessors ?? []) as OpenObject[];
  json.bufferViews ??= [];
  const list = json.bufferViews as OpenObject[];
  const fill = (accessor: OpenObject | undefined, place: string, bytes: Uint8Array, count: number): void => {
    if (accessor === undefined) failAt(place, undefined, 'the accessor is missing');
    delete accessor.byteOffset;
    Object.assign(accessor, { bufferView: views.push(bytes) - 1, count });
    list.push({});
  };
  ((json.meshes ?? []) as OpenObject[]).forEach((mesh, m) => {
    ((mesh.primitives ?? []) as OpenObject[]).forEach((primitive, p) => {
      const extensions = primitive.extensions as OpenObject | undefined;
      const packed = extensions?.[DRACO] as OpenObject | undefined;
      if (packed === undefined) return;
      const place = `/meshes/${m}/primitives/${p}/extensions/${DRACO}`;
      if (draco === undefined) {
        failAt(
          place,
          DRACO,
          'Draco needs a decoder: use the command line, hand one over, or save the model without it',
        );
      }
      const bytes = views[Number(packed.bufferView)];
      if (bytes === undefined) failAt(place, packed.bufferView, 'the data is not there', 'E_INDEX');
      const attributes = primitive.attributes as OpenObject;
      const wanted = Object.entries(packed.attributes as OpenObject).map(([name, id]) => {
        const accessor = accessors[Number(attributes[name])];
        return { name, id: Number(id), componentType: Number(accessor?.componentType) };
      });
      const decoded = decodeDraco(draco, bytes, wanted, place, maxBytes);
      for (const { name, data, count } of decoded.attributes) {
        fill(accessors[Number(attributes[name])], place, data, count);
      }
      const indices = accessors[Number(primitive.indices)];
      fill(indices, place, decoded.indices, decoded.indices.length / 4);
      indices.componentType = 5125;
      delete extensions![DRACO];
      if (Object.keys(extensions!).length === 0) delete primitive.extensions;
    });
  });
}
