/** Reads `TENDON_character` back. The file may come from anyone: every index and number is checked before it is used. */

import type { BodyDef, BoneDef, JointDef, JointType, MaterialDef, Vec3 } from '../body/body-def.js';
import type { GltfExtension, GltfModel } from '../io/gltf/gltf-model.js';
import { type GltfSource, withoutExtension } from '../io/gltf/gltf-source.js';
import {
  failAt,
  flagOf,
  type JsonPlace,
  listObjects,
  optionalIndex,
  optionalNumbers,
  optionalObject,
  textOf,
  wholeOf,
} from '../io/text/json-fields.js';
import type { BoneInfo, Character, CharacterClip, CharacterReport, JointLimit } from './character.js';
import { enforceLimits } from './enforce-limits.js';
import { isWorn, readSkin } from './read-skin.js';

/** Name of the extension. */
export const CHARACTER_EXTENSION = 'TENDON_character';
/** Version of the extension that is written; others are refused. */
export const CHARACTER_VERSION = 2;

const JOINT_TYPES: readonly string[] = ['ball', 'hinge', 'universal', 'fixed'];
const MATERIAL_MODELS: readonly string[] = ['arap', 'corotated', 'stableNeoHookean'];
const NONE = new Int32Array(0);
const LIMIT_SOURCES: readonly string[] = ['name', 'clip', 'default', 'file'];

/** The character in a model that has one; `source`: the file it was read from. */
export function readCharacterModel(model: GltfModel, source?: GltfSource): Character {
  const extension = model.extensions.find(({ name }) => name === CHARACTER_EXTENSION)!;
  const root: JsonPlace = { object: extension.json, pointer: `/extensions/${CHARACTER_EXTENSION}` };
  const version = wholeOf(root, 'version');
  if (version !== CHARACTER_VERSION) {
    const advice = `this program reads version ${CHARACTER_VERSION}: build the character again with tendon build`;
    failAt(`${root.pointer}/version`, version, advice);
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
  const skin = readSkin(root, model, skeleton);
  const place = optionalObject(root, 'embedding') ?? failAt(`${root.pointer}/embedding`, undefined, 'it is missing');
  const corners = views.indices(place, 'corners', 4, vertexCount);
  const weights = views.doubles(place, 'weights', 4);
  if (corners.length !== weights.length || corners.length / 4 !== skin.positions.length / 3) {
    failAt(`${place.pointer}/corners`, corners.length / 4, `one entry per skin vertex: ${skin.positions.length / 3}`);
  }
  return {
    body: enforceLimits(body, limits),
    skeleton,
    limits,
    skin,
    embedding: { corners, weights },
    clips: listObjects(root, 'clips').map((from) => readClip(from, views, skeleton.length, skin.morphs?.length ?? 0)),
    report: readReport(root),
    ...(root.object.smoothed !== undefined && { smoothed: flagOf(root, 'smoothed') }),
    // a file that was written for the character alone holds nothing else
    ...(source && isWorn(root) && { source: withoutExtension(source, CHARACTER_EXTENSION) }),
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

  floats(from: JsonPlace, key: string, stride: number): Float32Array {
    const values = new Float32Array(this.#bytes(from, key, 4 * stride).slice().buffer);
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) failAt(`${from.pointer}/${key}`, values[bad], 'every number must be finite');
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
  const all = root.object.boneVertices === undefined ? NONE : views.indices(root, 'boneVertices', 1, vertexCount);
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
  const numbers: Record<string, number | readonly number[]> = {};
  for (const key of ['min', 'max', 'swing', 'swingAside', 'twist'] as const) {
    if (from.object[key] !== undefined) numbers[key] = numberOf(from, key);
  }
  for (const [key, length] of [
    ['secondRange', 2],
    ['twistRange', 2],
    ['middle', 4],
  ] as const) {
    const values = optionalNumbers(from, key, length);
    if (values) numbers[key] = [...values];
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

/** A clip: views of the extension. */
function readClip(from: JsonPlace, views: Views, boneCount: number, morphCount: number): CharacterClip {
  const frameCount = wholeOf(from, 'frameCount');
  const duration = numberOf(from, 'duration');
  const rotations = views.floats(from, 'rotations', 4);
  const rootPlaces = views.floats(from, 'rootPlaces', 3);
  if (frameCount < 2 || !(duration > 0) || rootPlaces.length !== 3 * frameCount) {
    failAt(from.pointer, frameCount, 'at least two frames with a place of the root each were expected');
  }
  if (rotations.length !== 4 * frameCount * boneCount) {
    failAt(
      `${from.pointer}/rotations`,
      rotations.length,
      `turns of ${boneCount} bones in ${frameCount} frames were expected`,
    );
  }
  const clip = { name: textOf(from, 'name'), duration, frameCount, rotations, rootPlaces };
  if (from.object.morphs === undefined || morphCount === 0) return clip;
  const morphs = views.floats(from, 'morphs', morphCount);
  if (morphs.length === morphCount * frameCount) return { ...clip, morphs };
  return failAt(`${from.pointer}/morphs`, morphs.length, `weights of ${morphCount} shapes in ${frameCount} frames`);
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
