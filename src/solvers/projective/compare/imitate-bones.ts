/**
 * Two ways in which others imitate rigid bones, kept for comparison [Li2019 Fig. 6, 7]: much stiffer elements, and soft
 * constraints that draw the vertices of a bone to a rigid copy of it. Both lock: the stiffer the imitation, the less a
 * bone turns per iteration. Joints have no counterpart in either and are left out.
 */
import type { BodyDef, MaterialDef } from '../../../body/body-def.js';

/** How much stiffer than flesh the imitated bones are; beyond a few thousand f32 has nothing left for the flesh. */
export const STIFF_BONES = 1000;

/** The same body without bones, whose former bones are made of stiffer elements. */
export function withStiffBones(def: BodyDef, factor = STIFF_BONES): BodyDef {
  const boneOf = boneOfVertices(def);
  const regions = Array.from({ length: def.tets.length / 4 }, (_, tet) => {
    const region = def.regions?.[tet] ?? 0;
    const bone = boneOf[def.tets[tet * 4]];
    const rigid = bone >= 0 && [1, 2, 3].every((k) => boneOf[def.tets[tet * 4 + k]] === bone);
    return rigid ? region + def.materials.length : region;
  });
  const stiff: MaterialDef[] = def.materials.map((one) => ({ ...one, youngModulus: one.youngModulus * factor }));
  return { ...def, bones: [], joints: [], regions, materials: [...def.materials, ...stiff] };
}

/** The same body without bones, and the vertices of its former bones. */
export function withShapeBones(def: BodyDef): { body: BodyDef; shapes: readonly ArrayLike<number>[] } {
  return { body: { ...def, bones: [], joints: [] }, shapes: (def.bones ?? []).map((bone) => bone.vertices) };
}

function boneOfVertices(def: BodyDef): Int32Array {
  const boneOf = new Int32Array(def.positions.length / 3).fill(-1);
  (def.bones ?? []).forEach((bone, index) => {
    for (let i = 0; i < bone.vertices.length; i++) boneOf[bone.vertices[i]] = index;
  });
  return boneOf;
}
