/**
 * Buffers and buffer views of a glTF, checked: every view lies inside bytes that are there. What a view of a
 * compressed mesh would need is refused by the name of its extension.
 */

import type { IoLimits } from '../text/io-limits.js';
import { failAt, type JsonPlace, listObjects, optionalObject, requireIndex, wholeOf } from '../text/json-fields.js';
import { resolveUri } from './gltf-container.js';
import type { JsonValue } from './gltf-model.js';

/** Where buffers get their bytes. */
export interface BufferSources {
  /** The binary chunk of a `.glb`. */
  readonly bin?: Uint8Array;
  /** Contents of outside files by the `uri` that asks for them. */
  readonly resources: ReadonlyMap<string, Uint8Array>;
}

/** A buffer view that lies inside its buffer. */
export interface CheckedView {
  readonly bytes: Uint8Array;
  /** Distance between elements [bytes]; absent where they touch. */
  readonly byteStride?: number;
}

/** Gives the views of one file on demand: what nothing uses is not looked at. */
export class BufferViews {
  private readonly buffers: readonly JsonPlace[];
  private readonly views: readonly JsonPlace[];
  private readonly sources: BufferSources;
  private readonly maxBytes: number;
  private readonly bufferBytes = new Map<number, Uint8Array>();

  constructor(root: JsonPlace, sources: BufferSources, limits: Required<IoLimits>) {
    this.buffers = listObjects(root, 'buffers');
    this.views = listObjects(root, 'bufferViews');
    this.sources = sources;
    this.maxBytes = limits.maxBytes;
  }

  /** The view that `value`, found at `pointer`, points at. */
  view(value: JsonValue | undefined, pointer: string): CheckedView {
    const from = this.views[requireIndex(value, this.views.length, pointer)];
    const extensions = optionalObject(from, 'extensions');
    for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
      if (extensions?.object[name] !== undefined) failAt(`${extensions.pointer}/${name}`, name, unsupported(name));
    }
    const buffer = this.buffer(wholeOf(from, 'buffer'), `${from.pointer}/buffer`);
    const byteOffset = wholeOf(from, 'byteOffset', 0);
    const byteLength = wholeOf(from, 'byteLength');
    if (byteOffset + byteLength > buffer.length) {
      failAt(`${from.pointer}/byteLength`, byteLength, `the buffer has ${buffer.length} bytes`, 'E_INDEX');
    }
    const byteStride = from.object.byteStride === undefined ? undefined : wholeOf(from, 'byteStride');
    if (byteStride !== undefined && (byteStride < 1 || byteStride > 252)) {
      failAt(`${from.pointer}/byteStride`, byteStride, 'a stride is 1 to 252 bytes', 'E_RANGE');
    }
    return { bytes: buffer.subarray(byteOffset, byteOffset + byteLength), byteStride };
  }

  private buffer(index: number, pointer: string): Uint8Array {
    const known = this.bufferBytes.get(index);
    if (known !== undefined) return known;
    const from = this.buffers[requireIndex(index, this.buffers.length, pointer)];
    const byteLength = wholeOf(from, 'byteLength');
    const isBin = index === 0 && from.object.uri === undefined;
    const bytes = isBin ? this.sources.bin : resolveUri(from, this.sources.resources, this.maxBytes);
    if (bytes === undefined) failAt(from.pointer, undefined, 'the file has no binary chunk');
    if (byteLength > bytes.length) {
      failAt(`${from.pointer}/byteLength`, byteLength, `only ${bytes.length} bytes are there`, 'E_INDEX');
    }
    const exact = bytes.subarray(0, byteLength);
    this.bufferBytes.set(index, exact);
    return exact;
  }
}

/** What to say about an extension that packs its data. */
export function unsupported(extension: string): string {
  return `${extension} is not supported; save the model without it`;
}
