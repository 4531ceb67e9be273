/** Takes apart what only touches: tetrahedra that share a vertex but are not joined around it by faces get one each. */
import { DisjointSets } from '../disjoint-sets.js';
import type { TetMesh } from './tet-mesh.js';
import { findTetNeighbours } from './tet-neighbours.js';

/** The mesh with a vertex per fan of tetrahedra; the mesh itself where nothing is pinched. */
export function splitPinches(mesh: TetMesh): TetMesh {
  const { positions, tets } = mesh;
  const neighbours = findTetNeighbours(tets, positions.length / 3);
  // corners of neighbours across a face are the same vertex
  const corners = new DisjointSets(tets.length);
  for (let face = 0; face < tets.length; face++) {
    const other = neighbours[face];
    const tet = face >> 2;
    if (other < tet) continue;
    for (let i = 0; i < 4; i++) {
      if (i === (face & 3)) continue;
      for (let j = 0; j < 4; j++) {
        if (tets[4 * tet + i] === tets[4 * other + j]) corners.unite(4 * tet + i, 4 * other + j);
      }
    }
  }
  const firstFan = new Int32Array(positions.length / 3).fill(-1);
  const vertexOf = new Map<number, number>();
  const added: number[] = [];
  const split = tets.map((vertex, corner) => {
    const fan = corners.find(corner);
    if (firstFan[vertex] < 0) firstFan[vertex] = fan;
    if (firstFan[vertex] === fan) return vertex;
    const known = vertexOf.get(fan);
    if (known !== undefined) return known;
    const made = (positions.length + added.length) / 3;
    vertexOf.set(fan, made);
    added.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
    return made;
  });
  if (added.length === 0) return mesh;
  const places = new Float64Array(positions.length + added.length);
  places.set(positions);
  places.set(added, positions.length);
  return { positions: places, tets: split };
}
