/** Nearest points of two segments, where they lie between the ends of both: ends are for vertices and faces to meet. */

/** Share of a segment at each end that counts as the end. */
const END = 1e-3;
/** Squared sine of the angle below which two segments are parallel. */
const PARALLEL = 1e-6;

/** out = how far along each segment [0 to 1], and the way from the second to the first (3); false where they do not cross. Offsets into x: of the four ends. */
export function crossSegments(x: Float64Array, a: number, b: number, c: number, d: number, out: Float64Array): boolean {
  const u0 = x[b] - x[a];
  const u1 = x[b + 1] - x[a + 1];
  const u2 = x[b + 2] - x[a + 2];
  const v0 = x[d] - x[c];
  const v1 = x[d + 1] - x[c + 1];
  const v2 = x[d + 2] - x[c + 2];
  const w0 = x[a] - x[c];
  const w1 = x[a + 1] - x[c + 1];
  const w2 = x[a + 2] - x[c + 2];
  const uu = u0 * u0 + u1 * u1 + u2 * u2;
  const vv = v0 * v0 + v1 * v1 + v2 * v2;
  const uv = u0 * v0 + u1 * v1 + u2 * v2;
  const det = uu * vv - uv * uv;
  if (!(det > PARALLEL * uu * vv)) return false;
  const uw = u0 * w0 + u1 * w1 + u2 * w2;
  const vw = v0 * w0 + v1 * w1 + v2 * w2;
  const s = (uv * vw - vv * uw) / det;
  const t = (uu * vw - uv * uw) / det;
  if (!(s > END && s < 1 - END && t > END && t < 1 - END)) return false;
  out[0] = s;
  out[1] = t;
  out[2] = w0 + s * u0 - t * v0;
  out[3] = w1 + s * u1 - t * v1;
  out[4] = w2 + s * u2 - t * v2;
  return true;
}
