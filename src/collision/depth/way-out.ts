/** How far a vertex that is in its own body has to go to be out of it. */
import { nearestOnTriangle } from '../surface/triangle-point.js';

const found = new Float64Array(4);

/** Distance of vertex v from the nearest triangle that it is no corner of [m], at most `most`; `longest`: longest side of any of them [m]. */
export function wayOut(triangles: Int32Array, x: Float64Array, v: number, most: number, longest: number): number {
  let nearest = most;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] * 3;
    const dx = x[v * 3] - x[a];
    const dy = x[v * 3 + 1] - x[a + 1];
    const dz = x[v * 3 + 2] - x[a + 2];
    const reach = nearest + longest;
    // no point of a triangle is farther from its first corner than its longest side
    if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
    if (triangles[t] === v || triangles[t + 1] === v || triangles[t + 2] === v) continue;
    nearestOnTriangle(x, a, triangles[t + 1] * 3, triangles[t + 2] * 3, x, v * 3, found);
    nearest = Math.min(nearest, Math.sqrt(found[3]));
  }
  return nearest;
}
