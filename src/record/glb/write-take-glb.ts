/**
 * Writes a take as an animated `.glb` that Blender and any glTF viewer plays. Bones are joints of an armature that move; a
 * surface is a mesh that is skinned to them, with weights fitted to how it moved, and what that leaves of the motion is mixed
 * from a few morph targets. Obstacles are nodes.
 */
import { GltfEdit, type OpenObject, TRIANGLES, VERTICES } from '../../io/gltf/gltf-edit.js';
import type { GltfLook } from '../../io/gltf/gltf-model.js';
import { type FitOptions, type FittedBody, fitBody } from '../fit-body.js';
import type { FittedWeights } from '../fit-weights.js';
import { type Frame, motionsOf } from '../formats/bone-frames.js';
import { POSE, type Take, type TakeBody, type TakeObstacle } from '../take.js';
import type { MorphTargets } from '../unit-weights.js';
import { AnimationPart, addLook, addTargets } from './gltf-parts.js';

const OBSTACLE_LOOK: GltfLook = {
  materials: [
    {
      name: 'obstacle',
      pbrMetallicRoughness: { baseColorFactor: [0.4, 0.45, 0.5, 1], roughnessFactor: 0.75, metallicFactor: 0 },
    },
  ],
  textures: [],
  samplers: [],
  images: [],
};

/** The bytes of the file. */
export function writeTakeGlb(take: Take, options: FitOptions = {}): Uint8Array<ArrayBuffer> {
  return fitTakeGlb(take, options).bytes;
}

/** The bytes of the file, and what each body became in it. */
export function fitTakeGlb(
  take: Take,
  options: FitOptions,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly fits: readonly FittedBody[] } {
  const fits = take.bodies.map((body) => fitBody(body, options));
  const edit = new GltfEdit({ json: { asset: { version: '2.0', generator: 'Tendon' } }, resources: new Map() });
  const animation = new AnimationPart(edit, take.times);
  const looks = new Map<GltfLook, number>();
  const lookOf = (look: GltfLook): number => {
    const first = looks.get(look) ?? addLook(edit, look);
    looks.set(look, first);
    return first;
  };
  const roots = [
    ...take.bodies.flatMap((body, i) => addBody(edit, animation, body, lookOf(body.look.gltf), fits[i])),
    ...take.obstacles.map((obstacle) => addObstacle(edit, animation, obstacle, lookOf(OBSTACLE_LOOK))),
  ];
  edit.json.scenes = [{ name: take.name, nodes: roots }];
  edit.json.scene = 0;
  animation.finish('simulation');
  return { bytes: edit.pack() as Uint8Array<ArrayBuffer>, fits };
}

/** A surface and its armature; the numbers of their nodes. */
function addBody(
  edit: GltfEdit,
  animation: AnimationPart,
  body: TakeBody,
  firstMaterial: number,
  { bones, weights, morph, allowed }: FittedBody,
): number[] {
  const joints = bones.map(({ name, poses }) => {
    const node = edit.add('nodes', { name });
    animation.move(node, poses.slice());
    return node;
  });
  const armature = edit.add('nodes', { name: body.name, translation: [...body.offset], children: [...joints] });
  const skin = edit.add('skins', {
    name: body.name,
    joints: [...joints],
    inverseBindMatrices: edit.addAccessor(bindMatrices(bones), 'MAT4'),
  });
  const mesh = addMesh(edit, body, weights, morph, firstMaterial, allowed);
  const surface = edit.add('nodes', { name: `${body.name} skin`, mesh, skin });
  if (morph.targets.length > 0) animation.weigh(surface, morph.weights);
  return [surface, armature];
}

/** The mesh as it was in the first state; its pieces share all vertices. */
function addMesh(
  edit: GltfEdit,
  body: TakeBody,
  { bones, weights }: FittedWeights,
  morph: MorphTargets,
  firstMaterial: number,
  allowed: number,
): number {
  const vertices = { target: VERTICES };
  const few = bones.every((bone) => bone < 256);
  const attributes: OpenObject = {
    POSITION: edit.addAccessor(sumOf(body.positions[0], morph.shift?.positions), 'VEC3', { ...vertices, bounds: true }),
    NORMAL: edit.addAccessor(unitNormals(sumOf(body.normals[0], morph.shift?.normals)), 'VEC3', vertices),
    JOINTS_0: edit.addAccessor(few ? Uint8Array.from(bones) : bones, 'VEC4', vertices),
    WEIGHTS_0: edit.addAccessor(weights, 'VEC4', vertices),
  };
  body.look.uvs.forEach((uvs, set) => {
    attributes[`TEXCOORD_${set}`] = edit.addAccessor(uvs, 'VEC2', vertices);
  });
  if (body.look.colours) attributes.COLOR_0 = edit.addAccessor(body.look.colours, 'VEC3', vertices);
  const targets = addTargets(edit, morph.targets, allowed);
  const primitives = body.look.pieces.map(({ start, count, material }) => {
    const corners = body.triangles.slice(start, start + count);
    return {
      attributes,
      indices: edit.addAccessor(corners, 'SCALAR', { target: TRIANGLES }),
      material: firstMaterial + material,
      ...(targets.length > 0 && { targets }),
    };
  });
  const names = targets.map((_, i) => `shape ${i + 1}`);
  return edit.add('meshes', {
    name: body.name,
    primitives,
    ...(targets.length > 0 && {
      weights: Array.from(morph.weights.subarray(0, targets.length)),
      extras: { targetNames: names },
    }),
  });
}

function addObstacle(
  edit: GltfEdit,
  animation: AnimationPart,
  { name, positions, triangles, poses }: TakeObstacle,
  material: number,
): number {
  const mesh = edit.add('meshes', {
    name,
    primitives: [
      {
        attributes: { POSITION: edit.addAccessor(positions, 'VEC3', { target: VERTICES, bounds: true }) },
        ...(triangles && { indices: edit.addAccessor(triangles, 'SCALAR', { target: TRIANGLES }) }),
        material,
      },
    ],
  });
  const node = edit.add('nodes', { name, mesh });
  animation.move(node, poses.slice());
  return node;
}

/** From where the surface is in the first state to each bone. */
function bindMatrices(bones: readonly { readonly poses: Float32Array }[]): Float32Array {
  const out = new Float32Array(16 * bones.length);
  bones.forEach(({ poses }, bone) => {
    const [back]: Frame[] = motionsOf(Float32Array.from([...poses.subarray(0, POSE), 0, 0, 0, 1, 0, 0, 0])).slice(1);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++) out[16 * bone + 4 * j + i] = back[4 * i + j];
    out[16 * bone + 15] = 1;
  });
  return out;
}

function sumOf(values: Float32Array, more: Float32Array | undefined): Float32Array {
  return more === undefined ? values : values.map((x, i) => x + more[i]);
}

function unitNormals(normals: Float32Array): Float32Array {
  const out = normals.slice();
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.sqrt(out[i] * out[i] + out[i + 1] * out[i + 1] + out[i + 2] * out[i + 2]);
    if (length > 1e-6) for (let k = 0; k < 3; k++) out[i + k] /= length;
    else out.set([0, 1, 0], i);
  }
  return out;
}
