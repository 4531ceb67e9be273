/** Updates and sums over rows: f32 rows are (x, y, z, 0), f64 rows are (x, y, z, unused). All ranges are [first, last). */
import { add, mul, splat } from './lanes';

/** Rows summed by one call of a reduction; partial sums are then added in a fixed order, whatever the threads. */
export const CHUNK_ROWS: usize = 1024;

/**
 * x ← x + increment in f64, then what the next local step reads: x as f32 relative to `origin` (three f64), and the
 * inertial residual weight·(target − x). `weights` is one f64 per row, mass over the squared time step.
 */
export function moveRows(first: usize, last: usize, x: usize, increment: usize, target: usize, weights: usize, origin: usize, x32: usize, residual: usize): void {
  const originXy = v128.load(origin), originZ = v128.load64_zero(origin, 16);
  for (let row = first; row < last; row++) {
    const at = x + row * 32, to = target + row * 32;
    const d = v128.load(increment + row * 16);
    const xy = f64x2.add(v128.load(at), f64x2.promote_low_f32x4(d));
    const z = f64x2.add(v128.load64_zero(at, 16), f64x2.promote_low_f32x4(v128.shuffle<f32>(d, d, 2, 3, 2, 3)));
    v128.store(at, xy);
    v128.store(at, z, 16);
    v128.store(x32 + row * 16, join(f64x2.sub(xy, originXy), f64x2.sub(z, originZ)));
    const weight = v128.load_splat<f64>(weights + row * 8);
    const goalZ = v128.load64_zero(to, 16);
    v128.store(residual + row * 16, join(f64x2.mul(weight, f64x2.sub(v128.load(to), xy)), f64x2.mul(weight, f64x2.sub(goalZ, z))));
  }
}

/** out ← [out +] sum of `parts` copies that lie `stride` bytes apart, in order; the copies are set to zero. */
export function sumCopies(first: usize, last: usize, out: usize, copies: usize, parts: usize, stride: usize, accumulate: bool): void {
  const zero = splat(0);
  for (let row = first; row < last; row++) {
    let from = copies + row * 16;
    let sum = accumulate ? v128.load(out + row * 16) : zero;
    for (let part: usize = 0; part < parts; part++) {
      sum = add(sum, v128.load(from));
      v128.store(from, zero);
      from += stride;
    }
    v128.store(out + row * 16, sum);
  }
}

/** y ← y + scale·x over f32 rows. */
export function addScaledRows(first: usize, last: usize, y: usize, scale: f32, x: usize): void {
  const factor = splat(scale);
  for (let row = first; row < last; row++) {
    v128.store(y + row * 16, add(v128.load(y + row * 16), mul(factor, v128.load(x + row * 16))));
  }
}

/** Rows whose products are summed in f32 before they go to an f64: half the time, and so few keep their digits. */
export const BLOCK_ROWS: usize = 16;

/** Partial dot products of f32 rows, one f64 per chunk of 1024 rows, for chunks [firstChunk, lastChunk) of `count` rows. */
export function dotRows(firstChunk: usize, lastChunk: usize, count: usize, a: usize, b: usize, out: usize): void {
  for (let chunk = firstChunk; chunk < lastChunk; chunk++) {
    let sumLow = f64x2.splat(0), sumHigh = f64x2.splat(0);
    const end = min((chunk + 1) * CHUNK_ROWS, count) * 16;
    for (let from = chunk * CHUNK_ROWS * 16; from < end; from += BLOCK_ROWS * 16) {
      const to = min(from + BLOCK_ROWS * 16, end);
      let block = splat(0);
      for (let at = from; at < to; at += 16) block = add(block, mul(v128.load(a + at), v128.load(b + at)));
      sumLow = f64x2.add(sumLow, f64x2.promote_low_f32x4(block));
      sumHigh = f64x2.add(sumHigh, f64x2.promote_low_f32x4(v128.shuffle<f32>(block, block, 2, 3, 2, 3)));
    }
    const sum = f64x2.add(sumLow, sumHigh);
    store<f64>(out + chunk * 8, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

/** (x, y) and (z, 0) in f64 to one f32 row. */
// @ts-ignore: decorator
@inline function join(xy: v128, z: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z), 0, 1, 4, 5);
}

/** Number of the first of `count` f64 that is not zero; `count` where all are. */
export function firstNonzero(count: usize, array: usize): usize {
  let i: usize = 0;
  // any bit, be it a minus: the loop below looks at what it is of
  for (; i + 16 <= count; i += 16) {
    const a = array + (i << 3);
    const one = v128.or(v128.or(v128.load(a), v128.load(a, 16)), v128.or(v128.load(a, 32), v128.load(a, 48)));
    const two = v128.or(v128.or(v128.load(a, 64), v128.load(a, 80)), v128.or(v128.load(a, 96), v128.load(a, 112)));
    if (v128.any_true(v128.or(one, two))) break;
  }
  for (; i < count; i++) if (load<f64>(array + (i << 3)) != 0) return i;
  return count;
}
