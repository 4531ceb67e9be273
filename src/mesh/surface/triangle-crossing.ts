/**
 * Whether two triangles of a surface cross or touch. Heights over planes are taken in doubles, with a tolerance instead of exact
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
  const first = height(p, t, i);
  const second = height(p, t, j);
  const near = (value: number): boolean => Math.abs(value) <= tolerance;
  if (!near(first) && !near(second) && first > 0 === second > 0) return false;
  const flat = flattener(p, t);
  const corners = t.map((vertex) => flat(at(p, vertex)));
  const [start, end] = [flat(at(p, i)), flat(at(p, j))];
  if (near(first) && near(second)) {
    if (isInside(start, corners, tolerance)) return true;
    return [0, 1, 2].some((k) => segmentsMeet(start, end, corners[k], corners[(k + 1) % 3], tolerance));
  }
  if (near(first)) return isInside(start, corners, tolerance);
  if (near(second)) return isInside(end, corners, tolerance);
  // Both ends are off the plane, so that the point between them in the plane is well determined.
  const share = first / (first - second);
  return isInside([start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])], corners, tolerance);
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
  if (Math.abs(height(p, [i, j, c], d)) > tolerance && Math.abs(height(p, [i, j, d], c)) > tolerance) return false;
  const e = minus(p, j, i);
  const m = cross(e, minus(p, c, i));
  const n = cross(e, minus(p, d, i));
  return m[0] * n[0] + m[1] * n[1] + m[2] * n[2] > 0;
}

/** Height of a vertex over the plane of a triangle; 0 where rounding could have made it up. */
function height(p: Points, [i, j, k]: readonly number[], vertex: number): number {
  const ux = p[3 * j] - p[3 * i];
  const uy = p[3 * j + 1] - p[3 * i + 1];
  const uz = p[3 * j + 2] - p[3 * i + 2];
  const vx = p[3 * k] - p[3 * i];
  const vy = p[3 * k + 1] - p[3 * i + 1];
  const vz = p[3 * k + 2] - p[3 * i + 2];
  const wx = p[3 * vertex] - p[3 * i];
  const wy = p[3 * vertex + 1] - p[3 * i + 1];
  const wz = p[3 * vertex + 2] - p[3 * i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const volume = wx * nx + wy * ny + wz * nz;
  const sizes =
    Math.abs(wx) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
    Math.abs(wy) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(wz) * (Math.abs(ux * vy) + Math.abs(uy * vx));
  return Math.abs(volume) <= ROUNDING * sizes ? 0 : volume / Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Looks along the axis nearest to a triangle's normal. */
function flattener(p: Points, t: readonly number[]): (point: readonly number[]) => Flat {
  const n = cross(minus(p, t[1], t[0]), minus(p, t[2], t[0])).map(Math.abs);
  const axis = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
  return (point) => [point[(axis + 1) % 3], point[(axis + 2) % 3]];
}

type Flat = readonly [number, number];

/** Whether a point is in a triangle or nearly so, whichever way round that goes. */
function isInside(point: Flat, corners: readonly Flat[], tolerance: number): boolean {
  const turns = [0, 1, 2].map((k) => turn(corners[k], corners[(k + 1) % 3], point, tolerance));
  return !(turns.includes(1) && turns.includes(-1));
}

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
  const sizes = Math.abs(ux * vy) + Math.abs(uy * vx);
  const least = tolerance * Math.sqrt(ux * ux + uy * uy) + ROUNDING * sizes;
  return area > least ? 1 : area < -least ? -1 : 0;
}

function at(p: Points, vertex: number): number[] {
  return [p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]];
}

function minus(p: Points, a: number, b: number): number[] {
  return [0, 1, 2].map((k) => p[3 * a + k] - p[3 * b + k]);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
