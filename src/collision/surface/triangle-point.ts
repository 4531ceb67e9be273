/** The point of a triangle nearest to another point, as weights of its corners. */

/**
 * Weights of the three corners, written to `out`, and the squared distance [m²] after them (returned, it would be boxed): a, b, c
 * are offsets of three coordinates in p; the point is q[o..o + 3).
 */
export function nearestOnTriangle(
  p: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  q: ArrayLike<number>,
  o: number,
  out: Float64Array,
): void {
  const abx = p[b] - p[a];
  const aby = p[b + 1] - p[a + 1];
  const abz = p[b + 2] - p[a + 2];
  const acx = p[c] - p[a];
  const acy = p[c + 1] - p[a + 1];
  const acz = p[c + 2] - p[a + 2];
  const apx = q[o] - p[a];
  const apy = q[o + 1] - p[a + 1];
  const apz = q[o + 2] - p[a + 2];
  // the regions of corners, sides and face, by the signs of projections on the sides
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  const abab = abx * abx + aby * aby + abz * abz;
  const acac = acx * acx + acy * acy + acz * acz;
  const abac = abx * acx + aby * acy + abz * acz;
  const d3 = d1 - abab;
  const d4 = d2 - abac;
  const d5 = d1 - abac;
  const d6 = d2 - acac;
  let v = 0;
  let w = 0;
  const vc = d1 * d4 - d3 * d2;
  const vb = d5 * d2 - d1 * d6;
  const va = d3 * d6 - d5 * d4;
  if (d1 <= 0 && d2 <= 0) v = w = 0;
  else if (d3 >= 0 && d4 <= d3) v = 1;
  else if (d6 >= 0 && d5 <= d6) w = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1 - w;
  } else {
    const sum = va + vb + vc;
    v = vb / sum;
    w = vc / sum;
  }
  out[0] = 1 - v - w;
  out[1] = v;
  out[2] = w;
  const qx = apx - v * abx - w * acx;
  const qy = apy - v * aby - w * acy;
  const qz = apz - v * abz - w * acz;
  out[3] = qx * qx + qy * qy + qz * qz;
}
