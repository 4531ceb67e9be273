/** Materials, textures and pictures of a glTF, and extensions at its root: passed through, only checked. */

import type { IoLimits } from '../text/io-limits.js';
import {
  failAt,
  type JsonPlace,
  listObjects,
  optionalIndex,
  optionalObject,
  requireIndex,
  textOf,
} from '../text/json-fields.js';
import { isObject } from '../text/safe-json.js';
import type { BufferViews } from './gltf-buffers.js';
import { dataUriType, resolveUri } from './gltf-container.js';
import type { GltfExtension, GltfImage, GltfLook, JsonObject, JsonValue } from './gltf-model.js';

/** Reads what is only for the eye. Indices between materials, textures, samplers and images are checked. */
export function readLook(
  root: JsonPlace,
  views: BufferViews,
  resources: ReadonlyMap<string, Uint8Array>,
  limits: Required<IoLimits>,
): GltfLook {
  const materials = listObjects(root, 'materials');
  const textures = listObjects(root, 'textures');
  const samplers = listObjects(root, 'samplers');
  const images = listObjects(root, 'images').map((from) => readImage(from, views, resources, limits));
  for (const texture of textures) {
    optionalIndex(texture, 'source', images.length);
    optionalIndex(texture, 'sampler', samplers.length);
    for (const value of Object.values(optionalObject(texture, 'extensions')?.object ?? {})) {
      // WebP, AVIF and Basis pictures are named by an extension of the texture.
      if (isObject(value) && value.source !== undefined) {
        requireIndex(value.source, images.length, `${texture.pointer}/extensions`);
      }
    }
  }
  for (const { object, pointer } of materials) requireTextures(object, pointer, textures.length);
  return {
    materials: materials.map(({ object }) => object),
    textures: textures.map(({ object }) => object),
    samplers: samplers.map(({ object }) => object),
    images,
  };
}

/** Extensions at the root, each with the bytes that its member `bufferViews` lists. */
export function readRootExtensions(root: JsonPlace, views: BufferViews): GltfExtension[] {
  const all = optionalObject(root, 'extensions');
  if (all === undefined) return [];
  return Object.keys(all.object).flatMap((name) => {
    const from = all.object[name];
    if (!isObject(from)) return [];
    const { bufferViews: list = [], ...json } = from;
    const pointer = `/extensions/${name}/bufferViews`;
    if (!Array.isArray(list)) failAt(pointer, list, 'a list was expected');
    const contents = (list as readonly JsonValue[]).map((value, i) => views.view(value, `${pointer}/${i}`).bytes);
    return [{ name, json, views: contents }];
  });
}

function readImage(
  from: JsonPlace,
  views: BufferViews,
  resources: ReadonlyMap<string, Uint8Array>,
  limits: Required<IoLimits>,
): GltfImage {
  const name = textOf(from, 'name');
  const mimeType = textOf(from, 'mimeType') || dataUriType(textOf(from, 'uri'));
  const { bufferView } = from.object;
  const bytes =
    bufferView === undefined
      ? resolveUri(from, resources, limits.maxBytes)
      : views.view(bufferView, `${from.pointer}/bufferView`).bytes;
  return { name, mimeType, bytes };
}

/** Checks `index` of every member named `...Texture`, also those inside extensions. */
function requireTextures(object: JsonObject, pointer: string, textureCount: number): void {
  for (const [key, value] of Object.entries(object)) {
    if (!isObject(value)) continue;
    if (key.endsWith('Texture')) requireIndex(value.index, textureCount, `${pointer}/${key}/index`);
    requireTextures(value, `${pointer}/${key}`, textureCount);
  }
}
