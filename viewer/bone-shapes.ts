/** Bones as solids for the overlay: the surface of the tets that lie wholly inside a bone, about its centre of mass. */
import type { Model } from '../src/body/model.js';
import { extractSurface } from '../src/mesh/surface.js';
import type { BoneInfo } from './protocol.js';

/** One solid per bone. */
export function buildBoneShapes(model: Model): BoneInfo[] {
  const { bones, tets } = model;
  const tetsOfBone: number[][] = bones.names.map(() => []);
  for (let tet = 0; tet < tets.length; tet += 4) {
    const bone = bones.ofVertex[tets[tet]];
    if (bone < 0) continue;
    const corners = tets.subarray(tet, tet + 4);
    if (corners.every((vertex) => bones.ofVertex[vertex] === bone)) tetsOfBone[bone].push(...corners);
  }
  return bones.names.map((name, bone) => {
    const surface = extractSurface({ positions: model.positions, tets: Int32Array.from(tetsOfBone[bone]) });
    const positions = new Float32Array(surface.vertices.length * 3);
    surface.vertices.forEach((vertex, i) => {
      for (let k = 0; k < 3; k++) positions[i * 3 + k] = model.positions[vertex * 3 + k] - bones.centre[bone * 3 + k];
    });
    const kinematic = bones.kinematic[bone] === 1;
    return { name, positions, triangles: Uint32Array.from(surface.triangles), kinematic };
  });
}
