/**
 * The skin of a model in metres and y up, and which joint of its rig owns which part of it: where building a character
 * begins, and where a character that was written into its model's own file is found again.
 */
import type { Vec3 } from '../../body/body-def.js';
import type { GltfModel } from '../../io/gltf/gltf-model.js';
import {
  countOpenEdges,
  type TriangleMesh,
  turnOutward,
  type WeldedMesh,
  weldVertices,
} from '../../mesh/surface/triangle-mesh.js';
import type { CharacterSkin } from '../character.js';
import { fillNormals } from '../skin-normals.js';
import { type Mat4, transformPoint } from './mat4.js';
import { type Rig, readRig } from './rig.js';
import { attachLoose } from './rig-attach.js';
import { INFLUENCES } from './rig-collector.js';
import { findParents } from './rig-hierarchy.js';
import { turnMorphs } from './rig-morphs.js';
import { findUnits } from './rig-units.js';
import { ownSkin, type SkinOwners } from './skin-owners.js';

/** A skin and its rig. */
export interface RiggedSkin {
  readonly rig: Rig;
  /** From the file's space to metres and y up, and what it multiplies lengths by. */
  readonly transform: Mat4;
  readonly scale: number;
  /** x,y,z per vertex of the rig [m]. */
  readonly positions: Float32Array;
  /** Place and parent of each joint; -1 for roots [m]. */
  readonly places: readonly Vec3[];
  readonly parents: readonly number[];
  /** Vertices of one place made one, and the same with every piece facing outward. */
  readonly welded: WeldedMesh;
  readonly outer: TriangleMesh;
  readonly owners: SkinOwners;
}

/** Reads the skin of a model. Every vertex has an owner afterwards. */
export function readRiggedSkin(model: GltfModel, notes: string[]): RiggedSkin {
  const rig = readRig(model, notes);
  const basis = model.look.images.filter(({ mimeType }) => mimeType === 'image/ktx2').length;
  if (basis > 0)
    notes.push(`${basis} picture(s) are KTX2: kept in the file, shown by programs that can transcode them`);
  const { transform, scale } = findUnits(rig, notes);
  const positions = new Float32Array(rig.positions.length);
  for (let i = 0; i < positions.length; i += 3) positions.set(transformPoint(transform, rig.positions, i), i);
  const places = rig.joints.map(({ node }) =>
    transformPoint(transform, transformPoint(rig.globals[node], [0, 0, 0], 0), 0),
  );
  const welded = weldVertices(positions, rig.triangles);
  const { mesh: outer, turned } = turnOutward(welded);
  if (turned > 0) notes.push(`${turned} piece(s) of the skin faced inward and were turned`);
  const open = countOpenEdges(outer);
  if (open > 0) notes.push(`the skin has ${open} open edges: its inside was found by winding numbers`);
  const given = findParents(rig.joints, places, notes);
  const owners = ownSkin(rig, welded, outer, given, places, notes);
  const parents = attachLoose(rig, positions, places, given, owners.areas, notes);
  return { rig, transform, scale, positions, places, parents, welded, outer, owners };
}

/** The skin to show, with its weights moved from the rig's joints to the bones they became. */
export function dressBones(
  { rig, transform, positions, welded }: Pick<RiggedSkin, 'rig' | 'transform' | 'positions' | 'welded'>,
  boneOfJoint: Int32Array,
  look: CharacterSkin['look'],
): CharacterSkin {
  const count = positions.length / 3;
  const bones = new Uint16Array(INFLUENCES * count);
  const boneWeights = new Float32Array(INFLUENCES * count);
  for (let v = 0; v < count; v++) {
    const sums = new Map<number, number>();
    for (let k = 0; k < INFLUENCES; k++) {
      const weight = rig.weights[INFLUENCES * v + k];
      if (weight <= 0 || boneOfJoint.length === 0) continue;
      const bone = boneOfJoint[rig.owners[INFLUENCES * v + k]];
      sums.set(bone, (sums.get(bone) ?? 0) + weight);
    }
    if (sums.size === 0) sums.set(0, 1);
    [...sums].forEach(([bone, weight], k) => {
      bones[INFLUENCES * v + k] = bone;
      boneWeights[INFLUENCES * v + k] = weight;
    });
  }
  const normals = fillNormals(rig.normals, positions, rig.triangles, welded.vertexOf);
  const { triangles, surfaces } = rig;
  const morphs = turnMorphs(rig.morphs, transform);
  return { positions, normals, triangles, bones, boneWeights, surfaces, look, ...(morphs.length > 0 && { morphs }) };
}
