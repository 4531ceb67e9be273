/**
 * Energies of mean deformations around vertices, four of them at a time: gather F = Σ (x_b − x_a) g_bᵀ over the neighbours b of each, stress as that of a
 * tet, scatter. Same mathematics as src/kernels/reference/nodal-strain.ts, which explains it in f64.
 *
 * A group of four means is a record of 80 bytes (see src/kernels/nodal-groups.ts):
 *      0  4 x i32  byte offset of the row a that positions are measured from
 *     16  4 x i32  byte offset of the first entry
 *     32  4 x i32  byte offset of the end of the entries
 *     48  v128     stiffness 2 mu V [J], or mu V for neo-Hookean means
 *     64  v128     stiffness lambda V [J]
 * an entry is 16 bytes, the vector g_b and the byte offset of the row b, and four v128 of quaternions (w, x, y, z) warm-start the rotations.
 */
import { add, addTo, dot3, firsts, high, low, mul, seconds, splat, sub, subFrom } from './lanes';
import { rotateLanes } from './rotate-lanes';

const GROUP_BYTES: usize = 80;
/** Bytes of a row of a matrix in four lanes, and of nine of them. */
const ROW: usize = 48;
const MATRIX: usize = 144;

/** The F of a group, row major, to the nine v128 at `f`, which has room for twelve. */
function gatherMeans(x: usize, group: usize, entries: usize, f: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const own = v128.load(x + load<u32>(group + lane));
    const end = entries + load<u32>(group + lane, 32);
    let a = splat(0), b = splat(0), c = splat(0);
    for (let e = entries + load<u32>(group + lane, 16); e < end; e += 16) {
      const way = sub(v128.load(x + load<u32>(e, 12)), own);
      a = add(a, mul(way, v128.load32_splat(e)));
      b = add(b, mul(way, v128.load32_splat(e, 4)));
      c = add(c, mul(way, v128.load32_splat(e, 8)));
    }
    v128.store(f + lane * 12, a); v128.store(f + lane * 12, b, 16); v128.store(f + lane * 12, c, 32);
  }
  // columns, one vector per lane, to entries
  for (let p = f; p < f + ROW; p += 16) {
    const a = v128.load(p), b = v128.load(p, 48), c = v128.load(p, 96), d = v128.load(p, 144);
    const ab = low(a, b), cd = low(c, d);
    v128.store(p, firsts(ab, cd)); v128.store(p, seconds(ab, cd), 48); v128.store(p, firsts(high(a, b), high(c, d)), 96);
  }
}

/** Subtracts P g from the rows of the entries, for the P (row major, nine v128 at `p`) of a group; its own row balances them. */
function scatterMeans(group: usize, entries: usize, p: usize, out: usize): void {
  const zero = splat(0);
  for (let q = p; q < p + ROW; q += 16) {
    const x = v128.load(q), y = v128.load(q, 48), z = v128.load(q, 96);
    const xy = low(x, y), z0 = low(z, zero);
    v128.store(q, firsts(xy, z0)); v128.store(q, seconds(xy, z0), 48);
    const xyHigh = high(x, y), zHigh = high(z, zero);
    v128.store(q, firsts(xyHigh, zHigh), 96); v128.store(q, seconds(xyHigh, zHigh), 144);
  }
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const a = v128.load(p + lane * 12), b = v128.load(p + lane * 12, 16), c = v128.load(p + lane * 12, 32);
    const end = entries + load<u32>(group + lane, 32);
    let sum = zero;
    for (let e = entries + load<u32>(group + lane, 16); e < end; e += 16) {
      const force = dot3(a, v128.load32_splat(e), b, v128.load32_splat(e, 4), c, v128.load32_splat(e, 8));
      subFrom(out + load<u32>(e, 12), force);
      sum = add(sum, force);
    }
    addTo(out + load<u32>(group + lane), sum);
  }
}

/** From F at `f` to P V, corotated; returns the energies. `work`: room for the rotations, and for an SVD. */
function corotatedStress(f: usize, q: usize, work: usize, mu: v128, lambda: v128): v128 {
  rotateLanes(f, q, work);
  const w = v128.load(q), i = v128.load(q, 16), j = v128.load(q, 32), k = v128.load(q, 48), one = splat(1);
  const i2 = add(i, i), j2 = add(j, j), k2 = add(k, k);
  const ii = mul(i, i2), jj = mul(j, j2), kk = mul(k, k2), ij = mul(i, j2), ik = mul(i, k2), jk = mul(j, k2);
  const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
  v128.store(work, sub(sub(one, jj), kk)); v128.store(work, sub(ij, wk), 16); v128.store(work, add(ik, wj), 32);
  v128.store(work, add(ij, wk), 48); v128.store(work, sub(sub(one, ii), kk), 64); v128.store(work, sub(jk, wi), 80);
  v128.store(work, sub(ik, wj), 96); v128.store(work, add(jk, wi), 112); v128.store(work, sub(sub(one, ii), jj), 128);
  let trace = splat(-3), square = splat(0);
  for (let n: usize = 0; n < MATRIX; n += 16) {
    const a = v128.load(f + n), r = v128.load(work + n), u = sub(a, r);
    trace = add(trace, mul(a, r));
    square = add(square, mul(u, u));
  }
  const press = mul(lambda, trace);
  for (let n: usize = 0; n < MATRIX; n += 16) {
    const r = v128.load(work + n);
    v128.store(f + n, add(mul(mu, sub(v128.load(f + n), r)), mul(press, r)));
  }
  return mul(splat(0.5), add(mul(mu, square), mul(press, trace)));
}

/** The same, neo-Hookean: energies mu/2 (|F|² − 3) − mu (J − 1) + lambda/2 (J − 1)². */
function neoHookeanStress(f: usize, work: usize, mu: v128, lambda: v128): v128 {
  // cofactors row by row: the product of the other two rows, in their cyclic order
  for (let n: usize = 0; n < MATRIX; n += ROW) {
    const a = f + (n + ROW < MATRIX ? n + ROW : n + ROW - MATRIX), b = f + (n + 2 * ROW < MATRIX ? n + 2 * ROW : n + 2 * ROW - MATRIX);
    const a0 = v128.load(a), a1 = v128.load(a, 16), a2 = v128.load(a, 32), b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32);
    v128.store(work + n, sub(mul(a1, b2), mul(a2, b1))); v128.store(work + n, sub(mul(a2, b0), mul(a0, b2)), 16);
    v128.store(work + n, sub(mul(a0, b1), mul(a1, b0)), 32);
  }
  const half = splat(0.5);
  const grown = sub(dot3(v128.load(f), v128.load(work), v128.load(f, 16), v128.load(work, 16), v128.load(f, 32), v128.load(work, 32)), splat(1));
  const spread = sub(mul(lambda, grown), mu);
  let square = splat(-3);
  for (let n: usize = 0; n < MATRIX; n += 16) {
    const a = v128.load(f + n);
    square = add(square, mul(a, a));
    v128.store(f + n, add(mul(mu, a), mul(spread, v128.load(work + n))));
  }
  return add(mul(mu, sub(mul(half, square), grown)), mul(mul(half, lambda), mul(grown, grown)));
}

/**
 * Subtracts the elastic gradient of groups [first, last) from the rows at `out`, and adds their energy [J] to the f64 at `total`; from `split` on they are
 * neo-Hookean.
 */
export function nodalStrain(first: usize, split: usize, last: usize, x: usize, groups: usize, entries: usize, quats: usize, out: usize, scratch: usize, total: usize): void {
  let energy: f64 = 0;
  for (let n = first; n < last; n++) {
    const group = groups + n * GROUP_BYTES, work = scratch + 192;
    const mu = v128.load(group, 48), lambda = v128.load(group, 64);
    gatherMeans(x, group, entries, scratch);
    const e = n < split ? corotatedStress(scratch, quats + n * 64, work, mu, lambda) : neoHookeanStress(scratch, work, mu, lambda);
    energy += f64(f32x4.extract_lane(e, 0)) + f64(f32x4.extract_lane(e, 1)) + f64(f32x4.extract_lane(e, 2)) + f64(f32x4.extract_lane(e, 3));
    scatterMeans(group, entries, scratch, out);
  }
  store<f64>(total, load<f64>(total) + energy);
}
