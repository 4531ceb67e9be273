/**
 * A lattice of cubes, some of them there more than once: where separate parts of a body share a cube, each has its own copy
 * of it, with its own corners. What the lattice solver computes on; built by `fillWithCells` and by `boxLattice`.
 */
import { TendonError } from '../../errors.js';

/** Cells and their corners. Corner c of a cell lies at its lattice coordinates plus the bits of c: 1 along x, 2 y, 4 z. */
export interface HexLattice {
  /** Side of a cell [m]. */
  readonly cellSize: number;
  /** Where lattice point (0, 0, 0) is [m]. */
  readonly origin: readonly [number, number, number];
  /** Lattice coordinates i, j, k of each cell, never negative. */
  readonly cells: Int32Array;
  /** Eight nodes per cell. */
  readonly corners: Int32Array;
  /** Lattice coordinates i, j, k of each node. */
  readonly nodes: Int32Array;
}

/** A box of nx by ny by nz cells with a corner at the origin. */
export function boxLattice(nx: number, ny: number, nz: number, cellSize: number): HexLattice {
  for (const count of [nx, ny, nz]) {
    if (!(Number.isInteger(count) && count > 0)) {
      throw new TendonError('E_RANGE', 'cells', count, 'a box needs a whole, positive number of cells each way');
    }
  }
  const cells = new Int32Array(3 * nx * ny * nz);
  const corners = new Int32Array(8 * nx * ny * nz);
  const nodes = new Int32Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  const nodeAt = (i: number, j: number, k: number): number => i + (nx + 1) * (j + (ny + 1) * k);
  for (let k = 0, n = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++, n += 3) nodes.set([i, j, k], n);
  }
  for (let k = 0, cell = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, cell++) {
        cells.set([i, j, k], 3 * cell);
        for (let c = 0; c < 8; c++) corners[8 * cell + c] = nodeAt(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
      }
    }
  }
  return { cellSize, origin: [0, 0, 0], cells, corners, nodes };
}

/** Rest position of every node, x,y,z each [m]. */
export function nodePositions({ nodes, origin, cellSize }: HexLattice): Float64Array {
  return Float64Array.from(nodes, (coordinate, i) => origin[i % 3] + coordinate * cellSize);
}
