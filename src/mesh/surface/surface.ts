/**
 * The skin of a tetrahedral mesh: the faces that belong to one tetrahedron only, turned outward, with their vertices
 * renumbered from zero so that a viewer uploads no inner vertex. Also area, enclosed volume and vertex normals of a
 * triangle surface.
 */
import type { TetMesh } from '../tets/tet-mesh.js';
import { doubleArea, writeEdgeCross } from './triangle-algebra.js';

/** A triangle surface cut out of a tetrahedral mesh. */
export interface Surface {
  /** Three indices per triangle into `vertices`, anticlockwise seen from outside. */
  readonly triangles: Int32Array;
  /** For each vertex of the surface its index in the mesh, ascending. */
  readonly vertices: Int32Array;
}

// Faces of a tetrahedron of positive volume, each seen anticlockwise from outside.
const FACES = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1];

/** The boundary of `mesh`, outward where tetrahedra have positive volume; order follows the tetrahedra. */
export function extractSurface(mesh: TetMesh): Surface {
  const boundary = boundaryFaces(mesh);
  const used = new Uint8Array(mesh.positions.length / 3);
  for (const vertex of boundary) used[vertex] = 1;
  const compactOf = new Int32Array(used.length).fill(-1);
  const vertices: number[] = [];
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (used[vertex] === 0) continue;
    compactOf[vertex] = vertices.length;
    vertices.push(vertex);
  }
  return { triangles: Int32Array.from(boundary, (vertex) => compactOf[vertex]), vertices: Int32Array.from(vertices) };
}

/** Copies the surface's vertices out of all mesh positions; `out` holds x,y,z per surface vertex. No allocation. */
export function gatherSurfacePositions(
  surface: Surface,
  positions: ArrayLike<number>,
  out: Float32Array | Float64Array,
): void {
  const { vertices } = surface;
  for (let i = 0; i < vertices.length; i++) {
    const source = 3 * vertices[i];
    out[3 * i] = positions[source];
    out[3 * i + 1] = positions[source + 1];
    out[3 * i + 2] = positions[source + 2];
  }
}

/** Area of a triangle surface; `positions` is x,y,z per vertex the triangles index [m^2]. */
export function surfaceArea(triangles: ArrayLike<number>, positions: ArrayLike<number>): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    area += doubleArea(positions, triangles[t], triangles[t + 1], triangles[t + 2]) / 2;
  }
  return area;
}

/** Volume enclosed by a closed outward surface, by the divergence theorem [m^3]. */
export function surfaceVolume(triangles: ArrayLike<number>, positions: ArrayLike<number>): number {
  let volume = 0;
  const cross = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    writeEdgeCross(positions, triangles[t], triangles[t + 1], triangles[t + 2], cross);
    volume += (positions[a] * cross[0] + positions[a + 1] * cross[1] + positions[a + 2] * cross[2]) / 6;
  }
  return volume;
}

/**
 * Unit normals at the vertices, the mean of the triangles around each weighted by area; zero where no triangle is.
 * Writes x,y,z per vertex into `normals` and allocates nothing, so a viewer may call it every frame.
 */
export function computeVertexNormals(
  triangles: ArrayLike<number>,
  positions: ArrayLike<number>,
  normals: Float32Array | Float64Array,
): void {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let k = 0; k < 3; k++) {
      const corner = 3 * triangles[t + k];
      normals[corner] += nx;
      normals[corner + 1] += ny;
      normals[corner + 2] += nz;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > 0 ? 1 / length : 0;
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
}

/** Faces that one tetrahedron has and no other, three mesh vertices each, outward. */
function boundaryFaces(mesh: TetMesh): number[] {
  const { tets } = mesh;
  const tetCount = tets.length / 4;
  // Faces wait in a list per lowest vertex until their twin arrives; lists are short, so this beats a hash map.
  const firstFace = new Int32Array(mesh.positions.length / 3).fill(-1);
  const nextFace = new Int32Array(4 * tetCount);
  const matched = new Uint8Array(4 * tetCount);
  const low = new Int32Array(4 * tetCount);
  const mid = new Int32Array(4 * tetCount);
  const high = new Int32Array(4 * tetCount);
  for (let face = 0; face < 4 * tetCount; face++) {
    const tet = 4 * (face >> 2);
    const base = 3 * (face & 3);
    const a = tets[tet + FACES[base]];
    const b = tets[tet + FACES[base + 1]];
    const c = tets[tet + FACES[base + 2]];
    low[face] = Math.min(a, b, c);
    high[face] = Math.max(a, b, c);
    mid[face] = a + b + c - low[face] - high[face];
    let twin = firstFace[low[face]];
    while (twin >= 0 && (matched[twin] === 1 || mid[twin] !== mid[face] || high[twin] !== high[face])) {
      twin = nextFace[twin];
    }
    if (twin >= 0) {
      matched[twin] = 1;
      matched[face] = 1;
    } else {
      nextFace[face] = firstFace[low[face]];
      firstFace[low[face]] = face;
    }
  }
  const boundary: number[] = [];
  for (let face = 0; face < 4 * tetCount; face++) {
    if (matched[face] === 1) continue;
    const base = 3 * (face & 3);
    for (let k = 0; k < 3; k++) boundary.push(tets[4 * (face >> 2) + FACES[base + k]]);
  }
  return boundary;
}
