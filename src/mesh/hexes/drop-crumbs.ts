/** Leaves out crumbs of what was filled: of a skin, pieces of a few cells that hang on nothing (an eyelash, a button); of tets, cells that these only graze. */
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
  const { sizes, pieceOf } = findPieces(lattice, facePairs);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const least = Math.min(largest, Math.max(CRUMB_CELLS, CRUMB_SHARE * sizes.length));
  const kept = keepPieces({ lattice, cellOfSample, facePairs }, pieceOf, (piece) => sizes[piece] >= least);
  return {
    ...kept,
    cellOfTriangle: sampleOfTriangle.map((sample) => (sample < 0 ? -1 : kept.cellOfSample[sample])),
    crumbs: sizes.length - kept.lattice.cells.length / 3,
  };
}

/**
 * The lattice without cells that the tets in them only graze, `tetOfSample`: where all of these have more cells in another piece. Nothing would hold them:
 * whatever moves for nothing makes descents go on for nothing.
 */
export function dropGrazed(sampled: SampledLattice, tetOfSample: Int32Array): SampledLattice {
  const { sizes, pieceOf } = findPieces(sampled.lattice, sampled.facePairs);
  const home = new Map<number, number>();
  tetOfSample.forEach((tet, sample) => {
    const piece = pieceOf(sampled.cellOfSample[sample]);
    const known = home.get(tet);
    if (known === undefined || sizes[piece] > sizes[known]) home.set(tet, piece);
  });
  const homes = new Set(home.values());
  return keepPieces(sampled, pieceOf, (piece) => homes.has(piece));
}

/** Connected pieces: the one of each cell, and how many cells each has. */
function findPieces({ cells }: HexLattice, facePairs: Int32Array) {
  const sizes = new Int32Array(cells.length / 3);
  const sets = new DisjointSets(sizes.length);
  for (let p = 0; p < facePairs.length; p += 2) sets.unite(facePairs[p], facePairs[p + 1]);
  for (let cell = 0; cell < sizes.length; cell++) sizes[sets.find(cell)]++;
  return { sizes, pieceOf: (cell: number) => sets.find(cell) };
}

function keepPieces(
  { lattice, cellOfSample, facePairs }: SampledLattice,
  pieceOf: (cell: number) => number,
  isKept: (piece: number) => boolean,
): SampledLattice {
  const newCell = new Int32Array(lattice.cells.length / 3).fill(-1);
  let kept = 0;
  for (let cell = 0; cell < newCell.length; cell++) if (isKept(pieceOf(cell))) newCell[cell] = kept++;
  if (kept === newCell.length) return { lattice, cellOfSample, facePairs };
  return {
    lattice: keepCells(lattice, newCell, kept),
    cellOfSample: cellOfSample.map((cell) => newCell[cell]),
    facePairs: facePairs.map((cell) => newCell[cell]).filter((cell) => cell >= 0),
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
