/**
 * How deep bodies are in obstacles, measured apart from the contacts found: by points spread over every triangle, and by all
 * vertices.
 */
import { trianglesOf } from '../../bench/depth/body-triangles.js';
import type { ObstacleSet } from '../../src/collision/obstacles/obstacle.js';
import { shapeDistance } from '../../src/collision/shapes/shape.js';
import type { World, WorldBody } from '../../src/index.js';

/** Points along each side of a triangle. */
const GRID = 12;

/** Deepest any vertex, or any of a grid of points on the surface, is in any obstacle [m]. */
export function depthInObstacles({ bodies, obstacles }: World): number {
  let deepest = 0;
  for (const body of bodies) {
    for (let i = 0; i < obstacles.count; i++) deepest = Math.max(deepest, -lowestDistance(body, obstacles, i));
  }
  return deepest;
}

function lowestDistance({ model, state }: WorldBody, obstacles: ObstacleSet, i: number): number {
  const x = state.positions;
  let lowest = Infinity;
  for (let v = 0; v < model.vertexCount; v++) lowest = Math.min(lowest, distanceAt(obstacles, i, x.subarray(v * 3)));
  const triangles = trianglesOf(model);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => x.subarray(triangles[t + k] * 3, triangles[t + k] * 3 + 3));
    const far = Math.max(...corners.map((a) => Math.hypot(...corners[0].map((value, k) => value - a[k]))));
    // no point is farther from the first corner than that
    if (distanceAt(obstacles, i, corners[0]) > far) continue;
    lowest = Math.min(lowest, lowestOnTriangle(obstacles, i, corners));
  }
  return lowest;
}

/** A grid of points over a triangle, then finer ones around the lowest point: an edge of a box is narrower than any grid. */
function lowestOnTriangle(obstacles: ObstacleSet, i: number, corners: readonly Float64Array[]): number {
  let [lowest, bestA, bestB] = [Infinity, 0, 0];
  const look = (a: number, b: number) => {
    if (a < 0 || b < 0 || a + b > 1) return;
    const p = [0, 1, 2].map((k) => a * corners[0][k] + b * corners[1][k] + (1 - a - b) * corners[2][k]);
    const distance = distanceAt(obstacles, i, p);
    if (distance < lowest) [lowest, bestA, bestB] = [distance, a, b];
  };
  for (let a = 0; a <= GRID; a++) for (let b = 0; b <= GRID; b++) look(a / GRID, b / GRID);
  for (let width = 1 / GRID; width > 1e-4; width /= 3) {
    const [a, b] = [bestA, bestB];
    for (let m = -3; m <= 3; m++) for (let n = -3; n <= 3; n++) look(a + (m * width) / 3, b + (n * width) / 3);
  }
  return lowest;
}

/** Signed distance of a point of the world from an obstacle where it is now [m]. */
function distanceAt({ defs, rotations, poses }: ObstacleSet, i: number, p: ArrayLike<number>): number {
  const d = [0, 1, 2].map((k) => p[k] - poses[i * 7 + 4 + k]);
  const local = Float64Array.from([0, 1, 2], (k) =>
    d.reduce((sum, value, r) => sum + rotations[i * 9 + r * 3 + k] * value, 0),
  );
  return shapeDistance(defs[i].shape, local, 0, new Float64Array(3), 0);
}
