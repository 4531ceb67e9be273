/**
 * The motion of bones in the words of the file a character came from: which of its nodes turn and move how. Bones were built from
 * joints of the file, one or several each; every such joint goes where its bone goes. Used by the writers of `.glb` files.
 */
import type { Character } from '../../character/character.js';
import { composeMat4, invertMat4, type Mat4, multiplyMat4 } from '../../character/rig/mat4.js';
import { globalMat4s, localMat4, type Rig, readRig } from '../../character/rig/rig.js';
import { findUnits } from '../../character/rig/rig-units.js';
import { TendonError } from '../../errors.js';
import { readGltf } from '../../io/gltf/gltf.js';
import { GltfEdit } from '../../io/gltf/gltf-edit.js';
import type { GltfModel } from '../../io/gltf/gltf-model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import { mat3ToQuat } from '../../math/quat.js';
import { type Frame, motionsOf } from '../formats/bone-frames.js';
import { POSE, type TakeBone } from '../take.js';

/** A character whose skin and bones were recorded. */
export interface ModelMotion {
  readonly character: Character;
  /** Since the first state, increasing [s]. */
  readonly times: readonly number[];
  /** x,y,z per vertex of the skin, one array per state [m]. */
  readonly positions: readonly Float32Array[];
  /** The character's bones, in their order. */
  readonly bones: readonly TakeBone[];
  /** Where the bones' centres of mass are at rest, 3 per bone [m]. */
  readonly centres: ArrayLike<number>;
}

/** The file of a character, opened to be added to. */
export interface OpenedModel {
  readonly edit: GltfEdit;
  readonly model: GltfModel;
  readonly rig: Rig;
  /** From the file's space to metres and y up, and back. */
  readonly units: Mat4;
  readonly back: Mat4;
  /** Bone that each node is a joint of. */
  readonly boneOfNode: ReadonlyMap<number, number>;
}

/** How a node turns (quaternions) and where it goes, one entry per state. */
export interface NodeTrack {
  readonly turns: Float32Array;
  readonly places: Float32Array;
}

/** Where all nodes are. */
export interface MovedNodes {
  /** Global transforms of all nodes, by state. */
  readonly globals: readonly (readonly Mat4[])[];
  /** Of the nodes that bones move. */
  readonly tracks: ReadonlyMap<number, NodeTrack>;
}

/** Opens the file a character came from. */
export async function openModel({ source, skeleton, skin }: Character): Promise<OpenedModel> {
  if (source === undefined) {
    throw new TendonError('E_EMPTY', 'character/source', undefined, 'the character did not come from a glTF');
  }
  const edit = new GltfEdit(source);
  const model = await readGltf(edit.pack());
  const rig = readRig(model, []);
  if (rig.positions.length !== skin.positions.length) {
    const advice = `the file has ${rig.positions.length / 3} vertices`;
    throw new TendonError('E_FORMAT', 'character/skin', skin.positions.length / 3, advice);
  }
  const units = findUnits(rig, []).transform;
  const boneOf = new Map(skeleton.flatMap(({ sources }, bone) => sources.map((name) => [name, bone] as const)));
  const boneOfNode = new Map<number, number>();
  for (const { name, node } of rig.joints) if (boneOf.has(name)) boneOfNode.set(node, boneOf.get(name)!);
  return { edit, model, rig, units, back: invertMat4(units)!, boneOfNode };
}

/** Motion of each bone from the rest shape, by state [m]. */
export function boneMotions({ bones, centres }: Pick<ModelMotion, 'bones' | 'centres'>): Frame[][] {
  return bones.map(({ poses }, bone) => {
    const all = new Float32Array(POSE + poses.length);
    all.set([0, 0, 0, 1, centres[3 * bone], centres[3 * bone + 1], centres[3 * bone + 2]]);
    all.set(poses, POSE);
    return motionsOf(all).slice(1);
  });
}

/** A motion in metres as a transform of the file's space. */
export function inFile({ units, back }: Pick<OpenedModel, 'units' | 'back'>, frame: Frame): Mat4 {
  const moved = Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++) moved[4 * j + i] = frame[4 * i + j];
  return multiplyMat4(multiplyMat4(back, moved), units);
}

/** Global transforms of a model as it stands. */
export function restGlobals(model: GltfModel): Mat4[] {
  return globalMat4s(model, (node) => localMat4(model.nodes[node]));
}

/**
 * Moves nodes: `motionOf` gives how a node leaves its place at rest, by state, in the file's space. Nodes only turn and move, as
 * rigid bones do; where scales above them would shear them they are as near as they can be.
 */
export function moveNodes(
  model: GltfModel,
  stateCount: number,
  motionOf: (node: number) => readonly Mat4[] | undefined,
): MovedNodes {
  const rest = restGlobals(model);
  const motions = model.nodes.map((_, node) => motionOf(node));
  const tracks = new Map<number, NodeTrack>();
  motions.forEach((motion, node) => {
    if (motion) tracks.set(node, { turns: new Float32Array(4 * stateCount), places: new Float32Array(3 * stateCount) });
  });
  const globals = Array.from({ length: stateCount }, (_, state) => {
    const now: Mat4[] = new Array(model.nodes.length);
    for (const node of model.nodeOrder) {
      const { parent, scale } = model.nodes[node];
      const track = tracks.get(node);
      let local = localMat4(model.nodes[node]);
      if (track !== undefined) {
        const wanted = multiplyMat4(motions[node]![state], rest[node]);
        const inverse = parent < 0 ? undefined : invertMat4(now[parent]);
        local = turnAndPlace(inverse ? multiplyMat4(inverse, wanted) : wanted, scale, track, state);
      }
      now[node] = parent < 0 ? local : multiplyMat4(now[parent], local);
    }
    return now;
  });
  return { globals, tracks };
}

/** Writes the rotation and the place in a transform into a track; the transform these give, as numbers of the file round it. */
function turnAndPlace(local: Mat4, scale: ArrayLike<number>, { turns, places }: NodeTrack, state: number): Mat4 {
  const linear = new Float64Array(9);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) linear[3 * i + j] = local[4 * j + i] / (scale[j] || 1);
  const rotation = new Float64Array(9);
  polarRotation(rotation, 0, linear, 0, new Float64Array(POLAR_SCRATCH_LENGTH), 0);
  mat3ToQuat(turns, 4 * state, rotation, 0);
  places.set(local.subarray(12, 15), 3 * state);
  return composeMat4(places.subarray(3 * state, 3 * state + 3), turns.subarray(4 * state, 4 * state + 4), scale);
}
