/**
 * Elastic energy of corotated tets at their stored rotations: V (mu |F − R|² + lambda/2 tr(RᵀF − I)²) [J]. Record layout and
 * letters as in local-tets.ts. Needed where a step must prove that it went downhill, and for the live energy readout.
 */
import { add, dot3, mul, splat, sub } from './lanes';
import { columnX, columnY, columnZ, edgeRow } from './gather';

const GROUP_BYTES: usize = 256;

/** Adds the energy of groups [first, last) to the f64 at `total`. */
export function energyTets(first: usize, last: usize, x: usize, tets: usize, quats: usize, total: usize): void {
  const one = splat(1), half = splat(0.5);
  let energy: f64 = 0;
  for (let group = first; group < last; group++) {
    const t = tets + group * GROUP_BYTES;
    const q = quats + group * 64;
    let e0 = edgeRow(x, t, 1, 0), e1 = edgeRow(x, t, 1, 1), e2 = edgeRow(x, t, 1, 2), e3 = edgeRow(x, t, 1, 3);
    const d00 = columnX(e0, e1, e2, e3), d10 = columnY(e0, e1, e2, e3), d20 = columnZ(e0, e1, e2, e3);
    e0 = edgeRow(x, t, 2, 0); e1 = edgeRow(x, t, 2, 1); e2 = edgeRow(x, t, 2, 2); e3 = edgeRow(x, t, 2, 3);
    const d01 = columnX(e0, e1, e2, e3), d11 = columnY(e0, e1, e2, e3), d21 = columnZ(e0, e1, e2, e3);
    e0 = edgeRow(x, t, 3, 0); e1 = edgeRow(x, t, 3, 1); e2 = edgeRow(x, t, 3, 2); e3 = edgeRow(x, t, 3, 3);
    const d02 = columnX(e0, e1, e2, e3), d12 = columnY(e0, e1, e2, e3), d22 = columnZ(e0, e1, e2, e3);
    const w = v128.load(q), i = v128.load(q, 16), j = v128.load(q, 32), k = v128.load(q, 48);
    const i2 = add(i, i), j2 = add(j, j), k2 = add(k, k);
    const ii = mul(i, i2), jj = mul(j, j2), kk = mul(k, k2), ij = mul(i, j2), ik = mul(i, k2), jk = mul(j, k2);
    const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
    let distance = splat(0), trace = splat(-3);
    for (let column: usize = 0; column < 3; column++) {
      const b = t + 64 + column * 16;
      const b0 = v128.load(b), b1 = v128.load(b, 48), b2 = v128.load(b, 96);
      const f0 = dot3(d00, b0, d01, b1, d02, b2), f1 = dot3(d10, b0, d11, b1, d12, b2), f2 = dot3(d20, b0, d21, b1, d22, b2);
      let r0 = sub(sub(one, jj), kk), r1 = add(ij, wk), r2 = sub(ik, wj);
      if (column == 1) { r0 = sub(ij, wk); r1 = sub(sub(one, ii), kk); r2 = add(jk, wi); }
      if (column == 2) { r0 = add(ik, wj); r1 = sub(jk, wi); r2 = sub(sub(one, ii), jj); }
      const u0 = sub(f0, r0), u1 = sub(f1, r1), u2 = sub(f2, r2);
      distance = add(distance, dot3(u0, u0, u1, u1, u2, u2));
      trace = add(trace, dot3(r0, f0, r1, f1, r2, f2));
    }
    const density = mul(half, add(mul(v128.load(t, 208), distance), mul(v128.load(t, 224), mul(trace, trace))));
    energy += f64(f32x4.extract_lane(density, 0)) + f64(f32x4.extract_lane(density, 1)) + f64(f32x4.extract_lane(density, 2)) + f64(f32x4.extract_lane(density, 3));
  }
  store<f64>(total, load<f64>(total) + energy);
}
