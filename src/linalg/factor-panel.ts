/** Factors one panel of the supernodal Cholesky factorisation, in place. Called by cholesky.ts. */
import { subtractOuterProduct } from './dense-panel.js';

/** Columns of a panel that are finished together; the rest of the panel is updated with all earlier ones at once. */
const BLOCK_WIDTH = 8;

/**
 * Factors a panel of `rowCount` rows and `width` columns at `offset` in place: the diagonal block becomes its Cholesky
 * factor L, the rows below are multiplied by L⁻ᵀ. A pivot must exceed `floor[c]`; the first column whose pivot does
 * not is returned, with the pivot left on the diagonal, or -1 when all went well. `identity[i]` = i up to rowCount.
 */
export function factorPanel(
  values: Float64Array,
  offset: number,
  rowCount: number,
  width: number,
  floor: Float64Array,
  identity: Int32Array,
): number {
  for (let first = 0; first < width; first += BLOCK_WIDTH) {
    const end = Math.min(first + BLOCK_WIDTH, width);
    const diagonal = offset + first * rowCount + first;
    if (first > 0) {
      const rows = rowCount - first;
      subtractOuterProduct(values, offset + first, rowCount, first, rows, end - first, identity, diagonal, rowCount);
    }
    for (let c = first; c < end; c++) {
      if (!finishColumn(values, offset, rowCount, c, end, floor[c])) return c;
    }
  }
  return -1;
}

/** Divides column c by the root of its pivot and subtracts it from the later columns of its block. */
function finishColumn(
  values: Float64Array,
  offset: number,
  rowCount: number,
  c: number,
  end: number,
  floor: number,
): boolean {
  const column = offset + c * rowCount;
  const pivot = values[column + c];
  // Written so that a NaN fails.
  if (!(pivot > floor)) return false;
  const root = Math.sqrt(pivot);
  const scale = 1 / root;
  values[column + c] = root;
  for (let i = c + 1; i < rowCount; i++) values[column + i] *= scale;
  for (let d = c + 1; d < end; d++) {
    const factor = values[column + d];
    const other = offset + d * rowCount;
    for (let i = d; i < rowCount; i++) values[other + i] -= factor * values[column + i];
  }
  return true;
}
