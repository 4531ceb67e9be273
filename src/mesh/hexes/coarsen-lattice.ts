/**
 * A lattice of half the resolution, cut where the fine one is cut: cells of one coarse cube that share a node are one coarse
 * cell, and coarse corners are one wherever their cells share a fine node that uses them. Gluing copies that the fine lattice
 * keeps apart makes multigrid converge half as fast [after Nesme2009]. Called when the levels of a body are built.
 */
import { DisjointSets } from '../disjoint-sets.js';
import { groupByKey } from '../group-by-key.js';
import type { HexLattice } from './hex-lattice.js';

/** A coarse lattice and where the fine one lies in it. */
export interface CoarseLattice {
  readonly lattice: HexLattice;
  /** Coarse cell that each fine cell is a part of. */
  readonly parentOfCell: Int32Array;
  /** Coarse nodes each fine node lies between, with equal weights: offsets (one more than nodes), then the nodes. */
  readonly parentStart: Int32Array;
  readonly parents: Int32Array;
}

/** Coarsens by two. */
export function coarsenLattice(fine: HexLattice): CoarseLattice {
  const parentOfCell = groupCells(fine);
  const count = parentOfCell.reduce((most, parent) => Math.max(most, parent), -1) + 1;
  const cells = new Int32Array(3 * count);
  for (let cell = 0; cell < parentOfCell.length; cell++) {
    for (let k = 0; k < 3; k++) cells[3 * parentOfCell[cell] + k] = fine.cells[3 * cell + k] >> 1;
  }
  const { corners, nodes } = joinCorners(fine, parentOfCell, cells);
  const { parentStart, parents } = findParents(fine, parentOfCell, cells, corners);
  const lattice = { cellSize: 2 * fine.cellSize, origin: fine.origin, cells, corners, nodes };
  return { lattice, parentOfCell, parentStart, parents };
}

/** Numbers the coarse cells: fine cells of one coarse cube are together where they share nodes. */
function groupCells(fine: HexLattice): Int32Array {
  const { cells, corners } = fine;
  const count = cells.length / 3;
  const sets = new DisjointSets(count);
  const { starts, items } = groupByKey(corners, fine.nodes.length / 3);
  const sameCube = (a: number, b: number): boolean =>
    cells[3 * a] >> 1 === cells[3 * b] >> 1 &&
    cells[3 * a + 1] >> 1 === cells[3 * b + 1] >> 1 &&
    cells[3 * a + 2] >> 1 === cells[3 * b + 2] >> 1;
  for (let node = 0; node + 1 < starts.length; node++) {
    for (let n = starts[node]; n < starts[node + 1]; n++) {
      for (let m = n + 1; m < starts[node + 1]; m++) {
        if (sameCube(items[n] >> 3, items[m] >> 3)) sets.unite(items[n] >> 3, items[m] >> 3);
      }
    }
  }
  const numbers = new Map<number, number>();
  return Int32Array.from({ length: count }, (_, cell) => {
    const root = sets.find(cell);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
}

/** Offset of a fine node from the low corner of a coarse cell, 0, 1 or 2 along each axis. */
function offsetIn(fine: HexLattice, node: number, cells: Int32Array, coarse: number, axis: number): number {
  return fine.nodes[3 * node + axis] - 2 * cells[3 * coarse + axis];
}

/** True where coarse corner c has a weight at a node with these offsets. */
function usesCorner(x: number, y: number, z: number, c: number): boolean {
  return (c & 1 ? x > 0 : x < 2) && (c & 2 ? y > 0 : y < 2) && (c & 4 ? z > 0 : z < 2);
}

/** Visits every fine node once for each coarse cell it belongs to. */
function forEachMember(
  fine: HexLattice,
  parentOfCell: Int32Array,
  visit: (node: number, coarse: number) => void,
): void {
  for (let cell = 0; cell < parentOfCell.length; cell++) {
    for (let c = 0; c < 8; c++) visit(fine.corners[8 * cell + c], parentOfCell[cell]);
  }
}

/** Numbers the corners of the coarse cells. */
function joinCorners(
  fine: HexLattice,
  parentOfCell: Int32Array,
  cells: Int32Array,
): { corners: Int32Array; nodes: Int32Array } {
  const sets = new DisjointSets((8 * cells.length) / 3);
  // the first coarse cell that was met at each fine node stands for all others there
  const firstAt = new Int32Array(fine.nodes.length / 3).fill(-1);
  forEachMember(fine, parentOfCell, (node, coarse) => {
    const first = firstAt[node];
    if (first < 0) firstAt[node] = coarse;
    if (first < 0 || first === coarse) return;
    for (let c = 0; c < 8; c++) {
      const uses = usesCorner(
        offsetIn(fine, node, cells, coarse, 0),
        offsetIn(fine, node, cells, coarse, 1),
        offsetIn(fine, node, cells, coarse, 2),
        c,
      );
      if (uses) sets.unite(8 * coarse + c, 8 * first + sameCorner(cells, coarse, first, c));
    }
  });
  const numbers = new Map<number, number>();
  const nodes: number[] = [];
  const corners = Int32Array.from({ length: (8 * cells.length) / 3 }, (_, at) => {
    const root = sets.find(at);
    const known = numbers.get(root);
    if (known !== undefined) return known;
    numbers.set(root, numbers.size);
    const o = 3 * (at >> 3);
    nodes.push(cells[o] + (at & 1), cells[o + 1] + ((at >> 1) & 1), cells[o + 2] + ((at >> 2) & 1));
    return numbers.size - 1;
  });
  return { corners, nodes: Int32Array.from(nodes) };
}

/** The corner of coarse cell `other` that lies where corner c of `coarse` lies. */
function sameCorner(cells: Int32Array, coarse: number, other: number, c: number): number {
  let corner = 0;
  for (let axis = 0; axis < 3; axis++) {
    const shift = cells[3 * coarse + axis] - cells[3 * other + axis];
    if (shift + ((c >> axis) & 1) === 1) corner |= 1 << axis;
  }
  return corner;
}

function findParents(
  fine: HexLattice,
  parentOfCell: Int32Array,
  cells: Int32Array,
  corners: Int32Array,
): { parentStart: Int32Array; parents: Int32Array } {
  const count = fine.nodes.length / 3;
  const homes = new Int32Array(count).fill(-1);
  forEachMember(fine, parentOfCell, (node, coarse) => {
    if (homes[node] < 0) homes[node] = coarse;
  });
  const parentStart = new Int32Array(count + 1);
  const parents: number[] = [];
  for (let node = 0; node < count; node++) {
    const home = homes[node];
    const [x, y, z] = [0, 1, 2].map((axis) => offsetIn(fine, node, cells, home, axis));
    for (let c = 0; c < 8; c++) if (usesCorner(x, y, z, c)) parents.push(corners[8 * home + c]);
    parentStart[node + 1] = parents.length;
  }
  return { parentStart, parents: Int32Array.from(parents) };
}
