/** Where a straight line goes through a triangle. */

/** Weight of a triangle's corner below zero that still counts as on it, so that rounding opens no cracks. */
const ROUNDING = 1e-9;

/**
 * How many times d[0..3) it is from p[at] to where the line through it leaves by the triangle at t, from behind it to before it;
 * negative where that lies behind p, NaN where the line does not. Writes the weights of the triangle's corners there.
 */
export function leavesBy(
  p: Float64Array,
  at: number,
  d: Float64Array,
  x: Float64Array,
  triangles: Int32Array,
  t: number,
  weights: Float64Array,
): number {
  const i = triangles[t] * 3;
  const j = triangles[t + 1] * 3;
  const k = triangles[t + 2] * 3;
  const dx = d[0];
  const dy = d[1];
  const dz = d[2];
  const ux = x[j] - x[i];
  const uy = x[j + 1] - x[i + 1];
  const uz = x[j + 2] - x[i + 2];
  const vx = x[k] - x[i];
  const vy = x[k + 1] - x[i + 1];
  const vz = x[k + 2] - x[i + 2];
  const sx = p[at] - x[i];
  const sy = p[at + 1] - x[i + 1];
  const sz = p[at + 2] - x[i + 2];
  // Cramer's rule for s + way d = w1 u + w2 v; d·n is positive where the way leads out
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const leaving = dx * nx + dy * ny + dz * nz;
  if (!(leaving > 0)) return Number.NaN;
  const cx = sy * dz - sz * dy;
  const cy = sz * dx - sx * dz;
  const cz = sx * dy - sy * dx;
  weights[1] = -(vx * cx + vy * cy + vz * cz) / leaving;
  weights[2] = (ux * cx + uy * cy + uz * cz) / leaving;
  weights[0] = 1 - weights[1] - weights[2];
  const hit = weights[0] >= -ROUNDING && weights[1] >= -ROUNDING && weights[2] >= -ROUNDING;
  return hit ? -(sx * nx + sy * ny + sz * nz) / leaving : Number.NaN;
}
