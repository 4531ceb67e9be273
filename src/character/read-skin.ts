/** The skin of a character that is read from a file. Part of `readCharacterModel`. */
import type { GltfModel } from '../io/gltf/gltf-model.js';
import { failAt, type JsonPlace, optionalIndex, optionalObject } from '../io/text/json-fields.js';
import type { BoneInfo, CharacterSkin } from './character.js';
import { dressBones, readRiggedSkin } from './rig/rigged-skin.js';

/** The skin: that of the model the file was made from, or a mesh that was written for it. */
export function readSkin(root: JsonPlace, model: GltfModel, skeleton: readonly BoneInfo[]): CharacterSkin {
  const place = optionalObject(root, 'skin') ?? failAt(`${root.pointer}/skin`, undefined, 'it is missing');
  const node = optionalIndex(place, 'node', model.nodes.length);
  return node === undefined ? wearModel(place, model, skeleton) : wearMesh(place, model, node, skeleton.length);
}

/** True where the skin is the model itself that the file holds besides the character. */
export function isWorn(root: JsonPlace): boolean {
  return optionalObject(root, 'skin')?.object.node === undefined;
}

/** The whole model, as it was read when the character was built. */
function wearModel(place: JsonPlace, model: GltfModel, skeleton: readonly BoneInfo[]): CharacterSkin {
  const skin = readRiggedSkin(model, []);
  const boneOf = new Map(skeleton.flatMap(({ sources }, bone) => sources.map((source) => [source, bone] as const)));
  const boneOfJoint = Int32Array.from(skeleton.length === 0 ? [] : skin.rig.joints, ({ name }) => {
    return boneOf.get(name) ?? failAt(place.pointer, name, 'no bone has this joint of the model');
  });
  return dressBones(skin, boneOfJoint, model.look);
}

/** A mesh, put together from its parts. */
function wearMesh(place: JsonPlace, model: GltfModel, node: number, boneCount: number): CharacterSkin {
  const mesh = model.nodes[node]?.mesh;
  if (mesh === undefined) failAt(`${place.pointer}/node`, node, 'a node with a mesh was expected');
  const { primitives } = model.meshes[mesh];
  const names = Array.isArray(place.object.surfaces) ? place.object.surfaces : [];
  const flat = Array.isArray(place.object.flat) ? place.object.flat : [];
  const total = primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const skin = {
    positions: new Float32Array(3 * total),
    normals: new Float32Array(3 * total),
    triangles: new Uint32Array(primitives.reduce((sum, { indices }) => sum + indices.length, 0)),
    bones: new Uint16Array(4 * total),
    boneWeights: new Float32Array(4 * total),
  };
  let vertexStart = 0;
  let indexStart = 0;
  const surfaces = primitives.map((primitive, i) => {
    const vertexCount = primitive.positions.length / 3;
    skin.positions.set(primitive.positions, 3 * vertexStart);
    if (primitive.normals) skin.normals.set(primitive.normals, 3 * vertexStart);
    for (let k = 0; k < primitive.indices.length; k++) {
      skin.triangles[indexStart + k] = primitive.indices[k] + vertexStart;
    }
    const { joints, weights, influenceCount } = primitive;
    for (let v = 0; v < vertexCount; v++) {
      for (let k = 0; k < Math.min(4, influenceCount); k++) {
        skin.bones[4 * (vertexStart + v) + k] = Math.min(
          joints?.[v * influenceCount + k] ?? 0,
          Math.max(0, boneCount - 1),
        );
        skin.boneWeights[4 * (vertexStart + v) + k] = weights?.[v * influenceCount + k] ?? 0;
      }
      if (influenceCount === 0) skin.boneWeights[4 * (vertexStart + v)] = 1;
    }
    const surface = {
      name: typeof names[i] === 'string' ? names[i] : '',
      vertexStart,
      vertexCount,
      indexStart,
      indexCount: primitive.indices.length,
      uvs: primitive.uvs,
      ...(primitive.colours && { colours: primitive.colours }),
      ...(flat.includes(i) && { flat: true }),
      ...(primitive.material !== undefined && { material: primitive.material }),
    };
    vertexStart += vertexCount;
    indexStart += primitive.indices.length;
    return surface;
  });
  return { ...skin, surfaces, look: model.look };
}
