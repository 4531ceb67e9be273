/**
 * A character in one file: a `.glb` that any viewer opens (skin, bones as nodes, clips as animations), with the flesh, the
 * joints and the embedding in the extension `TENDON_character` at the root of the file. docs/formats-character.md
 * describes it, schema/tendon-character.schema.json is its schema.
 */
import { TendonError } from '../errors.js';
import { readGltf } from '../io/gltf/gltf.js';
import type { GltfChannel, GltfClip, GltfExtension, GltfModel, GltfNode, JsonObject } from '../io/gltf/gltf-model.js';
import { writeGltf } from '../io/gltf/gltf-write.js';
import type { IoLimits } from '../io/text/io-limits.js';
import { rotateVec3 } from '../math/quat.js';
import type { Character, CharacterClip, JointLimit } from './character.js';
import { CHARACTER_EXTENSION, CHARACTER_VERSION, readCharacterModel } from './read-character.js';

/** Writes a character as a `.glb`. */
export async function writeCharacter(character: Character): Promise<Uint8Array> {
  return writeGltf(modelOf(character));
}

/** Reads what `writeCharacter` wrote; `E_FORMAT` for any other file. */
export async function readCharacter(bytes: Uint8Array, limits: IoLimits = {}): Promise<Character> {
  const model = await readGltf(bytes, limits);
  if (!hasCharacter(model)) {
    const advice = `the file has no ${CHARACTER_EXTENSION}: make one with tendon build`;
    throw new TendonError('E_FORMAT', 'extensions', model.extensions.map(({ name }) => name).join(', '), advice);
  }
  return readCharacterModel(model);
}

/** True where a model carries a character of ours. */
export function hasCharacter(model: GltfModel): boolean {
  return model.extensions.some(({ name }) => name === CHARACTER_EXTENSION);
}

/** The glTF of a character: node 0 has the skin, the nodes after it are the bones, side by side. */
function modelOf(character: Character): GltfModel {
  const { skin, skeleton, body } = character;
  const boned = skeleton.length > 0;
  const primitives = skin.surfaces.map((surface) => {
    const { vertexStart: v, vertexCount: n, indexStart, indexCount, uvs, material } = surface;
    const base = {
      positions: skin.positions.slice(3 * v, 3 * (v + n)),
      normals: skin.normals.slice(3 * v, 3 * (v + n)),
      indices: skin.triangles.slice(indexStart, indexStart + indexCount).map((vertex) => vertex - v),
      uvs,
      influenceCount: boned ? 4 : 0,
      ...(boned && {
        joints: skin.bones.slice(4 * v, 4 * (v + n)),
        weights: skin.boneWeights.slice(4 * v, 4 * (v + n)),
      }),
    };
    return material === undefined ? base : { ...base, material };
  });
  const inverseBindMatrices = new Float32Array(16 * skeleton.length);
  skeleton.forEach(({ place }, bone) => {
    for (let k = 0; k < 4; k++) inverseBindMatrices[16 * bone + 5 * k] = 1;
    for (let k = 0; k < 3; k++) inverseBindMatrices[16 * bone + 12 + k] = -place[k];
  });
  const nodes: GltfNode[] = [
    { ...nodeAt(body.name, [0, 0, 0]), mesh: 0, ...(boned && { skin: 0 }) },
    ...skeleton.map(({ name, place }) => nodeAt(name, place)),
  ];
  return {
    meshes: [{ name: body.name, primitives }],
    skins: boned
      ? [{ name: body.name, joints: Uint32Array.from(skeleton, (_, bone) => bone + 1), inverseBindMatrices }]
      : [],
    nodes,
    nodeOrder: Uint32Array.from(nodes, (_, i) => i),
    scenes: [{ name: body.name, nodes: Uint32Array.from(nodes, (_, i) => i) }],
    scene: 0,
    clips: character.clips.map((clip) => animationOf(character, clip)),
    look: skin.look,
    extensions: [extensionOf(character)],
    asset: {},
    warnings: [],
  };
}

function nodeAt(name: string, place: readonly number[]): GltfNode {
  return {
    name,
    parent: -1,
    children: new Uint32Array(0),
    translation: Float64Array.from(place),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
  };
}

/** Rotation and place of every bone node. */
function animationOf({ skeleton }: Character, clip: CharacterClip): GltfClip {
  const { frameCount, duration, rotations, rootPlaces } = clip;
  const count = skeleton.length;
  const times = Float32Array.from({ length: frameCount }, (_, i) => (duration * i) / (frameCount - 1));
  const channels: GltfChannel[] = [];
  const places: Float32Array[] = [];
  const arm = new Float64Array(3);
  skeleton.forEach(({ parent, place }, bone) => {
    const turns = new Float32Array(4 * frameCount);
    const moved = parent < 0 ? rootPlaces : new Float32Array(3 * frameCount);
    for (let frame = 0; frame < frameCount; frame++) {
      const o = 4 * (frame * count + bone);
      turns.set(rotations.subarray(o, o + 4), 4 * frame);
      if (parent < 0) continue;
      for (let k = 0; k < 3; k++) arm[k] = place[k] - skeleton[parent].place[k];
      rotateVec3(arm, 0, rotations, 4 * (frame * count + parent), arm, 0);
      for (let k = 0; k < 3; k++) moved[3 * frame + k] = places[parent][3 * frame + k] + arm[k];
    }
    places.push(moved);
    const shared = { node: bone + 1, interpolation: 'LINEAR' as const, times };
    channels.push({ ...shared, path: 'rotation', values: turns }, { ...shared, path: 'translation', values: moved });
  });
  return { name: clip.name, channels };
}

function limitOf(limits: readonly JointLimit[], joint: string): { limit?: JointLimit } {
  const limit = limits.find((one) => one.joint === joint);
  return limit === undefined ? {} : { limit };
}

/** Everything glTF has no words for. Arrays lie in views of the file's buffer, little-endian. */
function extensionOf({ body, skeleton, limits, embedding, clips, report, skin }: Character): GltfExtension {
  const views: Uint8Array[] = [];
  const view = (array: Float64Array | Int32Array): number =>
    views.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice()) - 1;
  const bones = body.bones ?? [];
  const json = {
    version: CHARACTER_VERSION,
    name: body.name,
    positions: view(body.positions),
    tets: view(body.tets),
    ...(body.regions && { regions: view(Int32Array.from(body.regions)) }),
    ...(body.pins && { pins: view(Int32Array.from(body.pins)) }),
    materials: body.materials.map((material) => ({ ...material })),
    boneVertices: view(Int32Array.from(bones.flatMap((bone) => Array.from(bone.vertices)))),
    bones: bones.map((bone, i) => ({
      name: bone.name,
      vertexCount: bone.vertices.length,
      ...(bone.kinematic && { kinematic: true }),
      node: i + 1,
      parent: skeleton[i].parent,
      place: [...skeleton[i].place],
      tip: [...skeleton[i].tip],
      sources: [...skeleton[i].sources],
    })),
    joints: (body.joints ?? []).map((joint) => ({
      name: joint.name,
      type: joint.type,
      bones: [...joint.bones],
      anchor: [...joint.anchor],
      ...(joint.axis && { axis: [...joint.axis] }),
      ...(joint.secondAxis && { secondAxis: [...joint.secondAxis] }),
      ...limitOf(limits, joint.name),
    })),
    embedding: { corners: view(embedding.corners), weights: view(embedding.weights) },
    skin: { node: 0, surfaces: skin.surfaces.map(({ name }) => name) },
    clips: clips.map(({ name, duration, frameCount }) => ({ name, duration, frameCount })),
    report: { ...report, notes: [...report.notes], mergedJoints: [...report.mergedJoints] },
  };
  return { name: CHARACTER_EXTENSION, json: json as unknown as JsonObject, views };
}
