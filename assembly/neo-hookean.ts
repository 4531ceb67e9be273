/**
 * Stable neo-Hookean tets, four at a time: energy density mu/2 (|F|² − 3) − mu (J − 1) + lambda/2 (J − 1)², a polynomial
 * in F that needs no rotation and stays finite when a tet is flattened or turned inside out [Smith2018]. The group record is
 * that of local-tets.ts with mu V at 208 and lambda V at 224.
 */
import { add, addTo, dot3, firsts, high, low, mul, seconds, splat, sub, subFrom } from './lanes';
import { columnX, columnY, columnZ, edgeRow } from './gather';

const GROUP_BYTES: usize = 256;

/** Subtracts the elastic gradient of groups [first, last) from the rows at `out`; stores their energy [J], an f64, at `total`. */
export function localNeoHookean(first: usize, last: usize, x: usize, tets: usize, out: usize, total: usize): void {
  const one = splat(1), zero = splat(0), half = splat(0.5);
  let energy: f64 = 0;
  for (let group = first; group < last; group++) {
    const t = tets + group * GROUP_BYTES;
    let e0 = edgeRow(x, t, 1, 0), e1 = edgeRow(x, t, 1, 1), e2 = edgeRow(x, t, 1, 2), e3 = edgeRow(x, t, 1, 3);
    const d00 = columnX(e0, e1, e2, e3), d10 = columnY(e0, e1, e2, e3), d20 = columnZ(e0, e1, e2, e3);
    e0 = edgeRow(x, t, 2, 0); e1 = edgeRow(x, t, 2, 1); e2 = edgeRow(x, t, 2, 2); e3 = edgeRow(x, t, 2, 3);
    const d01 = columnX(e0, e1, e2, e3), d11 = columnY(e0, e1, e2, e3), d21 = columnZ(e0, e1, e2, e3);
    e0 = edgeRow(x, t, 3, 0); e1 = edgeRow(x, t, 3, 1); e2 = edgeRow(x, t, 3, 2); e3 = edgeRow(x, t, 3, 3);
    const d02 = columnX(e0, e1, e2, e3), d12 = columnY(e0, e1, e2, e3), d22 = columnZ(e0, e1, e2, e3);

    let b0 = v128.load(t, 64), b1 = v128.load(t, 112), b2 = v128.load(t, 160);
    const f00 = dot3(d00, b0, d01, b1, d02, b2), f10 = dot3(d10, b0, d11, b1, d12, b2), f20 = dot3(d20, b0, d21, b1, d22, b2);
    b0 = v128.load(t, 80); b1 = v128.load(t, 128); b2 = v128.load(t, 176);
    const f01 = dot3(d00, b0, d01, b1, d02, b2), f11 = dot3(d10, b0, d11, b1, d12, b2), f21 = dot3(d20, b0, d21, b1, d22, b2);
    b0 = v128.load(t, 96); b1 = v128.load(t, 144); b2 = v128.load(t, 192);
    const f02 = dot3(d00, b0, d01, b1, d02, b2), f12 = dot3(d10, b0, d11, b1, d12, b2), f22 = dot3(d20, b0, d21, b1, d22, b2);

    // cofactors of F, J = det F
    const c00 = sub(mul(f11, f22), mul(f12, f21)), c01 = sub(mul(f12, f20), mul(f10, f22)), c02 = sub(mul(f10, f21), mul(f11, f20));
    const c10 = sub(mul(f02, f21), mul(f01, f22)), c11 = sub(mul(f00, f22), mul(f02, f20)), c12 = sub(mul(f01, f20), mul(f00, f21));
    const c20 = sub(mul(f01, f12), mul(f02, f11)), c21 = sub(mul(f02, f10), mul(f00, f12)), c22 = sub(mul(f00, f11), mul(f01, f10));
    const grown = sub(dot3(f00, c00, f01, c01, f02, c02), one);
    const mu = v128.load(t, 208), lambda = v128.load(t, 224);
    const spread = sub(mul(lambda, grown), mu);

    const square = add(add(dot3(f00, f00, f01, f01, f02, f02), dot3(f10, f10, f11, f11, f12, f12)), dot3(f20, f20, f21, f21, f22, f22));
    const density = add(mul(mu, sub(mul(half, sub(square, splat(3))), grown)), mul(mul(half, lambda), mul(grown, grown)));
    energy += f64(f32x4.extract_lane(density, 0)) + f64(f32x4.extract_lane(density, 1)) + f64(f32x4.extract_lane(density, 2)) + f64(f32x4.extract_lane(density, 3));

    const p00 = add(mul(mu, f00), mul(spread, c00)), p01 = add(mul(mu, f01), mul(spread, c01)), p02 = add(mul(mu, f02), mul(spread, c02));
    const p10 = add(mul(mu, f10), mul(spread, c10)), p11 = add(mul(mu, f11), mul(spread, c11)), p12 = add(mul(mu, f12), mul(spread, c12));
    const p20 = add(mul(mu, f20), mul(spread, c20)), p21 = add(mul(mu, f21), mul(spread, c21)), p22 = add(mul(mu, f22), mul(spread, c22));

    let s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    for (let corner: usize = 0; corner < 3; corner++) {
      const b = t + 64 + corner * 48;
      b0 = v128.load(b); b1 = v128.load(b, 16); b2 = v128.load(b, 32);
      const hx = dot3(p00, b0, p01, b1, p02, b2), hy = dot3(p10, b0, p11, b1, p12, b2), hz = dot3(p20, b0, p21, b1, p22, b2);
      const xyLow = low(hx, hy), zLow = low(hz, zero), xyHigh = high(hx, hy), zHigh = high(hz, zero);
      const r0 = firsts(xyLow, zLow), r1 = seconds(xyLow, zLow), r2 = firsts(xyHigh, zHigh), r3 = seconds(xyHigh, zHigh);
      const rows = t + 16 + corner * 16;
      subFrom(out + load<u32>(rows), r0); subFrom(out + load<u32>(rows, 4), r1);
      subFrom(out + load<u32>(rows, 8), r2); subFrom(out + load<u32>(rows, 12), r3);
      s0 = add(s0, r0); s1 = add(s1, r1); s2 = add(s2, r2); s3 = add(s3, r3);
    }
    addTo(out + load<u32>(t), s0); addTo(out + load<u32>(t, 4), s1); addTo(out + load<u32>(t, 8), s2); addTo(out + load<u32>(t, 12), s3);
  }
  store<f64>(total, energy);
}
