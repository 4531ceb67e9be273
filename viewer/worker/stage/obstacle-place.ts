/** Where an obstacle is for who looks at the bodies: its middle, or, of a large box such as a slope, the place of it that is nearest to them. */
import type { World } from '../../../src/index.js';
import type { Point } from '../scene-info.js';

/** A place of obstacle i; `isLarge`: more of it than is seen around `middle` [m]. */
export function obstaclePlace({ obstacles }: World, i: number, middle: Point, isLarge: boolean): Point {
  const { shape } = obstacles.defs[i];
  const [x, y, z] = obstacles.poses.subarray(i * 7 + 4, i * 7 + 7);
  if (shape.kind !== 'box' || !isLarge) return [x, y, z];
  const r = obstacles.rotations.subarray(i * 9, i * 9 + 9);
  const away = [middle[0] - x, middle[1] - y, middle[2] - z];
  const local = shape.halfExtents.map((half, k) => {
    const along = r[k] * away[0] + r[3 + k] * away[1] + r[6 + k] * away[2];
    return Math.max(-half, Math.min(half, along));
  });
  const out = (k: number) => r[k * 3] * local[0] + r[k * 3 + 1] * local[1] + r[k * 3 + 2] * local[2];
  return [x + out(0), y + out(1), z + out(2)];
}
