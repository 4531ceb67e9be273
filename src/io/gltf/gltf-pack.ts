/** The outer layer of a `.glb`, on the way out: header, JSON chunk, binary chunk. Used by `writeGltf`. */
import type { JsonObject } from './gltf-model.js';

/** A `.glb` of `json`, whose first buffer is made of `pieces`, each filled up to four bytes; further ones have no bytes here. */
export function packGlb(json: JsonObject, pieces: readonly Uint8Array[]): Uint8Array {
  const binLength = pieces.reduce((sum, piece) => sum + padded(piece.length), 0);
  const { buffers, ...rest } = json;
  const others = Array.isArray(buffers) ? buffers.slice(1) : [];
  const complete = binLength > 0 ? { ...rest, buffers: [{ byteLength: binLength }, ...others] } : rest;
  const text = new TextEncoder().encode(JSON.stringify(complete));
  const jsonLength = padded(text.length);
  const length = 20 + jsonLength + (binLength > 0 ? 8 + binLength : 0);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const header = [0x46546c67, 2, length, jsonLength, 0x4e4f534a];
  for (const [i, word] of header.entries()) view.setUint32(4 * i, word, true);
  bytes.set(text, 20);
  bytes.fill(32, 20 + text.length, 20 + jsonLength);
  if (binLength === 0) return bytes;
  view.setUint32(20 + jsonLength, binLength, true);
  view.setUint32(24 + jsonLength, 0x004e4942, true);
  let at = 28 + jsonLength;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += padded(piece.length);
  }
  return bytes;
}

function padded(length: number): number {
  return length + (-length & 3);
}
