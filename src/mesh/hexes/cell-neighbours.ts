/** Which cells of a lattice share a face: found from their nodes, so that copies that are apart are not neighbours. Built with a body. */
import type { HexLattice } from './hex-lattice.js';

/** Two cells per shared face. */
export function facePairsOf({ corners, nodes }: HexLattice): Int32Array {
  const count = nodes.length / 3;
  const pairs: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [low, high] = [1 << axis, 7];
    // a face is known by two of its corners that lie across it; the cell below has it as its upper one
    const below = new Map<number, number>();
    for (let cell = 0; cell < corners.length / 8; cell++) {
      below.set(corners[8 * cell + low] * count + corners[8 * cell + high], cell);
    }
    for (let cell = 0; cell < corners.length / 8; cell++) {
      const other = below.get(corners[8 * cell] * count + corners[8 * cell + (high ^ low)]);
      if (other !== undefined) pairs.push(other, cell);
    }
  }
  return Int32Array.from(pairs);
}
