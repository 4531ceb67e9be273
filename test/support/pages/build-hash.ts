/**
 * Builds a character of a model and hashes all that came out. The same file runs in Node and in Chromium, on compiled code given
 * by the address of dist/src. The model comes as JSON, so that both start from the same bits.
 */
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';

const ARRAYS = { Float32Array, Float64Array, Uint16Array, Uint32Array, Int32Array };
type ArrayName = keyof typeof ARRAYS;

/** The model as text, typed arrays and all. */
export function packModel(model: GltfModel): string {
  return JSON.stringify(model, (_key, value) =>
    ArrayBuffer.isView(value) ? { array: value.constructor.name, values: Array.from(value as Float64Array) } : value,
  );
}

function unpackModel(text: string): GltfModel {
  return JSON.parse(text, (_key, value) =>
    value?.array === undefined ? value : ARRAYS[value.array as ArrayName].from(value.values),
  );
}

/** 64 bits over the body, the skin's binding, the joints and the clips. `library`: address of dist/src, with a slash. */
export async function hashBuild(library: string, packed: string): Promise<string> {
  const { buildRigged } = await import(/* @vite-ignore */ `${library}character/build/rigged.js`);
  const { Hash64 } = await import(/* @vite-ignore */ `${library}debug/hash64.js`);
  const { body, embedding, skin, clips } = buildRigged(unpackModel(packed), { tets: 1500 });
  const hash = new Hash64();
  for (const array of [body.positions, body.tets, embedding.corners, embedding.weights, skin.normals]) hash.add(array);
  for (const bone of body.bones) hash.add(bone.vertices);
  for (const joint of body.joints) hash.add(Float64Array.from([...joint.anchor, ...(joint.axis ?? [])]));
  for (const clip of clips) hash.add(clip.rotations);
  return hash.toString();
}
