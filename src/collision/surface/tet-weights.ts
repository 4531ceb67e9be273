/** Where a point is in a tetrahedron: its barycentric weights. */

/** Weight below zero that still counts as inside, so that rounding opens no cracks between tets. */
const ROUNDING = 1e-9;

/**
 * Writes the weights of the four corners that make the point p[at..at + 3), in the tet whose corners `tets[o..o + 4)` are
 * vertices of x. Returns the corner it is farthest beyond the opposite face of; -1 where it is inside, 4 where the tet is
 * inside out and contains nothing.
 */
export function tetWeights(
  x: Float64Array,
  tets: Int32Array,
  o: number,
  p: Float64Array,
  at: number,
  out: Float64Array,
): number {
  const a = tets[o] * 3;
  const b = tets[o + 1] * 3;
  const c = tets[o + 2] * 3;
  const d = tets[o + 3] * 3;
  volume(x, a, x, b, x, c, x, d, out, 3);
  const whole = out[3];
  if (!(whole > 0)) return 4;
  volume(p, at, x, b, x, c, x, d, out, 0);
  volume(x, a, p, at, x, c, x, d, out, 1);
  volume(x, a, x, b, p, at, x, d, out, 2);
  for (let k = 0; k < 3; k++) out[k] /= whole;
  out[3] = 1 - out[0] - out[1] - out[2];
  let corner = 0;
  for (let k = 1; k < 4; k++) if (out[k] < out[corner]) corner = k;
  return out[corner] >= -ROUNDING ? -1 : corner;
}

/** out[k] = six times the signed volume of the tet a, b, c, d, each at an offset of an array; returned, it would be boxed. */
function volume(
  p: Float64Array,
  a: number,
  q: Float64Array,
  b: number,
  r: Float64Array,
  c: number,
  s: Float64Array,
  d: number,
  out: Float64Array,
  k: number,
): void {
  const ux = q[b] - p[a];
  const uy = q[b + 1] - p[a + 1];
  const uz = q[b + 2] - p[a + 2];
  const vx = r[c] - p[a];
  const vy = r[c + 1] - p[a + 1];
  const vz = r[c + 2] - p[a + 2];
  const wx = s[d] - p[a];
  const wy = s[d + 1] - p[a + 1];
  const wz = s[d + 2] - p[a + 2];
  out[k] = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}
