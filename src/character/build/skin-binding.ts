/** Binds a skin to the lattice that fills it, each vertex to its own side of every gap. */
import { type Embedding, embedPoints } from '../../mesh/embedding.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';

/**
 * The embedding of `positions` (the vertices as shown). `weldedOf` takes them to the vertices of `outer`; each of these starts
 * its search at a tetrahedron that is known to lie inside its own triangles, or those around them along the skin.
 */
export function embedSkin(
  mesh: TetMesh,
  outer: TriangleMesh,
  tetOfTriangle: Int32Array,
  weldedOf: Int32Array,
  positions: Float32Array,
): Embedding {
  const starts = spreadStarts(outer, tetOfTriangle);
  return embedPoints(
    mesh,
    positions,
    Int32Array.from(weldedOf, (vertex) => starts[vertex]),
  );
}

/** A tetrahedron (or cell) for each vertex: of its own triangles, else of the nearest triangle along the skin; -1 where none is. */
export function spreadStarts(outer: TriangleMesh, tetOfTriangle: Int32Array): Int32Array {
  const { triangles, positions } = outer;
  const starts = new Int32Array(positions.length / 3).fill(-1);
  for (let i = 0; i < triangles.length; i++) {
    const tet = tetOfTriangle[Math.floor(i / 3)];
    if (tet >= 0 && starts[triangles[i]] < 0) starts[triangles[i]] = tet;
  }
  // from vertex to vertex along triangles, until nothing changes
  for (let changed = true; changed; ) {
    changed = false;
    const before = starts.slice();
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        if (starts[triangles[t + k]] >= 0) continue;
        const from = Math.max(before[triangles[t + ((k + 1) % 3)]], before[triangles[t + ((k + 2) % 3)]]);
        if (from < 0) continue;
        starts[triangles[t + k]] = from;
        changed = true;
      }
    }
  }
  return starts;
}
