/**
 * The quadratic form of the bone problem in the six unknowns of each bone, from its form in the twelve numbers of each
 * affine transform. With T_k(s) = [R_k (I + ω_k*), t_k + R_k l_k] [Li2019 eq. 14], M = R_jᵀ R_k and S the 4x4 block of
 * the metric between bones j and k (its last row and column belong to the translation):
 *
 *     ω_j ω_k   Σ_pq S_pq (e_p*)ᵀ M e_q*        ω_j l_k   (S_03, S_13, S_23)* M
 *     l_j ω_k   −M (S_30, S_31, S_32)*          l_j l_k   S_33 M
 */

/** Length of the array `fillBoneBlock` writes to: the block, then scratch for M. */
export const BONE_BLOCK_LENGTH = 45;

/** Writes the 6x6 block of bones j and k, row major, to out[0..36). `metric` is dense with rows of `stride` numbers. */
export function fillBoneBlock(
  out: Float64Array,
  metric: Float64Array,
  stride: number,
  rotations: Float64Array,
  j: number,
  k: number,
): void {
  const s = j * 4 * stride + k * 4;
  const a = j * 9;
  const b = k * 9;
  const m = 36;
  for (let p = 0; p < 3; p++) {
    for (let q = 0; q < 3; q++) {
      out[m + p * 3 + q] =
        rotations[a + p] * rotations[b + q] +
        rotations[a + 3 + p] * rotations[b + 3 + q] +
        rotations[a + 6 + p] * rotations[b + 6 + q];
    }
  }
  const last = s + 3 * stride;
  const l0 = metric[last];
  const l1 = metric[last + 1];
  const l2 = metric[last + 2];
  const l3 = metric[last + 3];
  for (let p = 0; p < 3; p++) {
    const s1 = s + NEXT[p] * stride;
    const s2 = s + NEXT[NEXT[p]] * stride;
    const m0 = out[m + p * 3];
    const m1 = out[m + p * 3 + 1];
    const m2 = out[m + p * 3 + 2];
    const x = m + NEXT[p] * 3;
    const x0 = out[x];
    const x1 = out[x + 1];
    const x2 = out[x + 2];
    const y = m + NEXT[NEXT[p]] * 3;
    const y0 = out[y];
    const y1 = out[y + 1];
    const y2 = out[y + 2];
    const o = p * 6;
    out[o] = metric[s2 + 2] * x1 - metric[s2 + 1] * x2 - metric[s1 + 2] * y1 + metric[s1 + 1] * y2;
    out[o + 1] = metric[s2] * x2 - metric[s2 + 2] * x0 - metric[s1] * y2 + metric[s1 + 2] * y0;
    out[o + 2] = metric[s2 + 1] * x0 - metric[s2] * x1 - metric[s1 + 1] * y0 + metric[s1] * y1;
    // row p of u* M with u = S_·3, and row p of −M v* with v = S_3·
    out[o + 3] = metric[s1 + 3] * y0 - metric[s2 + 3] * x0;
    out[o + 4] = metric[s1 + 3] * y1 - metric[s2 + 3] * x1;
    out[o + 5] = metric[s1 + 3] * y2 - metric[s2 + 3] * x2;
    out[o + 18] = l1 * m2 - l2 * m1;
    out[o + 19] = l2 * m0 - l0 * m2;
    out[o + 20] = l0 * m1 - l1 * m0;
    out[o + 21] = l3 * m0;
    out[o + 22] = l3 * m1;
    out[o + 23] = l3 * m2;
  }
}

/** Jᵀ g: the pull g on the twelve numbers of bone k (four rows of three at g[o]) as pull on ω and l, to out[to..to+6). */
export function pullOnBone(
  out: Float64Array,
  to: number,
  g: Float64Array,
  o: number,
  rotations: Float64Array,
  k: number,
): void {
  out.fill(0, to, to + 6);
  for (let i = 0; i < 3; i++) {
    const i1 = NEXT[i];
    const i2 = NEXT[i1];
    for (let c = 0; c < 3; c++) {
      const r = k * 9 + c * 3;
      // component i of Σ_p e_p × (Rᵀ g_p), and of Rᵀ g_3
      out[to + i] += rotations[r + i2] * g[o + i1 * 3 + c] - rotations[r + i1] * g[o + i2 * 3 + c];
      out[to + 3 + i] += rotations[r + i] * g[o + 9 + c];
    }
  }
}

const NEXT = [1, 2, 0];

/** out = b − S δ: what is left of the pull b after a change δ, `rows` rows of three numbers each; `metric` is rows by rows. */
export function pullLeft(
  out: Float64Array,
  b: Float64Array,
  metric: Float64Array,
  change: Float64Array,
  rows: number,
): void {
  for (let i = 0; i < rows; i++) {
    let x = b[i * 3];
    let y = b[i * 3 + 1];
    let z = b[i * 3 + 2];
    for (let j = 0; j < rows; j++) {
      const s = metric[i * rows + j];
      x -= s * change[j * 3];
      y -= s * change[j * 3 + 1];
      z -= s * change[j * 3 + 2];
    }
    out[i * 3] = x;
    out[i * 3 + 1] = y;
    out[i * 3 + 2] = z;
  }
}
