/**
 * The dense inner loop of the factorisation for wide panels: the same sums as in dense-panel.ts, in the same order and so with the same bits, over rows
 * that are first copied side by side. Columns of a large panel are far apart in memory: read where they are, four rows and two columns at a time, they
 * cost more to fetch than to multiply. Called by dense-panel.ts.
 */

/** Columns that are packed together. */
export const PACKED_COLUMNS = 32;

/** Room for packed rows and columns, grown as panels ask for it. */
let strip = new Float64Array(0);
let pairs = new Float64Array(0);

/**
 * target(index[i], index[j]) -= sum over c of source(i, c) * source(j, c) for the rows from `firstRow` to `rowCount` and the columns from `from` to `to`, an even
 * number of at most `PACKED_COLUMNS`, all before the rows; the rest as for `subtractOuterProduct`. Returns the first row that is left.
 */
export function subtractPacked(
  values: Float64Array,
  source: number,
  sourceLead: number,
  width: number,
  from: number,
  to: number,
  firstRow: number,
  rowCount: number,
  index: Int32Array,
  target: number,
  targetLead: number,
): number {
  if (strip.length < 4 * width) {
    strip = new Float64Array(4 * width);
    pairs = new Float64Array(PACKED_COLUMNS * width);
  }
  for (let j = from; j < to; j += 2) packPair(values, source + j, sourceLead, width, (j - from) * width);
  let i = firstRow;
  for (; i + 3 < rowCount; i += 4) {
    packStrip(values, source + i, sourceLead, width);
    for (let j = from; j < to; j += 2) {
      const left = target + index[j] * targetLead;
      const right = target + index[j + 1] * targetLead;
      subtractStrip(values, (j - from) * width, width, index, i, left, right);
    }
  }
  return i;
}

/** Two columns' numbers, one after the other. */
function packPair(values: Float64Array, source: number, lead: number, width: number, at: number): void {
  for (let c = 0, a = source, b = at; c < width; c++, a += lead, b += 2) {
    pairs[b] = values[a];
    pairs[b + 1] = values[a + 1];
  }
}

/** Four rows' numbers, one after the other. */
function packStrip(values: Float64Array, source: number, lead: number, width: number): void {
  for (let c = 0, a = source, b = 0; c < width; c++, a += lead, b += 4) {
    strip[b] = values[a];
    strip[b + 1] = values[a + 1];
    strip[b + 2] = values[a + 2];
    strip[b + 3] = values[a + 3];
  }
}

/** The packed rows, named by index[i..i + 4), of the packed columns at `pair`. */
function subtractStrip(
  values: Float64Array,
  pair: number,
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
  for (let c = 0, a = 0, b = pair; c < width; c++, a += 4, b += 2) {
    const b0 = pairs[b];
    const b1 = pairs[b + 1];
    const a0 = strip[a];
    const a1 = strip[a + 1];
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 += a1 * b0;
    s11 += a1 * b1;
    const a2 = strip[a + 2];
    const a3 = strip[a + 3];
    s20 += a2 * b0;
    s21 += a2 * b1;
    s30 += a3 * b0;
    s31 += a3 * b1;
  }
  values[left + index[i]] -= s00;
  values[left + index[i + 1]] -= s10;
  values[left + index[i + 2]] -= s20;
  values[left + index[i + 3]] -= s30;
  values[right + index[i]] -= s01;
  values[right + index[i + 1]] -= s11;
  values[right + index[i + 2]] -= s21;
  values[right + index[i + 3]] -= s31;
}
