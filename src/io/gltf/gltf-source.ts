/**
 * A glTF as it came: what `readGltf` has no words for (cameras, lights, vertex colours, extensions of any kind) is still
 * in it. `GltfEdit` adds to such a file and leaves everything else alone.
 */
import { resolveLimits } from '../text/io-limits.js';
import { isObject } from '../text/safe-json.js';
import type { GltfReadOptions } from './gltf.js';
import { openGltf } from './gltf-container.js';
import type { JsonObject, JsonValue } from './gltf-model.js';

/** The parts of a file. */
export interface GltfSource {
  readonly json: JsonObject;
  /** The binary chunk of a `.glb`. */
  readonly bin?: Uint8Array;
  /** Contents of outside files by the `uri` that asks for them. */
  readonly resources: ReadonlyMap<string, Uint8Array>;
}

/** Opens a file that `readGltf` has accepted. */
export function openGltfSource(bytes: Uint8Array, options: GltfReadOptions = {}): GltfSource {
  const { json, bin } = openGltf(bytes, resolveLimits(options));
  return { json, ...(bin && { bin }), resources: options.resources ?? new Map() };
}

/** The source without one extension at its root, and without the views that were added at its end for it. */
export function withoutExtension(source: GltfSource, name: string): GltfSource {
  const { extensions, extensionsUsed, bufferViews, buffers } = source.json;
  if (!isObject(extensions) || !isObject(extensions[name])) return source;
  const { [name]: removed, ...others } = extensions;
  const used = Array.isArray(extensionsUsed) ? extensionsUsed.filter((one) => one !== name) : [];
  const json: Record<string, JsonValue> = { ...source.json, extensions: others, extensionsUsed: used };
  if (Object.keys(others).length === 0) delete json.extensions;
  if (used.length === 0) delete json.extensionsUsed;
  const views = Array.isArray(bufferViews) ? bufferViews : [];
  const own = isObject(removed) && Array.isArray(removed.bufferViews) ? removed.bufferViews : [];
  const first = views.length - own.length;
  const view: JsonValue | undefined = views[first];
  const atEnd = isObject(view) && own.length > 0 && own.every((index, i) => index === first + i);
  if (!atEnd || source.bin === undefined) return { ...source, json };
  json.bufferViews = views.slice(0, first);
  const bin = source.bin.subarray(0, Number(view.byteOffset ?? 0));
  const [buffer, ...further] = Array.isArray(buffers) ? buffers : [];
  json.buffers = [{ ...(buffer as JsonObject), byteLength: bin.length }, ...further];
  return { ...source, json, bin };
}
