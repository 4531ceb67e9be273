/** A contact of a surface vertex with a point of a triangle, of another body or of the same. */
import type { ContactBuffer } from '../contact-buffer.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';

/**
 * Adds a contact of vertex i of body `a` with the point of triangle t of body `b` that has the weights at `o`; -1 where there is no
 * room. Normal, gap and offset are left to the caller.
 */
export function addVertexOnTriangle(
  points: SurfaceMotion,
  a: number,
  i: number,
  solid: SurfaceMotion,
  b: number,
  t: number,
  weights: Float64Array,
  o: number,
  out: ContactBuffer,
): number {
  const vertex = points.surface.vertices[i];
  const c = out.add(a, vertex, b, -1);
  if (c < 0) return -1;
  out.setVertex(c, 0, 0, vertex, 1);
  out.friction[c] = Math.sqrt(points.friction * solid.friction);
  for (let k = 0; k < 3; k++) out.stuck[c * 3 + k] = points.positions[vertex * 3 + k];
  for (let corner = 0; corner < 3; corner++) {
    const v = solid.surface.triangles[t * 3 + corner];
    out.setVertex(c, 1, corner, v, weights[o + corner]);
    for (let k = 0; k < 3; k++) out.stuck[c * 3 + k] -= weights[o + corner] * solid.positions[v * 3 + k];
  }
  return c;
}
