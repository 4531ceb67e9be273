/**
 * Specification of the kernels over rows (assembly/rows.ts), written to be read. Rows are (x, y, z, pad), four numbers
 * each; ranges are [first, last). The arithmetic is f64. Where a kernel rounds to f32 in between, storing into a
 * Float32Array here rounds at the same place, so that `moveRows`, `sumCopies` and `dotRows` give the kernels' very bits.
 */
import type { MutableNumbers } from '../../math/vec3.js';

/** Rows summed into one partial result of a reduction: part of the specification, because it fixes the order. */
export const CHUNK_ROWS = 1024;

/** The arrays `moveRows` works on. */
export interface MovingRows {
  /** Positions, f64 rows, changed [m]. */
  readonly x: Float64Array;
  /** What is added to them, f32 rows [m]. */
  readonly increment: ArrayLike<number>;
  /** Where inertia alone would take them, f64 rows [m]. */
  readonly target: ArrayLike<number>;
  /** Mass over squared time step, one per row [kg/s^2]. */
  readonly weights: ArrayLike<number>;
  /** Point near the body, three numbers [m]. */
  readonly origin: ArrayLike<number>;
  /** Out: x - origin, f32 rows [m]. */
  readonly x32: MutableNumbers;
  /** Out: weight (target - x), f32 rows [N]. */
  readonly residual: MutableNumbers;
}

/** x += increment; x32 = x - origin; residual = weight (target - x). */
export function moveRows(first: number, last: number, rows: MovingRows): void {
  const { x, increment, target, weights, origin, x32, residual } = rows;
  for (let row = first; row < last; row++) {
    for (let k = 0; k < 3; k++) {
      const at = 4 * row + k;
      x[at] += increment[at];
      x32[at] = x[at] - origin[k];
      residual[at] = weights[row] * (target[at] - x[at]);
    }
  }
}

/** out = [out +] copy 0 + copy 1 + ..., in this order; the copies, `stride` numbers apart, become zero. */
export function sumCopies(
  first: number,
  last: number,
  out: MutableNumbers,
  copies: MutableNumbers,
  parts: number,
  stride: number,
  accumulate: boolean,
): void {
  for (let at = 4 * first; at < 4 * last; at++) {
    if (!accumulate) out[at] = 0;
    for (let part = 0; part < parts; part++) {
      out[at] += copies[part * stride + at];
      copies[part * stride + at] = 0;
    }
  }
}

/** y += scale x. */
export function addScaledRows(
  first: number,
  last: number,
  y: MutableNumbers,
  scale: number,
  x: ArrayLike<number>,
): void {
  for (let at = 4 * first; at < 4 * last; at++) y[at] += scale * x[at];
}

/** Rows whose products are summed in f32 before they go to an f64. */
const BLOCK_ROWS = 16;

/**
 * out[c] = sum of a . b over the rows of chunk c, for chunks [firstChunk, lastChunk) of `count` rows. One sum per
 * component, in f32 within a block of sixteen rows and in f64 beyond, then (x + z) + (y + pad): any other order is another result.
 */
export function dotRows(
  firstChunk: number,
  lastChunk: number,
  count: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  out: MutableNumbers,
): void {
  const block = new Float32Array(4);
  for (let chunk = firstChunk; chunk < lastChunk; chunk++) {
    const sums = [0, 0, 0, 0];
    const end = Math.min((chunk + 1) * CHUNK_ROWS, count);
    for (let from = chunk * CHUNK_ROWS; from < end; from += BLOCK_ROWS) {
      block.fill(0);
      for (let at = 4 * from; at < 4 * Math.min(from + BLOCK_ROWS, end); at++) {
        block[at & 3] += Math.fround(a[at] * b[at]);
      }
      for (let k = 0; k < 4; k++) sums[k] += block[k];
    }
    out[chunk] = sums[0] + sums[2] + (sums[1] + sums[3]);
  }
}
