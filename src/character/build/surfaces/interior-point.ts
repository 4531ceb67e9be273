/** Points well inside closed surfaces: what meshers want to tell the regions of a mesh apart. */

import { square } from '../../../math/powers.js';
import { closestOnTriangle } from '../../../mesh/surface/closest-on-triangle.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';

/** Triangles from which the inside is looked into. */
const TRIES = 16;

/**
 * A point behind one of `from` (triangles of `mesh` that face outward; `inside` -1: inward), before anything else of `mesh` comes, as
 * far from all of it as some tries make it.
 */
export function findInteriorPoint(
  mesh: TriangleMesh,
  from: ArrayLike<number>,
  inside: 1 | -1 = 1,
): { readonly point: readonly [number, number, number]; readonly clearance: number } {
  const { positions: p, triangles } = mesh;
  let best: [number, number, number] = [0, 0, 0];
  let clearance = -1;
  const toNearest = new Float64Array(3);
  const step = Math.max(1, Math.floor(from.length / TRIES));
  for (let n = 0; n < from.length; n += step) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * from[n] + k]);
    const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
    const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(square(normal[0]) + square(normal[1]) + square(normal[2]));
    const direction = normal.map((x) => (-inside * x) / length);
    const start = [0, 1, 2].map((k) => (p[a + k] + p[b + k] + p[c + k]) / 3);
    const way = firstHit(mesh, start, direction, from[n]);
    if (!Number.isFinite(way)) continue;
    const point = [0, 1, 2].map((k) => start[k] + (way / 2) * direction[k]);
    let nearestSq = Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
      const [i, j, k] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      nearestSq = closestOnTriangle(p, i, j, k, point[0], point[1], point[2], nearestSq, toNearest);
    }
    if (Math.sqrt(nearestSq) <= clearance) continue;
    clearance = Math.sqrt(nearestSq);
    best = [point[0], point[1], point[2]];
  }
  return { point: best, clearance };
}

/** How far a ray goes until it meets a triangle other than the one it starts from [Moeller, Trumbore 1997]. */
function firstHit(
  { positions: p, triangles }: TriangleMesh,
  o: readonly number[],
  d: readonly number[],
  own: number,
): number {
  let nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    if (t === 3 * own) continue;
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const px = d[1] * vz - d[2] * vy;
    const py = d[2] * vx - d[0] * vz;
    const pz = d[0] * vy - d[1] * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const sx = o[0] - p[a];
    const sy = o[1] - p[a + 1];
    const sz = o[2] - p[a + 2];
    const first = (sx * px + sy * py + sz * pz) / determinant;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const second = (d[0] * qx + d[1] * qy + d[2] * qz) / determinant;
    // A little wide, so that no ray slips through between two triangles.
    if (first < -1e-9 || second < -1e-9 || first + second > 1 + 1e-9) continue;
    const way = (vx * qx + vy * qy + vz * qz) / determinant;
    if (way > 0 && way < nearest) nearest = way;
  }
  return nearest;
}
