/**
 * Warped stiffness of lattice cells times a vector, four cells at a time: linear elasticity turned with each cell's rotation, as the cycles of the
 * paper have it [McAdams2011 §8]. Specified in f64 in src/kernels/reference/lattice-cells.ts; law as in lattice-cells.ts here.
 */
import { add, dot3, mul, splat, sub } from './lanes';
import { CARRY_BYTES, clearCarry, endRun, gatherLoose, gatherQuad, goesOn, scatterLoose, scatterQuad } from './lattice-walsh';

/** out += scale K x over groups [first, last) for rotations `quats` (w, x, y, z of four cells each); `own`: room for 12 + 21 v128. */
export function latticeStiffness(
  first: usize, last: usize, carry: usize, x: usize, out: usize, quads: usize, rows: usize, corners: usize, moduli: usize, quats: usize, law: usize,
): void {
  const own = carry + CARRY_BYTES;
  const h = splat(load<f32>(law) * load<f32>(law, 12)), kappa = load<f32>(law, 4);
  const one = splat(1), eighth = splat(0.125), sixteenth = splat(0.0625), two = splat(2 * kappa), three = splat(3 * kappa);
  clearCarry(carry);
  for (let group = first; group < last; group++) {
    const row = rows + group * 16, corner = corners + (group - quads) * 128;
    const loose = group >= quads;
    if (loose) {
      for (let k: usize = 0; k < 48; k += 16) gatherLoose(x + k, corner, own + k);
    } else {
      gatherQuad(x, row, own); gatherQuad(x + 16, row, own + 16); gatherQuad(x + 32, row, own + 32);
    }
    const mu = mul(h, v128.load(moduli + group * 32)), lambda = mul(h, v128.load(moduli + group * 32, 16));
    const q = quats + group * 64;
    const w = v128.load(q), qi = v128.load(q, 16), qj = v128.load(q, 32), qk = v128.load(q, 48);
    const i2 = add(qi, qi), j2 = add(qj, qj), k2 = add(qk, qk);
    const ii = mul(qi, i2), jj = mul(qj, j2), kk = mul(qk, k2), ij = mul(qi, j2), ik = mul(qi, k2), jk = mul(qj, k2);
    const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
    const r00 = sub(sub(one, jj), kk), r01 = sub(ij, wk), r02 = add(ik, wj);
    const r10 = add(ij, wk), r11 = sub(sub(one, ii), kk), r12 = sub(jk, wi);
    const r20 = sub(ik, wj), r21 = add(jk, wi), r22 = sub(sub(one, ii), jj);
    // columns of modes along the three axes: c_ij is component i of mode j
    const c00 = v128.load(own), c10 = v128.load(own, 16), c20 = v128.load(own, 32);
    const c01 = v128.load(own, 48), c11 = v128.load(own, 64), c21 = v128.load(own, 80);
    const c02 = v128.load(own, 144), c12 = v128.load(own, 160), c22 = v128.load(own, 176);
    // A = Rᵀ C: its trace, and what of it turns
    const trace = add(add(dot3(r00, c00, r10, c10, r20, c20), dot3(r01, c01, r11, c11, r21, c21)), dot3(r02, c02, r12, c12, r22, c22));
    const turn10 = sub(dot3(r01, c00, r11, c10, r21, c20), dot3(r00, c01, r10, c11, r20, c21));
    const turn20 = sub(dot3(r02, c00, r12, c10, r22, c20), dot3(r00, c02, r10, c12, r20, c22));
    const turn21 = sub(dot3(r02, c01, r12, c11, r22, c21), dot3(r01, c02, r11, c12, r21, c22));
    const b = mul(sixteenth, mul(lambda, trace)), shear = mul(sixteenth, mu);
    const t10 = mul(shear, turn10), t20 = mul(shear, turn20), t21 = mul(shear, turn21);
    const w1 = mul(eighth, mu), w2 = mul(two, w1), w3 = mul(three, w1);
    scatterComponent(out, own, carry, loose, row, corner, r00, r01, r02, b, t10, t20, t21, w1, w2, w3);
    scatterComponent(out + 16, own + 16, carry + 64, loose, row, corner, r10, r11, r12, b, t10, t20, t21, w1, w2, w3);
    scatterComponent(out + 32, own + 32, carry + 128, loose, row, corner, r20, r21, r22, b, t10, t20, t21, w1, w2, w3);
    if (!loose && !(group + 1 < min(last, quads) && goesOn(row))) endRun(out, row, carry);
  }
}

/** One component: its row of R (b I − turn) on the modes along the axes, and the hourglass modes. */
// @ts-ignore: decorator
@inline function scatterComponent(
  out: usize, m: usize, carry: usize, loose: bool, row: usize, corner: usize, ra: v128, rb: v128, rc: v128, b: v128, t10: v128, t20: v128, t21: v128, w1: v128, w2: v128, w3: v128,
): void {
  const ox = add(mul(w1, v128.load(m)), sub(sub(mul(b, ra), mul(t10, rb)), mul(t20, rc)));
  const oy = add(mul(w1, v128.load(m, 48)), sub(add(mul(t10, ra), mul(b, rb)), mul(t21, rc)));
  const oz = add(mul(w1, v128.load(m, 144)), add(add(mul(t20, ra), mul(t21, rb)), mul(b, rc)));
  const s3 = mul(w2, v128.load(m, 96)), s5 = mul(w2, v128.load(m, 192)), s6 = mul(w2, v128.load(m, 240)), s7 = mul(w3, v128.load(m, 288));
  if (loose) scatterLoose(out, corner, ox, oy, s3, oz, s5, s6, s7);
  else scatterQuad(out, row, carry, ox, oy, s3, oz, s5, s6, s7);
}
