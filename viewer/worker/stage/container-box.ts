/** The box around what keeps bodies in: the camera shows it, and it stands on the ground. */
import { shapeBox } from '../../../src/collision/shapes/shape-box.js';
import type { World } from '../../../src/index.js';
import type { Point } from '../scene-info.js';

/** Lowest and highest corner, in the world, of a container where it is now [m]; undefined for other obstacles. */
export function containerBox({ obstacles }: World, obstacle: number): [low: Point, high: Point] | undefined {
  const { shape } = obstacles.defs[obstacle];
  const box = new Float64Array(6);
  // a container is solid without end; its walls are those of the shape it is the outside of
  if (!('container' in shape) || !shape.container || !shapeBox({ ...shape, container: false }, box)) return undefined;
  const low: [number, number, number] = [0, 0, 0];
  const high: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    low[k] = high[k] = obstacles.poses[obstacle * 7 + 4 + k];
    for (let c = 0; c < 3; c++) {
      const axis = obstacles.rotations[obstacle * 9 + 3 * k + c];
      low[k] += axis * (axis > 0 ? box[c] : box[3 + c]);
      high[k] += axis * (axis > 0 ? box[3 + c] : box[c]);
    }
  }
  return [low, high];
}
