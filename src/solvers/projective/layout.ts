/**
 * Which vertex is what to the projective solver. Flesh vertices are unknowns; vertices of bones and pinned vertices are
 * carried: their positions follow from the bones' poses, or never change. Unknowns are numbered flesh first, then four
 * rows per bone [Li2019 eq. 7-10]; tets that cannot deform are left out.
 */
import type { Model } from '../../body/model.js';

/** Numbers of everything, before the solver's own elimination order. */
export interface Layout {
  /** Vertex of each flesh unknown. */
  readonly fleshVertices: Int32Array;
  /** Flesh unknown of each vertex, -1 where it is none. */
  readonly fleshOfVertex: Int32Array;
  /** Carried vertices that some deformable tet touches. */
  readonly carriedVertices: Int32Array;
  /** Index into carriedVertices of each vertex, -1 where it is none. */
  readonly carriedOfVertex: Int32Array;
  /** Tets that can deform. */
  readonly tets: Int32Array;
}

/** Sorts the vertices and tets of a model. */
export function layOut(model: Model): Layout {
  const { ofVertex } = model.bones;
  const tets: number[] = [];
  for (let tet = 0; tet < model.tetCount; tet++) {
    if (canDeform(model, tet)) tets.push(tet);
  }
  const fleshVertices: number[] = [];
  const fleshOfVertex = new Int32Array(model.vertexCount).fill(-1);
  for (let v = 0; v < model.vertexCount; v++) {
    if (ofVertex[v] >= 0 || model.pinned[v]) continue;
    fleshOfVertex[v] = fleshVertices.length;
    fleshVertices.push(v);
  }
  const carriedVertices: number[] = [];
  const carriedOfVertex = new Int32Array(model.vertexCount).fill(-1);
  for (const tet of tets) {
    for (let k = 0; k < 4; k++) {
      const v = model.tets[tet * 4 + k];
      if (fleshOfVertex[v] >= 0 || carriedOfVertex[v] >= 0) continue;
      carriedOfVertex[v] = carriedVertices.length;
      carriedVertices.push(v);
    }
  }
  return {
    fleshVertices: Int32Array.from(fleshVertices),
    fleshOfVertex,
    carriedVertices: Int32Array.from(carriedVertices),
    carriedOfVertex,
    tets: Int32Array.from(tets),
  };
}

/** False where all four corners belong to one bone, or none of them can ever move. */
function canDeform(model: Model, tet: number): boolean {
  const { ofVertex } = model.bones;
  const bone = ofVertex[model.tets[tet * 4]];
  let sameBone = bone >= 0;
  let allPinned = true;
  for (let k = 0; k < 4; k++) {
    const v = model.tets[tet * 4 + k];
    sameBone &&= ofVertex[v] === bone;
    allPinned &&= model.pinned[v] === 1;
  }
  return !sameBone && !allPinned;
}
