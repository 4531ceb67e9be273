/**
 * From a rigged glTF model to a character, with no options: the skin as it stands is filled with tetrahedra, the joints that
 * own enough skin become bones inside the flesh, and the model's motions are kept.
 */
import type { BodyDef, JointDef, MaterialDef, Vec3 } from '../body/body-def.js';
import type { GltfModel } from '../io/gltf-model.js';
import { keepConnected } from '../mesh/keep-connected.js';
import { fillSkin } from '../mesh/skin-lattice.js';
import { largestExtent, meshVolume } from '../mesh/tet-mesh.js';
import { countOpenEdges, turnOutward, weldVertices } from '../mesh/triangle-mesh.js';
import { shapeBones, takeVertices } from './bone-shapes.js';
import type { BoneInfo, Character, CharacterSkin, JointLimit } from './character.js';
import { FLESH } from './flesh.js';
import { guessJoint } from './joint-guess.js';
import { transformPoint } from './mat4.js';
import { INFLUENCES, type Rig, readRig } from './rig.js';
import { boneDistances, planBones, type SkeletonPlan } from './rig-bones.js';
import { sampleClips } from './rig-clips.js';
import { findParents } from './rig-hierarchy.js';
import { findUnits } from './rig-units.js';
import { embedSkin } from './skin-binding.js';
import { fillNormals } from './skin-normals.js';
import { ownSkin } from './skin-owners.js';

/** How to build a character. */
export interface BuildOptions {
  /** Name of the body; default 'character'. */
  readonly name?: string;
  /** Side of the lattice cubes [m]. */
  readonly cell?: number;
  /** Tetrahedra to aim for; default 6000. */
  readonly tets?: number;
  /** What the flesh is made of; default FLESH, stiffer for bodies larger than a human so that they keep their shape. */
  readonly material?: MaterialDef;
  /** Called with what is being done and how much of all is done, 0 to 1. */
  readonly progress?: (stage: string, share: number) => void;
}

/** Height of a human [m]: larger bodies of the same flesh would sag. */
const HUMAN_SIZE = 1.8;
/** Skin a bone needs, in faces of lattice cubes: less cannot hold the vertices of a bone. */
const MIN_BONE_FACES = 2.5;
/** A joint that fails to find room in the flesh is merged and the choice made again, this often at most. */
const MAX_ROUNDS = 8;

/** Builds a character from a model. Throws a TendonError where there is nothing to build from. */
export function buildRigged(model: GltfModel, options: BuildOptions = {}): Character {
  const notes: string[] = [...model.warnings];
  const progress = options.progress ?? (() => {});
  progress('reading', 0);
  const raw = readRig(model, notes);
  const { transform, scale } = findUnits(raw, notes);
  const positions = new Float32Array(raw.positions.length);
  for (let i = 0; i < positions.length; i += 3) positions.set(transformPoint(transform, raw.positions, i), i);
  const places = raw.joints.map(({ node }) =>
    transformPoint(transform, transformPoint(raw.globals[node], [0, 0, 0], 0), 0),
  );
  const welded = weldVertices(positions, raw.triangles);
  const { mesh: outer, turned } = turnOutward(welded);
  if (turned > 0) notes.push(`${turned} piece(s) of the skin faced inward and were turned`);
  const open = countOpenEdges(outer);
  if (open > 0) notes.push(`the skin has ${open} open edges: its inside was found by winding numbers`);

  const parents = findParents(raw.joints, places, notes);
  const owners = ownSkin(raw, welded, outer, parents, places, notes);
  const names = raw.joints.map(({ name }) => name);
  const areas = owners.areas.slice();
  let plan: SkeletonPlan | undefined;
  const planFor = (cell: number): SkeletonPlan =>
    planBones({ names, parents, places, areas }, MIN_BONE_FACES * cell * cell);
  progress('filling the skin', 0.1);
  const hasBones = raw.joints.length > 0;
  let cell = options.cell;
  for (let round = 0; ; round++) {
    const filled = fillSkin(outer, {
      cell,
      tets: options.tets,
      parts: hasBones
        ? (size) => {
            plan = planFor(size);
            return { ofTriangle: owners.boneOfTriangle(plan), distance: boneDistances(plan.bones) };
          }
        : undefined,
    });
    cell = filled.cell;
    progress('placing bones', 0.5);
    const boneOfVertex = plan === undefined ? new Int32Array(0) : owners.boneOfVertex(plan);
    const shapes = plan === undefined ? [] : shapeBones(plan.bones, { positions: outer.positions, boneOfVertex });
    const kept = keepConnected(filled, notes, round);
    const vertices = takeVertices(shapes, kept.mesh.positions, kept.partOfVertex, cell);
    const failed = vertices.indexOf(undefined);
    if (plan !== undefined && failed >= 0 && plan.bones.length > 1 && round < MAX_ROUNDS) {
      // no room for this one: give its skin to the bone it hangs on, and choose again
      for (const joint of plan.bones[failed].joints) areas[joint] = 0;
      continue;
    }
    progress('binding the skin', 0.8);
    const bones = plan?.bones ?? [];
    const skeleton: BoneInfo[] = bones.map(({ name, parent, place, joints }, bone) => ({
      name,
      parent,
      place,
      tip: shapes[bone].tip,
      sources: joints.map((joint) => names[joint]),
    }));
    const clips = hasBones
      ? sampleClips(
          model,
          bones,
          bones.map(({ joint }) => raw.joints[joint].node),
          transform,
        )
      : [];
    const { joints, limits } = guessJoints(skeleton, clips);
    const size = largestExtent(positions);
    const material = options.material ?? {
      ...FLESH,
      youngModulus: FLESH.youngModulus * Math.max(1, size / HUMAN_SIZE),
    };
    const lattice = meshVolume(kept.mesh);
    const density = (material.density * filled.solidVolume) / lattice;
    const body: BodyDef = {
      name: options.name ?? 'character',
      positions: kept.mesh.positions,
      tets: kept.mesh.tets,
      bones: skeleton.flatMap(({ name }, bone) =>
        vertices[bone] ? [{ name, vertices: vertices[bone] as Int32Array }] : [],
      ),
      joints,
      materials: [{ ...material, density }],
    };
    const skin = makeSkin(raw, positions, plan, model.look, welded.vertexOf);
    const embedding = embedSkin(kept.mesh, outer, kept.tetOfTriangle, welded.vertexOf, positions);
    progress('done', 1);
    const merged = bones.flatMap(({ joints: all }) => all.slice(1).map((joint) => names[joint]));
    if (merged.length > 0) notes.push(`joints merged into their bone: ${merged.join(', ')}`);
    return {
      body,
      skeleton,
      limits,
      skin,
      embedding,
      clips,
      report: {
        notes,
        unitScale: scale,
        cell,
        skinVolume: filled.solidVolume,
        mass: material.density * filled.solidVolume,
        mergedJoints: merged,
      },
    };
  }
}

function guessJoints(
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

/** The skin to show, with its weights moved from the rig's joints to the bones they became. */
function makeSkin(
  rig: Rig,
  positions: Float32Array,
  plan: SkeletonPlan | undefined,
  look: CharacterSkin['look'],
  weldedOf: Int32Array,
): CharacterSkin {
  const count = positions.length / 3;
  const bones = new Uint16Array(INFLUENCES * count);
  const boneWeights = new Float32Array(INFLUENCES * count);
  for (let v = 0; v < count; v++) {
    const sums = new Map<number, number>();
    for (let k = 0; k < INFLUENCES; k++) {
      const weight = rig.weights[INFLUENCES * v + k];
      if (weight <= 0 || plan === undefined) continue;
      const bone = plan.boneOfJoint[rig.owners[INFLUENCES * v + k]];
      sums.set(bone, (sums.get(bone) ?? 0) + weight);
    }
    if (sums.size === 0) sums.set(0, 1);
    [...sums].forEach(([bone, weight], k) => {
      bones[INFLUENCES * v + k] = bone;
      boneWeights[INFLUENCES * v + k] = weight;
    });
  }
  const normals = fillNormals(rig.normals, positions, rig.triangles, weldedOf);
  return { positions, normals, triangles: rig.triangles, bones, boneWeights, surfaces: rig.surfaces, look };
}
