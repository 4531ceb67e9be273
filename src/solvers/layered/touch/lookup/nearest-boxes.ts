/**
 * A node near each box of a grid: nodes go into their own boxes, then from box to box along the three axes, there and back, nearer ones driving out
 * farther ones. Plain loops over flat arrays: a body of two thousand nodes has sixty thousand boxes, and most of them are filled before the engine has
 * compiled anything.
 */

/** Rounds in which boxes learn of nearer nodes from their neighbours, forwards and backwards. */
const ROUNDS = 3;

/** Equal boxes from a low corner [m]. */
export interface BoxGrid {
  readonly low: Float64Array;
  readonly cell: number;
  readonly counts: Int32Array;
}

/** The node of each box, x fastest, that is found nearest to its middle; `boxOf` are the boxes of the nodes. */
export function nearestOfBoxes(grid: BoxGrid, positions: Float64Array, boxOf: Int32Array): Int32Array {
  const [nx, ny, nz] = grid.counts;
  const nearest = new Int32Array(nx * ny * nz).fill(-1);
  const squares = new Float64Array(nearest.length);
  const { low, cell } = grid;
  for (let node = 0; node < boxOf.length; node++) {
    const box = boxOf[node];
    const x = low[0] + ((box % nx) + 0.5) * cell;
    const y = low[1] + ((Math.floor(box / nx) % ny) + 0.5) * cell;
    const z = low[2] + (Math.floor(box / (nx * ny)) + 0.5) * cell;
    const square = squareTo(positions, 3 * node, x, y, z);
    if (nearest[box] >= 0 && square >= squares[box]) continue;
    nearest[box] = node;
    squares[box] = square;
  }
  for (let round = 0; round < ROUNDS; round++) {
    const forwards = pass(grid, positions, nearest, squares, 1);
    const backwards = pass(grid, positions, nearest, squares, -1);
    if (!forwards && !backwards) break;
  }
  return nearest;
}

/** Every box looks at its three neighbours before it, going forwards (`way` 1), or after it, going backwards (-1). Whether any box changed. */
function pass(
  { low, cell, counts }: BoxGrid,
  positions: Float64Array,
  nearest: Int32Array,
  squares: Float64Array,
  way: 1 | -1,
): boolean {
  const nx = counts[0];
  const ny = counts[1];
  const nz = counts[2];
  // of the first box along an axis there is no neighbour to look at
  const firstX = way > 0 ? 0 : nx - 1;
  const firstY = way > 0 ? 0 : ny - 1;
  const firstZ = way > 0 ? 0 : nz - 1;
  let hasChanged = false;
  let box = way > 0 ? 0 : nearest.length - 1;
  for (let k = firstZ; k >= 0 && k < nz; k += way) {
    const z = low[2] + (k + 0.5) * cell;
    for (let j = firstY; j >= 0 && j < ny; j += way) {
      const y = low[1] + (j + 0.5) * cell;
      for (let i = firstX; i >= 0 && i < nx; i += way, box += way) {
        for (let axis = 0; axis < 3; axis++) {
          if (axis === 0 ? i === firstX : axis === 1 ? j === firstY : k === firstZ) continue;
          const node = nearest[box - way * (axis === 0 ? 1 : axis === 1 ? nx : nx * ny)];
          // mostly boxes side by side have the same node already
          if (node < 0 || node === nearest[box]) continue;
          const square = squareTo(positions, 3 * node, low[0] + (i + 0.5) * cell, y, z);
          if (nearest[box] >= 0 && square >= squares[box]) continue;
          nearest[box] = node;
          squares[box] = square;
          hasChanged = true;
        }
      }
    }
  }
  return hasChanged;
}

function squareTo(p: Float64Array, o: number, x: number, y: number, z: number): number {
  const dx = p[o] - x;
  const dy = p[o + 1] - y;
  const dz = p[o + 2] - z;
  return dx * dx + dy * dy + dz * dz;
}
