/**
 * Sparse matrices by compressed rows: building from triplets, checking, multiplying, transposing, permuting.
 * Used when a solver assembles its system; symmetric matrices are stored in full (both triangles).
 */

import { TendonError } from '../errors.js';

/** A square sparse matrix by compressed rows. Row i owns the entries rowStart[i] .. rowStart[i+1]-1. */
export interface SparseMatrix {
  /** Number of rows and of columns. */
  readonly size: number;
  /** size+1 offsets into `columns` and `values`. */
  readonly rowStart: Int32Array;
  /** Column of each entry; ascending and without repeats inside a row. */
  readonly columns: Int32Array;
  /** Value of each entry. An explicit zero is an entry. */
  readonly values: Float64Array;
}

/** Where a matrix has entries, without their values. */
export type SparsePattern = Pick<SparseMatrix, 'size' | 'rowStart' | 'columns'>;

/**
 * Builds a matrix from triplets (rows[k], columns[k], values[k]). Triplets of the same place are summed in the order
 * in which they are given, so the same triplets give the same bits.
 */
export function sparseFromTriplets(
  size: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): SparseMatrix {
  checkTriplets(size, rows, columns, values);
  // Two stable counting sorts, by column and then by row, leave equal places in their given order.
  const count = values.length;
  const byColumn = countingSort(size, columns, null, count);
  const byRow = countingSort(size, rows, byColumn.order, count);
  const rowStart = new Int32Array(size + 1);
  const outColumns = new Int32Array(count);
  const outValues = new Float64Array(count);
  let filled = 0;
  for (let i = 0; i < size; i++) {
    rowStart[i] = filled;
    for (let k = byRow.start[i]; k < byRow.start[i + 1]; k++) {
      const triplet = byRow.order[k];
      const column = columns[triplet];
      if (filled > rowStart[i] && outColumns[filled - 1] === column) {
        outValues[filled - 1] += values[triplet];
      } else {
        outColumns[filled] = column;
        outValues[filled++] = values[triplet];
      }
    }
  }
  rowStart[size] = filled;
  return { size, rowStart, columns: outColumns.slice(0, filled), values: outValues.slice(0, filled) };
}

/** Throws unless `matrix` is well formed: not empty, offsets and columns in order and in range, values finite. */
export function checkSparse(matrix: SparseMatrix, place = 'matrix'): void {
  const { size, rowStart, columns, values } = matrix;
  checkSize(size, `${place}/size`);
  if (rowStart.length !== size + 1 || rowStart[0] !== 0) {
    throw new TendonError('E_RANGE', `${place}/rowStart`, rowStart, `there must be ${size + 1} offsets, the first 0`);
  }
  const count = rowStart[size];
  if (columns.length < count || values.length < count) {
    throw new TendonError('E_INDEX', `${place}/rowStart/${size}`, count, 'the offsets point past the entries');
  }
  for (let i = 0; i < size; i++) {
    if (rowStart[i + 1] < rowStart[i]) {
      throw new TendonError('E_RANGE', `${place}/rowStart/${i + 1}`, rowStart[i + 1], 'offsets must not descend');
    }
  }
  for (let i = 0; i < size; i++) {
    let previous = -1;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const column = columns[k];
      if (column <= previous || column >= size) {
        throw new TendonError('E_INDEX', `${place}/columns/${k}`, column, 'columns must ascend and lie in the matrix');
      }
      previous = column;
      if (!Number.isFinite(values[k])) {
        throw new TendonError('E_NOT_FINITE', `${place}/values/${k}`, values[k], 'every number must be finite');
      }
    }
  }
}

/**
 * Throws unless entry (i, j) exists exactly when (j, i) does. One pass: walking the rows in order visits the entries
 * of each column in ascending row order, which must spell out the row of the same number.
 */
export function checkSymmetricPattern(matrix: SparsePattern, place = 'matrix'): void {
  const { size, rowStart, columns } = matrix;
  const cursor = rowStart.slice(0, size);
  for (let i = 0; i < size; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const j = columns[k];
      const mirror = cursor[j]++;
      if (mirror >= rowStart[j + 1] || columns[mirror] !== i) {
        throw new TendonError(
          'E_RANGE',
          `${place}/columns/${k}`,
          j,
          `entry (${i}, ${j}) has no mirror image (${j}, ${i})`,
        );
      }
    }
  }
}

/** y = A x for `stride` right-hand sides stored as rows of `stride` numbers. */
export function multiplySparse(matrix: SparseMatrix, x: ArrayLike<number>, y: Float64Array, stride = 1): void {
  const { size, rowStart, columns, values } = matrix;
  for (let i = 0; i < size; i++) {
    for (let r = 0; r < stride; r++) {
      let sum = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k] * stride + r];
      y[i * stride + r] = sum;
    }
  }
}

/** The transposed matrix. */
export function transposeSparse(matrix: SparseMatrix): SparseMatrix {
  const { size, rowStart, columns, values } = matrix;
  const count = rowStart[size];
  const sorted = countingSort(size, columns, null, count);
  const outColumns = new Int32Array(count);
  const outValues = new Float64Array(count);
  const rowOf = new Int32Array(count);
  for (let i = 0; i < size; i++) rowOf.fill(i, rowStart[i], rowStart[i + 1]);
  for (let k = 0; k < count; k++) {
    outColumns[k] = rowOf[sorted.order[k]];
    outValues[k] = values[sorted.order[k]];
  }
  return { size, rowStart: sorted.start, columns: outColumns, values: outValues };
}

/** P A Pᵀ: row and column `permutation[i]` of `matrix` become row and column i. */
export function permuteSparse(matrix: SparseMatrix, permutation: Int32Array): SparseMatrix {
  const { size, rowStart, columns, values } = matrix;
  const inverse = invertPermutation(permutation, size);
  const count = rowStart[size];
  const rows = new Int32Array(count);
  const outColumns = new Int32Array(count);
  for (let i = 0; i < size; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      rows[k] = inverse[i];
      outColumns[k] = inverse[columns[k]];
    }
  }
  return sparseFromTriplets(size, rows, outColumns, values);
}

/** The inverse of a permutation of 0 .. size-1; throws when it is not one. */
export function invertPermutation(permutation: ArrayLike<number>, size: number): Int32Array {
  if (permutation.length !== size) {
    throw new TendonError('E_RANGE', 'permutation', permutation, `there must be ${size} members`);
  }
  const inverse = new Int32Array(size).fill(-1);
  for (let i = 0; i < size; i++) {
    const old = permutation[i];
    if (!(old >= 0 && old < size) || inverse[old] !== -1) {
      throw new TendonError('E_INDEX', `permutation/${i}`, old, `each of 0 .. ${size - 1} must appear exactly once`);
    }
    inverse[old] = i;
  }
  return inverse;
}

function checkTriplets(
  size: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): void {
  checkSize(size, 'size');
  if (values.length === 0) throw new TendonError('E_EMPTY', 'values', values, 'a matrix needs at least one entry');
  if (rows.length !== values.length || columns.length !== values.length) {
    throw new TendonError('E_RANGE', 'rows', rows.length, `rows, columns and values must be equally many`);
  }
  for (let k = 0; k < values.length; k++) {
    checkIndex(rows[k], size, `rows/${k}`);
    checkIndex(columns[k], size, `columns/${k}`);
    if (!Number.isFinite(values[k])) {
      throw new TendonError('E_NOT_FINITE', `values/${k}`, values[k], 'every number must be finite');
    }
  }
}

function checkSize(size: number, place: string): void {
  if (size === 0) throw new TendonError('E_EMPTY', place, size, 'a matrix needs at least one row');
  if (!Number.isInteger(size) || size < 0 || size > 0x3fffffff) {
    throw new TendonError('E_RANGE', place, size, 'the size must be a whole number from 1 to 2^30 - 1');
  }
}

function checkIndex(index: number, size: number, place: string): void {
  if (!(Number.isInteger(index) && index >= 0 && index < size)) {
    throw new TendonError('E_INDEX', place, index, `the index must be a whole number from 0 to ${size - 1}`);
  }
}

/** Stable sort of `order` (or 0 .. count-1) by keys in 0 .. size-1; start[key] is where a key's run begins. */
function countingSort(
  size: number,
  keys: ArrayLike<number>,
  order: Int32Array | null,
  count: number,
): { start: Int32Array; order: Int32Array } {
  const start = new Int32Array(size + 1);
  for (let k = 0; k < count; k++) start[keys[k] + 1]++;
  for (let i = 0; i < size; i++) start[i + 1] += start[i];
  const cursor = start.slice(0, size);
  const sorted = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const item = order === null ? k : order[k];
    sorted[cursor[keys[item]]++] = item;
  }
  return { start, order: sorted };
}
