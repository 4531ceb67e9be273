/** Which tetrahedra share a face. */

/** Corner opposite each face, then the face: face i of a tetrahedron has all corners but i. */
const FACES = [1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2];

/** For each tetrahedron the neighbour across the face opposite each corner, -1 for none. A third tet at a face is alone. */
export function findTetNeighbours(tets: ArrayLike<number>, vertexCount: number): Int32Array {
  const neighbours = new Int32Array(tets.length).fill(-1);
  // Faces wait in a list per lowest vertex until their twin arrives.
  const firstFace = new Int32Array(vertexCount).fill(-1);
  const nextFace = new Int32Array(tets.length);
  const middles = new Int32Array(tets.length);
  const highs = new Int32Array(tets.length);
  for (let face = 0; face < tets.length; face++) {
    const base = face - (face & 3);
    const o = 3 * (face & 3);
    const a = tets[base + FACES[o]];
    const b = tets[base + FACES[o + 1]];
    const c = tets[base + FACES[o + 2]];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const middle = a + b + c - low - high;
    let twin = firstFace[low];
    while (twin >= 0 && (neighbours[twin] >= 0 || middles[twin] !== middle || highs[twin] !== high)) {
      twin = nextFace[twin];
    }
    if (twin >= 0) {
      neighbours[twin] = face >> 2;
      neighbours[face] = twin >> 2;
      continue;
    }
    middles[face] = middle;
    highs[face] = high;
    nextFace[face] = firstFace[low];
    firstFace[low] = face;
  }
  return neighbours;
}
