/**
 * Skin that slips between the points of a grid: fingertips, ears, sheets. The points around it are taken as inside, so that
 * thin parts are filled and stay connected. Part of `sampleField`.
 */

import { square } from '../../math/powers.js';
import type { SampleGrid } from '../tets/grid-crossings.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** How densely a triangle is looked at, in grid steps. */
const STEP = 0.5;
/** Points within this many grid steps of thin skin, along every axis, are taken: enough that they are neighbours in a row. */
const REACH = 0.75;
/** Most looks at one triangle along a side: one larger than the grid cannot be thin skin. */
const MAX_STEPS = 4096;

/** Marks points with 2 in `inside` where skin has no inside point around it; the points and the triangles that asked. */
export function markThin(
  grid: SampleGrid,
  { positions: p, triangles }: TriangleMesh,
  inside: Uint8Array,
): { thinPoints: number[]; thinTriangles: number[] } {
  const { counts, spacing, origin } = grid;
  const [nx, ny, nz] = counts;
  const thinPoints: number[] = [];
  const thinTriangles: number[] = [];
  const look = (x: number, y: number, z: number, triangle: number): void => {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const k = Math.floor(z);
    if (i < 0 || j < 0 || k < 0 || i + 1 >= nx || j + 1 >= ny || k + 1 >= nz) return;
    const point = i + nx * (j + ny * k);
    for (let corner = 0; corner < 8; corner++) {
      if (inside[point + (corner & 1) + nx * ((corner >> 1) & 1) + nx * ny * (corner >> 2)] === 1) return;
    }
    for (let corner = 0; corner < 8; corner++) {
      const [di, dj, dk] = [corner & 1, (corner >> 1) & 1, corner >> 2];
      const away = Math.max(Math.abs(x - i - di), Math.abs(y - j - dj), Math.abs(z - k - dk));
      const at = point + di + nx * (dj + ny * dk);
      if (away > REACH || inside[at] !== 0) continue;
      inside[at] = 2;
      thinPoints.push(at);
      thinTriangles.push(triangle);
    }
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((n) =>
      [0, 1, 2].map((axis) => (p[3 * triangles[t + n] + axis] - origin[axis]) / spacing),
    );
    const longest = Math.sqrt(Math.max(distanceSq(a, b), distanceSq(b, c), distanceSq(c, a)));
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(longest / STEP)));
    for (let u = 0; u <= steps; u++) {
      for (let v = 0; v <= steps - u; v++) {
        const [wb, wc] = [u / steps, v / steps];
        const wa = 1 - wb - wc;
        look(
          wa * a[0] + wb * b[0] + wc * c[0],
          wa * a[1] + wb * b[1] + wc * c[1],
          wa * a[2] + wb * b[2] + wc * c[2],
          t / 3,
        );
      }
    }
  }
  return { thinPoints, thinTriangles };
}

function distanceSq(a: readonly number[], b: readonly number[]): number {
  return square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]);
}
