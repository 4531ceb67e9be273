/** Volumes, faces and heights of tets, of which `corners` holds four vertices each; results are written or plain, nothing is made. */

/** Six times the volume of tet n, negative where it is inside out [m³]. */
export function sixVolumes(x: Float64Array, corners: Int32Array, n: number): number {
  const a = corners[n * 4] * 3;
  const b = corners[n * 4 + 1] * 3;
  const c = corners[n * 4 + 2] * 3;
  const d = corners[n * 4 + 3] * 3;
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  const wx = x[d] - x[a];
  const wy = x[d + 1] - x[a + 1];
  const wz = x[d + 2] - x[a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/** Of the face opposite a corner, `tet * 4 + k`: out = unit normal into the tet, twice its area [m²], and the height of the corner over it, negative where the tet is inside out [m]. */
export function readFace(x: Float64Array, corners: Int32Array, corner: number, out: Float64Array): void {
  const first = corner & ~3;
  const a = corners[first | ((corner + 1) & 3)] * 3;
  const b = corners[first | ((corner + 2) & 3)] * 3;
  const c = corners[first | ((corner + 3) & 3)] * 3;
  const v = corners[corner] * 3;
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  // the three others go round the other way seen from every second corner
  const sign = (corner & 1) === 0 ? -1 : 1;
  const nx = sign * (uy * vz - uz * vy);
  const ny = sign * (uz * vx - ux * vz);
  const nz = sign * (ux * vy - uy * vx);
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const scale = length > 0 ? 1 / length : 0;
  out[0] = nx * scale;
  out[1] = ny * scale;
  out[2] = nz * scale;
  out[3] = length;
  out[4] = out[0] * (x[v] - x[a]) + out[1] * (x[v + 1] - x[a + 1]) + out[2] * (x[v + 2] - x[a + 2]);
}
