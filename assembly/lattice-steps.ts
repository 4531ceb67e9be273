/**
 * Passes of the lattice solver's descent, several operations in one: vectors are read once where one operation after the other would read
 * them again. Sums are those of `dotRows`, in the same order. Specified by src/solvers/lattice/numbers/double-arithmetic.ts.
 */
import { add, mul, splat, sub } from './lanes';
import { BLOCK_ROWS, CHUNK_ROWS } from './rows';

/** Chunks [first, last) of `count` rows: out = x + scale d; the scalar product of out and `other` to sums, one f64 per chunk; numbers: [scale]. */
export function latticeMoveDot(
  first: usize, last: usize, count: usize, out: usize, x: usize, d: usize, other: usize, sums: usize, numbers: usize,
): void {
  const scale = splat(load<f32>(numbers));
  for (let chunk = first; chunk < last; chunk++) {
    let sumLow = f64x2.splat(0), sumHigh = f64x2.splat(0);
    const end = min((chunk + 1) * CHUNK_ROWS, count) * 16;
    for (let from = chunk * CHUNK_ROWS * 16; from < end; from += BLOCK_ROWS * 16) {
      const to = min(from + BLOCK_ROWS * 16, end);
      let block = splat(0);
      for (let at = from; at < to; at += 16) {
        const moved = add(v128.load(x + at), mul(scale, v128.load(d + at)));
        v128.store(out + at, moved);
        block = add(block, mul(moved, v128.load(other + at)));
      }
      sumLow = f64x2.add(sumLow, f64x2.promote_low_f32x4(block));
      sumHigh = f64x2.add(sumHigh, f64x2.promote_low_f32x4(v128.shuffle<f32>(block, block, 2, 3, 2, 3)));
    }
    const sum = f64x2.add(sumLow, sumHigh);
    store<f64>(sums + chunk * 8, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

/** Chunks [first, last) of `count` rows: step = trial − x, change = after − before, x = trial; the scalar product of step and change to sums. */
export function latticeKeep(
  first: usize, last: usize, count: usize, step: usize, change: usize, trial: usize, x: usize, after: usize, before: usize, sums: usize,
): void {
  for (let chunk = first; chunk < last; chunk++) {
    let sumLow = f64x2.splat(0), sumHigh = f64x2.splat(0);
    const end = min((chunk + 1) * CHUNK_ROWS, count) * 16;
    for (let from = chunk * CHUNK_ROWS * 16; from < end; from += BLOCK_ROWS * 16) {
      const to = min(from + BLOCK_ROWS * 16, end);
      let block = splat(0);
      for (let at = from; at < to; at += 16) {
        const there = v128.load(trial + at);
        const moved = sub(there, v128.load(x + at)), changed = sub(v128.load(after + at), v128.load(before + at));
        v128.store(step + at, moved);
        v128.store(change + at, changed);
        v128.store(x + at, there);
        block = add(block, mul(moved, changed));
      }
      sumLow = f64x2.add(sumLow, f64x2.promote_low_f32x4(block));
      sumHigh = f64x2.add(sumHigh, f64x2.promote_low_f32x4(v128.shuffle<f32>(block, block, 2, 3, 2, 3)));
    }
    const sum = f64x2.add(sumLow, sumHigh);
    store<f64>(sums + chunk * 8, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

/** Quads [first, last): out = x + scale d; the largest squared length of a node's part of d, as f64 at `own`; numbers: [scale]. */
export function latticeTry(first: usize, last: usize, own: usize, out: usize, x: usize, d: usize, numbers: usize): void {
  const scale = splat(load<f32>(numbers));
  let most = splat(0);
  for (let o = first * 48; o < last * 48; o += 48) {
    const a = v128.load(d + o), b = v128.load(d + o, 16), c = v128.load(d + o, 32);
    v128.store(out + o, add(v128.load(x + o), mul(scale, a)));
    v128.store(out + o, add(v128.load(x + o, 16), mul(scale, b)), 16);
    v128.store(out + o, add(v128.load(x + o, 32), mul(scale, c)), 32);
    most = f32x4.max(most, add(add(mul(a, a), mul(b, b)), mul(c, c)));
  }
  const low = max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), high = max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3));
  store<f64>(own, f64(max(low, high)));
}

/** Rows [first, last) of four numbers: out = a. */
export function latticeCopy(first: usize, last: usize, own: usize, out: usize, a: usize): void {
  for (let at = first * 16; at < last * 16; at += 16) v128.store(out + at, v128.load(a + at));
}
