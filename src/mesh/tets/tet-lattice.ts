/**
 * Tetrahedral meshes from boxes of equal cells: every cell is split into five or six tetrahedra so that neighbours
 * agree on the diagonals of the face they share. Used by the procedural characters and by tests that need a mesh whose
 * volume is known in closed form.
 */
import { requireInRange, TendonError } from '../../errors.js';
import type { TetMesh } from './tet-mesh.js';

/** Five tetrahedra per cell (mirrored from cell to cell, no preferred direction) or six (Kuhn, all cells alike). */
export type CellSplit = 'five' | 'six';

/** A box of cells. */
export interface LatticeOptions {
  /** Number of cells along x, y and z. */
  readonly cells: readonly [number, number, number];
  /** Side of a cell, one number or one per axis [m]. */
  readonly cellSize: number | readonly [number, number, number];
  /** Lowest corner of the box [m]; default [0, 0, 0]. */
  readonly origin?: readonly [number, number, number];
  /** Default 'five'. */
  readonly split?: CellSplit;
  /** Keeps a cell when this returns true for its centre [m]; default keeps all. */
  readonly inside?: (x: number, y: number, z: number) => boolean;
}

/** More cells than this along an axis cannot be meant: the mesh would not fit in memory. */
const MAX_CELLS = 4096;

// Corners of a cell are numbered by bits: 1 = +x, 2 = +y, 4 = +z. Each row is one tetrahedron of positive volume.
// Five: one regular tetrahedron on four corners that share no edge, and one at each of the other four corners.
const FIVE_EVEN = [0, 1, 2, 4, 3, 2, 1, 7, 5, 1, 4, 7, 6, 4, 2, 7, 1, 2, 4, 7];
// The mirror image x -> 1-x (bit 1 flipped, two corners swapped to keep the volume positive).
const FIVE_ODD = mirror(FIVE_EVEN);
// Kuhn: from corner 0 to corner 7 along the three axes, in each of the six orders.
const SIX = [0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7];

/**
 * The tetrahedra of the kept cells. Vertices are shared and numbered x fastest, then y, then z, leaving out those no
 * kept cell touches; tetrahedra follow the same order of cells. Cells kept through `inside` may touch in just an edge
 * or a corner, as the predicate has it. `E_EMPTY` when no cell is kept.
 */
export function buildLattice(options: LatticeOptions): TetMesh {
  const { cells, origin = [0, 0, 0], split = 'five', inside } = options;
  const size =
    typeof options.cellSize === 'number' ? [0, 1, 2].map(() => options.cellSize as number) : options.cellSize;
  for (let axis = 0; axis < 3; axis++) {
    requireInRange(cells[axis], 1, MAX_CELLS, `cells/${axis}`);
    if (!Number.isInteger(cells[axis])) {
      throw new TendonError('E_RANGE', `cells/${axis}`, cells[axis], 'the number of cells must be whole');
    }
    requireInRange(size[axis], Number.MIN_VALUE, Number.MAX_VALUE, `cellSize/${axis}`);
    requireInRange(origin[axis], -Number.MAX_VALUE, Number.MAX_VALUE, `origin/${axis}`);
  }
  const [nx, ny, nz] = cells;
  const rowLength = nx + 1;
  const layerLength = rowLength * (ny + 1);
  const tets: number[] = [];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const x = origin[0] + (i + 0.5) * size[0];
        const y = origin[1] + (j + 0.5) * size[1];
        const z = origin[2] + (k + 0.5) * size[2];
        if (inside !== undefined && !inside(x, y, z)) continue;
        const first = i + j * rowLength + k * layerLength;
        pushCell(tets, first, rowLength, layerLength, pickSplit(split, i + j + k));
      }
    }
  }
  if (tets.length === 0) throw new TendonError('E_EMPTY', 'inside', 0, 'no cell of the lattice was kept');
  return numberVertices(tets, cells, size, origin);
}

function pickSplit(split: CellSplit, parity: number): readonly number[] {
  if (split === 'six') return SIX;
  return parity % 2 === 0 ? FIVE_EVEN : FIVE_ODD;
}

function pushCell(tets: number[], first: number, row: number, layer: number, corners: readonly number[]): void {
  for (const corner of corners) tets.push(first + (corner & 1) + ((corner >> 1) & 1) * row + (corner >> 2) * layer);
}

/** Renumbers the grid points that are used and places them. */
function numberVertices(
  gridTets: number[],
  cells: readonly [number, number, number],
  size: readonly number[],
  origin: readonly number[],
): TetMesh {
  const [nx, ny, nz] = cells;
  const used = new Uint8Array((nx + 1) * (ny + 1) * (nz + 1));
  for (const point of gridTets) used[point] = 1;
  const vertexOf = new Int32Array(used.length).fill(-1);
  const positions: number[] = [];
  for (let point = 0; point < used.length; point++) {
    if (used[point] === 0) continue;
    vertexOf[point] = positions.length / 3;
    const i = point % (nx + 1);
    const j = Math.floor(point / (nx + 1)) % (ny + 1);
    const k = Math.floor(point / ((nx + 1) * (ny + 1)));
    positions.push(origin[0] + i * size[0], origin[1] + j * size[1], origin[2] + k * size[2]);
  }
  return { positions: Float64Array.from(positions), tets: Int32Array.from(gridTets, (point) => vertexOf[point]) };
}

function mirror(tets: readonly number[]): number[] {
  const mirrored: number[] = [];
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => tets[t + i] ^ 1);
    mirrored.push(a, b, d, c);
  }
  return mirrored;
}
