/** The sheet of a height field as triangles, to be drawn or compared with. */
import type { HeightFieldShape } from './shape-def.js';

/** x,y,z per height [m], and three vertices per triangle, seen counter-clockwise from above. */
export function heightFieldSurface({ heights, rows, columns, cell }: HeightFieldShape): {
  readonly positions: Float64Array;
  readonly triangles: Int32Array;
} {
  const positions = new Float64Array(3 * rows * columns);
  const triangles = new Int32Array(6 * (rows - 1) * (columns - 1));
  let end = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      positions[3 * at] = (column - (columns - 1) / 2) * cell[0];
      positions[3 * at + 1] = heights[at];
      positions[3 * at + 2] = (row - (rows - 1) / 2) * cell[1];
      if (row + 1 === rows || column + 1 === columns) continue;
      const opposite = at + columns + 1;
      triangles.set([at, at + columns, opposite, at, opposite, at + 1], end);
      end += 6;
    }
  }
  return { positions, triangles };
}
