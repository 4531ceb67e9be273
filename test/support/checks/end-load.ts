/** Loads on the end of a bar. */
import type { Model } from '../../../src/body/model.js';

/** Share of the area of the plane `axis = at` that belongs to each vertex: a third of the faces around it [m²]. */
export function endTraction(model: Model, axis: 0 | 1 | 2, at: number): Map<number, number> {
  const areas = new Map<number, number>();
  const { positions, tets } = model;
  for (let tet = 0; tet < model.tetCount; tet++) {
    const on = Array.from(tets.subarray(tet * 4, tet * 4 + 4)).filter(
      (v) => Math.abs(positions[v * 3 + axis] - at) < 1e-9 * model.size,
    );
    if (on.length !== 3) continue;
    const [u, w] = [1, 2].map((i) => [0, 1, 2].map((k) => positions[on[i] * 3 + k] - positions[on[0] * 3 + k]));
    const cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    for (const v of on) areas.set(v, (areas.get(v) ?? 0) + Math.hypot(cross[0], cross[1], cross[2]) / 6);
  }
  return areas;
}
