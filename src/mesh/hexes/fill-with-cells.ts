/**
 * Fills a skin with the cells of a lattice: every cube that holds a part of the solid, in copies where separate parts share
 * one. The skin is carried by an embedding. Called when a lattice body is made from a surface.
 */
import { requireInRange, TendonError } from '../../errors.js';
import { log, power, square } from '../../math/powers.js';
import { connectSamples, type SkinParts, type SolidField, type SolidSamples, sampleField } from '../solid-samples.js';
import { countOpenEdges, type TriangleMesh } from '../surface/triangle-mesh.js';
import type { SampleGrid } from '../tets/grid-crossings.js';
import { cellsFromSamples, type SampledLattice } from './cells-from-samples.js';
import { dropCrumbs } from './drop-crumbs.js';

/** How to fill a skin. Without `cell` and `cells`: about 8000 cells. */
export interface CellFillOptions {
  /** Side of the cells [m]. */
  readonly cell?: number;
  /** Number of cells to aim for, reached to about a twentieth. */
  readonly cells?: number;
  /** Parts of the body, for the cell size that was chosen, so that touching parts far apart along the skeleton are kept apart. */
  readonly parts?: (cell: number) => SkinParts;
}

/** A skin filled with cells. */
export interface CellFill extends Pick<SampledLattice, 'lattice' | 'facePairs'> {
  /** Part of the body each node lies in: that of the nearest point of its own cells. */
  readonly partOfNode: Int32Array;
  /** A cell at the inside of each triangle of the skin, -1 where none is known. */
  readonly cellOfTriangle: Int32Array;
  /** Share of each cell that is solid, by its sample points. */
  readonly fullness: Float64Array;
  /** Volume inside the skin [m^3]. */
  readonly solidVolume: number;
  /** Cells in pieces too small to keep. */
  readonly crumbs: number;
}

/** Where the samples lie between the lattice planes: never on one, and not at the mirror plane of a model. */
const SHIFTS = [0.371, 0.437, 0.409];
/** Sample points along the side of a cell, as many as the grid may have. */
const SAMPLES_PER_CELL = [4, 3, 2];
/** The same while the cell size is searched for. */
const SEARCH_SAMPLES = [2];
/** Most sample points [count]: beyond, fewer per cell, or the cell was not meant. */
const COMFORTABLE_SAMPLES = 6_000_000;
const MAX_SAMPLES = 48_000_000;
const DEFAULT_CELLS = 8000;
const MAX_SEARCH = 5;
const COUNT_TOLERANCE = 0.03;

/** Fills a skin whose triangles face outward. */
export function fillWithCells(skin: TriangleMesh, options: CellFillOptions = {}): CellFill {
  if (skin.triangles.length === 0) {
    throw new TendonError('E_EMPTY', 'skin', 0, 'no triangle of the skin has an area: is a node scaled to zero?');
  }
  const box = boundsOf(skin.positions);
  const size = Math.max(...[0, 1, 2].map((k) => box.high[k] - box.low[k]));
  if (!(size > 0)) throw new TendonError('E_RANGE', 'skin', size, 'the skin has no size');
  const closed = countOpenEdges(skin) === 0;
  const cell =
    options.cell === undefined
      ? searchCell(skin, closed, box, requireInRange(options.cells ?? DEFAULT_CELLS, 8, 4e6, 'cells'))
      : requireInRange(options.cell, size * 1e-3, size, 'cell');
  const { grid, perCell, low } = gridOf(box, cell);
  const field = sampleField(grid, skin, closed);
  const samples = connectSamples(field, skin.triangles.length / 3, options.parts?.(cell));
  if (samples.count === 0) throw new TendonError('E_EMPTY', 'skin', 0, 'there is nothing inside the skin');
  const cells = cellsOfSamples(samples, perCell);
  const sampled = cellsFromSamples({ cells, edges: samples.edges }, cell, low);
  const kept = dropCrumbs(sampled, samples.sampleOfTriangle);
  const spacing = grid.spacing;
  return {
    ...kept,
    partOfNode: partsOfNodes(kept.lattice, kept.cellOfSample, samples),
    fullness: fullnessOf(kept.lattice.cells.length / 3, kept.cellOfSample, perCell),
    solidVolume: countSolid(samples, field) * square(spacing) * spacing,
  };
}

interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** The sample grid over a box, aligned to cells; `low` is where lattice point (0, 0, 0) lies. */
function gridOf({ low, high }: Box, cell: number, densities: readonly number[] = SAMPLES_PER_CELL) {
  const cells = low.map((from, axis) => Math.ceil((high[axis] - from) / cell) + 2);
  const start = low.map((from, axis) => (from + high[axis] - cells[axis] * cell) / 2);
  const volume = cells[0] * cells[1] * cells[2];
  const perCell = densities.find((n) => volume * n * n * n <= COMFORTABLE_SAMPLES) ?? densities[densities.length - 1];
  if (volume * perCell * perCell * perCell > MAX_SAMPLES) {
    throw new TendonError('E_RANGE', 'cell', cell, 'the cells are too small for a skin of this size: use fewer');
  }
  const spacing = cell / perCell;
  const grid: SampleGrid = {
    counts: cells.map((n) => n * perCell) as [number, number, number],
    spacing,
    origin: start.map((x, axis) => x + SHIFTS[axis] * spacing) as [number, number, number],
  };
  return { grid, perCell, low: start as unknown as readonly [number, number, number] };
}

/** A cell size that gives about so many cells; they go with a power between two and three of it. */
function searchCell(skin: TriangleMesh, closed: boolean, box: Box, wanted: number): number {
  const size = Math.max(...[0, 1, 2].map((k) => box.high[k] - box.low[k]));
  const count = (cell: number): number => {
    const { grid, perCell } = gridOf(box, cell, SEARCH_SAMPLES);
    return countCells(sampleField(grid, skin, closed), perCell);
  };
  let cell = size / 32;
  let found = count(cell);
  let growth = 2.7;
  let best = { cell, error: Math.abs(log(found / wanted)) };
  for (let step = 0; step < MAX_SEARCH && Math.abs(found / wanted - 1) > COUNT_TOLERANCE; step++) {
    const next = Math.min(size, cell * Math.min(3, Math.max(1 / 3, power(found / wanted, 1 / growth))));
    const nextFound = count(next);
    const seen = log(nextFound / found) / log(cell / next);
    if (seen > 1.5 && seen < 3.5) growth = seen;
    cell = next;
    found = nextFound;
    const error = Math.abs(log(found / wanted));
    if (error < best.error) best = { cell, error };
  }
  return best.cell;
}

/** Cells that hold a sample: what the lattice will have, but for copies. */
function countCells({ grid, inside }: SolidField, perCell: number): number {
  const [nx, ny, nz] = grid.counts;
  const [cx, cy] = [nx / perCell, ny / perCell];
  const seen = new Uint8Array(cx * cy * (nz / perCell));
  let count = 0;
  for (let point = 0; point < inside.length; point++) {
    if (inside[point] === 0) continue;
    const i = Math.floor((point % nx) / perCell);
    const j = Math.floor((Math.floor(point / nx) % ny) / perCell);
    const at = i + cx * (j + cy * Math.floor(Math.floor(point / (nx * ny)) / perCell));
    count += 1 - seen[at];
    seen[at] = 1;
  }
  return count;
}

function cellsOfSamples({ grid, points }: SolidSamples, perCell: number): Int32Array {
  const [nx, ny] = grid.counts;
  const cells = new Int32Array(3 * points.length);
  points.forEach((point, s) => {
    cells[3 * s] = Math.floor((point % nx) / perCell);
    cells[3 * s + 1] = Math.floor((Math.floor(point / nx) % ny) / perCell);
    cells[3 * s + 2] = Math.floor(Math.floor(point / (nx * ny)) / perCell);
  });
  return cells;
}

/** Points that are truly inside, thin parts at a quarter of a point each. */
function countSolid(samples: SolidSamples, { windings }: SolidField): number {
  let count = 0;
  for (const point of samples.points) count += windings[point] > 0 ? 1 : 0.25;
  return count;
}

function fullnessOf(cellCount: number, cellOfSample: Int32Array, perCell: number): Float64Array {
  const fullness = new Float64Array(cellCount);
  for (const cell of cellOfSample) if (cell >= 0) fullness[cell] += 1 / (perCell * perCell * perCell);
  return fullness;
}

/** For each node the part of the sample nearest to it, out of those in the cells around it. */
function partsOfNodes(
  { nodes, corners, origin, cellSize }: CellFill['lattice'],
  cellOfSample: Int32Array,
  { grid, points, parts }: SolidSamples,
): Int32Array {
  const [nx, ny] = grid.counts;
  const partOfNode = new Int32Array(nodes.length / 3);
  const nearest = new Float64Array(partOfNode.length).fill(Infinity);
  for (let s = 0; s < points.length; s++) {
    if (cellOfSample[s] < 0) continue;
    const x = grid.origin[0] + (points[s] % nx) * grid.spacing - origin[0];
    const y = grid.origin[1] + (Math.floor(points[s] / nx) % ny) * grid.spacing - origin[1];
    const z = grid.origin[2] + Math.floor(points[s] / (nx * ny)) * grid.spacing - origin[2];
    for (let c = 0; c < 8; c++) {
      const node = corners[8 * cellOfSample[s] + c];
      const away =
        square(nodes[3 * node] * cellSize - x) +
        square(nodes[3 * node + 1] * cellSize - y) +
        square(nodes[3 * node + 2] * cellSize - z);
      if (away >= nearest[node]) continue;
      nearest[node] = away;
      partOfNode[node] = parts[s];
    }
  }
  return partOfNode;
}

function boundsOf(positions: ArrayLike<number>): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { low, high };
}
