/** Binds a skin to the lattice that fills it, each vertex to its own side of every gap. */
import { square } from '../../math/powers.js';
import { type Embedding, embedPoints } from '../../mesh/embedding.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';

/** Distances that are summed in another way agree to this. */
const ROUNDED = 1 + 1e-9;

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
  if (starts.includes(-1)) {
    const fleshOf = fleshOfParts(mesh, partOfVertex);
    for (let v = 0; v < starts.length; v++) {
      if (starts[v] < 0) starts[v] = nearestTetOf(fleshOf.get(boneOf(v)), mesh, outer.positions, 3 * v);
    }
  }
  return embedPoints(
    mesh,
    positions,
    Int32Array.from(weldedOf, (vertex) => starts[vertex]),
  );
}

/** The tetrahedra of a part, by number: their centres, and the sum of their corners' squared distances from these. */
interface PartFlesh {
  readonly tets: number[];
  readonly centres: number[];
  readonly spreads: number[];
}

/** Tetrahedra by the part that at least three of their corners belong to. */
function fleshOfParts(mesh: TetMesh, partOfVertex: Int32Array): Map<number, PartFlesh> {
  const fleshOf = new Map<number, PartFlesh>();
  const { tets, positions } = mesh;
  const centre = new Float64Array(3);
  for (let t = 0; t < tets.length; t += 4) {
    const part = partOfMost(tets, t, partOfVertex);
    if (part === undefined) continue;
    if (!fleshOf.has(part)) fleshOf.set(part, { tets: [], centres: [], spreads: [] });
    const flesh = fleshOf.get(part)!;
    for (let c = 0; c < 3; c++) {
      centre[c] = 0;
      for (let k = t; k < t + 4; k++) centre[c] += 0.25 * positions[3 * tets[k] + c];
      flesh.centres.push(centre[c]);
    }
    flesh.tets.push(t / 4);
    flesh.spreads.push(cornersAway(mesh, t / 4, centre, 0));
  }
  return fleshOf;
}

/** The part of at least three of the four corners at tets[t]. */
function partOfMost(tets: ArrayLike<number>, t: number, partOfVertex: Int32Array): number | undefined {
  for (let first = t; first < t + 2; first++) {
    const part = partOfVertex[tets[first]];
    let own = 0;
    for (let k = t; k < t + 4; k++) if (partOfVertex[tets[k]] === part) own++;
    if (own >= 3) return part;
  }
  return undefined;
}

/** Sum of the squared distances of a tetrahedron's corners from the point at p[i]. */
function cornersAway({ tets, positions }: TetMesh, tet: number, p: ArrayLike<number>, i: number): number {
  let away = 0;
  for (let k = 4 * tet; k < 4 * tet + 4; k++) {
    for (let c = 0; c < 3; c++) away += square(positions[3 * tets[k] + c] - p[i + c]);
  }
  return away;
}

/** The tetrahedron of a part whose corners are nearest to the point at p[i]; -1 where the part has none. */
function nearestTetOf(flesh: PartFlesh | undefined, mesh: TetMesh, p: ArrayLike<number>, i: number): number {
  let best = -1;
  let nearest = Infinity;
  for (let n = 0; flesh && n < flesh.tets.length; n++) {
    const x = flesh.centres[3 * n] - p[i];
    const y = flesh.centres[3 * n + 1] - p[i + 1];
    const z = flesh.centres[3 * n + 2] - p[i + 2];
    // what the corners' distances come to, but for rounding: most are too far
    if (4 * (x * x + y * y + z * z) + flesh.spreads[n] > ROUNDED * nearest) continue;
    const away = cornersAway(mesh, flesh.tets[n], p, i);
    if (away < nearest) {
      nearest = away;
      best = flesh.tets[n];
    }
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
