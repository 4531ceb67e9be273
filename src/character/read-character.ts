/** Reads `TENDON_character` back. The file may come from anyone: every index and number is checked before it is used. */
import type { BodyDef, BoneDef, JointDef, JointType, MaterialDef, Vec3 } from '../body/body-def.js';
import type { GltfExtension, GltfModel } from '../io/gltf/gltf-model.js';
import {
  failAt,
  type JsonPlace,
  listObjects,
  optionalIndex,
  optionalNumbers,
  optionalObject,
  textOf,
  wholeOf,
} from '../io/text/json-fields.js';
import type { BoneInfo, Character, CharacterClip, CharacterReport, CharacterSkin, JointLimit } from './character.js';

/** Name of the extension. */
export const CHARACTER_EXTENSION = 'TENDON_character';
/** Version of the extension that is written; others are refused. */
export const CHARACTER_VERSION = 1;

const JOINT_TYPES: readonly string[] = ['ball', 'hinge', 'universal', 'fixed'];
const MATERIAL_MODELS: readonly string[] = ['arap', 'corotated', 'stableNeoHookean'];
const LIMIT_SOURCES: readonly string[] = ['name', 'clip', 'default', 'file'];

/** The character in a model that has one. */
export function readCharacterModel(model: GltfModel): Character {
  const extension = model.extensions.find(({ name }) => name === CHARACTER_EXTENSION)!;
  const root: JsonPlace = { object: extension.json, pointer: `/extensions/${CHARACTER_EXTENSION}` };
  const version = wholeOf(root, 'version');
  if (version !== CHARACTER_VERSION) {
    failAt(`${root.pointer}/version`, version, `this program reads version ${CHARACTER_VERSION}`);
  }
  const views = new Views(extension);
  const positions = views.doubles(root, 'positions', 3);
  const vertexCount = positions.length / 3;
  const tets = views.indices(root, 'tets', 4, vertexCount);
  const { bones, skeleton } = readBones(root, views, vertexCount);
  const { joints, limits } = readJoints(root);
  const regions = root.object.regions === undefined ? undefined : views.indices(root, 'regions', 1, 65536);
  const pins = root.object.pins === undefined ? undefined : views.indices(root, 'pins', 1, vertexCount);
  const body: BodyDef = {
    name: textOf(root, 'name'),
    positions,
    tets,
    bones,
    joints,
    materials: listObjects(root, 'materials').map(readMaterial),
    ...(regions && { regions }),
    ...(pins && { pins }),
  };
  const skin = readSkin(root, model, bones.length);
  const place = optionalObject(root, 'embedding') ?? failAt(`${root.pointer}/embedding`, undefined, 'it is missing');
  const corners = views.indices(place, 'corners', 4, vertexCount);
  const weights = views.doubles(place, 'weights', 4);
  if (corners.length !== weights.length || corners.length / 4 !== skin.positions.length / 3) {
    failAt(`${place.pointer}/corners`, corners.length / 4, `one entry per skin vertex: ${skin.positions.length / 3}`);
  }
  return {
    body,
    skeleton,
    limits,
    skin,
    embedding: { corners, weights },
    clips: listObjects(root, 'clips').map((from, i) => readClip(from, model, i, skeleton)),
    report: readReport(root),
  };
}

/** The arrays of the extension, copied so that they are aligned. */
class Views {
  readonly #views: readonly Uint8Array[];

  constructor(extension: GltfExtension) {
    this.#views = extension.views;
  }

  doubles(from: JsonPlace, key: string, stride: number): Float64Array {
    const bytes = this.#bytes(from, key, 8 * stride);
    const values = new Float64Array(bytes.slice().buffer);
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(values[i])) failAt(`${from.pointer}/${key}`, values[i], 'every number must be finite');
    }
    return values;
  }

  indices(from: JsonPlace, key: string, stride: number, count: number): Int32Array {
    const bytes = this.#bytes(from, key, 4 * stride);
    const values = new Int32Array(bytes.slice().buffer);
    for (let i = 0; i < values.length; i++) {
      if (values[i] < 0 || values[i] >= count) failAt(`${from.pointer}/${key}`, values[i], `must be below ${count}`);
    }
    return values;
  }

  #bytes(from: JsonPlace, key: string, multiple: number): Uint8Array {
    const index = optionalIndex(from, key, this.#views.length);
    if (index === undefined) failAt(`${from.pointer}/${key}`, undefined, 'the number of a view was expected');
    const bytes = this.#views[index];
    if (bytes.length % multiple !== 0) {
      failAt(`${from.pointer}/${key}`, bytes.length, `the view must hold a multiple of ${multiple} bytes`);
    }
    return bytes;
  }
}

function readBones(root: JsonPlace, views: Views, vertexCount: number): { bones: BoneDef[]; skeleton: BoneInfo[] } {
  const all = views.indices(root, 'boneVertices', 1, vertexCount);
  let at = 0;
  const bones: BoneDef[] = [];
  const skeleton: BoneInfo[] = [];
  for (const from of listObjects(root, 'bones')) {
    const count = wholeOf(from, 'vertexCount');
    if (!(count > 0 && at + count <= all.length)) {
      failAt(`${from.pointer}/vertexCount`, count, `there are ${all.length - at} bone vertices left`);
    }
    const name = textOf(from, 'name');
    const vertices = all.slice(at, at + count);
    at += count;
    bones.push(from.object.kinematic === true ? { name, vertices, kinematic: true } : { name, vertices });
    const { parent } = from.object;
    if (!(typeof parent === 'number' && Number.isInteger(parent) && parent >= -1 && parent < skeleton.length)) {
      failAt(`${from.pointer}/parent`, parent, 'a bone before this one was expected, or -1');
    }
    if (parent === -1 && skeleton.length > 0)
      failAt(`${from.pointer}/parent`, parent, 'only the first bone is the root');
    const sources = Array.isArray(from.object.sources) ? from.object.sources.filter(isText) : [];
    skeleton.push({ name, parent, place: vectorOf(from, 'place'), tip: vectorOf(from, 'tip'), sources });
  }
  if (at !== all.length) failAt(`${root.pointer}/boneVertices`, all.length, `the bones have ${at} vertices`);
  return { bones, skeleton };
}

function readJoints(root: JsonPlace): { joints: JointDef[]; limits: JointLimit[] } {
  const joints: JointDef[] = [];
  const limits: JointLimit[] = [];
  for (const from of listObjects(root, 'joints')) {
    const name = textOf(from, 'name');
    const type = oneOf(from, 'type', JOINT_TYPES) as JointType;
    const { bones } = from.object;
    if (!Array.isArray(bones) || !bones.every(isText)) failAt(`${from.pointer}/bones`, bones, 'names were expected');
    const axis = optionalNumbers(from, 'axis', 3);
    const second = optionalNumbers(from, 'secondAxis', 3);
    joints.push({
      name,
      type,
      bones: bones as readonly string[],
      anchor: vectorOf(from, 'anchor'),
      ...(axis && { axis: vectorOf(from, 'axis') }),
      ...(second && { secondAxis: vectorOf(from, 'secondAxis') }),
    });
    const limit = optionalObject(from, 'limit');
    if (limit !== undefined) limits.push(readLimit(limit, name));
  }
  return { joints, limits };
}

function readLimit(from: JsonPlace, joint: string): JointLimit {
  const numbers: { min?: number; max?: number; swing?: number; twist?: number } = {};
  for (const key of ['min', 'max', 'swing', 'twist'] as const) {
    if (from.object[key] !== undefined) numbers[key] = numberOf(from, key);
  }
  return { joint, ...numbers, from: oneOf(from, 'from', LIMIT_SOURCES) as JointLimit['from'] };
}

function readMaterial(from: JsonPlace): MaterialDef {
  return {
    model: oneOf(from, 'model', MATERIAL_MODELS) as MaterialDef['model'],
    youngModulus: numberOf(from, 'youngModulus'),
    poissonRatio: numberOf(from, 'poissonRatio'),
    density: numberOf(from, 'density'),
  };
}

/** The skin, put together from the parts of its mesh. */
function readSkin(root: JsonPlace, model: GltfModel, boneCount: number): CharacterSkin {
  const place = optionalObject(root, 'skin') ?? failAt(`${root.pointer}/skin`, undefined, 'it is missing');
  const node = optionalIndex(place, 'node', model.nodes.length) ?? 0;
  const mesh = model.nodes[node]?.mesh;
  if (mesh === undefined) failAt(`${place.pointer}/node`, node, 'a node with a mesh was expected');
  const { primitives } = model.meshes[mesh];
  const names = Array.isArray(place.object.surfaces) ? place.object.surfaces : [];
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
      name: isText(names[i]) ? names[i] : '',
      vertexStart,
      vertexCount,
      indexStart,
      indexCount: primitive.indices.length,
      uvs: primitive.uvs,
      ...(primitive.material !== undefined && { material: primitive.material }),
    };
    vertexStart += vertexCount;
    indexStart += primitive.indices.length;
    return surface;
  });
  return { ...skin, surfaces, look: model.look };
}

/** A clip from the animation of the same number: rotations of all bone nodes, translation of the root's. */
function readClip(from: JsonPlace, model: GltfModel, index: number, skeleton: readonly BoneInfo[]): CharacterClip {
  const frameCount = wholeOf(from, 'frameCount');
  const duration = numberOf(from, 'duration');
  const animation = model.clips[index];
  if (animation === undefined || frameCount < 2 || frameCount > 1e6 || !(duration > 0)) {
    failAt(from.pointer, frameCount, 'an animation with at least two frames was expected');
  }
  const rotations = new Float32Array(4 * frameCount * skeleton.length);
  let rootPlaces: Float32Array | undefined;
  let found = 0;
  for (const { node, path, values } of animation.channels) {
    const bone = node - 1;
    if (bone < 0 || bone >= skeleton.length) continue;
    if (path === 'translation' && bone === 0 && values.length === 3 * frameCount) rootPlaces = values.slice();
    if (path !== 'rotation' || values.length !== 4 * frameCount) continue;
    found++;
    for (let frame = 0; frame < frameCount; frame++) {
      for (let k = 0; k < 4; k++) rotations[4 * (frame * skeleton.length + bone) + k] = values[4 * frame + k];
    }
  }
  if (found !== skeleton.length || rootPlaces === undefined) {
    failAt(from.pointer, found, `rotations of ${skeleton.length} bones and the root's translation were expected`);
  }
  return { name: textOf(from, 'name'), duration, frameCount, rotations, rootPlaces };
}

function readReport(root: JsonPlace): CharacterReport {
  const from = optionalObject(root, 'report') ?? { object: {}, pointer: `${root.pointer}/report` };
  const texts = (key: string): string[] => {
    const list = from.object[key];
    return Array.isArray(list) ? list.filter(isText) : [];
  };
  const number = (key: string, fallback: number): number =>
    from.object[key] === undefined ? fallback : numberOf(from, key);
  return {
    notes: texts('notes'),
    unitScale: number('unitScale', 1),
    cell: number('cell', 0),
    skinVolume: number('skinVolume', 0),
    mass: number('mass', 0),
    mergedJoints: texts('mergedJoints'),
  };
}

function numberOf(from: JsonPlace, key: string): number {
  const value = from.object[key];
  if (typeof value !== 'number' || !Number.isFinite(value))
    failAt(`${from.pointer}/${key}`, value, 'a number was expected');
  return value;
}

function vectorOf(from: JsonPlace, key: string): Vec3 {
  const v = optionalNumbers(from, key, 3);
  if (v === undefined) failAt(`${from.pointer}/${key}`, undefined, 'three numbers were expected');
  return [v[0], v[1], v[2]];
}

function oneOf(from: JsonPlace, key: string, words: readonly string[]): string {
  const value = textOf(from, key);
  if (!words.includes(value)) failAt(`${from.pointer}/${key}`, value, `use ${words.join(', ')}`);
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
