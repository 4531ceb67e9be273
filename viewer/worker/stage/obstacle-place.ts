/** Where an obstacle is for who looks at the bodies (its middle, or, of a large box such as a slope, the place of it that is nearest to them) and how much of it is seen. */
import type { World } from '../../../src/index.js';
import type { ObstacleInfo, Point } from '../scene-info.js';

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

/** How far obstacle i reaches from its middle along x, y and z [m], no farther than `most`; nothing for planes, which have no end. */
export function obstacleExtents({ obstacles }: World, i: number, most: number): Point {
  const { shape } = obstacles.defs[i];
  const r = obstacles.rotations.subarray(i * 9, i * 9 + 9);
  const along = (k: number) => {
    if (shape.kind === 'box') return shape.halfExtents.reduce((sum, half, m) => sum + half * Math.abs(r[k * 3 + m]), 0);
    if (shape.kind === 'capsule') return shape.radius + shape.halfLength * Math.abs(r[k * 3 + 1]);
    return shapeReach(shape);
  };
  return [Math.min(most, along(0)), Math.min(most, along(1)), Math.min(most, along(2))];
}

/** Radius of a ball around a shape [m]; 0 for planes, which have no end. */
export function shapeReach(shape: ObstacleInfo['shape']): number {
  switch (shape.kind) {
    case 'plane':
      return 0;
    case 'sphere':
      return shape.radius;
    case 'box':
      return Math.hypot(...shape.halfExtents);
    case 'capsule':
    case 'cylinder':
      return shape.radius + shape.halfLength;
    case 'heightField':
      return 0.5 * Math.hypot((shape.columns - 1) * shape.cell[0], (shape.rows - 1) * shape.cell[1]);
    case 'mesh': {
      let reach = 0;
      for (let i = 0; i + 2 < shape.positions.length; i += 3) {
        reach = Math.max(reach, Math.hypot(shape.positions[i], shape.positions[i + 1], shape.positions[i + 2]));
      }
      return reach;
    }
  }
}
