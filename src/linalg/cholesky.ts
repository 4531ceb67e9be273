/**
 * Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite matrix by supernodes: analyse a pattern
 * once, factor as often as values change. A solver does both when it is built. The solves are in cholesky-solve.ts.
 *
 * Left-looking: a panel is assembled from the matrix, all earlier supernodes that reach into it subtract their outer
 * product, and then it is finished. Its rows are spread into `localRow` once, and every update finds its places there.
 * E. Ng, B. Peyton, Block sparse Cholesky algorithms on advanced uniprocessor computers, SIAM J. Sci. Comput. 14 (1993).
 */

import { TendonError } from '../errors.js';
import type { PanelCost } from './amalgamation.js';
import { subtractOuterProduct } from './dense-panel.js';
import { factorPanel } from './factor-panel.js';
import { orderAmd } from './order/amd.js';
import { orderByPlaces } from './order/nested-dissection.js';
import { checkSparse, type SparseMatrix } from './sparse.js';
import { buildSupernodes, type SupernodalStructure, supernodeOfColumns } from './supernodes.js';

/**
 * A pivot that is smaller than this fraction of its diagonal entry is rounding error: what is left of a matrix that is
 * singular to working precision. Well above 2^-52, well below what a usable system (condition up to 1e12) leaves.
 */
const PIVOT_TOLERANCE = 1e-14;

/** Unknowns from which on a system whose places are known is cut in space; below, minimum degree is as good (docs/decisions/0014). */
const LARGE = 30_000;
/** Progress is told this many times. */
const TOLD = 100;

/** How a pattern is analysed. */
export interface AnalyseOptions {
  /** Unknowns to eliminate last, in this order, as one dense block. */
  readonly last?: ArrayLike<number>;
  /** Where the unknowns are that are not forced last, three numbers each: large systems are then cut in space. */
  readonly places?: Float64Array;
  /** Number of parts the elimination tree is split into; belongs to the data, never to the machine. */
  readonly partCount?: number;
  /** What panels cost in a solve; decides which supernodes are merged. */
  readonly panelCost?: PanelCost;
}

/** How a matrix is factored. */
export interface FactorOptions {
  /** Leave the forced-last block unfactored: it then holds its Schur complement. */
  readonly stopAtLast?: boolean;
  /** Is told now and then what share of the work is done, 0 to 1. */
  readonly progress?: (share: number) => void;
}

/** A factor: structure, values and the scratch to compute them again. */
export interface CholeskyFactor {
  /** Numbering, panels and tree. */
  readonly structure: SupernodalStructure;
  /** Panels, see SupernodalStructure.valueStart. Upper triangles of diagonal blocks are 0. */
  readonly values: Float64Array;
  /** 'complete', 'schur' (last block holds the Schur complement) or 'failed' (values are of no use). */
  state: 'complete' | 'schur' | 'failed';
  /** Scratch of the factorisation. */
  readonly scratch: FactorScratch;
}

/** Scratch of a factorisation, kept so that factoring again allocates nothing. */
export interface FactorScratch {
  /** Supernode of every column. */
  readonly ofColumn: Int32Array;
  /** Row inside the current panel of every unknown that has one. */
  readonly localRow: Int32Array;
  /** Last supernode that set localRow: tells entries that the structure has no place for. */
  readonly owner: Int32Array;
  /** First of the finished supernodes that next reach into a supernode, as linked lists. */
  readonly firstPending: Int32Array;
  readonly nextPending: Int32Array;
  /** First row of each finished supernode that is not used up. */
  readonly position: Int32Array;
  /** Rows of an update inside the current panel. */
  readonly index: Int32Array;
  /** 0, 1, 2, ... */
  readonly identity: Int32Array;
  /** Smallest pivot allowed in each column of the current panel. */
  readonly floor: Float64Array;
}

/** Orders a symmetric matrix and finds the structure of its factor. The values do not matter but must be finite. */
export function analyse(matrix: SparseMatrix, options: AnalyseOptions = {}): SupernodalStructure {
  checkSparse(matrix);
  const { last = [], places } = options;
  const order = places && matrix.size > LARGE ? orderByPlaces(matrix, places, last) : orderAmd(matrix, last);
  return buildSupernodes(matrix, order, last.length, options.partCount ?? 1, options.panelCost);
}

/** Factors a matrix with the pattern that `structure` was made from. Only one triangle of the values is read. */
export function factor(structure: SupernodalStructure, matrix: SparseMatrix, options?: FactorOptions): CholeskyFactor {
  const values = new Float64Array(structure.storedEntries);
  const result: CholeskyFactor = { structure, values, state: 'failed', scratch: createScratch(structure) };
  refactor(result, matrix, options);
  return result;
}

/**
 * Computes the factor of another matrix of the same pattern in place, allocating nothing. When it throws, the factor is
 * left in state 'failed' until a later call succeeds.
 */
export function refactor(target: CholeskyFactor, matrix: SparseMatrix, options: FactorOptions = {}): void {
  const { structure, values, scratch } = target;
  const { count, lastStart, size } = structure;
  if (matrix.size !== size) {
    throw new TendonError('E_RANGE', 'matrix/size', matrix.size, `the structure belongs to a matrix of size ${size}`);
  }
  target.state = 'failed';
  values.fill(0);
  scratch.firstPending.fill(-1);
  const all = options.progress ? panelWork(structure, 0, count) : 0;
  let told = 0;
  let work = 0;
  for (let s = 0; s < count; s++) {
    assemblePanel(structure, values, scratch, matrix, s);
    applyPending(structure, values, scratch, s);
    if (s >= lastStart && options.stopAtLast === true) break;
    finishPanel(structure, values, scratch, s);
    if (!options.progress) continue;
    work += panelWork(structure, s, s + 1);
    if (work < ((told + 1) / TOLD) * all) continue;
    told = Math.floor((work / all) * TOLD);
    options.progress(work / all);
  }
  target.state = options.stopAtLast === true && lastStart < count ? 'schur' : 'complete';
}

/** Multiplications it takes to finish supernodes `from` to `to` and to subtract them from others. */
function panelWork({ columnStart, rowStart }: SupernodalStructure, from: number, to: number): number {
  let work = 0;
  for (let s = from; s < to; s++) {
    const width = columnStart[s + 1] - columnStart[s];
    const rows = width + rowStart[s + 1] - rowStart[s];
    work += width * rows * rows;
  }
  return work;
}

/** Factors the last block of a factor that was stopped before it. */
export function factorLast(target: CholeskyFactor): void {
  const { structure, values, scratch } = target;
  requireState(target, 'schur');
  const width = structure.size - structure.lastColumn;
  const offset = structure.valueStart[structure.lastStart];
  for (let c = 0; c < width; c++) scratch.floor[c] = PIVOT_TOLERANCE * values[offset + c * width + c];
  target.state = 'failed';
  finishPanel(structure, values, scratch, structure.lastStart);
  target.state = 'complete';
}

/**
 * The Schur complement of the forced-last unknowns as a dense symmetric matrix by rows, in the order in which they were
 * forced. The factor must have been made with `stopAtLast`.
 */
export function schurComplement(source: CholeskyFactor, result?: Float64Array): Float64Array {
  const { structure, values } = source;
  requireState(source, 'schur');
  const width = structure.size - structure.lastColumn;
  const offset = structure.valueStart[structure.lastStart];
  const dense = result ?? new Float64Array(width * width);
  for (let j = 0; j < width; j++) {
    for (let i = j; i < width; i++) {
      const value = values[offset + j * width + i];
      dense[i * width + j] = value;
      dense[j * width + i] = value;
    }
  }
  return dense;
}

/** Throws unless the factor is in the given state. */
export function requireState(target: CholeskyFactor, state: CholeskyFactor['state']): void {
  if (target.state !== state) {
    throw new TendonError('E_RANGE', 'factor/state', target.state, `the factor must be in state "${state}"`);
  }
}

function createScratch(structure: SupernodalStructure): FactorScratch {
  const { size, count, columnStart, rowStart } = structure;
  let tallest = 0;
  let widest = 0;
  for (let s = 0; s < count; s++) {
    const width = columnStart[s + 1] - columnStart[s];
    widest = Math.max(widest, width);
    tallest = Math.max(tallest, width + rowStart[s + 1] - rowStart[s]);
  }
  return {
    ofColumn: supernodeOfColumns(columnStart),
    localRow: new Int32Array(size),
    owner: new Int32Array(size).fill(-1),
    firstPending: new Int32Array(count),
    nextPending: new Int32Array(count),
    position: new Int32Array(count),
    index: new Int32Array(tallest),
    identity: Int32Array.from({ length: tallest }, (_, i) => i),
    floor: new Float64Array(widest),
  };
}

/** Spreads the panel's rows into localRow and copies the matrix entries of its columns. */
function assemblePanel(
  structure: SupernodalStructure,
  values: Float64Array,
  scratch: FactorScratch,
  matrix: SparseMatrix,
  s: number,
): void {
  const { permutation, inverse, columnStart, rowStart, rows, valueStart } = structure;
  const { localRow, owner, floor } = scratch;
  const first = columnStart[s];
  const width = columnStart[s + 1] - first;
  const lead = width + rowStart[s + 1] - rowStart[s];
  for (let i = 0; i < width; i++) {
    localRow[first + i] = i;
    owner[first + i] = s;
  }
  for (let k = rowStart[s], i = width; k < rowStart[s + 1]; k++, i++) {
    localRow[rows[k]] = i;
    owner[rows[k]] = s;
  }
  for (let j = 0; j < width; j++) {
    const old = permutation[first + j];
    const column = valueStart[s] + j * lead;
    for (let k = matrix.rowStart[old]; k < matrix.rowStart[old + 1]; k++) {
      const row = inverse[matrix.columns[k]];
      if (row < first + j) continue;
      if (owner[row] !== s) {
        throw new TendonError('E_INDEX', `matrix/columns/${k}`, matrix.columns[k], 'the structure has no such entry');
      }
      const value = matrix.values[k];
      if (!Number.isFinite(value)) {
        throw new TendonError('E_NOT_FINITE', `matrix/values/${k}`, value, 'every number must be finite');
      }
      values[column + localRow[row]] = value;
    }
    floor[j] = PIVOT_TOLERANCE * values[column + j];
  }
}

/** Subtracts the outer products of all finished supernodes that reach into supernode s. */
function applyPending(structure: SupernodalStructure, values: Float64Array, scratch: FactorScratch, s: number): void {
  const { columnStart, rowStart, rows, valueStart } = structure;
  const { firstPending, nextPending, position, localRow, index } = scratch;
  const lead = columnStart[s + 1] - columnStart[s] + rowStart[s + 1] - rowStart[s];
  const columnEnd = columnStart[s + 1];
  let k = firstPending[s];
  while (k !== -1) {
    const following = nextPending[k];
    const width = columnStart[k + 1] - columnStart[k];
    const from = position[k];
    const end = rowStart[k + 1];
    let to = from;
    while (to < end && rows[to] < columnEnd) to++;
    for (let q = from, i = 0; q < end; q++, i++) index[i] = localRow[rows[q]];
    const source = valueStart[k] + width + from - rowStart[k];
    const sourceLead = width + end - rowStart[k];
    subtractOuterProduct(values, source, sourceLead, width, end - from, to - from, index, valueStart[s], lead);
    suspend(structure, scratch, k, to);
    k = following;
  }
}

/** Factors the assembled panel and lines it up for the first supernode that it reaches into. */
function finishPanel(structure: SupernodalStructure, values: Float64Array, scratch: FactorScratch, s: number): void {
  const { columnStart, rowStart, valueStart, permutation } = structure;
  const first = columnStart[s];
  const width = columnStart[s + 1] - first;
  const lead = width + rowStart[s + 1] - rowStart[s];
  const failed = factorPanel(values, valueStart[s], lead, width, scratch.floor, scratch.identity);
  if (failed !== -1) {
    const pivot = values[valueStart[s] + failed * lead + failed];
    const unknown = permutation[first + failed];
    const advice = `the matrix must be positive definite, but unknown ${unknown} has no positive pivot`;
    throw new TendonError('E_NOT_POSITIVE_DEFINITE', `pivot/${unknown}`, pivot, advice);
  }
  suspend(structure, scratch, s, rowStart[s]);
}

/** Lines supernode k up for the supernode of its row number `row`, if it has one. */
function suspend(structure: SupernodalStructure, scratch: FactorScratch, k: number, row: number): void {
  if (row === structure.rowStart[k + 1]) return;
  const next = scratch.ofColumn[structure.rows[row]];
  scratch.position[k] = row;
  scratch.nextPending[k] = scratch.firstPending[next];
  scratch.firstPending[next] = k;
}
