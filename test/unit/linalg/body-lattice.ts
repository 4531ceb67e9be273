/**
 * A tet mesh for tests and timings: a lattice of cubes inside a branching body (trunk, head, arms, legs as capsules),
 * each cube cut into five tets, mirrored from cube to cube so that faces match. Not a good mesh, but one with the
 * pattern of a character: thick where the trunk is, thin limbs, many vertices on the surface.
 */

import { type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';

export interface BodyLattice {
  vertexCount: number;
  tetCount: number;
  /** xyz per vertex. */
  positions: Float64Array;
  /** Four vertices per tet. */
  tets: Int32Array;
}

/** ax ay az bx by bz radius [m]. */
const CAPSULES = [
  [0, 0.95, 0, 0, 1.4, 0, 0.17],
  [0, 1.6, 0, 0, 1.7, 0, 0.1],
  [0.15, 1.42, 0, 0.75, 1.42, 0, 0.06],
  [-0.15, 1.42, 0, -0.75, 1.42, 0, 0.06],
  [0.1, 0.9, 0, 0.14, 0.1, 0, 0.09],
  [-0.1, 0.9, 0, -0.14, 0.1, 0, 0.09],
];

const EVEN_TETS = [0, 1, 2, 4, 3, 2, 1, 7, 5, 4, 7, 1, 6, 7, 4, 2, 1, 2, 4, 7];
const ODD_TETS = [1, 0, 5, 3, 2, 3, 6, 0, 4, 5, 0, 6, 7, 6, 5, 3, 0, 3, 5, 6];

/** The body at the given lattice spacing [m]; 0.0235 gives 12.5k vertices and 47.6k tets. */
export function bodyLattice(spacing: number): BodyLattice {
  const nx = Math.ceil(2 / spacing);
  const ny = Math.ceil(2 / spacing);
  const nz = Math.ceil(0.6 / spacing);
  const numberOf = new Map<number, number>();
  const positions: number[] = [];
  const tets: number[] = [];
  for (let x = 0; x < nx; x++) {
    for (let y = 0; y < ny; y++) {
      for (let z = 0; z < nz; z++) {
        if (!isInside((x + 0.5) * spacing - 1, (y + 0.5) * spacing, (z + 0.5) * spacing - 0.3)) continue;
        const corners: number[] = [];
        for (let c = 0; c < 8; c++) {
          const i = x + (c & 1);
          const j = y + ((c >> 1) & 1);
          const k = z + (c >> 2);
          const key = (i * (ny + 1) + j) * (nz + 1) + k;
          let vertex = numberOf.get(key);
          if (vertex === undefined) {
            vertex = numberOf.size;
            numberOf.set(key, vertex);
            positions.push(i * spacing - 1, j * spacing, k * spacing - 0.3);
          }
          corners.push(vertex);
        }
        for (const corner of (x + y + z) % 2 === 0 ? EVEN_TETS : ODD_TETS) tets.push(corners[corner]);
      }
    }
  }
  return {
    vertexCount: numberOf.size,
    tetCount: tets.length / 4,
    positions: Float64Array.from(positions),
    tets: Int32Array.from(tets),
  };
}

/** Graph Laplacian of the tets (every edge weighted by the number of its tets) plus `mass` on the diagonal. */
export function latticeMatrix(mesh: BodyLattice, mass: number): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let t = 0; t < mesh.tetCount; t++) {
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 4; b++) {
        rows.push(mesh.tets[t * 4 + a]);
        columns.push(mesh.tets[t * 4 + b]);
        values.push(a === b ? 3 : -1);
      }
    }
  }
  for (let i = 0; i < mesh.vertexCount; i++) {
    rows.push(i);
    columns.push(i);
    values.push(mass);
  }
  return sparseFromTriplets(mesh.vertexCount, rows, columns, values);
}

function isInside(x: number, y: number, z: number): boolean {
  for (const [ax, ay, az, bx, by, bz, radius] of CAPSULES) {
    const [dx, dy, dz] = [bx - ax, by - ay, bz - az];
    const along = ((x - ax) * dx + (y - ay) * dy + (z - az) * dz) / (dx * dx + dy * dy + dz * dz);
    const t = Math.min(1, Math.max(0, along));
    const distSq = (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2 + (az + t * dz - z) ** 2;
    if (distSq < radius * radius) return true;
  }
  return false;
}
