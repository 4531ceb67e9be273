/** What a mesh of a solid must fulfil; shared by the mesh, character and scene tests. */
import { expect } from 'vitest';
import { labelComponents } from '../../../src/mesh/components.js';
import { extractSurface, gatherSurfacePositions, surfaceVolume } from '../../../src/mesh/surface.js';
import { describeSurface } from '../../../src/mesh/surface-topology.js';
import { meshVolume, type TetMesh, tetVolume } from '../../../src/mesh/tet-mesh.js';

/** How many faces (by sorted vertices) occur once, twice and more often. */
export function countFaces(mesh: TetMesh): { single: number; double: number; more: number } {
  const uses = new Map<string, number>();
  for (let t = 0; t < mesh.tets.length; t += 4) {
    for (let skip = 0; skip < 4; skip++) {
      const face = [0, 1, 2, 3].filter((k) => k !== skip).map((k) => mesh.tets[t + k]);
      const key = face.sort((a, b) => a - b).join();
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  const counts = { single: 0, double: 0, more: 0 };
  for (const count of uses.values()) counts[count === 1 ? 'single' : count === 2 ? 'double' : 'more']++;
  return counts;
}

/** Expects one connected piece of positive tetrahedra that share whole faces, with a closed surface around it. */
export function expectSolid(mesh: TetMesh): void {
  let inverted = 0;
  for (let tet = 0; tet < mesh.tets.length / 4; tet++) if (!(tetVolume(mesh, tet) > 0)) inverted++;
  expect(inverted).toBe(0);
  expect(labelComponents(mesh).count).toBe(1);

  const surface = extractSurface(mesh);
  const faces = countFaces(mesh);
  expect(faces.more).toBe(0);
  expect(faces.single).toBe(surface.triangles.length / 3);
  const { openEdgeCount, pinchedVertexCount } = describeSurface(surface.triangles, surface.vertices.length);
  expect(openEdgeCount).toBe(0);
  expect(pinchedVertexCount).toBe(0);

  // Outward and watertight: the divergence theorem gives the volume of the tetrahedra.
  const positions = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, mesh.positions, positions);
  const volume = meshVolume(mesh);
  expect(Math.abs(surfaceVolume(surface.triangles, positions) / volume - 1)).toBeLessThan(1e-11);
}
