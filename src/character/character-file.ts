/**
 * A character in one file: a `.glb` that any viewer opens (skin, bones as nodes, clips as animations), with the flesh, the
 * joints and the embedding in the extension `TENDON_character` at the root of the file. docs/formats-character.md
 * describes it, schema/tendon-character.schema.json is its schema.
 */
import { TendonError } from '../errors.js';
import { readGltf } from '../io/gltf/gltf.js';
import { GltfEdit, type OpenObject } from '../io/gltf/gltf-edit.js';
import type { GltfChannel, GltfClip, GltfExtension, GltfModel, GltfNode, JsonObject } from '../io/gltf/gltf-model.js';
import { openGltfSource } from '../io/gltf/gltf-source.js';
import { writeGltf } from '../io/gltf/gltf-write.js';
import type { IoLimits } from '../io/text/io-limits.js';
import { conjugateQuat, multiplyQuat } from '../math/quat.js';
import type { Character, CharacterClip, CharacterSkin, JointLimit } from './character.js';
import { CHARACTER_EXTENSION, CHARACTER_VERSION, readCharacterModel } from './read-character.js';

/** Writes a character as a `.glb`: into the file it was built from where there is one, else into one of its own. */
export async function writeCharacter(character: Character): Promise<Uint8Array> {
  if (character.source === undefined) return writeGltf({ ...modelOf(character), extensions: [extensionOf(character)] });
  const edit = new GltfEdit(character.source);
  const { name, json, views } = extensionOf(character);
  const bufferViews = views.map((bytes) => edit.addView(bytes));
  const others = edit.json.extensions as OpenObject | undefined;
  edit.json.extensions = { ...others, [name]: { ...(json as OpenObject), bufferViews } };
  edit.useExtension(name);
  return edit.pack();
}

/** Reads what `writeCharacter` wrote; `E_FORMAT` for any other file. */
export async function readCharacter(bytes: Uint8Array, limits: IoLimits = {}): Promise<Character> {
  const model = await readGltf(bytes, limits);
  if (!hasCharacter(model)) {
    const advice = `the file has no ${CHARACTER_EXTENSION}: make one with tendon build`;
    throw new TendonError('E_FORMAT', 'extensions', model.extensions.map(({ name }) => name).join(', '), advice);
  }
  return readCharacterModel(model, openGltfSource(bytes, limits));
}

/** True where a model carries a character of ours. */
export function hasCharacter(model: GltfModel): boolean {
  return model.extensions.some(({ name }) => name === CHARACTER_EXTENSION);
}

/** A glTF of its own for a character: node 0 has the skin, the nodes after it are the bones, each below its parent. */
function modelOf(character: Character): GltfModel {
  const { skin, skeleton, body } = character;
  const boned = skeleton.length > 0;
  const primitives = skin.surfaces.map((surface) => {
    const { vertexStart: v, vertexCount: n, indexStart, indexCount, uvs, colours, material } = surface;
    const base = {
      positions: skin.positions.slice(3 * v, 3 * (v + n)),
      normals: skin.normals.slice(3 * v, 3 * (v + n)),
      indices: skin.triangles.slice(indexStart, indexStart + indexCount).map((vertex) => vertex - v),
      uvs,
      ...(colours && { colours }),
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
    ...skeleton.map(({ name, place, parent }, bone) => {
      const from = parent < 0 ? [0, 0, 0] : skeleton[parent].place;
      const children = skeleton.flatMap((other, i) => (other.parent === bone ? [i + 1] : []));
      return {
        ...nodeAt(
          name,
          place.map((x, k) => x - from[k]),
        ),
        parent: parent < 0 ? -1 : parent + 1,
        children: Uint32Array.from(children),
      };
    }),
  ];
  const roots = nodes.flatMap(({ parent }, i) => (parent < 0 ? [i] : []));
  return {
    meshes: [{ name: body.name, primitives }],
    skins: boned
      ? [{ name: body.name, joints: Uint32Array.from(skeleton, (_, bone) => bone + 1), inverseBindMatrices }]
      : [],
    nodes,
    nodeOrder: Uint32Array.from(nodes, (_, i) => i),
    scenes: [{ name: body.name, nodes: Uint32Array.from(roots) }],
    scene: 0,
    clips: character.clips.map((clip) => animationOf(character, clip)),
    look: skin.look,
    extensions: [],
    asset: { generator: 'Tendon' },
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

/** How every bone is turned against its parent, and where the root is. */
function animationOf({ skeleton }: Character, clip: CharacterClip): GltfClip {
  const { frameCount, duration, rotations, rootPlaces } = clip;
  const count = skeleton.length;
  const times = Float32Array.from({ length: frameCount }, (_, i) => (duration * i) / (frameCount - 1));
  const channels: GltfChannel[] = [];
  const back = new Float64Array(4);
  const turn = new Float64Array(4);
  skeleton.forEach(({ parent }, bone) => {
    const turns = new Float32Array(4 * frameCount);
    for (let frame = 0; frame < frameCount; frame++) {
      turn.set(rotations.subarray(4 * (frame * count + bone), 4 * (frame * count + bone) + 4));
      if (parent >= 0) {
        conjugateQuat(back, 0, rotations, 4 * (frame * count + parent));
        multiplyQuat(turn, 0, back, 0, turn, 0);
      }
      turns.set(turn, 4 * frame);
    }
    const shared = { node: bone + 1, interpolation: 'LINEAR' as const, times };
    channels.push({ ...shared, path: 'rotation', values: turns });
    if (parent < 0) channels.push({ ...shared, path: 'translation', values: rootPlaces });
  });
  return { name: clip.name, channels };
}

function limitOf(limits: readonly JointLimit[], joint: string): { limit?: JointLimit } {
  const limit = limits.find((one) => one.joint === joint);
  return limit === undefined ? {} : { limit };
}

/** Numbers of the pieces whose triangles are flat, where there are any. */
function flatPieces({ surfaces }: CharacterSkin): { flat?: number[] } {
  const flat = surfaces.flatMap((surface, i) => (surface.flat ? [i] : []));
  return flat.length > 0 ? { flat } : {};
}

/** Everything glTF has no words for. Arrays lie in views of the file's buffer, little-endian. */
function extensionOf({
  body,
  skeleton,
  limits,
  embedding,
  clips,
  report,
  smoothed,
  skin,
  source,
}: Character): GltfExtension {
  const views: Uint8Array[] = [];
  const view = (array: Float64Array | Float32Array | Int32Array): number =>
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
    ...(smoothed !== undefined && { smoothed }),
    ...(bones.length > 0 && {
      boneVertices: view(Int32Array.from(bones.flatMap((bone) => Array.from(bone.vertices)))),
    }),
    bones: bones.map((bone, i) => ({
      name: bone.name,
      vertexCount: bone.vertices.length,
      ...(bone.kinematic && { kinematic: true }),
      ...(source === undefined && { node: i + 1 }),
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
    skin: source === undefined ? { node: 0, surfaces: skin.surfaces.map(({ name }) => name), ...flatPieces(skin) } : {},
    clips: clips.map(({ name, duration, frameCount, rotations, rootPlaces, morphs }) => ({
      name,
      duration,
      frameCount,
      rotations: view(rotations),
      rootPlaces: view(rootPlaces),
      ...(morphs && { morphs: view(morphs) }),
    })),
    report: { ...report, notes: [...report.notes], mergedJoints: [...report.mergedJoints] },
  };
  return { name: CHARACTER_EXTENSION, json: json as unknown as JsonObject, views };
}
