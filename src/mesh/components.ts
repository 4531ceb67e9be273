/** Which parts of a tetrahedral mesh hang together, and the largest of them. */
import { DisjointSets } from './disjoint-sets.js';
import type { TetMesh } from './tets/tet-mesh.js';

/** The component of each vertex; components are numbered from 0 by their lowest vertex. A vertex alone is one. */
export function labelComponents(mesh: TetMesh): { count: number; labels: Int32Array } {
  const groups = new DisjointSets(mesh.positions.length / 3);
  for (let t = 0; t < mesh.tets.length; t += 4) {
    for (let k = 1; k < 4; k++) groups.unite(mesh.tets[t], mesh.tets[t + k]);
  }
  const labels = new Int32Array(mesh.positions.length / 3);
  let count = 0;
  for (let vertex = 0; vertex < labels.length; vertex++) {
    const root = groups.find(vertex);
    labels[vertex] = root === vertex ? count++ : labels[root];
  }
  return { count, labels };
}

/** The component with the most tetrahedra, vertices renumbered in their order; the mesh itself when there is one. */
export function keepLargestComponent(mesh: TetMesh): TetMesh {
  const { count, labels } = labelComponents(mesh);
  if (count === 1) return mesh;
  const sizes = new Int32Array(count);
  for (let t = 0; t < mesh.tets.length; t += 4) sizes[labels[mesh.tets[t]]]++;
  const largest = sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b), 0));
  const vertexOf = new Int32Array(labels.length).fill(-1);
  const positions: number[] = [];
  for (let vertex = 0; vertex < labels.length; vertex++) {
    if (labels[vertex] !== largest) continue;
    vertexOf[vertex] = positions.length / 3;
    positions.push(mesh.positions[3 * vertex], mesh.positions[3 * vertex + 1], mesh.positions[3 * vertex + 2]);
  }
  const tets = mesh.tets.filter((vertex) => labels[vertex] === largest).map((vertex) => vertexOf[vertex]);
  return { positions: Float64Array.from(positions), tets };
}
