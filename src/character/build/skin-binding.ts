/** Binds a skin to the lattice that fills it, each vertex to its own side of every gap. */
import { square } from '../../math/powers.js';
import { type Embedding, embedPoints } from '../../mesh/embedding.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';

/** Flesh to bind to. */
interface Flesh {
  readonly mesh: TetMesh;
  /** A tetrahedron at the inside of each triangle of the skin, -1 where none is known. */
  readonly tetOfTriangle: Int32Array;
  /** Bone each vertex of the mesh is nearest to. */
  readonly partOfVertex: Int32Array;
}

/**
 * The embedding of `positions` (the vertices as shown). `weldedOf` takes them to the vertices of `outer`; each of these starts
 * its search at a tetrahedron that is known to lie inside its own triangles, or those around them along the skin. A piece that has no
 * flesh of its own starts at the nearest flesh of the bone its weights name.
 */
export function embedSkin(
  { mesh, tetOfTriangle, partOfVertex }: Flesh,
  outer: TriangleMesh,
  boneOf: (vertex: number) => number,
  weldedOf: Int32Array,
  positions: Float32Array,
): Embedding {
  const starts = spreadStarts(outer, tetOfTriangle);
  for (let v = 0; v < starts.length; v++) {
    if (starts[v] < 0) starts[v] = nearestOfPart(mesh, partOfVertex, boneOf(v), outer.positions, 3 * v);
  }
  return embedPoints(
    mesh,
    positions,
    Int32Array.from(weldedOf, (vertex) => starts[vertex]),
  );
}

/** The tetrahedron of a part whose corners are nearest to a point; -1 where the part has none. */
function nearestOfPart(mesh: TetMesh, partOfVertex: Int32Array, part: number, p: ArrayLike<number>, i: number): number {
  let best = -1;
  let nearest = Infinity;
  for (let t = 0; t < mesh.tets.length; t += 4) {
    let away = 0;
    let own = 0;
    for (let k = t; k < t + 4; k++) {
      const v = mesh.tets[k];
      if (partOfVertex[v] === part) own++;
      for (let c = 0; c < 3; c++) away += square(mesh.positions[3 * v + c] - p[i + c]);
    }
    if (own >= 3 && away < nearest) [nearest, best] = [away, t / 4];
  }
  return best;
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
