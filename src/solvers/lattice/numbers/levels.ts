/**
 * The levels of the multigrid preconditioner: from the lattice itself down to one small enough to factor. Every coarse
 * matrix is the Galerkin product of the one above, 27 entries a row. Built once per body and time step; see cycle.ts.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { multiplySparse, type SparseMatrix } from '../../../linalg/sparse.js';
import { type CoarseLattice, coarsenLattice } from '../../../mesh/hexes/coarsen-lattice.js';
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';
import {
  assembleCells,
  type CellMatrices,
  type CellStiffness,
  firstCoarseMatrices,
  nextCoarseMatrices,
} from './cell-matrices.js';

/** A level below the finest. */
export interface CoarseLevel {
  readonly lattice: HexLattice;
  /** Coarse nodes that each node of the level above lies between, all with the same weight. */
  readonly parentStart: Int32Array;
  readonly parents: Int32Array;
  readonly matrix: SparseMatrix;
  /** Largest eigenvalue of D⁻¹A, a little above what power iterations found. */
  readonly reach: number;
}

/** All levels. */
export interface Levels {
  readonly coarse: readonly CoarseLevel[];
  /** The last level's factor. */
  readonly factor: CholeskyFactor;
}

/** Levels of at most so many nodes are factored: a solve of so many costs about as much as smoothing above it. */
const FACTORED_NODES = 1500;
/** Ten power iterations find 1.78 where 2.03 is true, and the cycle diverges; sixty are enough. */
const POWER_ITERATIONS = 60;
const POWER_MARGIN = 1.05;
const MAX_LEVELS = 12;
/** Share of the diagonal added on the last level; too little to be seen where bones hold the body. */
const LOOSE_STIFFNESS = 1e-5;

/** Largest eigenvalue of D⁻¹A on the finest level, where it is known. */
export function finestReach(kappa: number): number {
  return (8 * Math.max(1, 3 * kappa)) / (3 + 9 * kappa);
}

/** Builds the levels under a lattice. */
export function buildLevels(lattice: HexLattice, filling: CellStiffness): Levels {
  const coarse: CoarseLevel[] = [];
  let above = lattice;
  let matrices: CellMatrices | undefined;
  for (let n = 0; n < MAX_LEVELS; n++) {
    const step: CoarseLattice = coarsenLattice(above);
    matrices =
      matrices === undefined ? firstCoarseMatrices(above, step, filling) : nextCoarseMatrices(above, step, matrices);
    const matrix = assembleCells(step.lattice, matrices);
    const { parentStart, parents } = step;
    coarse.push({ lattice: step.lattice, parentStart, parents, matrix, reach: findReach(matrix) });
    const shrunk = step.lattice.nodes.length < above.nodes.length;
    above = step.lattice;
    if (matrix.size <= FACTORED_NODES || !shrunk) break;
  }
  const { matrix } = coarse[coarse.length - 1];
  return { coarse, factor: factor(analyse(matrix), strengthen(matrix)) };
}

/** A little more on the diagonal: a piece that nothing holds has no stiffness against shifting as a whole. */
function strengthen(matrix: SparseMatrix): SparseMatrix {
  const values = matrix.values.slice();
  for (let row = 0; row < matrix.size; row++) {
    for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
      if (matrix.columns[n] === row) values[n] *= 1 + LOOSE_STIFFNESS;
    }
  }
  return { ...matrix, values };
}

/** Inverse of the diagonal of the finest matrix, zero at held nodes. */
export function inverseDiagonal(lattice: HexLattice, filling: CellStiffness): Float64Array {
  const diagonal = new Float64Array(lattice.nodes.length / 3);
  const share = (3 + 9 * filling.kappa) / 8;
  for (let at = 0; at < lattice.corners.length; at++) {
    const cell = at >> 3;
    diagonal[lattice.corners[at]] += share * filling.stiffness[cell] * lattice.cellSize + filling.inertia[cell] / 8;
    if (filling.ties) diagonal[lattice.corners[at]] += filling.ties[at];
  }
  return diagonal.map((value, node) => (filling.held[node] || value === 0 ? 0 : 1 / value));
}

/** Largest eigenvalue of D⁻¹A by power iterations from a vector with all frequencies in it. */
function findReach(matrix: SparseMatrix): number {
  const { size, rowStart, columns, values } = matrix;
  const inverse = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    for (let n = rowStart[i]; n < rowStart[i + 1]; n++) if (columns[n] === i) inverse[i] = 1 / values[n];
  }
  let x = Float64Array.from({ length: size }, (_, i) => ((i * 7919) % 101) / 50 - 1);
  let y = new Float64Array(size);
  let reach = 1;
  for (let pass = 0; pass < POWER_ITERATIONS; pass++) {
    multiplySparse(matrix, x, y);
    let norm = 0;
    let old = 0;
    for (let i = 0; i < size; i++) {
      y[i] *= inverse[i];
      norm += y[i] * y[i];
      old += x[i] * x[i];
    }
    reach = Math.sqrt(norm / old);
    const scale = 1 / Math.sqrt(norm);
    for (let i = 0; i < size; i++) y[i] *= scale;
    [x, y] = [y, x];
  }
  return POWER_MARGIN * reach;
}
