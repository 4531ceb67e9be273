/** How much of a closed surface bounds walls that a grid would miss. For building. */
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { WindingTree } from '../../mesh/surface/winding-number.js';

/** Triangles looked at, evenly spread over the list: a share needs no more. */
const MAX_LOOKS = 3000;
/** Depths behind a triangle at which there should be solid, in cells: a wall thicker than one always has grid points in it. */
const DEPTHS = [0.5, 1 + 1e-6];

/** Share of the area, between 0 and 1, behind which the solid is thinner than `cell` [m]. */
export function measureThinShare(
  { positions: p, triangles }: TriangleMesh,
  winding: WindingTree,
  cell: number,
): number {
  const count = triangles.length / 3;
  const stride = Math.ceil(count / MAX_LOOKS);
  let thin = 0;
  let total = 0;
  for (let t = 0; t < count; t += stride) {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const nx = (p[b + 1] - p[a + 1]) * (p[c + 2] - p[a + 2]) - (p[b + 2] - p[a + 2]) * (p[c + 1] - p[a + 1]);
    const ny = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
    const nz = (p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[c] - p[a]);
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(area > 0)) continue;
    total += area;
    const solid = DEPTHS.every((depth) => {
      const down = (depth * cell) / area;
      const x = (p[a] + p[b] + p[c]) / 3 - down * nx;
      const y = (p[a + 1] + p[b + 1] + p[c + 1]) / 3 - down * ny;
      const z = (p[a + 2] + p[b + 2] + p[c + 2]) / 3 - down * nz;
      return winding.at(x, y, z) > 0.5;
    });
    if (!solid) thin += area;
  }
  return total > 0 ? thin / total : 0;
}
