/** Finding the tetrahedron of a body-centred cubic lattice that holds a point. */
import type { BccLattice } from './bcc-lattice.js';

/**
 * The number of the tetrahedron around a point: 12 per cube, as `forEachBccTet` visits them if no cube were left out. The
 * point must lie at least half a cube inside the box.
 */
export function locateBccTet({ cells, cell, origin }: BccLattice, x: number, y: number, z: number): number {
  const ux = (x - origin[0]) / cell;
  const uy = (y - origin[1]) / cell;
  const uz = (z - origin[2]) / cell;
  const i = Math.floor(ux);
  const j = Math.floor(uy);
  const k = Math.floor(uz);
  const dx = ux - i - 0.5;
  const dy = uy - j - 0.5;
  const dz = uz - k - 0.5;
  let cube = i + cells[0] * (j + cells[1] * k);
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  // the face of the cube the point is behind, then the side of that face it is nearest to
  if (ax >= ay && ax >= az) {
    if (dx < 0) cube -= 1;
    return 12 * cube + faceSide(dy, dz);
  }
  if (ay >= az) {
    if (dy < 0) cube -= cells[0];
    return 12 * cube + 4 + faceSide(dz, dx);
  }
  if (dz < 0) cube -= cells[0] * cells[1];
  return 12 * cube + 8 + faceSide(dx, dy);
}

function faceSide(u: number, v: number): number {
  if (Math.abs(u) > Math.abs(v)) return u > 0 ? 1 : 3;
  return v > 0 ? 2 : 0;
}

/** Writes the four lattice points of a tetrahedron: two centres, two corners. */
export function writeBccTet({ cells, cornerCount }: BccLattice, tet: number, out: Int32Array, o: number): void {
  const [nx, ny] = cells;
  const cube = Math.floor(tet / 12);
  const axis = Math.floor((tet % 12) / 4);
  const side = tet % 4;
  const i = cube % nx;
  const j = Math.floor(cube / nx) % ny;
  const k = Math.floor(cube / (nx * ny));
  const corner = i + (nx + 1) * (j + (ny + 1) * k);
  const step = (a: number): number => (a === 0 ? 1 : a === 1 ? nx + 1 : (nx + 1) * (ny + 1));
  const u = step((axis + 1) % 3);
  const v = step((axis + 2) % 3);
  const first = corner + step(axis);
  out[o] = cornerCount + cube;
  out[o + 1] = cornerCount + cube + (axis === 0 ? 1 : axis === 1 ? nx : nx * ny);
  out[o + 2] = side === 0 ? first : side === 1 ? first + u : side === 2 ? first + u + v : first + v;
  out[o + 3] = side === 0 ? first + u : side === 1 ? first + u + v : side === 2 ? first + v : first;
}
