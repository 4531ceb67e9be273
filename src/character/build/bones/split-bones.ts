/** Which triangles of a skeleton's OBJ file are which bone: by the names of its objects and groups, else piece by piece. */
import { TendonError } from '../../../errors.js';
import type { BoneEntry, JointFile } from '../../../io/joint-file.js';
import type { SurfaceData } from '../../../io/mesh-data.js';
import type { ObjPart } from '../../../io/surfaces/obj.js';
import { DisjointSets } from '../../../mesh/disjoint-sets.js';
import { weldVertices } from '../../../mesh/surface/triangle-mesh.js';

/** A bone and its triangles, by their numbers in the skeleton. */
export interface BoneFacets {
  readonly name: string;
  readonly facets: Int32Array;
  readonly kinematic?: boolean;
}

/**
 * A bone of the joint file has the object or group that it names, else the one of its own name; where the skeleton has no names at all,
 * its connected pieces are the bones in their order. Without a joint file every name, or every piece, is a bone.
 */
export function splitBones(skeleton: SurfaceData & { parts?: readonly ObjPart[] }, file?: JointFile): BoneFacets[] {
  const parts = (skeleton.parts ?? []).filter(({ count }) => count > 0);
  if (!parts.some(({ object, group }) => object !== '' || group !== '')) return splitByPieces(skeleton, file);
  const bones: readonly BoneEntry[] = file?.bones ?? distinctNames(parts).map((name) => ({ name, regions: [] }));
  const taken = new Map<ObjPart, string>();
  const split = bones.map((bone) => {
    const wanted = bone.group ?? bone.name;
    const own = parts.filter(({ object, group }) => (group || object) === wanted || object === wanted);
    if (own.length === 0) {
      const advice = `no object or group has the name of bone ${bone.name}: there are ${distinctNames(parts).join(', ')}`;
      throw new TendonError('E_UNKNOWN', `skeleton, bone ${bone.name}`, wanted, advice);
    }
    for (const part of own) {
      const other = taken.get(part);
      if (other !== undefined) {
        const advice = `these triangles are bone ${other} already: give each bone an object or group of its own`;
        throw new TendonError('E_DUPLICATE', `skeleton, bone ${bone.name}`, wanted, advice);
      }
      taken.set(part, bone.name);
    }
    const facets = own.flatMap(({ start, count }) => Array.from({ length: count }, (_, i) => start + i));
    return { name: bone.name, facets: Int32Array.from(facets).sort(), ...(bone.kinematic && { kinematic: true }) };
  });
  const left = parts.find((part) => !taken.has(part));
  if (left) {
    const advice = 'this part of the skeleton is no bone of the joint file: add a "bone" line for it, or delete it';
    throw new TendonError('E_UNKNOWN', `skeleton, triangle ${left.start}`, left.group || left.object, advice);
  }
  return split;
}

function distinctNames(parts: readonly ObjPart[]): string[] {
  return [...new Set(parts.map(({ object, group }) => group || object || 'unnamed'))];
}

function splitByPieces(skeleton: SurfaceData, file?: JointFile): BoneFacets[] {
  const pieces = listPieces(weldVertices(skeleton.positions, skeleton.triangles).vertexOf, skeleton.triangles);
  if (file !== undefined && file.bones.length !== pieces.length) {
    const advice = `the joint file has ${file.bones.length} bones: name the skeleton's objects after them, or give it as many pieces`;
    throw new TendonError('E_RANGE', 'skeleton, pieces', pieces.length, advice);
  }
  return pieces.map((facets, i) => {
    const bone = file?.bones[i];
    return { name: bone?.name ?? `bone ${i}`, facets, ...(bone?.kinematic && { kinematic: true }) };
  });
}

/** Triangles that hang together by their corners, in the order of their first ones; `vertexOf` renames the corners. */
export function listPieces(vertexOf: ArrayLike<number>, triangles: ArrayLike<number>): Int32Array[] {
  const sets = new DisjointSets(vertexOf.length);
  for (let i = 0; i < triangles.length; i++) sets.unite(vertexOf[triangles[i - (i % 3)]], vertexOf[triangles[i]]);
  const pieces = new Map<number, number[]>();
  for (let t = 0; t < triangles.length / 3; t++) {
    const root = sets.find(vertexOf[triangles[3 * t]]);
    const piece = pieces.get(root);
    if (piece) piece.push(t);
    else pieces.set(root, [t]);
  }
  return [...pieces.values()].map((piece) => Int32Array.from(piece));
}
