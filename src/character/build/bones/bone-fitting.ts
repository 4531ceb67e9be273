/**
 * Fills a skin and finds room for bones in it. The two depend on each other: how fine the lattice is decides which joints can
 * be bones, and which bones there are decides which touching parts are kept apart.
 */

import { TendonError } from '../../../errors.js';
import { fillSkin } from '../../../mesh/skin-lattice.js';
import { countOpenEdges, meanThickness, type TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';
import { keepConnected } from '../../../mesh/tets/keep-connected.js';
import { largestExtent, type TetMesh } from '../../../mesh/tets/tet-mesh.js';
import { type BonePlan, boneDistances, type JointFacts, planBones, type SkeletonPlan } from '../../rig/rig-bones.js';
import type { SkinOwners } from '../../rig/skin-owners.js';
import { holdLoosePieces } from '../loose-pieces.js';
import { shapeBones, takeVertices } from './bone-shapes.js';

/** A bone with its place in the flesh. */
export interface FittedBone extends BonePlan {
  readonly vertices: Int32Array;
  readonly tip: readonly [number, number, number];
}

/** A filled skin with bones. */
export interface FittedBody {
  readonly mesh: TetMesh;
  readonly bones: readonly FittedBone[];
  /** Bone of each joint of the rig; empty where there are no bones. */
  readonly boneOfJoint: Int32Array;
  readonly cell: number;
  readonly tetOfTriangle: Int32Array;
  /** Bone each vertex of the mesh is nearest to. */
  readonly partOfVertex: Int32Array;
  readonly solidVolume: number;
}

/** Skin a bone needs, in faces of lattice cubes: less cannot hold the vertices of a bone. */
const MIN_BONE_FACES = 2.5;
/** Joints that fail to find room in the flesh are merged and the choice made again, this often at most. */
const MAX_ROUNDS = 8;
/** Less than this share of points inside, those at the folds of a sheet, is none. */
const MOSTLY_SHEET = 0.02;
/** Closed skins thinner than this share of their size are sheets whose two sides lie on each other. */
const THINNEST = 1e-5;

/** Fills `outer` and places bones. Without joints, and where there is no room for any bone, the result has none. */
export function fitBones(
  outer: TriangleMesh,
  facts: JointFacts,
  owners: SkinOwners,
  options: { readonly cell?: number; readonly tets?: number },
  notes: string[],
): FittedBody {
  const areas = Float64Array.from(facts.areas);
  let { cell } = options;
  let plan: SkeletonPlan | undefined;
  const partsFor = (size: number) => {
    plan = planBones({ ...facts, areas }, MIN_BONE_FACES * size * size);
    return { ofTriangle: owners.boneOfTriangle(plan), distance: boneDistances(plan.bones) };
  };
  for (let round = 0; ; round++) {
    const jointed = facts.names.length > 0 && round <= MAX_ROUNDS;
    plan = undefined;
    const filled = fillSkin(outer, { cell, tets: options.tets, parts: jointed ? partsFor : undefined });
    cell = filled.cell;
    if (filled.insideShare < MOSTLY_SHEET) requireThickness(outer);
    const { mesh, partOfVertex, tetOfTriangle } = keepConnected(filled, notes, round);
    const flesh = { mesh, tetOfTriangle, partOfVertex, cell, solidVolume: filled.solidVolume };
    const chosen = plan as SkeletonPlan | undefined;
    if (chosen === undefined) {
      if (facts.names.length > 0) notes.push('there is no room for bones in the flesh: the character has none');
      return { ...flesh, bones: [], boneOfJoint: new Int32Array(0) };
    }
    const shapes = shapeBones(chosen.bones, { positions: outer.positions, boneOfVertex: owners.boneOfVertex(chosen) });
    const taken = takeVertices(shapes, mesh.positions, partOfVertex, boneDistances(chosen.bones), cell);
    const bones = chosen.bones.flatMap((bone, i): FittedBone[] => {
      const vertices = taken[i];
      return vertices === undefined ? [] : [{ ...bone, vertices, tip: shapes[i].tip }];
    });
    if (bones.length === chosen.bones.length) {
      const held = holdLoosePieces(
        mesh,
        bones.map(({ vertices }) => vertices),
        partOfVertex,
        notes,
      );
      return {
        ...flesh,
        bones: bones.map((bone, i) => ({ ...bone, vertices: held[i] })),
        boneOfJoint: chosen.boneOfJoint,
      };
    }
    // no room for some: give their skin to the bones they hang on, and choose again
    chosen.bones.forEach((bone, i) => {
      if (taken[i] === undefined) for (const joint of bone.joints) areas[joint] = 0;
    });
    if (chosen.bones.length === 1) round = MAX_ROUNDS;
  }
}

/** A skin with nothing inside may be a thin shape, or a sheet, of which no body can be made. */
function requireThickness(outer: TriangleMesh): void {
  const thickness = meanThickness(outer);
  if (countOpenEdges(outer) === 0 && thickness > THINNEST * largestExtent(outer.positions)) return;
  const advice =
    'the skin encloses no space: give it a thickness (modelling tools say solidify), or use a smaller cell';
  throw new TendonError('E_EMPTY', 'skin', thickness, advice);
}
