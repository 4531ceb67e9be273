/**
 * Dense inner loops of the supernodal Cholesky factorisation, on column-major panels inside one array of values.
 * Called by cholesky.ts; nearly all of its time is spent here.
 *
 * Blocks of 4 rows by 2 columns are summed in registers: per step 6 loads feed 8 products. Sums run over the columns of
 * the source in ascending order whatever the blocking, so a value does not depend on where in a block it was computed.
 */
import { PACKED_COLUMNS, subtractPacked } from './packed-product.js';

/** Columns of a source, and rows, from which on packing them pays. */
const WIDE = 24;
const TALL = 48;

/**
 * target(index[i], index[j]) -= sum over c of source(i, c) * source(j, c), for j < columnCount and j <= i < rowCount.
 * `source` is the offset of the first of these rows in the first of `width` columns, `sourceLead` the distance between
 * columns; likewise `target` and `targetLead`.
 */
export function subtractOuterProduct(
  values: Float64Array,
  source: number,
  sourceLead: number,
  width: number,
  rowCount: number,
  columnCount: number,
  index: Int32Array,
  target: number,
  targetLead: number,
): void {
  if (width >= WIDE && rowCount >= TALL) {
    subtractWide(values, source, sourceLead, width, rowCount, columnCount, index, target, targetLead);
    return;
  }
  subtractTriangle(values, source, sourceLead, width, 0, rowCount, columnCount, index, target, targetLead);
}

/** Columns in groups: near the diagonal as in `subtractTriangle`, the rows below packed. */
function subtractWide(
  values: Float64Array,
  source: number,
  sourceLead: number,
  width: number,
  rowCount: number,
  columnCount: number,
  index: Int32Array,
  target: number,
  targetLead: number,
): void {
  let from = 0;
  for (; from + 1 < columnCount; ) {
    const to = Math.min(from + PACKED_COLUMNS, columnCount & ~1);
    subtractTriangle(values, source, sourceLead, width, from, to, to, index, target, targetLead);
    const left = subtractPacked(values, source, sourceLead, width, from, to, to, rowCount, index, target, targetLead);
    for (let j = from; j < to; j += 2) {
      const columns = target + index[j] * targetLead;
      subtractRest(
        values,
        source,
        sourceLead,
        width,
        j,
        left,
        rowCount,
        index,
        columns,
        target + index[j + 1] * targetLead,
      );
    }
    from = to;
  }
  subtractTriangle(values, source, sourceLead, width, from, rowCount, columnCount, index, target, targetLead);
}

/** Columns from `from` to `columnCount`, from the diagonal down to `rowCount`. */
function subtractTriangle(
  values: Float64Array,
  source: number,
  sourceLead: number,
  width: number,
  from: number,
  rowCount: number,
  columnCount: number,
  index: Int32Array,
  target: number,
  targetLead: number,
): void {
  let j = from;
  for (; j + 1 < columnCount; j += 2) {
    const left = target + index[j] * targetLead;
    const right = target + index[j + 1] * targetLead;
    subtractCorner(values, source + j, sourceLead, width, left + index[j], left + index[j + 1], right + index[j + 1]);
    let i = j + 2;
    for (; i + 3 < rowCount; i += 4) {
      subtractBlock(values, source + i, source + j, sourceLead, width, index, i, left, right);
    }
    subtractRest(values, source, sourceLead, width, j, i, rowCount, index, left, right);
  }
  if (j < columnCount) {
    subtractColumn(values, source, sourceLead, width, rowCount, j, index, target + index[j] * targetLead);
  }
}

/** Rows from `i` on, one by one, of the pair of columns j and j + 1. */
function subtractRest(
  values: Float64Array,
  source: number,
  sourceLead: number,
  width: number,
  j: number,
  firstRow: number,
  rowCount: number,
  index: Int32Array,
  left: number,
  right: number,
): void {
  for (let i = firstRow; i < rowCount; i++) {
    let s0 = 0;
    let s1 = 0;
    let a = source + i;
    let b = source + j;
    for (let c = 0; c < width; c++) {
      s0 += values[a] * values[b];
      s1 += values[a] * values[b + 1];
      a += sourceLead;
      b += sourceLead;
    }
    values[left + index[i]] -= s0;
    values[right + index[i]] -= s1;
  }
}

/** Four rows, named by index[i..i + 4), of the pair of columns at `left` and `right`. */
function subtractBlock(
  values: Float64Array,
  rows: number,
  columns: number,
  lead: number,
  width: number,
  index: Int32Array,
  i: number,
  left: number,
  right: number,
): void {
  let s00 = 0;
  let s10 = 0;
  let s20 = 0;
  let s30 = 0;
  let s01 = 0;
  let s11 = 0;
  let s21 = 0;
  let s31 = 0;
  let a = rows;
  let b = columns;
  for (let c = 0; c < width; c++) {
    const b0 = values[b];
    const b1 = values[b + 1];
    const a0 = values[a];
    const a1 = values[a + 1];
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 += a1 * b0;
    s11 += a1 * b1;
    const a2 = values[a + 2];
    const a3 = values[a + 3];
    s20 += a2 * b0;
    s21 += a2 * b1;
    s30 += a3 * b0;
    s31 += a3 * b1;
    a += lead;
    b += lead;
  }
  const r0 = index[i];
  const r1 = index[i + 1];
  const r2 = index[i + 2];
  const r3 = index[i + 3];
  values[left + r0] -= s00;
  values[left + r1] -= s10;
  values[left + r2] -= s20;
  values[left + r3] -= s30;
  values[right + r0] -= s01;
  values[right + r1] -= s11;
  values[right + r2] -= s21;
  values[right + r3] -= s31;
}

/** The three entries on and under the diagonal where a pair of columns starts. */
function subtractCorner(
  values: Float64Array,
  source: number,
  lead: number,
  width: number,
  at00: number,
  at10: number,
  at11: number,
): void {
  let s00 = 0;
  let s10 = 0;
  let s11 = 0;
  for (let c = 0; c < width; c++) {
    const a0 = values[source + c * lead];
    const a1 = values[source + c * lead + 1];
    s00 += a0 * a0;
    s10 += a1 * a0;
    s11 += a1 * a1;
  }
  values[at00] -= s00;
  values[at10] -= s10;
  values[at11] -= s11;
}

/** A single column, from its diagonal down. */
function subtractColumn(
  values: Float64Array,
  source: number,
  lead: number,
  width: number,
  rowCount: number,
  j: number,
  index: Int32Array,
  column: number,
): void {
  let i = j;
  for (; i + 3 < rowCount; i += 4) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let a = source + i;
    let b = source + j;
    for (let c = 0; c < width; c++) {
      const b0 = values[b];
      s0 += values[a] * b0;
      s1 += values[a + 1] * b0;
      s2 += values[a + 2] * b0;
      s3 += values[a + 3] * b0;
      a += lead;
      b += lead;
    }
    values[column + index[i]] -= s0;
    values[column + index[i + 1]] -= s1;
    values[column + index[i + 2]] -= s2;
    values[column + index[i + 3]] -= s3;
  }
  for (; i < rowCount; i++) {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += values[source + i + c * lead] * values[source + j + c * lead];
    values[column + index[i]] -= sum;
  }
}
