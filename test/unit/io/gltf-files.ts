import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { MODEL } from '../../fuzz/seed-files.js';

export const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
// biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape
export type Json = Record<string, any>;
export const glb = await writeGltf(MODEL);

/** The file of `MODEL` with its JSON changed. */
export function edited(change: (json: Json) => void): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  change(json);
  const text = bytes(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const file = Uint8Array.from([...glb.subarray(0, 20), ...text, ...glb.subarray(20 + length)]);
  new DataView(file.buffer).setUint32(8, file.length, true);
  new DataView(file.buffer).setUint32(12, text.length, true);
  return file;
}

/** A `.gltf` with one buffer of floats and the accessor and primitive given. */
export function small(floats: number[], accessor: Json, primitive: Json = {}, more: Json = {}): Uint8Array {
  const data = new Uint8Array(Float32Array.from(floats).buffer);
  return bytes({
    asset: { version: '2.0' },
    buffers: [{ byteLength: data.length, uri: `data:;base64,${Buffer.from(data).toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: data.length }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', ...accessor }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...primitive }] }],
    ...more,
  });
}
/** A flat square in two triangles, as a strip. */
export const SQUARE = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
