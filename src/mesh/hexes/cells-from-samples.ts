/**
 * Cells of a lattice from points of a solid and what connects them, after [Nesme2009]: a cell is there once per connected part
 * of the points in it, and the corners of neighbouring cells are one where points meet across their face. So fingers that
 * share a cube move apart, and an arm does not grow on to the trunk. Called by whoever fills a body with cells.
 */
import { TendonError } from '../../errors.js';
import { DisjointSets } from '../disjoint-sets.js';
import type { HexLattice } from './hex-lattice.js';

/** Points of a solid. */
export interface CellSamples {
  /** Lattice coordinates i, j, k of the cell each point is in. */
  readonly cells: Int32Array;
  /** Pairs of points that are connected: of one cell, or of two that share a face. */
  readonly edges: ArrayLike<number>;
}

/** A lattice and where the points went. */
export interface SampledLattice {
  readonly lattice: HexLattice;
  readonly cellOfSample: Int32Array;
  /** Pairs of cells that share a face. */
  readonly facePairs: Int32Array;
}

/** Builds the lattice. */
export function cellsFromSamples(
  samples: CellSamples,
  cellSize: number,
  origin: readonly [number, number, number],
): SampledLattice {
  const count = samples.cells.length / 3;
  if (count === 0) throw new TendonError('E_EMPTY', 'lattice', 0, 'there is nothing to fill with cells');
  const cellOfSample = joinCopies(samples, count);
  let cellCount = 0;
  for (let s = 0; s < count; s++) cellCount = Math.max(cellCount, cellOfSample[s] + 1);
  const cells = new Int32Array(3 * cellCount);
  for (let s = 0; s < count; s++) {
    for (let k = 0; k < 3; k++) cells[3 * cellOfSample[s] + k] = samples.cells[3 * s + k];
  }
  const facePairs = pairsOf(samples.edges, cellOfSample, cellCount);
  const { corners, nodes } = joinCorners(cells, facePairs);
  return { lattice: { cellSize, origin, cells, corners, nodes }, cellOfSample, facePairs };
}

/** Connected groups of points within cells; two groups of one cell that meet the same neighbour are one. */
function joinCopies(samples: CellSamples, count: number): Int32Array {
  const { cells, edges } = samples;
  const sets = new DisjointSets(count);
  const sameCell = (s: number, t: number): boolean =>
    cells[3 * s] === cells[3 * t] && cells[3 * s + 1] === cells[3 * t + 1] && cells[3 * s + 2] === cells[3 * t + 2];
  for (let e = 0; e < edges.length; e += 2) if (sameCell(edges[e], edges[e + 1])) sets.unite(edges[e], edges[e + 1]);
  const groups = numberGroups(sets, count);
  // one step further: a flat side of the skin that just touches a cell in two places is not two bodies
  const groupCount = groups.reduce((most, group) => Math.max(most, group), -1) + 1;
  const joined = new DisjointSets(groupCount);
  const first = new Int32Array(count).fill(-1);
  for (let s = 0; s < count; s++) if (first[groups[s]] < 0) first[groups[s]] = s;
  const metBy = new Map<number, number>();
  const faceOf = (s: number, t: number): number => {
    for (let axis = 0; axis < 3; axis++) {
      const shift = cells[3 * s + axis] - cells[3 * t + axis];
      if (shift !== 0) return 2 * axis + (shift > 0 ? 1 : 0);
    }
    return 0;
  };
  for (let e = 0; e < edges.length; e++) {
    const [s, t] = [edges[e], edges[e ^ 1]];
    if (groups[s] === groups[t]) continue;
    // groups that meet group t through the same of its faces lie in the same cell
    const key = 6 * groups[t] + faceOf(s, t);
    const other = metBy.get(key);
    if (other === undefined) metBy.set(key, groups[s]);
    else joined.unite(other, groups[s]);
  }
  const copies = numberGroups(joined, groupCount);
  return groups.map((group) => copies[group]);
}

function numberGroups(sets: DisjointSets, count: number): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from({ length: count }, (_, item) => {
    const root = sets.find(item);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
}

/** Pairs of different cells that connected points lie in, each once. */
function pairsOf(edges: ArrayLike<number>, cellOf: Int32Array, cellCount: number): Int32Array {
  const seen = new Set<number>();
  const pairs: number[] = [];
  for (let e = 0; e < edges.length; e += 2) {
    const a = Math.min(cellOf[edges[e]], cellOf[edges[e + 1]]);
    const b = Math.max(cellOf[edges[e]], cellOf[edges[e + 1]]);
    if (a === b || seen.has(a * cellCount + b)) continue;
    seen.add(a * cellCount + b);
    pairs.push(a, b);
  }
  return Int32Array.from(pairs);
}

function joinCorners(cells: Int32Array, pairs: Int32Array): { corners: Int32Array; nodes: Int32Array } {
  const sets = new DisjointSets((8 * cells.length) / 3);
  for (let p = 0; p < pairs.length; p += 2) {
    const [a, b] = [pairs[p], pairs[p + 1]];
    const axis = [0, 1, 2].find((n) => cells[3 * a + n] !== cells[3 * b + n]) ?? 0;
    const up = cells[3 * b + axis] > cells[3 * a + axis];
    const bit = 1 << axis;
    for (let c = 0; c < 8; c++) {
      if (((c & bit) !== 0) === up) sets.unite(8 * a + c, 8 * b + (c ^ bit));
    }
  }
  const numbers = numberGroups(sets, (8 * cells.length) / 3);
  const nodeCount = numbers.reduce((most, node) => Math.max(most, node), -1) + 1;
  const nodes = new Int32Array(3 * nodeCount);
  for (let at = 0; at < numbers.length; at++) {
    for (let k = 0; k < 3; k++) nodes[3 * numbers[at] + k] = cells[3 * (at >> 3) + k] + ((at >> k) & 1);
  }
  return { corners: numbers, nodes };
}
