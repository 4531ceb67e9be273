/**
 * glTF 2.0 (`.glb` and `.gltf`), read through glTF-Transform. The file is checked first and copied field by field, so
 * that whatever a stranger wrote ends as a `GltfModel` or as a `TendonError` that names the place (JSON pointer or byte).
 * Format: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import { type IoLimits, resolveLimits } from '../text/io-limits.js';
import { failAt, type JsonPlace, optionalIndex, optionalObject, textOf } from '../text/json-fields.js';
import { AccessorTable } from './gltf-accessors.js';
import { BufferViews, unsupported } from './gltf-buffers.js';
import { readClips } from './gltf-clips.js';
import { listGltfUris, openGltf } from './gltf-container.js';
import { readLook, readRootExtensions } from './gltf-look.js';
import { readMeshes, requireJointsInSkins } from './gltf-meshes.js';
import type { GltfModel } from './gltf-model.js';
import { orderNodes, readNodes, readScenes, readSkins } from './gltf-nodes.js';

import { openGltfSource } from './gltf-source.js';
import { type GltfDecoders, unpackGltf } from './gltf-unpack.js';

export type * from './gltf-model.js';

/** What `readGltf` may be told. */
export interface GltfReadOptions extends IoLimits {
  /** Contents of outside files by the `uri` that asks for them (`listOutsideFiles`). Nothing else is ever fetched. */
  readonly resources?: ReadonlyMap<string, Uint8Array>;
  /** Decoders for files that are packed in a way the library does not unpack by itself. */
  readonly decoders?: GltfDecoders;
}

/** Extensions a file may require: they change how things look, or are read here. Any other is refused by name. */
const HARMLESS_PREFIXES = ['KHR_materials_', 'KHR_texture_', 'EXT_texture_', 'MSFT_texture_', 'KHR_lights_', 'TENDON_'];
const HARMLESS = ['KHR_mesh_quantization', 'KHR_node_visibility', 'KHR_animation_pointer', 'KHR_xmp_json_ld'];

/** Reads the meshes, skins, nodes, clips and looks of a `.glb` or `.gltf`. Throws `TendonError` where it cannot. */
export async function readGltf(bytes: Uint8Array, options: GltfReadOptions = {}): Promise<GltfModel> {
  const limits = resolveLimits(options);
  const unpacked = await unpackGltf(openGltfSource(bytes, options), options.decoders ?? {}, limits.maxBytes);
  if (unpacked !== undefined) return readGltf(unpacked, options);
  // a Node Buffer's slices are views of a pool: go on with a plain array over the same bytes
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { json, bin } = openGltf(plain, limits);
  const root: JsonPlace = { object: json, pointer: '' };
  const asset = optionalObject(root, 'asset');
  const version = asset === undefined ? '' : textOf(asset, 'version');
  if (asset === undefined || !version.startsWith('2.')) {
    failAt('/asset/version', version, 'only version 2 of glTF can be read: export the model as glTF 2.0');
  }
  requireKnownExtensions(root);
  const warnings: string[] = [];
  const views = new BufferViews(root, { bin, resources: options.resources ?? new Map() }, limits);
  const accessors = new AccessorTable(root, views, limits);
  const context = { root, accessors, limits, warnings };
  // Everything is checked first; the functions that come back make their part from the decoded numbers.
  const finishMeshes = readMeshes(context);
  const nodes = readNodes(root);
  const nodeOrder = orderNodes(nodes);
  const finishSkins = readSkins(context, nodes.length);
  const finishClips = readClips(context, nodes.length);
  const scenes = readScenes(root, nodes.length);
  const look = readLook(root, views, options.resources ?? new Map(), limits);
  const extensions = readRootExtensions(root, views);
  const numbers = await accessors.decode();
  const meshes = finishMeshes(numbers, look.materials.length);
  const skins = finishSkins(numbers);
  const clips = finishClips(numbers);
  requireJointsInSkins({ nodes, meshes, skins });
  const scene = optionalIndex(root, 'scene', scenes.length);
  const base = { meshes, skins, nodes, nodeOrder, scenes, clips, look, extensions, asset: asset.object, warnings };
  return scene === undefined ? base : { ...base, scene };
}

/** Which outside files a `.gltf` asks for, as it writes them: the keys `resources` of `readGltf` must have. */
export function listOutsideFiles(bytes: Uint8Array, options: IoLimits = {}): string[] {
  return listGltfUris(openGltf(bytes, resolveLimits(options)).json);
}

function requireKnownExtensions(root: JsonPlace): void {
  const required = root.object.extensionsRequired ?? [];
  if (!Array.isArray(required)) failAt('/extensionsRequired', required, 'a list was expected');
  for (const [i, name] of required.entries()) {
    if (typeof name !== 'string') failAt(`/extensionsRequired/${i}`, name, 'a text was expected');
    if (HARMLESS.includes(name) || HARMLESS_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    failAt(`/extensionsRequired/${i}`, name, unsupported(name));
  }
}
