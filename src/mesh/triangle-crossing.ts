/**
 * Whether two triangles of a surface cross or touch. Signs of volumes are taken in doubles, with a tolerance instead of exact
 * arithmetic: whatever lies nearer than `tolerance` counts as touching, which errs on the side of a complaint. The meshers these
 * checks are made for refuse such surfaces too. Called when a character is built.
 */

type Points = ArrayLike<number>;

/** Rounding of a determinant, as a share of the sum of its terms' sizes, with room. */
const ROUNDING = 1e-15;

/**
 * True where triangles (a0 a1 a2) and (b0 b1 b2), vertices of `p`, have more in common than the corners they share by number. Two
 * with the same three corners have.
 */
export function trianglesCross(p: Points, a: readonly number[], b: readonly number[], tolerance: number): boolean {
  const shared = a.filter((vertex) => b.includes(vertex));
  if (shared.length === 3) return true;
  if (shared.length === 2) return foldedOver(p, shared, a, b, tolerance);
  if (shared.length === 1) {
    // All they can have in common starts at the shared corner and leaves one of them by the side opposite to it.
    const [a0, a1] = a.filter((vertex) => vertex !== shared[0]);
    const [b0, b1] = b.filter((vertex) => vertex !== shared[0]);
    return segmentMeets(p, a0, a1, b, tolerance) || segmentMeets(p, b0, b1, a, tolerance);
  }
  for (let k = 0; k < 3; k++) {
    if (segmentMeets(p, a[k], a[(k + 1) % 3], b, tolerance)) return true;
    if (segmentMeets(p, b[k], b[(k + 1) % 3], a, tolerance)) return true;
  }
  return false;
}

/** Whether the segment from i to j meets the triangle. */
function segmentMeets(p: Points, i: number, j: number, t: readonly number[], tolerance: number): boolean {
  const first = side(p, t[0], t[1], t[2], i, tolerance);
  const second = side(p, t[0], t[1], t[2], j, tolerance);
  if (first * second > 0) return false;
  if (first === 0 && second === 0) return segmentMeetsInPlane(p, i, j, t, tolerance);
  // The line goes through the triangle when it has all three sides on the same hand.
  const hands = [0, 1, 2].map((k) => side(p, i, j, t[k], t[(k + 1) % 3], tolerance));
  return !(hands.includes(1) && hands.includes(-1));
}

/** Two triangles on a common side: in one plane, and on the same side of it. */
function foldedOver(
  p: Points,
  shared: readonly number[],
  a: readonly number[],
  b: readonly number[],
  tolerance: number,
): boolean {
  const c = a.find((vertex) => !shared.includes(vertex))!;
  const d = b.find((vertex) => !shared.includes(vertex))!;
  const [i, j] = shared;
  if (side(p, i, j, c, d, tolerance) !== 0) return false;
  const e = [0, 1, 2].map((k) => p[3 * j + k] - p[3 * i + k]);
  const u = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * i + k]);
  const v = [0, 1, 2].map((k) => p[3 * d + k] - p[3 * i + k]);
  const m = cross(e, u);
  const n = cross(e, v);
  return m[0] * n[0] + m[1] * n[1] + m[2] * n[2] > 0;
}

/** On which side of the plane through i, j, k vertex l lies: 1, -1, or 0 for nearer than the tolerance. */
function side(p: Points, i: number, j: number, k: number, l: number, tolerance: number): number {
  const [a, b, c, d] = [3 * i, 3 * j, 3 * k, 3 * l];
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a];
  const wy = p[d + 1] - p[a + 1];
  const wz = p[d + 2] - p[a + 2];
  const volume = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const w = Math.sqrt(wx * wx + wy * wy + wz * wz);
  // A parallelogram's area times the tolerance as height: the same for each of the four corners to stand out.
  const least = tolerance * Math.max(u * v, v * w, w * u) + ROUNDING * u * v * w;
  return volume > least ? 1 : volume < -least ? -1 : 0;
}

/** `segmentMeets` where all five points lie in a plane: looked at along the axis nearest to the plane's normal. */
function segmentMeetsInPlane(p: Points, i: number, j: number, t: readonly number[], tolerance: number): boolean {
  const u = [0, 1, 2].map((k) => p[3 * t[1] + k] - p[3 * t[0] + k]);
  const v = [0, 1, 2].map((k) => p[3 * t[2] + k] - p[3 * t[0] + k]);
  const n = cross(u, v).map(Math.abs);
  const axis = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
  const flat = (vertex: number): [number, number] => [
    p[3 * vertex + ((axis + 1) % 3)],
    p[3 * vertex + ((axis + 2) % 3)],
  ];
  const [start, end] = [flat(i), flat(j)];
  const corners = t.map(flat);
  const hands = [0, 1, 2].map((k) => turn(corners[k], corners[(k + 1) % 3], start, tolerance));
  if (!(hands.includes(1) && hands.includes(-1))) return true;
  return [0, 1, 2].some((k) => segmentsMeet(start, end, corners[k], corners[(k + 1) % 3], tolerance));
}

type Flat = readonly [number, number];

function segmentsMeet(a: Flat, b: Flat, c: Flat, d: Flat, tolerance: number): boolean {
  const [ab, ba] = [turn(a, b, c, tolerance), turn(a, b, d, tolerance)];
  const [cd, dc] = [turn(c, d, a, tolerance), turn(c, d, b, tolerance)];
  if (ab * ba > 0 || cd * dc > 0) return false;
  // On one line they meet where their extents do.
  return [0, 1].every(
    (k) =>
      Math.max(a[k], b[k]) >= Math.min(c[k], d[k]) - tolerance &&
      Math.max(c[k], d[k]) >= Math.min(a[k], b[k]) - tolerance,
  );
}

/** 1 where a, b, c go round anticlockwise, -1 clockwise, 0 for nearly on a line. */
function turn(a: Flat, b: Flat, c: Flat, tolerance: number): number {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const area = ux * vy - uy * vx;
  const u = Math.sqrt(ux * ux + uy * uy);
  const v = Math.sqrt(vx * vx + vy * vy);
  const least = tolerance * Math.max(u, v) + ROUNDING * u * v;
  return area > least ? 1 : area < -least ? -1 : 0;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
