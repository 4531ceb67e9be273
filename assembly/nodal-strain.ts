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
import { columnX, columnY, columnZ } from './gather';
import { add, addTo, dot3, firsts, high, low, mul, seconds, splat, sub, subFrom } from './lanes';
import { rotateLanes } from './rotate-lanes';

const GROUP_BYTES: usize = 80;

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
  const a0 = v128.load(f), b0 = v128.load(f, 16), c0 = v128.load(f, 32), a1 = v128.load(f, 48), b1 = v128.load(f, 64), c1 = v128.load(f, 80);
  const a2 = v128.load(f, 96), b2 = v128.load(f, 112), c2 = v128.load(f, 128), a3 = v128.load(f, 144), b3 = v128.load(f, 160), c3 = v128.load(f, 176);
  v128.store(f, columnX(a0, a1, a2, a3)); v128.store(f, columnX(b0, b1, b2, b3), 16); v128.store(f, columnX(c0, c1, c2, c3), 32);
  v128.store(f, columnY(a0, a1, a2, a3), 48); v128.store(f, columnY(b0, b1, b2, b3), 64); v128.store(f, columnY(c0, c1, c2, c3), 80);
  v128.store(f, columnZ(a0, a1, a2, a3), 96); v128.store(f, columnZ(b0, b1, b2, b3), 112); v128.store(f, columnZ(c0, c1, c2, c3), 128);
}

/** Subtracts P g from the rows of the entries, for the P (row major, nine v128 at `p`) of a group; its own row balances them. */
function scatterMeans(group: usize, entries: usize, p: usize, out: usize): void {
  const zero = splat(0);
  const p00 = v128.load(p), p01 = v128.load(p, 16), p02 = v128.load(p, 32), p10 = v128.load(p, 48), p11 = v128.load(p, 64);
  const p12 = v128.load(p, 80), p20 = v128.load(p, 96), p21 = v128.load(p, 112), p22 = v128.load(p, 128);
  laneColumns(p, p00, p10, p20, zero);
  laneColumns(p + 16, p01, p11, p21, zero);
  laneColumns(p + 32, p02, p12, p22, zero);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const a = v128.load(p + lane * 12), b = v128.load(p + lane * 12, 16), c = v128.load(p + lane * 12, 32);
    const end = entries + load<u32>(group + lane, 32);
    let sum = zero;
    for (let e = entries + load<u32>(group + lane, 16); e < end; e += 16) {
      const force = add(add(mul(a, v128.load32_splat(e)), mul(b, v128.load32_splat(e, 4))), mul(c, v128.load32_splat(e, 8)));
      subFrom(out + load<u32>(e, 12), force);
      sum = add(sum, force);
    }
    addTo(out + load<u32>(group + lane), sum);
  }
}

/** Columns of four matrices, from one vector per component to one per matrix, 48 bytes apart. */
// @ts-ignore: decorator
@inline function laneColumns(p: usize, x: v128, y: v128, z: v128, zero: v128): void {
  const xyLow = low(x, y), zLow = low(z, zero), xyHigh = high(x, y), zHigh = high(z, zero);
  v128.store(p, firsts(xyLow, zLow)); v128.store(p, seconds(xyLow, zLow), 48);
  v128.store(p, firsts(xyHigh, zHigh), 96); v128.store(p, seconds(xyHigh, zHigh), 144);
}

// @ts-ignore: decorator
@inline function addLanes(total: usize, a: v128): void {
  const sum = f64(f32x4.extract_lane(a, 0)) + f64(f32x4.extract_lane(a, 1)) + f64(f32x4.extract_lane(a, 2)) + f64(f32x4.extract_lane(a, 3));
  store<f64>(total, load<f64>(total) + sum);
}

/** Corotated means of groups [first, last): subtracts the elastic gradient from the rows at `out`, adds the energy [J] to the f64 at `total`. */
export function nodalCorotated(first: usize, last: usize, x: usize, groups: usize, entries: usize, quats: usize, out: usize, scratch: usize, total: usize): void {
  const one = splat(1);
  for (let n = first; n < last; n++) {
    const group = groups + n * GROUP_BYTES, q = quats + n * 64, f = scratch;
    gatherMeans(x, group, entries, f);
    rotateLanes(f, q, scratch + 192);
    const w = v128.load(q), i = v128.load(q, 16), j = v128.load(q, 32), k = v128.load(q, 48);
    const i2 = add(i, i), j2 = add(j, j), k2 = add(k, k);
    const ii = mul(i, i2), jj = mul(j, j2), kk = mul(k, k2), ij = mul(i, j2), ik = mul(i, k2), jk = mul(j, k2);
    const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
    const r00 = sub(sub(one, jj), kk), r01 = sub(ij, wk), r02 = add(ik, wj);
    const r10 = add(ij, wk), r11 = sub(sub(one, ii), kk), r12 = sub(jk, wi);
    const r20 = sub(ik, wj), r21 = add(jk, wi), r22 = sub(sub(one, ii), jj);
    const f00 = v128.load(f), f01 = v128.load(f, 16), f02 = v128.load(f, 32), f10 = v128.load(f, 48), f11 = v128.load(f, 64);
    const f12 = v128.load(f, 80), f20 = v128.load(f, 96), f21 = v128.load(f, 112), f22 = v128.load(f, 128);
    const trace = sub(add(add(dot3(r00, f00, r10, f10, r20, f20), dot3(r01, f01, r11, f11, r21, f21)), dot3(r02, f02, r12, f12, r22, f22)), splat(3));
    const mu = v128.load(group, 48), lambda = v128.load(group, 64), press = mul(lambda, trace);
    const u00 = sub(f00, r00), u01 = sub(f01, r01), u02 = sub(f02, r02), u10 = sub(f10, r10), u11 = sub(f11, r11), u12 = sub(f12, r12);
    const u20 = sub(f20, r20), u21 = sub(f21, r21), u22 = sub(f22, r22);
    const square = add(add(dot3(u00, u00, u01, u01, u02, u02), dot3(u10, u10, u11, u11, u12, u12)), dot3(u20, u20, u21, u21, u22, u22));
    addLanes(total, mul(splat(0.5), add(mul(mu, square), mul(press, trace))));
    v128.store(f, add(mul(mu, u00), mul(press, r00))); v128.store(f, add(mul(mu, u01), mul(press, r01)), 16); v128.store(f, add(mul(mu, u02), mul(press, r02)), 32);
    v128.store(f, add(mul(mu, u10), mul(press, r10)), 48); v128.store(f, add(mul(mu, u11), mul(press, r11)), 64); v128.store(f, add(mul(mu, u12), mul(press, r12)), 80);
    v128.store(f, add(mul(mu, u20), mul(press, r20)), 96); v128.store(f, add(mul(mu, u21), mul(press, r21)), 112); v128.store(f, add(mul(mu, u22), mul(press, r22)), 128);
    scatterMeans(group, entries, f, out);
  }
}

/** The same for neo-Hookean means: mu/2 (|F|² − 3) − mu (J − 1) + lambda/2 (J − 1)², as neo-hookean.ts has it. */
export function nodalNeoHookean(first: usize, last: usize, x: usize, groups: usize, entries: usize, out: usize, scratch: usize, total: usize): void {
  const one = splat(1), half = splat(0.5);
  for (let n = first; n < last; n++) {
    const group = groups + n * GROUP_BYTES, f = scratch;
    gatherMeans(x, group, entries, f);
    const f00 = v128.load(f), f01 = v128.load(f, 16), f02 = v128.load(f, 32), f10 = v128.load(f, 48), f11 = v128.load(f, 64);
    const f12 = v128.load(f, 80), f20 = v128.load(f, 96), f21 = v128.load(f, 112), f22 = v128.load(f, 128);
    const c00 = sub(mul(f11, f22), mul(f12, f21)), c01 = sub(mul(f12, f20), mul(f10, f22)), c02 = sub(mul(f10, f21), mul(f11, f20));
    const c10 = sub(mul(f02, f21), mul(f01, f22)), c11 = sub(mul(f00, f22), mul(f02, f20)), c12 = sub(mul(f01, f20), mul(f00, f21));
    const c20 = sub(mul(f01, f12), mul(f02, f11)), c21 = sub(mul(f02, f10), mul(f00, f12)), c22 = sub(mul(f00, f11), mul(f01, f10));
    const grown = sub(dot3(f00, c00, f01, c01, f02, c02), one);
    const mu = v128.load(group, 48), lambda = v128.load(group, 64), spread = sub(mul(lambda, grown), mu);
    const square = add(add(dot3(f00, f00, f01, f01, f02, f02), dot3(f10, f10, f11, f11, f12, f12)), dot3(f20, f20, f21, f21, f22, f22));
    addLanes(total, add(mul(mu, sub(mul(half, sub(square, splat(3))), grown)), mul(mul(half, lambda), mul(grown, grown))));
    v128.store(f, add(mul(mu, f00), mul(spread, c00))); v128.store(f, add(mul(mu, f01), mul(spread, c01)), 16); v128.store(f, add(mul(mu, f02), mul(spread, c02)), 32);
    v128.store(f, add(mul(mu, f10), mul(spread, c10)), 48); v128.store(f, add(mul(mu, f11), mul(spread, c11)), 64); v128.store(f, add(mul(mu, f12), mul(spread, c12)), 80);
    v128.store(f, add(mul(mu, f20), mul(spread, c20)), 96); v128.store(f, add(mul(mu, f21), mul(spread, c21)), 112); v128.store(f, add(mul(mu, f22), mul(spread, c22)), 128);
    scatterMeans(group, entries, f, out);
  }
}
