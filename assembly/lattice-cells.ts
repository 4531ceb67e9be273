/**
 * The energy of lattice cells and the Laplacian that stands in for their stiffness, four cells at a time; specified in f64 in
 * src/kernels/reference/lattice-cells.ts. Groups below `quads` are in quads, with four row offsets each; those from there on
 * list their 32 corners. Law, as f32: [side of a cell, hourglass share, 1 for the determinant's volume term, scale].
 */
import { add, dot3, mul, splat, sub } from './lanes';
import { addNumber, CARRY_BYTES, clearCarry, endRun, gatherLoose, gatherQuad, goesOn, QUAD_BYTES, scatterLoose, scatterQuad } from './lattice-walsh';
import { rotateLanes } from './rotate-lanes';

/** Adds the gradient of groups [first, last) to the vector at `out`; `own`: f64 energy out, then 12 + 21 + 9 v128, then an SVD's room. */
export function latticeElastic(
  first: usize, last: usize, own: usize, x: usize, out: usize, quads: usize, rows: usize, corners: usize, moduli: usize, quats: usize, law: usize,
): void {
  const side = load<f32>(law), kappa = load<f32>(law, 4);
  const useDeterminant = load<f32>(law, 8) != 0;
  const carry = own + 16, modes = carry + CARRY_BYTES, f = modes + 336, work = f + 144;
  const toF = splat(1 / (4 * side)), quarter = splat(side * side / 4), one = splat(1), half = splat(0.5), volume = splat(side * side * side);
  let energy: f64 = 0;
  clearCarry(carry);
  for (let group = first; group < last; group++) {
    const row = rows + group * 16, corner = corners + (group - quads) * 128;
    const loose = group >= quads;
    if (loose) {
      for (let k: usize = 0; k < 48; k += 16) gatherLoose(x + k, corner, modes + k);
    } else {
      gatherQuad(x, row, modes); gatherQuad(x + 16, row, modes + 16); gatherQuad(x + 32, row, modes + 32);
    }
    const mu = v128.load(moduli + group * 32), lambda = v128.load(moduli + group * 32, 16);
    // lanes without a cell turn like one at rest
    const real = f32x4.ne(mu, splat(0));
    const zero = splat(0);
    writeF(f, modes, toF, one, zero, zero, real);
    writeF(f + 48, modes + 16, toF, zero, one, zero, real);
    writeF(f + 96, modes + 32, toF, zero, zero, one, real);
    const q = quats + group * 64;
    rotateLanes(f, q, work);
    const w = v128.load(q), qi = v128.load(q, 16), qj = v128.load(q, 32), qk = v128.load(q, 48);
    const i2 = add(qi, qi), j2 = add(qj, qj), k2 = add(qk, qk);
    const ii = mul(qi, i2), jj = mul(qj, j2), kk = mul(qk, k2), ij = mul(qi, j2), ik = mul(qi, k2), jk = mul(qj, k2);
    const wi = mul(w, i2), wj = mul(w, j2), wk = mul(w, k2);
    let r00 = sub(sub(one, jj), kk), r01 = sub(ij, wk), r02 = add(ik, wj);
    let r10 = add(ij, wk), r11 = sub(sub(one, ii), kk), r12 = sub(jk, wi);
    let r20 = sub(ik, wj), r21 = add(jk, wi), r22 = sub(sub(one, ii), jj);
    const f00 = v128.load(f), f01 = v128.load(f, 16), f02 = v128.load(f, 32);
    const f10 = v128.load(f, 48), f11 = v128.load(f, 64), f12 = v128.load(f, 80);
    const f20 = v128.load(f, 96), f21 = v128.load(f, 112), f22 = v128.load(f, 128);
    const u00 = sub(f00, r00), u01 = sub(f01, r01), u02 = sub(f02, r02);
    const u10 = sub(f10, r10), u11 = sub(f11, r11), u12 = sub(f12, r12);
    const u20 = sub(f20, r20), u21 = sub(f21, r21), u22 = sub(f22, r22);
    const distance = add(add(dot3(u00, u00, u01, u01, u02, u02), dot3(u10, u10, u11, u11, u12, u12)), dot3(u20, u20, u21, u21, u22, u22));
    let change = add(add(dot3(r00, u00, r01, u01, r02, u02), dot3(r10, u10, r11, u11, r12, u12)), dot3(r20, u20, r21, u21, r22, u22));
    if (useDeterminant) {
      // from here on r is the cofactor matrix: the direction in which the volume grows
      r00 = sub(mul(f11, f22), mul(f12, f21)); r01 = sub(mul(f12, f20), mul(f10, f22)); r02 = sub(mul(f10, f21), mul(f11, f20));
      r10 = sub(mul(f02, f21), mul(f01, f22)); r11 = sub(mul(f00, f22), mul(f02, f20)); r12 = sub(mul(f01, f20), mul(f00, f21));
      r20 = sub(mul(f01, f12), mul(f02, f11)); r21 = sub(mul(f02, f10), mul(f00, f12)); r22 = sub(mul(f00, f11), mul(f01, f10));
      change = sub(dot3(f00, r00, f01, r01, f02, r02), one);
    }
    const shear = mul(quarter, add(mu, mu)), bulk = mul(quarter, mul(lambda, change));
    let density = mul(volume, add(mul(mu, distance), mul(half, mul(lambda, mul(change, change)))));
    const stiff2 = mul(splat(kappa * side / 4), mu), stiff3 = mul(splat(kappa * side * 0.375), mu);
    density = add(density, scatterForces(
      out, modes, carry, loose, row, corner, add(mul(shear, u00), mul(bulk, r00)), add(mul(shear, u01), mul(bulk, r01)), add(mul(shear, u02), mul(bulk, r02)), stiff2, stiff3));
    density = add(density, scatterForces(
      out + 16, modes + 16, carry + 64, loose, row, corner, add(mul(shear, u10), mul(bulk, r10)), add(mul(shear, u11), mul(bulk, r11)), add(mul(shear, u12), mul(bulk, r12)), stiff2, stiff3));
    density = add(density, scatterForces(
      out + 32, modes + 32, carry + 128, loose, row, corner, add(mul(shear, u20), mul(bulk, r20)), add(mul(shear, u21), mul(bulk, r21)), add(mul(shear, u22), mul(bulk, r22)), stiff2, stiff3));
    energy += f64(f32x4.extract_lane(density, 0)) + f64(f32x4.extract_lane(density, 1)) + f64(f32x4.extract_lane(density, 2)) + f64(f32x4.extract_lane(density, 3));
    if (!loose && !(group + 1 < min(last, quads) && goesOn(row))) endRun(out, row, carry);
  }
  store<f64>(own, energy);
}

/** One row of F from the modes of a component; `a`, `b`, `c` where there is no cell. */
// @ts-ignore: decorator
@inline function writeF(f: usize, m: usize, toF: v128, a: v128, b: v128, c: v128, real: v128): void {
  v128.store(f, v128.bitselect(mul(toF, v128.load(m)), a, real));
  v128.store(f, v128.bitselect(mul(toF, v128.load(m, 48)), b, real), 16);
  v128.store(f, v128.bitselect(mul(toF, v128.load(m, 144)), c, real), 32);
}

/** Adds one component of the forces to the corners; returns the energy of its hourglass modes. */
// @ts-ignore: decorator
@inline function scatterForces(
  out: usize, m: usize, carry: usize, loose: bool, row: usize, corner: usize, ox: v128, oy: v128, oz: v128, stiff2: v128, stiff3: v128,
): v128 {
  const c3 = v128.load(m, 96), c5 = v128.load(m, 192), c6 = v128.load(m, 240), c7 = v128.load(m, 288);
  const s3 = mul(stiff2, c3), s5 = mul(stiff2, c5), s6 = mul(stiff2, c6), s7 = mul(stiff3, c7);
  if (loose) scatterLoose(out, corner, ox, oy, s3, oz, s5, s6, s7);
  else scatterQuad(out, row, carry, ox, oy, s3, oz, s5, s6, s7);
  return mul(splat(0.5), add(dot3(s3, c3, s5, c5, s6, c6), mul(s7, c7)));
}

/** out += scale A x over groups [first, last); `own`: room for 21 v128. */
export function latticeLaplacian(
  first: usize, last: usize, own: usize, x: usize, out: usize, quads: usize, rows: usize, corners: usize, moduli: usize, law: usize,
): void {
  const eighth = load<f32>(law) * 0.125 * load<f32>(law, 12), kappa = load<f32>(law, 4);
  const end = min(last, quads);
  let group = first;
  while (group < end) {
    let next = group + 1;
    while (next < end && goesOn(rows + next * 16 - 16)) next++;
    laplacianRun(x, out, group, next, rows, moduli, eighth, kappa);
    laplacianRun(x + 16, out + 16, group, next, rows, moduli, eighth, kappa);
    laplacianRun(x + 32, out + 32, group, next, rows, moduli, eighth, kappa);
    group = next;
  }
  for (; group < last; group++) {
    const corner = corners + (group - quads) * 128;
    const w1 = weightOf(moduli, group, splat(eighth)), w2 = mul(splat(2 * kappa), w1), w3 = mul(splat(3 * kappa), w1);
    for (let k: usize = 0; k < 48; k += 16) {
      gatherLoose(x + k, corner, own);
      scatterLoose(
        out + k, corner, mul(w1, v128.load(own)), mul(w1, v128.load(own, 48)), mul(w2, v128.load(own, 96)), mul(w1, v128.load(own, 144)),
        mul(w2, v128.load(own, 192)), mul(w2, v128.load(own, 240)), mul(w3, v128.load(own, 288)),
      );
    }
  }
}

// @ts-ignore: decorator
@inline function weightOf(moduli: usize, group: usize, eighth: v128): v128 {
  return mul(eighth, add(v128.load(moduli + group * 32), mul(splat(0.25), v128.load(moduli + group * 32, 16))));
}

/** One component of groups [group, last) that lie side by side, all of it in registers: the same sums as gatherQuad and scatterQuad. */
function laplacianRun(x: usize, out: usize, group: usize, last: usize, rows: usize, moduli: usize, scale: f32, kappa: f32): void {
  const eighth = splat(scale), two = splat(2 * kappa), three = splat(3 * kappa);
  const row = rows + group * 16;
  let p0 = <usize>load<u32>(row), p1 = <usize>load<u32>(row, 4), p2 = <usize>load<u32>(row, 8), p3 = <usize>load<u32>(row, 12);
  let c0 = v128.load(x + p0), c2 = v128.load(x + p1), c4 = v128.load(x + p2), c6 = v128.load(x + p3);
  let k0 = splat(0), k1 = splat(0), k2 = splat(0), k3 = splat(0);
  for (; group < last; group++) {
    const w1 = weightOf(moduli, group, eighth), w2 = mul(two, w1), w3 = mul(three, w1);
    const n0 = v128.load(x + p0, 48), n2 = v128.load(x + p1, 48), n4 = v128.load(x + p2, 48), n6 = v128.load(x + p3, 48);
    const c1 = v128.shuffle<f32>(c0, n0, 1, 2, 3, 4), c3 = v128.shuffle<f32>(c2, n2, 1, 2, 3, 4);
    const c5 = v128.shuffle<f32>(c4, n4, 1, 2, 3, 4), c7 = v128.shuffle<f32>(c6, n6, 1, 2, 3, 4);
    const a0 = add(c0, c1), a1 = add(c2, c3), a2 = add(c4, c5), a3 = add(c6, c7);
    const d0 = sub(c1, c0), d1 = sub(c3, c2), d2 = sub(c5, c4), d3 = sub(c7, c6);
    const s01 = add(a0, a1), s23 = add(a2, a3), t01 = sub(a1, a0), t23 = sub(a3, a2);
    const u01 = add(d0, d1), u23 = add(d2, d3), v01 = sub(d1, d0), v23 = sub(d3, d2);
    const o1 = mul(w1, add(u01, u23)), o2 = mul(w1, add(t01, t23)), o3 = mul(w2, add(v01, v23)), o4 = mul(w1, sub(s23, s01));
    const o5 = mul(w2, sub(u23, u01)), o6 = mul(w2, sub(t23, t01)), o7 = mul(w3, sub(v23, v01));
    let e0 = sub(splat(0), o4), e1 = sub(o1, o5), e2 = sub(o2, o6), e3 = sub(o3, o7);
    let f0 = sub(e0, e2), f1 = sub(e1, e3), g0 = add(e0, e2), g1 = add(e1, e3);
    let right = add(f0, f1);
    v128.store(out + p0, add(v128.load(out + p0), add(sub(f0, f1), v128.shuffle<f32>(k0, right, 3, 4, 5, 6))));
    k0 = right; right = add(g0, g1);
    v128.store(out + p1, add(v128.load(out + p1), add(sub(g0, g1), v128.shuffle<f32>(k1, right, 3, 4, 5, 6))));
    k1 = right;
    e0 = o4; e1 = add(o1, o5); e2 = add(o2, o6); e3 = add(o3, o7);
    f0 = sub(e0, e2); f1 = sub(e1, e3); g0 = add(e0, e2); g1 = add(e1, e3);
    right = add(f0, f1);
    v128.store(out + p2, add(v128.load(out + p2), add(sub(f0, f1), v128.shuffle<f32>(k2, right, 3, 4, 5, 6))));
    k2 = right; right = add(g0, g1);
    v128.store(out + p3, add(v128.load(out + p3), add(sub(g0, g1), v128.shuffle<f32>(k3, right, 3, 4, 5, 6))));
    k3 = right;
    c0 = n0; c2 = n2; c4 = n4; c6 = n6;
    p0 += QUAD_BYTES; p1 += QUAD_BYTES; p2 += QUAD_BYTES; p3 += QUAD_BYTES;
  }
  addNumber(out + p0, f32x4.extract_lane(k0, 3));
  addNumber(out + p1, f32x4.extract_lane(k1, 3));
  addNumber(out + p2, f32x4.extract_lane(k2, 3));
  addNumber(out + p3, f32x4.extract_lane(k3, 3));
}

/** Volume ratios of groups [first, last); `own`: f64 sum, least and how many are inside out, then room for 21 v128. */
export function latticeVolumes(
  first: usize, last: usize, own: usize, x: usize, quads: usize, rows: usize, corners: usize, moduli: usize, law: usize,
): void {
  const modes = own + 32;
  const scale: f32 = 0.25 / load<f32>(law), toVolume = splat(scale * scale * scale);
  let sum: f64 = 0, inverted: f64 = 0;
  let least = splat(f32.MAX_VALUE);
  for (let group = first; group < last; group++) {
    const loose = group >= quads;
    for (let k: usize = 0; k < 48; k += 16) {
      if (loose) gatherLoose(x + k, corners + (group - quads) * 128, modes + k);
      else gatherQuad(x + k, rows + group * 16, modes + k);
    }
    const a0 = v128.load(modes), a1 = v128.load(modes, 16), a2 = v128.load(modes, 32);
    const b0 = v128.load(modes, 48), b1 = v128.load(modes, 64), b2 = v128.load(modes, 80);
    const c0 = v128.load(modes, 144), c1 = v128.load(modes, 160), c2 = v128.load(modes, 176);
    const ratio = mul(toVolume, dot3(
      a0, sub(mul(b1, c2), mul(b2, c1)), a1, sub(mul(b2, c0), mul(b0, c2)), a2, sub(mul(b0, c1), mul(b1, c0))));
    const real = f32x4.ne(v128.load(moduli + group * 32), splat(0));
    const counted = v128.and(ratio, real);
    sum += f64(f32x4.extract_lane(counted, 0)) + f64(f32x4.extract_lane(counted, 1)) + f64(f32x4.extract_lane(counted, 2)) + f64(f32x4.extract_lane(counted, 3));
    least = f32x4.min(least, v128.bitselect(ratio, splat(f32.MAX_VALUE), real));
    inverted += f64(popcnt(i32x4.bitmask(v128.andnot(real, f32x4.gt(ratio, splat(0))))));
  }
  const low = min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)), high = min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3));
  store<f64>(own, sum);
  store<f64>(own, f64(min(low, high)), 8);
  store<f64>(own, inverted, 16);
}
