/**
 * The tetrahedral mesh every body is made of, and the checks a mesh must pass before anything is computed from it.
 * `checkTetMesh` only looks; `repairTetMesh` (repair-tet-mesh.ts) mends what can be mended. Both run when a body is
 * built, never during a step.
 */
import { requireFinite, TendonError } from '../../errors.js';

/** A tetrahedral mesh: flat arrays, vertices shared between tetrahedra. */
export interface TetMesh {
  /** x,y,z per vertex [m]. */
  readonly positions: Float64Array;
  /** Four vertex indices per tetrahedron; positive volume when (b-a) x (c-a) . (d-a) > 0. */
  readonly tets: Int32Array;
}

/** Smallest and largest extent a mesh may have [m]: outside, a slip of units is far likelier than intent. */
const MIN_SIZE = 1e-6;
const MAX_SIZE = 1e6;

/** Edges of the tetrahedron that is looked at. */
const EDGES = new Float64Array(9);

/**
 * Throws a `TendonError` unless the mesh has vertices and tetrahedra, its arrays have whole rows, every index points at
 * a vertex, every coordinate is finite and the mesh is between 1e-6 m and 1e6 m across.
 * `place` is the prefix under which errors name what they found.
 */
export function checkTetMesh(mesh: TetMesh, place = 'mesh'): void {
  const { positions, tets } = mesh;
  requireRows(positions.length, 3, `${place}/positions`);
  requireRows(tets.length, 4, `${place}/tets`);
  requireFinite(positions, `${place}/positions`);
  const vertexCount = positions.length / 3;
  for (let i = 0; i < tets.length; i++) {
    if (!(tets[i] >= 0 && tets[i] < vertexCount)) {
      const advice = `an index must lie between 0 and ${vertexCount - 1}`;
      throw new TendonError('E_INDEX', `${place}/tets/${i}`, tets[i], advice);
    }
  }
  checkSize(positions, place);
}

/** Longest side of the box around the positions (x,y,z per vertex) [m]. */
export function largestExtent(positions: ArrayLike<number>): number {
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}

/** Edges of tetrahedron `tet` from its first corner to each of the others, x,y,z of each [m]. */
export function writeTetEdges({ positions: p, tets }: TetMesh, tet: number, out: Float64Array): void {
  const a = 3 * tets[4 * tet];
  for (let i = 0; i < 3; i++) {
    const b = 3 * tets[4 * tet + 1 + i];
    for (let k = 0; k < 3; k++) out[3 * i + k] = p[b + k] - p[a + k];
  }
}

/** Signed volume of tetrahedron `tet` [m^3]; negative when it is inverted. */
export function tetVolume(mesh: TetMesh, tet: number): number {
  writeTetEdges(mesh, tet, EDGES);
  const { 0: ux, 1: uy, 2: uz, 3: vx, 4: vy, 5: vz, 6: wx, 7: wy, 8: wz } = EDGES;
  return ((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz) / 6;
}

/** Volume of the whole mesh, the sum of the signed volumes of its tetrahedra [m^3]. */
export function meshVolume(mesh: TetMesh): number {
  let volume = 0;
  for (let tet = 0; tet < mesh.tets.length / 4; tet++) volume += tetVolume(mesh, tet);
  return volume;
}

function requireRows(length: number, stride: number, place: string): void {
  if (length === 0) throw new TendonError('E_EMPTY', place, length, 'a mesh needs vertices and tetrahedra');
  if (length % stride !== 0) {
    throw new TendonError('E_RANGE', place, length, `the length must be a multiple of ${stride}`);
  }
}

function checkSize(positions: Float64Array, place: string): void {
  const extent = largestExtent(positions);
  if (extent > MAX_SIZE) {
    const advice = `a mesh may be at most ${MAX_SIZE} m across; coordinates are metres: were they micrometres or millimetres?`;
    throw new TendonError('E_RANGE', `${place}/positions`, extent, advice);
  }
  if (extent < MIN_SIZE) {
    const advice = `a mesh must be at least ${MIN_SIZE} m across; coordinates are metres: were they kilometres, or scaled twice?`;
    throw new TendonError('E_RANGE', `${place}/positions`, extent, advice);
  }
}
