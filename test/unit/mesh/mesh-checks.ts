/** What a mesh of a solid must fulfil; shared by the mesh, character and scene tests. */
import { expect } from 'vitest';
import { labelComponents } from '../../../src/mesh/components.js';
import { extractSurface, gatherSurfacePositions, surfaceVolume } from '../../../src/mesh/surface/surface.js';
import { describeSurface } from '../../../src/mesh/surface/surface-topology.js';
import { meshVolume, type TetMesh, tetVolume } from '../../../src/mesh/tets/tet-mesh.js';

/** How many faces (by sorted vertices) occur once, twice and more often. */
export function countFaces(mesh: TetMesh): { single: number; double: number; more: number } {
  const vertexCount = mesh.positions.length / 3;
  const keys = new Float64Array(mesh.tets.length);
  for (let i = 0; i < mesh.tets.length; i++) {
    const corners = mesh.tets.slice(i - (i % 4), i - (i % 4) + 4);
    const [a, b, c] = corners.filter((_, k) => k !== i % 4).sort();
    keys[i] = (a * vertexCount + b) * vertexCount + c;
  }
  keys.sort();
  const counts = { single: 0, double: 0, more: 0 };
  for (let first = 0; first < keys.length; ) {
    let next = first + 1;
    while (next < keys.length && keys[next] === keys[first]) next++;
    const count = next - first;
    counts[count === 1 ? 'single' : count === 2 ? 'double' : 'more']++;
    first = next;
  }
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
