/**
 * Points carried by a lattice: each follows one cell by trilinear weights. A point outside its cell has weights below zero
 * or above one, so that the rest shape comes out exactly. Built with a body; updated after each step.
 */
import { TendonError } from '../../errors.js';
import { square } from '../../math/powers.js';
import { groupByKey } from '../group-by-key.js';
import type { HexLattice } from './hex-lattice.js';

/** Which nodes each point follows. */
export interface HexEmbedding {
  /** Cell of each point. */
  readonly cells: Int32Array;
  /** Eight nodes per point. */
  readonly nodes: Int32Array;
  /** Their weights, adding up to 1. */
  readonly weights: Float64Array;
}

/** Cells looked at without coming nearer before a search ends. */
const PATIENCE = 40;

/**
 * Binds `points` (x,y,z each). `starts`: a cell near each point that it is connected to; the search goes on from there
 * through faces, and so never jumps to a part that just happens to be near. -1: the nearest cell of all.
 */
export function embedInCells(
  lattice: HexLattice,
  facePairs: Int32Array,
  points: ArrayLike<number>,
  starts: ArrayLike<number>,
): HexEmbedding {
  const cellCount = lattice.cells.length / 3;
  if (cellCount === 0) throw new TendonError('E_EMPTY', 'lattice/cells', 0, 'nothing to bind points to');
  const neighbours = groupByKey(facePairs, cellCount);
  const count = points.length / 3;
  const cells = new Int32Array(count);
  const place = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) place[k] = (points[3 * i + k] - lattice.origin[k]) / lattice.cellSize;
    const away = (cell: number): number => {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const low = lattice.cells[3 * cell + k];
        sum += square(Math.max(0, low - place[k], place[k] - low - 1));
      }
      return sum;
    };
    const start = starts[i] >= 0 ? starts[i] : nearestOf(cellCount, away);
    const cell = walkTo(start, away, (from, visit) => {
      for (let n = neighbours.starts[from]; n < neighbours.starts[from + 1]; n++)
        visit(facePairs[neighbours.items[n] ^ 1]);
    });
    cells[i] = cell;
  }
  return weighCorners(lattice, points, cells);
}

/** Points bound to the cells that are known for them. */
export function weighCorners(lattice: HexLattice, points: ArrayLike<number>, cells: Int32Array): HexEmbedding {
  const nodes = new Int32Array(8 * cells.length);
  const weights = new Float64Array(8 * cells.length);
  cells.forEach((cell, i) => {
    for (let c = 0; c < 8; c++) {
      let weight = 1;
      for (let k = 0; k < 3; k++) {
        const share = (points[3 * i + k] - lattice.origin[k]) / lattice.cellSize - lattice.cells[3 * cell + k];
        weight *= (c >> k) & 1 ? share : 1 - share;
      }
      nodes[8 * i + c] = lattice.corners[8 * cell + c];
      weights[8 * i + c] = weight;
    }
  });
  return { cells, nodes, weights };
}

function nearestOf(count: number, away: (cell: number) => number): number {
  let best = 0;
  let least = Infinity;
  for (let cell = 0; cell < count; cell++) {
    const distance = away(cell);
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** From `start` through neighbours, those nearest to the point first, to the cell it is in or nearest to. */
function walkTo(
  start: number,
  away: (cell: number) => number,
  forNeighbours: (cell: number, visit: (other: number) => void) => void,
): number {
  const seen = new Set([start]);
  const open: [cell: number, distance: number][] = [[start, away(start)]];
  let [best, least] = open[0];
  for (let patience = PATIENCE; patience > 0 && open.length > 0 && least > 0; patience--) {
    let next = 0;
    for (let n = 1; n < open.length; n++) if (open[n][1] < open[next][1]) next = n;
    const [cell, distance] = open[next];
    open[next] = open[open.length - 1];
    open.pop();
    if (distance < least) {
      [best, least] = [cell, distance];
      patience = PATIENCE;
    }
    forNeighbours(cell, (other) => {
      if (seen.has(other)) return;
      seen.add(other);
      open.push([other, away(other)]);
    });
  }
  return best;
}
