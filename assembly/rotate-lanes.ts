/**
 * Rotations of four matrices at once, from where they were last time: Newton on the quaternion, singular values where that is
 * not safe. The same as inside local-tets.ts, which keeps F in registers; here F (nine v128, row major) lies in memory.
 */
import { add, div, dot3, mul, splat, sub } from './lanes';
import { rotationBySvd } from './polar';

const MOST_PASSES: i32 = 4;
/** Squared half angle of a Newton step after which the (cubically convergent) rotation is exact to f32. */
const SETTLED: f32 = 4e-6;
/** Determinant of the Hessian, relative to its mean eigenvalue cubed, below which it does not count as definite. */
const DEFINITE: f32 = 1e-5;

/** Improves the four quaternions (w, x, y, z) at `q` for the matrices at `f`; `work` has room for one SVD (240 bytes). */
export function rotateLanes(f: usize, q: usize, work: usize): void {
  const one = splat(1), zero = splat(0), half = splat(0.5);
  const f00 = v128.load(f), f01 = v128.load(f, 16), f02 = v128.load(f, 32);
  const f10 = v128.load(f, 48), f11 = v128.load(f, 64), f12 = v128.load(f, 80);
  const f20 = v128.load(f, 96), f21 = v128.load(f, 112), f22 = v128.load(f, 128);
  let w = v128.load(q), i = v128.load(q, 16), j = v128.load(q, 32), k = v128.load(q, 48);
  let done = zero;
  for (let pass: i32 = 1; pass <= MOST_PASSES; pass++) {
    const i2 = add(i, i), j2 = add(j, j), k2 = add(k, k);
    const ii = mul(i, i2), jj = mul(j, j2), kk = mul(k, k2);
    const ij = mul(i, j2), ik = mul(i, k2), jk = mul(j, k2);
    const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
    const r00 = sub(sub(one, jj), kk), r01 = sub(ij, wk), r02 = add(ik, wj);
    const r10 = add(ij, wk), r11 = sub(sub(one, ii), kk), r12 = sub(jk, wi);
    const r20 = sub(ik, wj), r21 = add(jk, wi), r22 = sub(sub(one, ii), jj);
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
    const settled = f32x4.lt(dot3(w0, w0, w1, w1, w2, w2), splat(SETTLED));
    // what singular values say is final: Newton would not agree where a matrix is inside out
    const lost = v128.andnot(pass == MOST_PASSES ? v128.not(v128.and(definite, settled)) : v128.not(definite), done);
    if (v128.any_true(lost)) {
      for (let lane: usize = 0, lanes = i32x4.bitmask(lost); lane < 4; lane++) {
        if ((lanes >> i32(lane)) & 1) rotationBySvd(f + lane * 4, q + lane * 4, work);
      }
      done = v128.or(done, lost);
      w = v128.bitselect(v128.load(q), w, lost); i = v128.bitselect(v128.load(q, 16), i, lost);
      j = v128.bitselect(v128.load(q, 32), j, lost); k = v128.bitselect(v128.load(q, 48), k, lost);
    }
    // q ← q (1, w), normalised: the Cayley map of the step
    const nw = sub(sub(sub(w, mul(i, w0)), mul(j, w1)), mul(k, w2));
    const ni = sub(add(add(i, mul(w, w0)), mul(j, w2)), mul(k, w1));
    const nj = sub(add(add(j, mul(w, w1)), mul(k, w0)), mul(i, w2));
    const nk = sub(add(add(k, mul(w, w2)), mul(i, w1)), mul(j, w0));
    const scale = div(one, f32x4.sqrt(add(dot3(nw, nw, ni, ni, nj, nj), mul(nk, nk))));
    if (v128.any_true(done)) {
      w = v128.bitselect(w, mul(nw, scale), done); i = v128.bitselect(i, mul(ni, scale), done);
      j = v128.bitselect(j, mul(nj, scale), done); k = v128.bitselect(k, mul(nk, scale), done);
      if (v128.all_true<i32>(v128.or(settled, done))) break;
    } else {
      w = mul(nw, scale); i = mul(ni, scale); j = mul(nj, scale); k = mul(nk, scale);
      if (v128.all_true<i32>(settled)) break;
    }
  }
  v128.store(q, w); v128.store(q, i, 16); v128.store(q, j, 32); v128.store(q, k, 48);
}
