/**
 * Kernels over the vectors of the lattice solver: node quads on the finest level, rows of four on the coarse ones. Scalars come
 * from memory (`numbers`), so that every argument is a whole number and parts can run on any thread. Specified by
 * src/solvers/lattice/numbers/double-arithmetic.ts.
 */
import { add, addTo, firsts, high, low, mul, seconds, splat } from './lanes';

/** Quads [first, last): z = keep z + factor D⁻¹ r; numbers: [factor, keep]. */
export function latticeRelax(first: usize, last: usize, own: usize, z: usize, r: usize, inverse: usize, numbers: usize): void {
  const factor = splat(load<f32>(numbers)), keep = splat(load<f32>(numbers, 4));
  for (let quad = first; quad < last; quad++) {
    const d = mul(factor, v128.load(inverse + quad * 16));
    const o = quad * 48;
    for (let k: usize = o; k < o + 48; k += 16) {
      v128.store(z + k, add(mul(keep, v128.load(z + k)), mul(d, v128.load(r + k))));
    }
  }
}

/** Quads [first, last): what is held, by a zero in D⁻¹, gets no force. */
export function latticeHold(first: usize, last: usize, own: usize, gradient: usize, inverse: usize): void {
  for (let quad = first; quad < last; quad++) {
    const free = f32x4.ne(v128.load(inverse + quad * 16), splat(0));
    const o = gradient + quad * 48;
    for (let at = o; at < o + 48; at += 16) v128.store(at, v128.and(v128.load(at), free));
  }
}

/** Quads [first, last): out += scale w x with one weight per node; numbers: [scale]. */
export function latticeWeigh(first: usize, last: usize, own: usize, out: usize, weights: usize, x: usize, numbers: usize): void {
  const scale = splat(load<f32>(numbers));
  for (let quad = first; quad < last; quad++) {
    const w = mul(scale, v128.load(weights + quad * 16));
    const o = quad * 48;
    for (let k: usize = o; k < o + 48; k += 16) v128.store(out + k, add(v128.load(out + k), mul(w, v128.load(x + k))));
  }
}

/** Quads [first, last): gradient += w (x − target), one weight per node; numbers: [scale of w]; `own`: half the sum of w |x − target|² as f64. */
export function latticeInertia(first: usize, last: usize, own: usize, x: usize, target: usize, gradient: usize, weights: usize, numbers: usize): void {
  const scale = splat(load<f32>(numbers));
  let sum = f64x2.splat(0);
  for (let quad = first; quad < last; quad++) {
    const w = mul(scale, v128.load(weights + quad * 16));
    const o = quad * 48;
    let total = splat(0);
    for (let k: usize = o; k < o + 48; k += 16) {
      const away = f32x4.sub(v128.load(x + k), v128.load(target + k));
      const push = mul(w, away);
      v128.store(gradient + k, add(v128.load(gradient + k), push));
      total = add(total, mul(push, away));
    }
    sum = f64x2.add(sum, f64x2.add(f64x2.promote_low_f32x4(total), f64x2.promote_low_f32x4(v128.shuffle<f32>(total, total, 2, 3, 2, 3))));
  }
  store<f64>(own, 0.5 * (f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)));
}

/** Rows [first, last) of four numbers: out = x + scale d; numbers: [scale]. */
export function latticeMove(first: usize, last: usize, own: usize, out: usize, x: usize, d: usize, numbers: usize): void {
  const scale = splat(load<f32>(numbers));
  for (let at = first * 16; at < last * 16; at += 16) v128.store(out + at, add(v128.load(x + at), mul(scale, v128.load(d + at))));
}

/** Quads [first, last): the largest squared length of a node's part of d, as f64 at `own`. */
export function latticeLargest(first: usize, last: usize, own: usize, d: usize): void {
  let most = splat(0);
  for (let quad = first; quad < last; quad++) {
    const o = d + quad * 48;
    const x = v128.load(o), y = v128.load(o, 16), z = v128.load(o, 32);
    most = f32x4.max(most, add(add(mul(x, x), mul(y, y)), mul(z, z)));
  }
  const low = max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), high = max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3));
  store<f64>(own, f64(max(low, high)));
}

/** Coarse rows [first, last): sums over nodes of quads; entries are (offset of the node, weight). */
export function latticeRestrict(first: usize, last: usize, own: usize, coarse: usize, fine: usize, starts: usize, entries: usize): void {
  for (let row = first; row < last; row++) {
    let x: f32 = 0, y: f32 = 0, z: f32 = 0;
    const end = entries + load<u32>(starts + row * 4 + 4) * 8;
    for (let entry = entries + load<u32>(starts + row * 4) * 8; entry < end; entry += 8) {
      const at = fine + load<u32>(entry), weight = load<f32>(entry, 4);
      x += weight * load<f32>(at); y += weight * load<f32>(at, 16); z += weight * load<f32>(at, 32);
    }
    v128.store(coarse + row * 16, f32x4(x, y, z, 0));
  }
}

/** The same where the fine level is in rows too. */
export function latticeRestrictRows(first: usize, last: usize, own: usize, coarse: usize, fine: usize, starts: usize, entries: usize): void {
  for (let row = first; row < last; row++) v128.store(coarse + row * 16, sumEntries(fine, starts, entries, row));
}

/** Sum over a row's entries (offset, value) of value times the four numbers there. */
// @ts-ignore: decorator
@inline function sumEntries(x: usize, starts: usize, entries: usize, row: usize): v128 {
  let sum = splat(0);
  const end = entries + load<u32>(starts + row * 4 + 4) * 8;
  for (let entry = entries + load<u32>(starts + row * 4) * 8; entry < end; entry += 8) {
    sum = add(sum, mul(v128.load_splat<f32>(entry, 4), v128.load(x + load<u32>(entry))));
  }
  return sum;
}

/** Mean of the coarse rows that node `node` lies between, zero where there are none; entries: their offsets. */
// @ts-ignore: decorator
@inline function meanOfParents(coarse: usize, starts: usize, entries: usize, node: usize): v128 {
  const from = entries + load<u32>(starts + node * 4) * 4, to = entries + load<u32>(starts + node * 4 + 4) * 4;
  let sum = splat(0);
  for (let entry = from; entry < to; entry += 4) sum = add(sum, v128.load(coarse + load<u32>(entry)));
  return from == to ? sum : mul(sum, splat(4 / f32(to - from)));
}

/** Quads [first, last): every node += the mean of its coarse rows; nodes without any, which are held, stay. */
export function latticeProlong(first: usize, last: usize, own: usize, fine: usize, coarse: usize, starts: usize, entries: usize): void {
  for (let quad = first; quad < last; quad++) {
    const a = meanOfParents(coarse, starts, entries, 4 * quad), b = meanOfParents(coarse, starts, entries, 4 * quad + 1);
    const c = meanOfParents(coarse, starts, entries, 4 * quad + 2), d = meanOfParents(coarse, starts, entries, 4 * quad + 3);
    const ab = low(a, b), cd = low(c, d), at = fine + quad * 48;
    addTo(at, firsts(ab, cd));
    addTo(at + 16, seconds(ab, cd));
    addTo(at + 32, firsts(high(a, b), high(c, d)));
  }
}

/** The same where the fine level is in rows too. */
export function latticeProlongRows(first: usize, last: usize, own: usize, fine: usize, coarse: usize, starts: usize, entries: usize): void {
  for (let row = first; row < last; row++) addTo(fine + row * 16, meanOfParents(coarse, starts, entries, row));
}

/** Rows [first, last): out = b − A x; entries are (offset of a column's row, value). */
export function latticeSparse(first: usize, last: usize, own: usize, out: usize, b: usize, x: usize, starts: usize, entries: usize): void {
  for (let row = first; row < last; row++) {
    v128.store(out + row * 16, f32x4.sub(v128.load(b + row * 16), sumEntries(x, starts, entries, row)));
  }
}

/** Rows [first, last): z = keep z + factor D⁻¹ r; numbers: [factor, keep]. */
export function latticeRelaxRows(first: usize, last: usize, own: usize, z: usize, r: usize, inverse: usize, numbers: usize): void {
  const factor = load<f32>(numbers), keep = splat(load<f32>(numbers, 4));
  for (let row = first; row < last; row++) {
    const o = row * 16;
    v128.store(z + o, add(mul(keep, v128.load(z + o)), mul(splat(factor * load<f32>(inverse + row * 4)), v128.load(r + o))));
  }
}
