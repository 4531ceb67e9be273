/**
 * The outer layer of glTF: a `.glb` is a header and chunks, a `.gltf` is bare JSON. Also turns the `uri` of buffers
 * and images into bytes: from the file itself (`data:`), from the caller's map, and from nowhere else.
 */
import { TendonError } from '../../errors.js';
import { type IoLimits, requireFileSize } from '../text/io-limits.js';
import { failAt, type JsonPlace, listObjects, textOf } from '../text/json-fields.js';
import { parseJsonObject } from '../text/safe-json.js';
import type { JsonObject } from './gltf-model.js';

/** Contents of a `.glb` or `.gltf`, nothing of it checked beyond being JSON. */
export interface GltfContainer {
  readonly json: JsonObject;
  /** The binary chunk; none in a `.gltf`. */
  readonly bin?: Uint8Array;
}

const MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;
/** Longest JSON [bytes]: a string of the engine holds about twice as much. */
const MAX_JSON = 1 << 28;

/** What to do with a file that is not all there. */
const AGAIN = 'copy, download or export it again';

/** Whether the first character that is no blank opens an object; a byte order mark counts as blank. */
function startsLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 64).find((byte) => byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte));
  return first === undefined || first === 0x7b;
}

/** Splits a file into its JSON and its binary chunk. Chunks of other types are skipped, as the standard asks. */
export function openGltf(bytes: Uint8Array, limits: Required<IoLimits>): GltfContainer {
  requireFileSize(bytes.length, limits, 'glTF');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length === 0) fail(0, 0, `the file is empty: ${AGAIN}`);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) {
    if (!startsLikeJson(bytes))
      fail(0, bytes[0], 'this is no glTF: neither the start of a .glb nor JSON. Export the model as glTF 2.0');
    return { json: parseJson(bytes, 'glTF', limits) };
  }
  if (bytes.length < 20) fail(bytes.length, bytes.length, `the file ends in its header: ${AGAIN}`);
  const version = view.getUint32(4, true);
  if (version !== 2) fail(4, version, 'only version 2 can be read: export the model as glTF 2.0');
  const length = view.getUint32(8, true);
  if (length > bytes.length) fail(8, length, `the file is cut off after ${bytes.length} bytes: ${AGAIN}`);
  if (length < 20) fail(8, length, `the file has ${bytes.length} bytes`);
  let json: JsonObject | undefined;
  let bin: Uint8Array | undefined;
  for (let at = 12; at + 8 <= length; ) {
    const chunkLength = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (chunkLength > length - at - 8) fail(at, chunkLength, `only ${length - at - 8} bytes follow`);
    const chunk = bytes.subarray(at + 8, at + 8 + chunkLength);
    if (json === undefined) {
      if (type !== CHUNK_JSON) fail(at + 4, type, 'the first chunk must be JSON');
      json = parseJson(chunk, 'glTF JSON', limits);
    } else if (type === CHUNK_BIN && bin === undefined) bin = chunk;
    at += 8 + chunkLength;
  }
  if (json === undefined) fail(12, 0, 'the JSON chunk is missing');
  return { json, bin };
}

/** Which outside files a glTF asks for, as written in it; the keys for `resources` of `readGltf`. */
export function listGltfUris(json: JsonObject): string[] {
  const root: JsonPlace = { object: json, pointer: '' };
  const uris = [...listObjects(root, 'buffers'), ...listObjects(root, 'images')].map((from) => textOf(from, 'uri'));
  return [...new Set(uris.filter((uri) => uri !== '' && !uri.startsWith('data:')))];
}

/** The bytes behind the `uri` of a buffer or an image, which must have one. */
export function resolveUri(from: JsonPlace, resources: ReadonlyMap<string, Uint8Array>, maxBytes: number): Uint8Array {
  const uri = textOf(from, 'uri');
  const pointer = `${from.pointer}/uri`;
  if (!uri.startsWith('data:')) {
    const bytes = resources.get(uri);
    if (bytes === undefined)
      failAt(
        pointer,
        uri,
        'this file belongs to the model and was not given with it: give both together, or save the model as one .glb',
      );
    if (bytes.length > maxBytes) failAt(pointer, bytes.length, `at most ${maxBytes} bytes are allowed`, 'E_RANGE');
    return bytes;
  }
  const comma = uri.indexOf(',');
  if (comma < 0 || !uri.slice(0, comma).endsWith(';base64')) failAt(pointer, uri, 'base64 data was expected');
  return decodeBase64(uri, comma + 1, pointer);
}

/** The type a `data:` URI claims to have; empty for other URIs. */
export function dataUriType(uri: string): string {
  if (!uri.startsWith('data:')) return '';
  const end = uri.slice(0, 100).search(/[;,]/);
  return end < 0 ? '' : uri.slice(5, end);
}

function parseJson(bytes: Uint8Array, place: string, limits: Required<IoLimits>): JsonObject {
  if (bytes.length > MAX_JSON) {
    throw new TendonError('E_RANGE', place, bytes.length, `the JSON may have at most ${MAX_JSON} bytes`);
  }
  return parseJsonObject(new TextDecoder().decode(bytes), place, limits.maxDepth);
}

/** Base64 from `start` on. `atob` would do, but its errors say nothing about where. */
function decodeBase64(text: string, start: number, pointer: string): Uint8Array {
  let end = text.length;
  while (end > start && end > text.length - 2 && text.charCodeAt(end - 1) === 61) end--;
  const bytes = new Uint8Array(Math.floor(((end - start) * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let count = 0;
  for (let i = start; i < end; i++) {
    const digit = base64Digit(text.charCodeAt(i));
    if (digit < 0) failAt(pointer, text[i], `character ${i} is not base64`);
    bits = ((bits << 6) | digit) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[count++] = (bits >> bitCount) & 255;
    }
  }
  return bytes;
}

function base64Digit(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43) return 62;
  return code === 47 ? 63 : -1;
}

function fail(offset: number, value: unknown, advice: string): never {
  throw new TendonError('E_FORMAT', `GLB byte ${offset}`, value, advice);
}
