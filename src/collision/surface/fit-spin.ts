/** The angular velocity that explains the velocities of points best, all points counting the same. */

/** Writes the middle of the points and their angular velocity [rad/s]; zero where they lie in a line. */
export function fitSpin(
  points: Float64Array,
  vertices: Int32Array,
  velocities: Float64Array,
  mean: Float64Array,
  centre: Float64Array,
  spin: Float64Array,
): void {
  const count = vertices.length;
  centre.fill(0);
  for (let i = 0; i < count * 3; i++) centre[i % 3] += points[i] / count;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  let lx = 0;
  let ly = 0;
  let lz = 0;
  for (let i = 0; i < count; i++) {
    const x = points[i * 3] - centre[0];
    const y = points[i * 3 + 1] - centre[1];
    const z = points[i * 3 + 2] - centre[2];
    const v = vertices[i] * 3;
    const vx = velocities[v] - mean[0];
    const vy = velocities[v + 1] - mean[1];
    const vz = velocities[v + 2] - mean[2];
    xx += y * y + z * z;
    yy += x * x + z * z;
    zz += x * x + y * y;
    xy -= x * y;
    xz -= x * z;
    yz -= y * z;
    lx += y * vz - z * vy;
    ly += z * vx - x * vz;
    lz += x * vy - y * vx;
  }
  // Cramer's rule on the symmetric tensor of inertia
  const c00 = yy * zz - yz * yz;
  const c01 = xz * yz - xy * zz;
  const c02 = xy * yz - xz * yy;
  const determinant = xx * c00 + xy * c01 + xz * c02;
  const size = xx + yy + zz;
  spin.fill(0);
  if (!(determinant > 1e-9 * size * size * size)) return;
  const c11 = xx * zz - xz * xz;
  const c12 = xy * xz - xx * yz;
  const c22 = xx * yy - xy * xy;
  spin[0] = (c00 * lx + c01 * ly + c02 * lz) / determinant;
  spin[1] = (c01 * lx + c11 * ly + c12 * lz) / determinant;
  spin[2] = (c02 * lx + c12 * ly + c22 * lz) / determinant;
}
