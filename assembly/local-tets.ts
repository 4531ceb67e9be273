/**
 * The local step for tetrahedra, four at a time: gather positions, deformation gradient F, its rotation R, and scatter
 * of the elastic forces. Same mathematics as src/kernels/reference/local-tets.ts, which explains it in f64.
 *
 * A group of four tets is a record of 256 bytes (see src/kernels/tet-groups.ts):
 *      0  16 x i32   byte offsets of the corners' rows, [corner][tet]
 *     64   9 x v128  inverse rest matrix B, row major
 *    208   v128      stiffness 2 mu V [J]
 *    224   v128      stiffness lambda V [J]
 *    240   unused
 * and four v128 of quaternions (w, x, y, z) that warm-start the rotation.
 */
import { add, addTo, div, dot3, firsts, high, low, mul, seconds, splat, sub, subFrom } from './lanes';
import { rotationBySvd } from './polar';

const GROUP_BYTES: usize = 256;
/** Newton passes before a rotation that still moves is handed to the SVD. */
const MOST_PASSES: i32 = 4;
/** Squared half angle of a Newton step after which the (cubically convergent) rotation is exact to f32. */
const SETTLED: f32 = 4e-6;
/** Determinant of the Hessian, relative to its mean eigenvalue cubed, below which it does not count as definite. */
const DEFINITE: f32 = 1e-5;

/** Subtracts the elastic gradient of groups [first, last) from the rows at `out`; returns how many tets with stiffness needed the SVD. */
export function localTets(first: usize, last: usize, x: usize, tets: usize, quats: usize, out: usize, scratch: usize): i32 {
  let repaired: i32 = 0;
  const one = splat(1), zero = splat(0), half = splat(0.5);
  for (let group = first; group < last; group++) {
    const t = tets + group * GROUP_BYTES;
    const q = quats + group * 64;

    // edges from corner 0, transposed to one vector per component
    let a = v128.load(x + load<u32>(t)), b = v128.load(x + load<u32>(t, 4));
    let c = v128.load(x + load<u32>(t, 8)), d = v128.load(x + load<u32>(t, 12));
    let e0 = sub(v128.load(x + load<u32>(t, 16)), a), e1 = sub(v128.load(x + load<u32>(t, 20)), b);
    let e2 = sub(v128.load(x + load<u32>(t, 24)), c), e3 = sub(v128.load(x + load<u32>(t, 28)), d);
    let lo = low(e0, e1), hi = low(e2, e3);
    const d00 = firsts(lo, hi), d10 = seconds(lo, hi), d20 = firsts(high(e0, e1), high(e2, e3));
    e0 = sub(v128.load(x + load<u32>(t, 32)), a); e1 = sub(v128.load(x + load<u32>(t, 36)), b);
    e2 = sub(v128.load(x + load<u32>(t, 40)), c); e3 = sub(v128.load(x + load<u32>(t, 44)), d);
    lo = low(e0, e1); hi = low(e2, e3);
    const d01 = firsts(lo, hi), d11 = seconds(lo, hi), d21 = firsts(high(e0, e1), high(e2, e3));
    e0 = sub(v128.load(x + load<u32>(t, 48)), a); e1 = sub(v128.load(x + load<u32>(t, 52)), b);
    e2 = sub(v128.load(x + load<u32>(t, 56)), c); e3 = sub(v128.load(x + load<u32>(t, 60)), d);
    lo = low(e0, e1); hi = low(e2, e3);
    const d02 = firsts(lo, hi), d12 = seconds(lo, hi), d22 = firsts(high(e0, e1), high(e2, e3));

    // F = D B
    let b0 = v128.load(t, 64), b1 = v128.load(t, 112), b2 = v128.load(t, 160);
    const f00 = dot3(d00, b0, d01, b1, d02, b2), f10 = dot3(d10, b0, d11, b1, d12, b2), f20 = dot3(d20, b0, d21, b1, d22, b2);
    b0 = v128.load(t, 80); b1 = v128.load(t, 128); b2 = v128.load(t, 176);
    const f01 = dot3(d00, b0, d01, b1, d02, b2), f11 = dot3(d10, b0, d11, b1, d12, b2), f21 = dot3(d20, b0, d21, b1, d22, b2);
    b0 = v128.load(t, 96); b1 = v128.load(t, 144); b2 = v128.load(t, 192);
    const f02 = dot3(d00, b0, d01, b1, d02, b2), f12 = dot3(d10, b0, d11, b1, d12, b2), f22 = dot3(d20, b0, d21, b1, d22, b2);

    // R: Newton on the quaternion, from where it was last time
    let w = v128.load(q), i = v128.load(q, 16), j = v128.load(q, 32), k = v128.load(q, 48);
    let r00 = zero, r01 = zero, r02 = zero, r10 = zero, r11 = zero, r12 = zero, r20 = zero, r21 = zero, r22 = zero;
    let pass: i32 = 0;
    let trace = zero;
    while (true) {
      const i2 = add(i, i), j2 = add(j, j), k2 = add(k, k);
      const ii = mul(i, i2), jj = mul(j, j2), kk = mul(k, k2);
      const ij = mul(i, j2), ik = mul(i, k2), jk = mul(j, k2);
      const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
      r00 = sub(sub(one, jj), kk); r01 = sub(ij, wk); r02 = add(ik, wj);
      r10 = add(ij, wk); r11 = sub(sub(one, ii), kk); r12 = sub(jk, wi);
      r20 = sub(ik, wj); r21 = add(jk, wi); r22 = sub(sub(one, ii), jj);
      if (pass >= MOST_PASSES) break;

      // M = RᵀF, gradient g of tr(RᵀF), Hessian H = tr(M) I − sym(M)
      const m00 = dot3(r00, f00, r10, f10, r20, f20), m01 = dot3(r00, f01, r10, f11, r20, f21), m02 = dot3(r00, f02, r10, f12, r20, f22);
      const m10 = dot3(r01, f00, r11, f10, r21, f20), m11 = dot3(r01, f01, r11, f11, r21, f21), m12 = dot3(r01, f02, r11, f12, r21, f22);
      const m20 = dot3(r02, f00, r12, f10, r22, f20), m21 = dot3(r02, f01, r12, f11, r22, f21), m22 = dot3(r02, f02, r12, f12, r22, f22);
      const g0 = sub(m21, m12), g1 = sub(m02, m20), g2 = sub(m10, m01);
      const h00 = add(m11, m22), h11 = add(m00, m22), h22 = add(m00, m11);
      const h01 = mul(half, add(m01, m10)), h02 = mul(half, add(m02, m20)), h12 = mul(half, add(m12, m21));
      // off-diagonal entries of H are −h01, −h02, −h12: the signs below already have that in
      const c00 = sub(mul(h11, h22), mul(h12, h12)), c01 = add(mul(h02, h12), mul(h01, h22)), c02 = add(mul(h01, h12), mul(h02, h11));
      const det = sub(sub(mul(h00, c00), mul(h01, c01)), mul(h02, c02));
      const c11 = sub(mul(h00, h22), mul(h02, h02)), c12 = add(mul(h01, h02), mul(h00, h12)), c22 = sub(mul(h00, h11), mul(h01, h01));
      const mean = mul(splat(1.0 / 3.0), add(add(h00, h11), h22));
      let definite = f32x4.gt(det, mul(splat(DEFINITE), mul(mean, mul(mean, mean))));
      definite = v128.and(definite, v128.and(f32x4.gt(h22, zero), f32x4.gt(c00, zero)));

      const s = div(half, det);
      const w0 = mul(s, dot3(c00, g0, c01, g1, c02, g2)), w1 = mul(s, dot3(c01, g0, c11, g1, c12, g2)), w2 = mul(s, dot3(c02, g0, c12, g1, c22, g2));
      const step = dot3(w0, w0, w1, w1, w2, w2);
      pass++;
      const settled = f32x4.lt(step, splat(SETTLED));
      const lost = pass == MOST_PASSES ? v128.not(v128.and(definite, settled)) : v128.not(definite);
      if (v128.any_true(lost)) {
        v128.store(q, w); v128.store(q, i, 16); v128.store(q, j, 32); v128.store(q, k, 48);
        v128.store(scratch, f00); v128.store(scratch, f01, 16); v128.store(scratch, f02, 32);
        v128.store(scratch, f10, 48); v128.store(scratch, f11, 64); v128.store(scratch, f12, 80);
        v128.store(scratch, f20, 96); v128.store(scratch, f21, 112); v128.store(scratch, f22, 128);
        // all four: the ones Newton had not finished are not finished either
        for (let lane: usize = 0; lane < 4; lane++) rotationBySvd(scratch + lane * 4, q + lane * 4, scratch + 144);
        // lanes without stiffness only fill up the last group
        const real = v128.or(f32x4.ne(v128.load(t, 208), zero), f32x4.ne(v128.load(t, 224), zero));
        repaired += i32(popcnt(i32x4.bitmask(v128.and(lost, real))));
        w = v128.load(q); i = v128.load(q, 16); j = v128.load(q, 32); k = v128.load(q, 48);
        pass = MOST_PASSES;
        continue;
      }
      // q ← q (1, w), normalised: the Cayley map of the step
      const nw = sub(sub(sub(w, mul(i, w0)), mul(j, w1)), mul(k, w2));
      const ni = sub(add(add(i, mul(w, w0)), mul(j, w2)), mul(k, w1));
      const nj = sub(add(add(j, mul(w, w1)), mul(k, w0)), mul(i, w2));
      const nk = sub(add(add(k, mul(w, w2)), mul(i, w1)), mul(j, w0));
      const scale = div(one, f32x4.sqrt(add(dot3(nw, nw, ni, ni, nj, nj), mul(nk, nk))));
      w = mul(nw, scale); i = mul(ni, scale); j = mul(nj, scale); k = mul(nk, scale);
      if (v128.all_true<i32>(settled)) pass = MOST_PASSES;
    }
    v128.store(q, w); v128.store(q, i, 16); v128.store(q, j, 32); v128.store(q, k, 48);

    // P V = 2 mu V (F − R) + lambda V tr(RᵀF − I) R
    trace = add(add(dot3(r00, f00, r10, f10, r20, f20), dot3(r01, f01, r11, f11, r21, f21)), dot3(r02, f02, r12, f12, r22, f22));
    const mu = v128.load(t, 208);
    const spread = sub(mul(v128.load(t, 224), sub(trace, splat(3))), mu);
    const p00 = add(mul(mu, f00), mul(spread, r00)), p01 = add(mul(mu, f01), mul(spread, r01)), p02 = add(mul(mu, f02), mul(spread, r02));
    const p10 = add(mul(mu, f10), mul(spread, r10)), p11 = add(mul(mu, f11), mul(spread, r11)), p12 = add(mul(mu, f12), mul(spread, r12));
    const p20 = add(mul(mu, f20), mul(spread, r20)), p21 = add(mul(mu, f21), mul(spread, r21)), p22 = add(mul(mu, f22), mul(spread, r22));

    // gradient of corner k+1 is P times row k of B; corner 0 balances the other three
    b0 = v128.load(t, 64); b1 = v128.load(t, 80); b2 = v128.load(t, 96);
    let hx = dot3(p00, b0, p01, b1, p02, b2), hy = dot3(p10, b0, p11, b1, p12, b2), hz = dot3(p20, b0, p21, b1, p22, b2);
    lo = low(hx, hy); hi = low(hz, zero);
    a = firsts(lo, hi); b = seconds(lo, hi);
    lo = high(hx, hy); hi = high(hz, zero);
    c = firsts(lo, hi); d = seconds(lo, hi);
    subFrom(out + load<u32>(t, 16), a); subFrom(out + load<u32>(t, 20), b);
    subFrom(out + load<u32>(t, 24), c); subFrom(out + load<u32>(t, 28), d);
    b0 = v128.load(t, 112); b1 = v128.load(t, 128); b2 = v128.load(t, 144);
    hx = dot3(p00, b0, p01, b1, p02, b2); hy = dot3(p10, b0, p11, b1, p12, b2); hz = dot3(p20, b0, p21, b1, p22, b2);
    lo = low(hx, hy); hi = low(hz, zero);
    e0 = firsts(lo, hi); e1 = seconds(lo, hi);
    lo = high(hx, hy); hi = high(hz, zero);
    e2 = firsts(lo, hi); e3 = seconds(lo, hi);
    subFrom(out + load<u32>(t, 32), e0); subFrom(out + load<u32>(t, 36), e1);
    subFrom(out + load<u32>(t, 40), e2); subFrom(out + load<u32>(t, 44), e3);
    a = add(a, e0); b = add(b, e1); c = add(c, e2); d = add(d, e3);
    b0 = v128.load(t, 160); b1 = v128.load(t, 176); b2 = v128.load(t, 192);
    hx = dot3(p00, b0, p01, b1, p02, b2); hy = dot3(p10, b0, p11, b1, p12, b2); hz = dot3(p20, b0, p21, b1, p22, b2);
    lo = low(hx, hy); hi = low(hz, zero);
    e0 = firsts(lo, hi); e1 = seconds(lo, hi);
    lo = high(hx, hy); hi = high(hz, zero);
    e2 = firsts(lo, hi); e3 = seconds(lo, hi);
    subFrom(out + load<u32>(t, 48), e0); subFrom(out + load<u32>(t, 52), e1);
    subFrom(out + load<u32>(t, 56), e2); subFrom(out + load<u32>(t, 60), e3);
    addTo(out + load<u32>(t), add(a, e0)); addTo(out + load<u32>(t, 4), add(b, e1));
    addTo(out + load<u32>(t, 8), add(c, e2)); addTo(out + load<u32>(t, 12), add(d, e3));
  }
  return repaired;
}

/** How many of the tets in groups [first, last) are turned inside out; padding tets repeat a real one and are not counted. */
export function countInverted(first: usize, last: usize, x: usize, tets: usize): i32 {
  let count: i32 = 0;
  for (let group = first; group < last; group++) {
    const t = tets + group * GROUP_BYTES;
    const real = i32x4.bitmask(f32x4.gt(v128.load(t, 208), splat(0)));
    for (let lane: usize = 0; lane < 4; lane++) {
      const c = t + lane * 4;
      const a = v128.load(x + load<u32>(c));
      const u = sub(v128.load(x + load<u32>(c, 16)), a), v = sub(v128.load(x + load<u32>(c, 32)), a), w = sub(v128.load(x + load<u32>(c, 48)), a);
      // u · (v × w), each product on yzx and zxy
      const product = mul(u, sub(mul(turn(v), turn(turn(w))), mul(turn(turn(v)), turn(w))));
      const sum = f32x4.extract_lane(product, 0) + f32x4.extract_lane(product, 1) + f32x4.extract_lane(product, 2);
      if (sum < 0 && (real >> i32(lane)) & 1) count++;
    }
  }
  return count;
}

/** (x, y, z) to (y, z, x). */
// @ts-ignore: decorator
@inline function turn(a: v128): v128 { return v128.shuffle<f32>(a, a, 1, 2, 0, 3); }
