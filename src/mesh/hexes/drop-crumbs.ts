/** Leaves out crumbs of a filled skin: pieces of a few cells that hang on nothing (an eyelash, a button). */
import { DisjointSets } from '../disjoint-sets.js';
import type { SampledLattice } from './cells-from-samples.js';
import type { HexLattice } from './hex-lattice.js';

/** A piece of fewer cells than this share of all, and not more than a handful, is a crumb. */
const CRUMB_SHARE = 0.002;
const CRUMB_CELLS = 6;

/** The lattice without crumbs, nodes and cells renumbered in their order; what was in one has cell -1. */
export function dropCrumbs(
  { lattice, cellOfSample, facePairs }: SampledLattice,
  sampleOfTriangle: Int32Array,
): SampledLattice & { readonly cellOfTriangle: Int32Array; readonly crumbs: number } {
  const count = lattice.cells.length / 3;
  const sets = new DisjointSets(count);
  for (let p = 0; p < facePairs.length; p += 2) sets.unite(facePairs[p], facePairs[p + 1]);
  const sizes = new Int32Array(count);
  for (let cell = 0; cell < count; cell++) sizes[sets.find(cell)]++;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const least = Math.min(largest, Math.max(CRUMB_CELLS, CRUMB_SHARE * count));
  const newCell = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let cell = 0; cell < count; cell++) if (sizes[sets.find(cell)] >= least) newCell[cell] = kept++;
  const moved = cellOfSample.map((cell) => newCell[cell]);
  return {
    lattice: kept === count ? lattice : keepCells(lattice, newCell, kept),
    cellOfSample: moved,
    facePairs: kept === count ? facePairs : facePairs.map((cell) => newCell[cell]).filter((cell) => cell >= 0),
    cellOfTriangle: sampleOfTriangle.map((sample) => (sample < 0 ? -1 : moved[sample])),
    crumbs: count - kept,
  };
}

function keepCells(lattice: HexLattice, newCell: Int32Array, kept: number): HexLattice {
  const cells = new Int32Array(3 * kept);
  const corners = new Int32Array(8 * kept);
  const newNode = new Int32Array(lattice.nodes.length / 3).fill(-1);
  const nodes: number[] = [];
  for (let cell = 0; cell < newCell.length; cell++) {
    if (newCell[cell] < 0) continue;
    cells.set(lattice.cells.subarray(3 * cell, 3 * cell + 3), 3 * newCell[cell]);
    for (let c = 0; c < 8; c++) {
      const node = lattice.corners[8 * cell + c];
      if (newNode[node] < 0) {
        newNode[node] = nodes.length / 3;
        nodes.push(lattice.nodes[3 * node], lattice.nodes[3 * node + 1], lattice.nodes[3 * node + 2]);
      }
      corners[8 * newCell[cell] + c] = newNode[node];
    }
  }
  return { ...lattice, cells, corners, nodes: Int32Array.from(nodes) };
}
