/**
 * The Laplacian as 8x8 matrices of cells, and how they become those of cells twice as large: sums of Qᵀ E Q over the
 * children, Q being trilinear interpolation. So every coarse matrix is the Galerkin one, and no thin bone is lost on the
 * way (re-discretised levels lose them and diverge). Called when the levels are built.
 */
import { AXES_OF } from '../../../kernels/reference/lattice-cells.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import type { CoarseLattice } from '../../../mesh/hexes/coarsen-lattice.js';
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';

/** 64 numbers per cell, row major. */
export type CellMatrices = Float64Array;

/** What fills the cells, and what holds their nodes. */
export interface CellStiffness {
  /** What each cell resists with: mu + lambda/4, or mu alone where volume is looked after elsewhere [Pa]. */
  readonly stiffness: ArrayLike<number>;
  /** Hourglass share. */
  readonly kappa: number;
  /** Mass of each cell over the square of the time step [kg/s²]; zero without inertia. */
  readonly inertia: ArrayLike<number>;
  /** Stiffness of what ties the corners of cells to soft bones, eight per cell [N/m]. */
  readonly ties?: ArrayLike<number>;
  /** 1 for nodes that are held: their rows and columns are left out. */
  readonly held: Uint8Array;
}

/** Matrix of a cell of unit stiffness and size: sum over patterns of |s| kappa_s / 8 times signs. */
export function unitCellMatrix(kappa: number): Float64Array {
  const matrix = new Float64Array(64);
  for (let s = 1; s < 8; s++) {
    const weight = (AXES_OF[s] * (AXES_OF[s] === 1 ? 1 : kappa)) / 8;
    for (let a = 0; a < 8; a++) {
      for (let b = 0; b < 8; b++) matrix[8 * a + b] += weight * signOf(s, a) * signOf(s, b);
    }
  }
  return matrix;
}

function signOf(s: number, corner: number): number {
  let sign = 1;
  for (let bit = 1; bit < 8; bit *= 2) if (s & bit && !(corner & bit)) sign = -sign;
  return sign;
}

/** Weights Q of the eight corners of a coarse cell at the eight corners of each of its eight children. */
export const CHILD_WEIGHTS = Array.from({ length: 8 }, (_, child) =>
  Float64Array.from({ length: 64 }, (_, at) => {
    let weight = 1;
    for (let axis = 0; axis < 3; axis++) {
      const place = ((child >> axis) & 1) + (((at >> 3) >> axis) & 1);
      weight *= ((at >> axis) & 1 ? place : 2 - place) / 2;
    }
    return weight;
  }),
);

/** Adds Qᵀ E Q of one cell to the matrix of its parent at `o`; corners that `skip` marks count as fixed at zero. */
function addToParent(out: Float64Array, o: number, cell: Float64Array, c: number, child: number, skip: number): void {
  const weights = CHILD_WEIGHTS[child];
  const product = addToParent.product;
  product.fill(0);
  for (let a = 0; a < 8; a++) {
    if (skip & (1 << a)) continue;
    for (let b = 0; b < 8; b++) {
      if (skip & (1 << b)) continue;
      const value = cell[c + 8 * a + b];
      for (let j = 0; j < 8; j++) product[8 * a + j] += value * weights[8 * b + j];
    }
  }
  for (let a = 0; a < 8; a++) {
    for (let i = 0; i < 8; i++) {
      const weight = weights[8 * a + i];
      if (weight === 0) continue;
      for (let j = 0; j < 8; j++) out[o + 8 * i + j] += weight * product[8 * a + j];
    }
  }
}
addToParent.product = new Float64Array(64);

/** Which of the eight children of its parent a cell is. */
export function childOf(lattice: HexLattice, cell: number): number {
  const { cells } = lattice;
  return (cells[3 * cell] & 1) | ((cells[3 * cell + 1] & 1) << 1) | ((cells[3 * cell + 2] & 1) << 2);
}

/** Matrices of the first coarse level, from what fills the finest cells. */
export function firstCoarseMatrices(fine: HexLattice, coarse: CoarseLattice, filling: CellStiffness): CellMatrices {
  const matrices = new Float64Array((64 * coarse.lattice.cells.length) / 3);
  const unit = unitCellMatrix(filling.kappa);
  const own = new Float64Array(64);
  for (let cell = 0; cell < coarse.parentOfCell.length; cell++) {
    for (let n = 0; n < 64; n++) own[n] = unit[n] * filling.stiffness[cell] * fine.cellSize;
    for (let a = 0; a < 8; a++) own[9 * a] += filling.inertia[cell] / 8 + (filling.ties?.[8 * cell + a] ?? 0);
    let skip = 0;
    for (let a = 0; a < 8; a++) if (filling.held[fine.corners[8 * cell + a]]) skip |= 1 << a;
    addToParent(matrices, 64 * coarse.parentOfCell[cell], own, 0, childOf(fine, cell), skip);
  }
  return matrices;
}

/** Matrices of the next coarse level. */
export function nextCoarseMatrices(fine: HexLattice, coarse: CoarseLattice, own: CellMatrices): CellMatrices {
  const matrices = new Float64Array((64 * coarse.lattice.cells.length) / 3);
  for (let cell = 0; cell < coarse.parentOfCell.length; cell++) {
    addToParent(matrices, 64 * coarse.parentOfCell[cell], own, 64 * cell, childOf(fine, cell), 0);
  }
  return matrices;
}

/** The matrix of all cells together; nodes that nothing moves get a one, so that it can be factored. */
export function assembleCells(lattice: HexLattice, own: CellMatrices): SparseMatrix {
  const count = lattice.cells.length / 3;
  const size = lattice.nodes.length / 3;
  const rows = new Int32Array(64 * count + size);
  const columns = new Int32Array(64 * count + size);
  const values = new Float64Array(64 * count + size);
  const diagonal = new Float64Array(size);
  for (let cell = 0; cell < count; cell++) {
    for (let n = 0; n < 64; n++) {
      rows[64 * cell + n] = lattice.corners[8 * cell + (n >> 3)];
      columns[64 * cell + n] = lattice.corners[8 * cell + (n & 7)];
      values[64 * cell + n] = own[64 * cell + n];
    }
    for (let a = 0; a < 8; a++) diagonal[lattice.corners[8 * cell + a]] += own[64 * cell + 9 * a];
  }
  for (let node = 0; node < size; node++) {
    rows[64 * count + node] = node;
    columns[64 * count + node] = node;
    values[64 * count + node] = diagonal[node] > 0 ? 0 : 1;
  }
  return sparseFromTriplets(size, rows, columns, values);
}
