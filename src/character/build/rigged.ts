/**
 * From a rigged glTF model to a character, with no options: the skin as it stands is filled with tetrahedra, the joints that
 * own enough skin become bones inside the flesh, and the model's motions are kept.
 */

import type { BodyDef, JointDef, MaterialDef, Vec3 } from '../../body/body-def.js';
import { MATERIALS } from '../../body/materials.js';
import type { GltfModel } from '../../io/gltf/gltf-model.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import type { BoneInfo, Character, JointLimit } from '../character.js';
import { enforceLimits } from '../enforce-limits.js';
import { guessJoint } from '../rig/joint-guess.js';
import { sampleClips } from '../rig/rig-clips.js';
import { dressBones, readRiggedSkin } from '../rig/rigged-skin.js';
import { addBellies } from './belly-fibres.js';
import { fitBones } from './bones/bone-fitting.js';
import { fitDetailed } from './detail.js';
import { FLESH } from './flesh.js';
import { bindHard, findHardPieces } from './hard-pieces.js';
import { makeFlesh } from './make-flesh.js';
import type { MaterialWish, RegionWish } from './regions.js';
import { embedSkin } from './skin-binding.js';

/** How to build a character. */
export interface BuildOptions {
  /** Name of the body; default 'character'. */
  readonly name?: string;
  /** Side of the lattice cubes [m]. */
  readonly cell?: number;
  /** Tetrahedra to aim for; default 6000. */
  readonly tets?: number;
  /** Finer flesh around hands and heads, or around joints of these names (`*`: any letters) and all that hangs on them; default false. */
  readonly detail?: boolean | readonly string[];
  /** What the flesh is made of; default as soft as relaxed muscle, see `scaleFlesh`. */
  readonly material?: MaterialWish;
  /** Parts that are made of something else; of several that name a place the last counts. */
  readonly regions?: readonly RegionWish[];
  /** A layer of fat under the skin that moves visibly: true, or how deep it is [m]; default none. */
  readonly fat?: boolean | number;
  /** What all of it weighs [kg]; default the density times the volume inside the skin. */
  readonly mass?: number;
  /** Whether pieces of the skin that follow one bone alone are rigid with it; default true. */
  readonly hardParts?: boolean;
  /** Whether tets share strains, so that few of them are as soft as many (`smoothed` of the projective solver); default true. */
  readonly smoothed?: boolean;
  /** Muscles in the limbs that work as the motors of their joints do, see `addBellies`; default false. Character files do not keep them. */
  readonly muscles?: boolean;
  /** Called with what is being done and how much of all is done, 0 to 1. */
  readonly progress?: (stage: string, share: number) => void;
}

/**
 * Flesh of characters that bend far: of the same stiffness as FLESH, but it resists being turned inside out. Fox running: 0.26
 * % inverted tets at worst instead of 0.58 %, man hanging limp 0.19 % instead of 0.32 %, at the same cost.
 */
export const LIVING_FLESH: MaterialDef = { ...FLESH, model: 'stableNeoHookean' };

/** Height of a human [m]: larger bodies of the same flesh would sag. */
const HUMAN_SIZE = 1.8;

/** Builds a character from a model. Throws a TendonError where there is nothing to build from. */
export function buildRigged(model: GltfModel, options: BuildOptions = {}): Character {
  const notes: string[] = [...model.warnings];
  const progress = options.progress ?? (() => {});
  progress('reading', 0);
  const { rig, transform, scale, positions, places, parents, welded, outer, owners } = readRiggedSkin(model, notes);
  progress('filling the skin', 0.1);
  const names = rig.joints.map(({ name }) => name);
  const facts = { names, parents, places, areas: owners.areas };
  const { detail = false } = options;
  const fitted = detail
    ? fitDetailed(outer, facts, owners, { ...options, detail }, notes)
    : fitBones(outer, facts, owners, options, notes);

  progress('binding the skin', 0.7);
  const { mesh, bones, boneOfJoint } = fitted;
  const skeleton: BoneInfo[] = bones.map(({ name, parent, place, joints, tip }) => ({
    name,
    parent,
    place,
    tip,
    sources: joints.map((joint) => names[joint]),
  }));
  const nodes = bones.map(({ joint }) => rig.joints[joint].node);
  const morphNames = rig.morphs.map(({ name }) => name);
  const clips =
    bones.length > 0 ? sampleClips(model, bones, nodes, transform, largestExtent(positions), morphNames, notes) : [];
  const { joints, limits } = guessJoints(skeleton, clips);
  const size = largestExtent(positions);
  const site = {
    ...{ mesh, partOfVertex: fitted.partOfVertex, skeleton, boneVertices: bones.map(({ vertices }) => vertices) },
    ...{ outer, vertexOf: welded.vertexOf, surfaces: rig.surfaces, groups: rig.groups, size },
  };
  const wishes = { ...options, material: options.material ?? scaleFlesh(size) };
  const { materials, regions, mass } = makeFlesh(site, wishes, fitted.solidVolume, notes);
  const body: BodyDef = {
    name: options.name ?? 'character',
    positions: mesh.positions,
    tets: mesh.tets,
    bones: bones.map(({ name, vertices }) => ({ name, vertices })),
    joints,
    materials,
    ...(regions && { regions }),
  };
  const skin = dressBones({ rig, transform, positions, welded }, boneOfJoint, model.look);
  const boneOf = (v: number): number => (bones.length === 0 ? 0 : owners.shareOfVertex(boneOfJoint, v)[0]);
  const embedding = embedSkin(fitted, outer, boneOf, welded.vertexOf, positions);
  if (bones.length > 0 && options.hardParts !== false) {
    const hard = findHardPieces(outer, (v) => owners.shareOfVertex(boneOfJoint, v));
    if (hard.count > 0) notes.push(`${hard.count} piece(s) of the skin follow one bone each and are rigid with it`);
    const boneOfShown = Int32Array.from(welded.vertexOf, (v) => hard.boneOf[v]);
    bindHard(embedding, mesh, positions, boneOfShown, bones);
  }
  const mergedJoints = skeleton.flatMap(({ sources }) => sources.slice(1));
  if (mergedJoints.length > 0) notes.push(`joints merged into their bone: ${mergedJoints.join(', ')}`);
  progress('done', 1);
  const report = {
    notes,
    unitScale: scale,
    cell: fitted.cell,
    skinVolume: fitted.solidVolume,
    mass,
    mergedJoints,
  };
  const limited = enforceLimits(body, limits);
  const made = { body: options.muscles ? addBellies(limited) : limited, skeleton, limits, skin, embedding, clips };
  return { ...made, report, smoothed: options.smoothed ?? true };
}

/** Flesh as soft as relaxed muscle, stiffer for bodies larger than a human [m] so that they keep their shape. */
export function scaleFlesh(size: number): MaterialDef {
  return { ...LIVING_FLESH, youngModulus: MATERIALS.muscle.youngModulus * Math.max(1, size / HUMAN_SIZE) };
}

/** Joints between all bones and their parents. */
export function guessJoints(
  skeleton: readonly BoneInfo[],
  clips: Character['clips'],
): { joints: JointDef[]; limits: JointLimit[] } {
  const joints: JointDef[] = [];
  const limits: JointLimit[] = [];
  const straight: Vec3 = [1, 0, 0];
  skeleton.forEach(({ parent }, bone) => {
    if (parent < 0) return;
    const guess = guessJoint(skeleton, bone, clips, straight);
    joints.push(guess.joint);
    limits.push(guess.limit);
  });
  return { joints, limits };
}
