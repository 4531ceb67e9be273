/**
 * What the acceleration of a step does over f32 rows (x, y, z, 0): dot products of one vector with a few others, and the mix of a few
 * moves. Same mathematics as src/kernels/reference/mix.ts. Sums are f32 within a block of rows and f64 beyond: a matter of the rows,
 * never of the threads.
 */
import { add, mul, splat, sub } from './lanes';

/** Rows of a block: a few vectors of it fit into the first cache, and f32 sums of so many terms keep their digits. */
const BLOCK_ROWS: usize = 64;

/**
 * out[i] ← a · others[i] over rows [first, last), `count` f64; `others` lists addresses. Also kept ← a, or kept + a where `accumulate`
 * is not zero.
 */
export function dotOthers(first: usize, last: usize, a: usize, kept: usize, accumulate: i32, others: usize, count: usize, out: usize): void {
  for (let i: usize = 0; i < count; i++) store<f64>(out + i * 8, 0);
  for (let from = first; from < last; from += BLOCK_ROWS) {
    const to = min(from + BLOCK_ROWS, last);
    for (let row = from; row < to; row++) {
      const v = v128.load(a + row * 16);
      v128.store(kept + row * 16, accumulate ? add(v, v128.load(kept + row * 16)) : v);
    }
    for (let i: usize = 0; i < count; i++) {
      const other = <usize>load<u32>(others + i * 4);
      let sum = splat(0);
      for (let row = from; row < to; row++) sum = add(sum, mul(v128.load(a + row * 16), v128.load(other + row * 16)));
      store<f64>(out + i * 8, load<f64>(out + i * 8) + total(sum));
    }
  }
}

/**
 * The mix of moves over rows [first, last): newest ← mixed + move; mixed ← −Σ shares[i] others[i] (`newest` is usually one of them);
 * next ← move + mixed; y ← next, or mixed alone where `apart` is not zero; out ← next · force, one f64. `newest` may be 0.
 */
export function mixRows(first: usize, last: usize, move: usize, mixed: usize, force: usize, newest: usize, others: usize, shares: usize, count: usize, next: usize, y: usize, apart: i32, out: usize): void {
  if (newest === 0 && count === 0) return keepRows(first, last, move, mixed, force, next, y, apart, out);
  let work: f64 = 0;
  for (let from = first; from < last; from += BLOCK_ROWS) {
    const to = min(from + BLOCK_ROWS, last);
    for (let row = from; row < to; row++) {
      const at = row * 16;
      if (newest) v128.store(newest + at, add(v128.load(mixed + at), v128.load(move + at)));
      v128.store(mixed + at, splat(0));
    }
    for (let i: usize = 0; i < count; i++) {
      const other = <usize>load<u32>(others + i * 4);
      const share = splat(load<f32>(shares + i * 4));
      for (let row = from; row < to; row++) {
        const at = mixed + row * 16;
        v128.store(at, sub(v128.load(at), mul(share, v128.load(other + row * 16))));
      }
    }
    let sum = splat(0);
    for (let row = from; row < to; row++) {
      const at = row * 16;
      const part = v128.load(mixed + at);
      const whole = add(v128.load(move + at), part);
      v128.store(next + at, whole);
      v128.store(y + at, apart ? part : whole);
      sum = add(sum, mul(whole, v128.load(force + at)));
    }
    work += total(sum);
  }
  store<f64>(out, work);
}

/** The same where nothing is mixed in, in one pass: what plain iterations pay for being measured. */
function keepRows(first: usize, last: usize, move: usize, mixed: usize, force: usize, next: usize, y: usize, apart: i32, out: usize): void {
  let work: f64 = 0;
  const isElsewhere = apart !== 0 || y !== move;
  for (let from = first; from < last; from += BLOCK_ROWS) {
    const to = min(from + BLOCK_ROWS, last) * 16;
    let sum = splat(0);
    for (let at = from * 16; at < to; at += 16) {
      const whole = v128.load(move + at);
      v128.store(mixed + at, splat(0));
      v128.store(next + at, whole);
      if (isElsewhere) v128.store(y + at, apart ? splat(0) : whole);
      sum = add(sum, mul(whole, v128.load(force + at)));
    }
    work += total(sum);
  }
  store<f64>(out, work);
}

/** Sum of the lanes, the first two and the last two first. */
// @ts-ignore: decorator
@inline function total(a: v128): f64 {
  return (f64(f32x4.extract_lane(a, 0)) + f64(f32x4.extract_lane(a, 1))) + (f64(f32x4.extract_lane(a, 2)) + f64(f32x4.extract_lane(a, 3)));
}
