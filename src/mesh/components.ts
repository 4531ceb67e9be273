/** Which parts of a tetrahedral mesh hang together, and the largest of them. */
import type { TetMesh } from './tet-mesh.js';

/** The component of each vertex; components are numbered from 0 by their lowest vertex. A vertex alone is one. */
export function labelComponents(mesh: TetMesh): { count: number; labels: Int32Array } {
  const parents = Int32Array.from({ length: mesh.positions.length / 3 }, (_, i) => i);
  const find = (vertex: number): number => {
    let root = vertex;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  };
  for (let t = 0; t < mesh.tets.length; t += 4) {
    for (let k = 1; k < 4; k++) {
      const a = find(mesh.tets[t]);
      const b = find(mesh.tets[t + k]);
      // The lower vertex becomes the root, so that labels do not depend on the order of the tetrahedra.
      if (a < b) parents[b] = a;
      else parents[a] = b;
    }
  }
  const labels = new Int32Array(parents.length);
  let count = 0;
  for (let vertex = 0; vertex < parents.length; vertex++) {
    const root = find(vertex);
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
