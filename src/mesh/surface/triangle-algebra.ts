/** The two products that areas, normals and volumes of triangle surfaces are made of. Indices are those of vertices, `p` has x,y,z per vertex. */

/** (b − a) × (c − a), outward where the triangle is counter-clockwise seen from outside: twice its area long [m²]. */
export function writeEdgeCross(
  p: ArrayLike<number>,
  vertexA: number,
  vertexB: number,
  vertexC: number,
  out: Float64Array,
): void {
  const a = 3 * vertexA;
  const b = 3 * vertexB;
  const c = 3 * vertexC;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

/** Length of (b − a) × (c − a): twice the area of a triangle [m²]. */
export function doubleArea(p: ArrayLike<number>, vertexA: number, vertexB: number, vertexC: number): number {
  writeEdgeCross(p, vertexA, vertexB, vertexC, cross);
  return Math.sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
}

/** Six times the volume of the tetrahedron from `origin` to a triangle [m³]; positive where the triangle is seen from its back. */
export function sixVolume(
  p: ArrayLike<number>,
  origin: number,
  vertexA: number,
  vertexB: number,
  vertexC: number,
): number {
  const o = 3 * origin;
  const a = 3 * vertexA;
  const b = 3 * vertexB;
  const c = 3 * vertexC;
  const ax = p[a] - p[o];
  const ay = p[a + 1] - p[o + 1];
  const az = p[a + 2] - p[o + 2];
  const bx = p[b] - p[o];
  const by = p[b + 1] - p[o + 1];
  const bz = p[b + 2] - p[o + 2];
  const cx = p[c] - p[o];
  const cy = p[c + 1] - p[o + 1];
  const cz = p[c + 2] - p[o + 2];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

const cross = new Float64Array(3);
