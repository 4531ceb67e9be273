/** What a VRM file (version 0 or 1) says of its figure: which node is which part of a human. Part of `readRig`. */
import type { GltfModel, JsonValue } from '../../io/gltf/gltf-model.js';
import { isObject } from '../../io/text/safe-json.js';

/** Names of humanoid bones by node; notes what of the file is not used. None for files that are no VRM. */
export function readVrmNames(model: GltfModel, notes: string[]): Map<number, string> {
  const names = new Map<number, string>();
  const rootOf = (name: string) => model.extensions.find((one) => one.name === name)?.json;
  const [first, second] = [rootOf('VRM'), rootOf('VRMC_vrm')];
  const humanoid = (second ?? first)?.humanoid;
  const bones = isObject(humanoid) ? humanoid.humanBones : undefined;
  const add = (bone: JsonValue | undefined, node: JsonValue | undefined): void => {
    if (typeof bone !== 'string' || typeof node !== 'number' || model.nodes[node] === undefined) return;
    if (![...names.values()].includes(bone)) names.set(node, bone);
  };
  // version 0 has a list, version 1 an object
  if (Array.isArray(bones)) for (const one of bones) if (isObject(one)) add(one.bone, one.node);
  if (isObject(bones)) for (const [bone, one] of Object.entries(bones)) if (isObject(one)) add(bone, one.node);
  if (names.size === 0) return names;
  notes.push(`a VRM figure: ${names.size} joints have their humanoid names`);
  if (rootOf('VRMC_springBone') !== undefined || first?.secondaryAnimation !== undefined) {
    notes.push('spring bones of the VRM are left to the flesh: they stay in the file and are not simulated');
  }
  return names;
}
