/**
 * From a rigged model to a character of bones and skin for the layered solver, with no options: nodes are the welded vertices of
 * its skin with the file's weights, joints that own skin become bones, the rest follows from the surface.
 */
import type { JointDef, MaterialDef, Vec3 } from '../../../body/body-def.js';
import type { LayerBoneDef, LayerDef } from '../../../body/kinds/layer-def.js';
import { TendonError } from '../../../errors.js';
import type { GltfModel } from '../../../io/gltf/gltf-model.js';
import type { Embedding } from '../../../mesh/embedding.js';
import { turnOutward, weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import { largestExtent } from '../../../mesh/tets/tet-mesh.js';
import type { BoneInfo, Character, CharacterClip, CharacterSkin, JointLimit } from '../../character.js';
import { limitJoints } from '../../enforce-limits.js';
import { planBones, type SkeletonPlan } from '../../rig/rig-bones.js';
import { sampleClips } from '../../rig/rig-clips.js';
import { INFLUENCES } from '../../rig/rig-collector.js';
import { dressBones, readRiggedSkin } from '../../rig/rigged-skin.js';
import { guessJoints, LIVING_FLESH, scaleFlesh } from '../rigged.js';

/** A character whose body is its skin over bones. */
export interface LayerCharacter {
  readonly body: LayerDef;
  /** The skeleton as a tree, one entry per bone of the body, parents first. */
  readonly skeleton: readonly BoneInfo[];
  readonly joints: readonly JointDef[];
  readonly limits: readonly JointLimit[];
  readonly skin: CharacterSkin;
  /** Node of the body for each vertex of the skin. */
  readonly nodeOfVertex: Int32Array;
  /** The same as an embedding, for whoever shows characters of all kinds. */
  readonly embedding: Embedding;
  readonly clips: readonly CharacterClip[];
  /** What was odd and how it was taken. */
  readonly notes: readonly string[];
}

/** How to build one. */
export interface LayerCharacterOptions {
  /** Name of the body; default 'character'. */
  readonly name?: string;
  /** What lies between skin and bone; default flesh, stiffer for bodies larger than a human. */
  readonly material?: MaterialDef;
}

/** Share of the skin a joint must own to become a bone. */
const LEAST_SKIN = 1e-3;

/** Builds a layered character from a model. */
export function buildLayered(model: GltfModel, options: LayerCharacterOptions = {}): LayerCharacter {
  const notes: string[] = [...model.warnings];
  noteWeights(model, notes);
  const skinned = readRiggedSkin(model, notes);
  const { rig, transform, positions, places, parents } = skinned;
  if (rig.joints.length === 0) {
    throw new TendonError(
      'E_EMPTY',
      'model/skins',
      0,
      'the layered solver needs a rigged model: this one has no joints',
    );
  }
  const { areas } = skinned.owners;
  const names = rig.joints.map(({ name }) => name);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const plan = planBones({ names, parents, places, areas }, LEAST_SKIN * total);
  const skeleton = planSkeleton(plan, names, places);
  const merged = skeleton.flatMap(({ sources }) => sources.slice(1));
  if (merged.length > 0) notes.push(`joints merged into their bone: ${merged.join(', ')}`);
  const nodes = plan.bones.map(({ joint }) => rig.joints[joint].node);
  const size = largestExtent(positions);
  const clips = sampleClips(model, plan.bones, nodes, transform, size, [], notes);
  const { joints, limits } = guessJoints(skeleton, clips);
  const skin = dressBones(skinned, plan.boneOfJoint, model.look);
  const material = options.material ?? scaleFlesh(size);
  return assemble(options.name ?? 'character', skin, skeleton, joints, limits, clips, material, notes);
}

/** The layered body of a character that was built for another solver: same skin, same bones, same motions. */
export function layerOfCharacter(character: Character, options: LayerCharacterOptions = {}): LayerCharacter {
  const { skin, skeleton, body, limits, clips, report } = character;
  if (skeleton.length === 0) {
    throw new TendonError(
      'E_EMPTY',
      'character/skeleton',
      0,
      'the layered solver needs bones: this character has none',
    );
  }
  const material = options.material ?? LIVING_FLESH;
  return assemble(options.name ?? body.name, skin, skeleton, body.joints ?? [], limits, clips, material, [
    ...report.notes,
  ]);
}

/** Weights of a vertex that add up to no more or less than this far from one are as good as right: files keep them as bytes. */
const WEIGHT_ROUNDING = 0.02;

/** Weights are scaled to add up to one; says where that changes anything. */
function noteWeights({ meshes }: GltfModel, notes: string[]): void {
  let wrong = 0;
  for (const { weights } of meshes.flatMap(({ primitives }) => primitives)) {
    if (weights === undefined) continue;
    for (let v = 0; v < weights.length; v += INFLUENCES) {
      const sum = weights[v] + weights[v + 1] + weights[v + 2] + weights[v + 3];
      if (!(Math.abs(sum - 1) <= WEIGHT_ROUNDING)) wrong++;
    }
  }
  if (wrong > 0) notes.push(`the weights of ${wrong} vertices did not add up to 1 and were scaled`);
}

function assemble(
  name: string,
  skin: CharacterSkin,
  skeleton: readonly BoneInfo[],
  joints: readonly JointDef[],
  limits: readonly JointLimit[],
  clips: readonly CharacterClip[],
  material: MaterialDef,
  notes: string[],
): LayerCharacter {
  const welded = weldVertices(skin.positions, skin.triangles);
  const { mesh, turned } = turnOutward(welded);
  if (turned > 0) notes.push(`${turned} piece(s) of the skin faced inward and were turned`);
  const { owners, weights } = weldWeights(skin, welded.vertexOf, welded.positions.length / 3);
  const limited = limitJoints(joints, limits);
  const body: LayerDef = {
    kind: 'layer',
    name,
    positions: mesh.positions,
    triangles: mesh.triangles,
    bones: skeleton.map((bone) => layerBone(bone, limited)),
    owners,
    weights,
    material,
  };
  const corners = new Int32Array(4 * welded.vertexOf.length);
  welded.vertexOf.forEach((node, v) => {
    corners.fill(node, 4 * v, 4 * v + 4);
  });
  const first = Float64Array.from({ length: corners.length }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const embedding = { corners, weights: first };
  return { body, skeleton, joints, limits, skin, nodeOfVertex: welded.vertexOf, embedding, clips, notes };
}

function planSkeleton(plan: SkeletonPlan, names: readonly string[], places: readonly Vec3[]): BoneInfo[] {
  return plan.bones.map(({ name, parent, place, joints }, bone) => {
    const children = plan.bones.filter((other) => other.parent === bone);
    const ends = children.length > 0 ? children.map((child) => child.place) : joints.slice(1).map((j) => places[j]);
    const mean = (k: number): number => ends.reduce((sum, end) => sum + end[k], 0) / ends.length;
    const tip: Vec3 = ends.length > 0 ? [mean(0), mean(1), mean(2)] : place;
    return { name, parent, place, tip, sources: joints.map((joint) => names[joint]) };
  });
}

function layerBone({ name, parent, place }: BoneInfo, joints: readonly JointDef[]): LayerBoneDef {
  const joint = joints.find(({ bones }) => bones[1] === name);
  if (joint === undefined || parent < 0) return { name, parent, place };
  const { type, axis, secondAxis, limits, motor } = joint;
  return { name, parent, place, joint: type, axis, secondAxis, limits, motor };
}

/** Weights of nodes: the mean of the vertices that became one, its four strongest. */
function weldWeights(skin: CharacterSkin, nodeOfVertex: Int32Array, nodeCount: number) {
  const sums: Map<number, number>[] = Array.from({ length: nodeCount }, () => new Map());
  nodeOfVertex.forEach((node, v) => {
    for (let k = INFLUENCES * v; k < INFLUENCES * v + INFLUENCES; k++) {
      const weight = skin.boneWeights[k];
      if (weight > 0) sums[node].set(skin.bones[k], (sums[node].get(skin.bones[k]) ?? 0) + weight);
    }
  });
  const owners = new Int32Array(INFLUENCES * nodeCount);
  const weights = new Float64Array(INFLUENCES * nodeCount);
  sums.forEach((sum, node) => {
    const strongest = [...sum].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, INFLUENCES);
    const total = strongest.reduce((all, [, weight]) => all + weight, 0);
    if (strongest.length === 0) weights[INFLUENCES * node] = 1;
    strongest.forEach(([bone, weight], k) => {
      owners[INFLUENCES * node + k] = bone;
      weights[INFLUENCES * node + k] = weight / total;
    });
  });
  return { owners, weights };
}
