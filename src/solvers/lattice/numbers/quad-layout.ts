/**
 * How nodes and cells of a lattice lie in memory, for kernels that take four cells at a time. Nodes are in runs along the
 * longest axis, four to a quad (x of four nodes, y of four, z of four: twelve numbers); the lane of a node is its lattice
 * coordinate modulo four, so four neighbouring cells find their corners in four rows of quads and the right corners by a
 * shuffle. Cells that do not fit, where copies of cells join, are listed with all their corners [Mitchell2015].
 * Built once per body.
 */
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';

/** Numbers per node quad. */
export const QUAD_FLOATS = 12;
/** Slabs aimed for: the even ones are independent of each other, and so are the odd ones. A slab has so many groups at least. */
const SLABS = 32;
const SLAB_GROUPS = 48;

/** Places of nodes and cells. Groups of four cells: first those in quads, then the loose ones. */
export interface QuadLayout {
  /** Lattice axis that runs are along: axes of a cell are this one and the next two, cyclic. */
  readonly runAxis: number;
  /** Node quads, a spare one at the end included. */
  readonly quadCount: number;
  /** Place of each node: four times its quad, plus its lane. */
  readonly placeOfNode: Int32Array;
  /** Four quads per group of cells: the rows at (y, z) = (0, 0), (1, 0), (0, 1), (1, 1). */
  readonly rows: Int32Array;
  /** 32 places per loose group: corner by corner, four cells each. */
  readonly looseCorners: Int32Array;
  /** Cell in each lane of each group, -1 for none. */
  readonly cellOfLane: Int32Array;
  /** Layer that each group of cells in quads lies in, along the third axis; ascending. */
  readonly layers: Int32Array;
  /** First group of each slab, and the end of the last. Loose groups come after. */
  readonly slabStart: Int32Array;
}

/** Index of component k of a place in a vector. */
export function floatOfPlace(place: number, k: number): number {
  return QUAD_FLOATS * (place >> 2) + 4 * k + (place & 3);
}

/** Lays out a lattice. */
export function layOutQuads(lattice: HexLattice): QuadLayout {
  const runAxis = longestAxis(lattice);
  const axes = [runAxis, (runAxis + 1) % 3, (runAxis + 2) % 3];
  const turned = turnCorners(lattice, axes);
  const { placeOfNode, quadCount } = placeNodes(lattice, axes, turned);
  const order = orderOf(lattice.cells, axes);
  const groups = new Map<string, number>();
  const rows: number[] = [];
  const cellOfLane: number[] = [];
  const layers: number[] = [];
  const loose: number[] = [];
  for (const cell of order) {
    const corner = (c: number): number => placeOfNode[turned[8 * cell + c]];
    if (![0, 2, 4, 6].every((c) => corner(c + 1) === corner(c) + 1)) {
      loose.push(cell);
      continue;
    }
    const quads = [0, 2, 4, 6].map((c) => corner(c) >> 2);
    const key = quads.join();
    let group = groups.get(key);
    if (group === undefined) {
      group = rows.length / 4;
      groups.set(key, group);
      rows.push(...quads);
      cellOfLane.push(-1, -1, -1, -1);
      layers.push(lattice.cells[3 * cell + axes[2]]);
    }
    cellOfLane[4 * group + (corner(0) & 3)] = cell;
  }
  const spare = 4 * (quadCount - 1);
  const looseCorners: number[] = [];
  for (let first = 0; first < loose.length; first += 4) {
    for (let lane = 0; lane < 4; lane++) cellOfLane.push(loose[first + lane] ?? -1);
    for (let c = 0; c < 8; c++) {
      for (let lane = 0; lane < 4; lane++) {
        const cell = loose[first + lane];
        looseCorners.push(cell === undefined ? spare : placeOfNode[turned[8 * cell + c]]);
      }
    }
  }
  return {
    runAxis,
    quadCount,
    placeOfNode,
    rows: Int32Array.from(rows),
    looseCorners: Int32Array.from(looseCorners),
    cellOfLane: Int32Array.from(cellOfLane),
    layers: Int32Array.from(layers),
    slabStart: cutSlabs(layers),
  };
}

function longestAxis({ nodes }: HexLattice): number {
  const most = [0, 0, 0];
  for (let i = 0; i < nodes.length; i++) most[i % 3] = Math.max(most[i % 3], nodes[i]);
  return most.indexOf(Math.max(...most));
}

/** Corners with their bits in the order of `axes`. */
function turnCorners({ corners }: HexLattice, axes: readonly number[]): Int32Array {
  const source = Int32Array.from(
    { length: 8 },
    (_, c) => ((c & 1) << axes[0]) | (((c >> 1) & 1) << axes[1]) | ((c >> 2) << axes[2]),
  );
  return Int32Array.from(corners, (_, at) => corners[(at & ~7) + source[at & 7]]);
}

/** Indices of lattice points, by the last of the axes, then the second, then the first. */
function orderOf(points: Int32Array, axes: readonly number[]): Int32Array {
  const order = Int32Array.from({ length: points.length / 3 }, (_, i) => i);
  return order.sort((a, b) => {
    for (let n = 2; n >= 0; n--) {
      const difference = points[3 * a + axes[n]] - points[3 * b + axes[n]];
      if (difference !== 0) return difference;
    }
    return a - b;
  });
}

/** Links nodes to runs, as cells have them side by side, and numbers their quads run after run. */
function placeNodes(
  lattice: HexLattice,
  axes: readonly number[],
  turned: Int32Array,
): { placeOfNode: Int32Array; quadCount: number } {
  const { nodes } = lattice;
  const count = nodes.length / 3;
  const next = new Int32Array(count).fill(-1);
  const previous = new Int32Array(count).fill(-1);
  for (let at = 0; at < turned.length; at += 2) {
    const [left, right] = [turned[at], turned[at + 1]];
    if (next[left] >= 0 || previous[right] >= 0) continue;
    next[left] = right;
    previous[right] = left;
  }
  const placeOfNode = new Int32Array(count);
  let quad = 0;
  for (const start of orderOf(nodes, axes)) {
    if (previous[start] >= 0) continue;
    const lane = nodes[3 * start + axes[0]] & 3;
    let place = 4 * quad + lane;
    for (let node = start; node >= 0; node = next[node]) placeOfNode[node] = place++;
    quad = (place + 3) >> 2;
  }
  return { placeOfNode, quadCount: quad + 1 };
}

/** Slabs of whole layers with about as many groups each. Cells of a layer touch its nodes and the next layer's: slabs with one between them share none. */
function cutSlabs(layers: readonly number[]): Int32Array {
  const starts = [0];
  const share = Math.max(SLAB_GROUPS, layers.length / SLABS);
  for (let group = 1; group < layers.length; group++) {
    const from = starts[starts.length - 1];
    if (layers[group] !== layers[group - 1] && group - from >= share) starts.push(group);
  }
  return Int32Array.from([...starts, layers.length]);
}
