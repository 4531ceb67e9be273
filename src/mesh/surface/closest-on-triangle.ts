/** The way from a point to the nearest point of a triangle. */

/** Below this share of the longest side's fourth power, a triangle's squared normal is rounding error: it is a line. */
const NO_AREA = 1e-20;

/**
 * Squared distance [m²] from (x, y, z) to the triangle of vertices a, b, c of p. Where it is below `best`, the way there is
 * written to way[0..3); else `way` stays and `best` is returned.
 */
export function closestOnTriangle(
  p: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
  best: number,
  way: Float64Array,
): number {
  const ax = p[3 * a] - x;
  const ay = p[3 * a + 1] - y;
  const az = p[3 * a + 2] - z;
  const bx = p[3 * b] - x;
  const by = p[3 * b + 1] - y;
  const bz = p[3 * b + 2] - z;
  const cx = p[3 * c] - x;
  const cy = p[3 * c + 1] - y;
  const cz = p[3 * c + 2] - z;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const normalSq = nx * nx + ny * ny + nz * nz;
  const sideSq = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  if (normalSq > NO_AREA * sideSq * sideSq) {
    const height = nx * ax + ny * ay + nz * az;
    // the plane is farther than what is known already, so is the triangle
    if (height * height >= best * normalSq) return best;
    const over =
      isInner(ax, ay, az, bx, by, bz, nx, ny, nz) &&
      isInner(bx, by, bz, cx, cy, cz, nx, ny, nz) &&
      isInner(cx, cy, cz, ax, ay, az, nx, ny, nz);
    if (over) {
      way[0] = (height / normalSq) * nx;
      way[1] = (height / normalSq) * ny;
      way[2] = (height / normalSq) * nz;
      return (height * height) / normalSq;
    }
  }
  const first = closestOnSide(ax, ay, az, bx, by, bz, best, way);
  const second = closestOnSide(bx, by, bz, cx, cy, cz, first, way);
  return closestOnSide(cx, cy, cz, ax, ay, az, second, way);
}

/** True where the origin is on the inner side of the edge from a to b of a triangle with normal n. */
function isInner(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  nx: number,
  ny: number,
  nz: number,
): boolean {
  return nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx) >= 0;
}

/** The same for the line from a to b, seen from the origin. */
function closestOnSide(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  best: number,
  way: Float64Array,
): number {
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const lengthSq = ux * ux + uy * uy + uz * uz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, -(ax * ux + ay * uy + az * uz) / lengthSq)) : 0;
  const x = ax + t * ux;
  const y = ay + t * uy;
  const z = az + t * uz;
  const distanceSq = x * x + y * y + z * z;
  if (distanceSq >= best) return best;
  way[0] = x;
  way[1] = y;
  way[2] = z;
  return distanceSq;
}
