/**
 * How far two boxes overlap, exactly: the shortest way on which one of them would leave the other, by the fifteen directions that can separate boxes (normals of their faces, and across
 * two edges). Points of one in the other say nothing where two plates cross each other between all corners and samples.
 */
import type { RigidFrames } from './rigid-frames.js';

/** Squared sine below which edges are parallel: normals of faces say all. */
const PARALLEL = 1e-8;

/** Depth of boxes a and b in each other, 0 where they are apart [m]. */
export function boxOverlap(
  frames: RigidFrames,
  a: number,
  halfA: readonly number[],
  b: number,
  halfB: readonly number[],
): number {
  const { rotation: r } = frames;
  let depth = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && depth > 0; i++) {
    const p = a * 9 + i;
    const q = b * 9 + i;
    depth = Math.min(depth, overlapAlong(frames, a, halfA, b, halfB, r[p], r[p + 3], r[p + 6]));
    depth = Math.min(depth, overlapAlong(frames, a, halfA, b, halfB, r[q], r[q + 3], r[q + 6]));
  }
  for (let n = 0; n < 9 && depth > 0; n++) {
    const p = a * 9 + (n % 3);
    const q = b * 9 + Math.floor(n / 3);
    const x = r[p + 3] * r[q + 6] - r[p + 6] * r[q + 3];
    const y = r[p + 6] * r[q] - r[p] * r[q + 6];
    const z = r[p] * r[q + 3] - r[p + 3] * r[q];
    const square = x * x + y * y + z * z;
    if (square < PARALLEL) continue;
    const length = Math.sqrt(square);
    depth = Math.min(depth, overlapAlong(frames, a, halfA, b, halfB, x / length, y / length, z / length));
  }
  return Math.max(0, depth);
}

/** How far the shadows of both boxes on a direction overlap [m]. */
function overlapAlong(
  { x, rotation: r }: RigidFrames,
  a: number,
  halfA: readonly number[],
  b: number,
  halfB: readonly number[],
  nx: number,
  ny: number,
  nz: number,
): number {
  let both = 0;
  for (let i = 0; i < 3; i++) {
    const p = a * 9 + i;
    const q = b * 9 + i;
    both += halfA[i] * Math.abs(nx * r[p] + ny * r[p + 3] + nz * r[p + 6]);
    both += halfB[i] * Math.abs(nx * r[q] + ny * r[q + 3] + nz * r[q + 6]);
  }
  return (
    both -
    Math.abs(nx * (x[a * 3] - x[b * 3]) + ny * (x[a * 3 + 1] - x[b * 3 + 1]) + nz * (x[a * 3 + 2] - x[b * 3 + 2]))
  );
}
