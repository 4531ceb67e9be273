/** Tetrahedra so flat that a solver could not work with them. Looked for when a character is built. */

import { dihedralAngles } from './quality.js';
import type { TetMesh } from './tet-mesh.js';

/** A tetrahedron with a dihedral angle nearer than this to 0 or a half turn is a sliver [rad]: 1 degree. */
const SLIVER_ANGLE = Math.PI / 180;

/**
 * The slivers, ascending, that can be left out: of those that `mayDrop` allows, all but the ones without which no tetrahedron would hold
 * one of their corners. Leaving them out loses next to no volume.
 */
export function findSlivers(mesh: TetMesh, mayDrop: (tet: number) => boolean): Int32Array {
  const angles = dihedralAngles(mesh);
  const uses = new Int32Array(mesh.positions.length / 3);
  for (const vertex of mesh.tets) uses[vertex]++;
  const slivers: number[] = [];
  for (let tet = 0; tet < mesh.tets.length / 4; tet++) {
    const own = angles.subarray(6 * tet, 6 * tet + 6);
    const isSliver = own.some((angle) => angle < SLIVER_ANGLE || angle > Math.PI - SLIVER_ANGLE);
    if (!isSliver || !mayDrop(tet)) continue;
    const corners = mesh.tets.subarray(4 * tet, 4 * tet + 4);
    if (corners.some((vertex) => uses[vertex] < 2)) continue;
    for (const vertex of corners) uses[vertex]--;
    slivers.push(tet);
  }
  return Int32Array.from(slivers);
}
