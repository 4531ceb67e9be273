/**
 * What the acceleration of a step does over f32 rows (x, y, z, 0): dot products of one vector with a few others, and the mix of a few
 * moves. Same mathematics as src/kernels/reference/mix.ts. Sums are f32 within a block of rows and f64 beyond: a matter of the rows,
 * never of the threads.
 */
import { add, mul, splat, sub } from './lanes';

/** Rows of a block: a few vectors of it fit into the first cache, and f32 sums of so many terms keep their digits. */
const BLOCK_ROWS: usize = 64;

/** Vectors that are multiplied at a time: each sum would wait for its last addition alone. */
const AT_ONCE: usize = 5;

/**
 * out[i] ← a · others[i] over rows [first, last), `count` f64; `others` lists addresses. Also kept ← a, or kept + a where `accumulate`
 * is not zero.
 */
export function dotOthers(first: usize, last: usize, a: usize, kept: usize, accumulate: i32, others: usize, count: usize, out: usize): void {
  for (let i: usize = 0; i < count; i++) store<f64>(out + i * 8, 0);
  for (let from = first; from < last; from += BLOCK_ROWS) {
    const begin = from * 16, end = min(from + BLOCK_ROWS, last) * 16;
    for (let at = begin; at < end; at += 16) {
      const v = v128.load(a + at);
      v128.store(kept + at, accumulate ? add(v, v128.load(kept + at)) : v);
    }
    for (let i: usize = 0; i < count; i += AT_ONCE) dotFew(begin, end, a, others + i * 4, min(AT_ONCE, count - i), out + i * 8);
  }
}

/** The same for one block of rows, given in bytes, and a few of the others; what is beyond the last of them is a itself, and goes nowhere. */
function dotFew(begin: usize, end: usize, a: usize, others: usize, count: usize, out: usize): void {
  const p: usize = load<u32>(others);
  const q: usize = count > 1 ? load<u32>(others, 4) : a, r: usize = count > 2 ? load<u32>(others, 8) : a;
  const s: usize = count > 3 ? load<u32>(others, 12) : a, t: usize = count > 4 ? load<u32>(others, 16) : a;
  let sp = splat(0), sq = sp, sr = sp, ss = sp, st = sp;
  for (let at = begin; at < end; at += 16) {
    const v = v128.load(a + at);
    sp = add(sp, mul(v, v128.load(p + at)));
    sq = add(sq, mul(v, v128.load(q + at)));
    sr = add(sr, mul(v, v128.load(r + at)));
    ss = add(ss, mul(v, v128.load(s + at)));
    st = add(st, mul(v, v128.load(t + at)));
  }
  addTotal(out, sp);
  if (count > 1) addTotal(out + 8, sq);
  if (count > 2) addTotal(out + 16, sr);
  if (count > 3) addTotal(out + 24, ss);
  if (count > 4) addTotal(out + 32, st);
}

/**
 * The mix of moves over rows [first, last): newest ← mixed + move; mixed ← −Σ shares[i] others[i] (`newest` is usually one of them);
 * next ← move + mixed; y ← next, or mixed alone where `apart` is not zero; out ← next · force, one f64. `newest` may be 0.
 */
export function mixRows(first: usize, last: usize, move: usize, mixed: usize, force: usize, newest: usize, others: usize, shares: usize, count: usize, next: usize, y: usize, apart: i32, out: usize): void {
  store<f64>(out, 0);
  for (let from = first; from < last; from += BLOCK_ROWS) {
    const end = min(from + BLOCK_ROWS, last) * 16;
    let sum = splat(0);
    for (let at = from * 16; at < end; at += 16) {
      const moved = v128.load(move + at);
      if (newest) v128.store(newest + at, add(v128.load(mixed + at), moved));
      let part = splat(0);
      for (let i: usize = 0; i < count * 4; i += 4) part = sub(part, mul(v128.load32_splat(shares + i), v128.load(load<u32>(others + i) + at)));
      v128.store(mixed + at, part);
      const whole = add(moved, part);
      v128.store(next + at, whole);
      v128.store(y + at, apart ? part : whole);
      sum = add(sum, mul(whole, v128.load(force + at)));
    }
    addTotal(out, sum);
  }
}

/** Adds the sum of the lanes, the first two and the last two first. */
// @ts-ignore: decorator
@inline function addTotal(out: usize, a: v128): void {
  const sum = (f64(f32x4.extract_lane(a, 0)) + f64(f32x4.extract_lane(a, 1))) + (f64(f32x4.extract_lane(a, 2)) + f64(f32x4.extract_lane(a, 3)));
  store<f64>(out, load<f64>(out) + sum);
}
