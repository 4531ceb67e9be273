/**
 * Fills any skin with tetrahedra of a body-centred cubic lattice: every lattice tetrahedron that holds a part of the solid
 * is kept whole, so angles are always 60 and 90 degrees and thin parts stay in one piece. Where a cell holds two parts that
 * are not connected nearby (two fingers, an arm beside the trunk) it is there twice: a lattice point exists once per
 * connected part of the solid in the cells around it, after [Nesme2009]. The skin itself is carried by an embedding.
 * Called when a character is built.
 */
import { requireInRange, TendonError } from '../errors.js';
import { log, power, square } from '../math/powers.js';
import { connectSamples, type SkinParts, type SolidField, type SolidSamples, sampleField } from './solid-samples.js';
import { splitLattice } from './split-lattice.js';
import { countOpenEdges, type TriangleMesh } from './surface/triangle-mesh.js';
import { type BccLattice, bccPositions, createBccLattice } from './tets/bcc-lattice.js';
import { locateBccTet } from './tets/bcc-locate.js';
import type { SampleGrid } from './tets/grid-crossings.js';
import type { TetMesh } from './tets/tet-mesh.js';

/** How to fill a skin. Without `cell` and `tets`: about 6000 tetrahedra. */
export interface SkinLatticeOptions {
  /** Side of the lattice cubes [m]. */
  readonly cell?: number;
  /** Number of tetrahedra to aim for, reached to about a tenth. */
  readonly tets?: number;
  /** Parts of the body, for the cell size that was chosen, so that touching parts far apart along the skeleton are kept apart. */
  readonly parts?: (cell: number) => SkinParts;
}

/** A skin filled with tetrahedra. */
export interface SkinLattice {
  readonly mesh: TetMesh;
  /** Side of the lattice cubes [m]. */
  readonly cell: number;
  /** Part of the body each vertex lies in. */
  readonly partOfVertex: Int32Array;
  /** A tetrahedron at the inside of each triangle of the skin, -1 where none is known. */
  readonly tetOfTriangle: Int32Array;
  /** Volume of the solid inside the skin [m^3]; the lattice has more. */
  readonly solidVolume: number;
  /** Share of the sample points that are inside the skin; the others lie beside parts that are thin, or sheets. */
  readonly insideShare: number;
}

/** Sample points along the side of a cube. */
const SAMPLES_PER_CELL = 4;
/** Where the samples lie between the lattice planes: never on one, and not at the mirror plane of a model. */
const SHIFTS = [0.371, 0.437, 0.409];
/** Most sample points [count]: beyond, the cell was not meant. */
const MAX_SAMPLES = 16_777_216;
/** Tetrahedra aimed for when nothing is said: fine enough for fingers, coarse enough for real time. */
export const DEFAULT_TETS = 6000;
const MAX_SEARCH = 6;
/** How near the count has to come to its aim. */
const COUNT_TOLERANCE = 0.04;

/** Fills a skin whose triangles face outward. */
export function fillSkin(skin: TriangleMesh, options: SkinLatticeOptions = {}): SkinLattice {
  if (skin.triangles.length === 0) {
    throw new TendonError('E_EMPTY', 'skin', 0, 'no triangle of the skin has an area: is a node scaled to zero?');
  }
  const closed = countOpenEdges(skin) === 0;
  const [low, high] = boundsOf(skin.positions);
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (!(size > 0)) throw new TendonError('E_RANGE', 'skin', size, 'the skin has no size');
  const { cell, field } =
    options.cell === undefined
      ? searchCell(skin, closed, low, high, requireInRange(options.tets ?? DEFAULT_TETS, 50, 1e6, 'tets'))
      : prepare(skin, closed, low, high, requireInRange(options.cell, size * 1e-3, size, 'cell'));
  const samples = connectSamples(field, skin.triangles.length / 3, options.parts?.(cell));
  const lattice = latticeOf(low, high, cell);
  const split = splitLattice(lattice, samples, bccPositions(lattice));
  return {
    ...split,
    cell,
    tetOfTriangle: samples.sampleOfTriangle.map((sample) => (sample < 0 ? -1 : split.tetOfSample[sample])),
    solidVolume: countSolid(samples, field) * square(field.grid.spacing) * field.grid.spacing,
    insideShare: 1 - field.thinPoints.length / samples.count,
  };
}

/** Samples at this cell size. */
function prepare(skin: TriangleMesh, closed: boolean, low: number[], high: number[], cell: number) {
  return { cell, field: sampleField(gridOf(latticeOf(low, high, cell)), skin, closed) };
}

/** A cell size that gives about so many tetrahedra; they go with a power between two and three of it. */
function searchCell(skin: TriangleMesh, closed: boolean, low: number[], high: number[], tets: number) {
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  let cell = size / 24;
  let best = prepare(skin, closed, low, high, cell);
  let count = countTets(latticeOf(low, high, cell), best.field);
  let growth = 2.6;
  for (let step = 0; step < MAX_SEARCH && Math.abs(count / tets - 1) > COUNT_TOLERANCE; step++) {
    const factor = Math.min(3, Math.max(1 / 3, power(count / tets, 1 / growth)));
    const next = prepare(skin, closed, low, high, Math.min(cell * factor, size));
    const nextCount = countTets(latticeOf(low, high, next.cell), next.field);
    const seen = log(nextCount / count) / log(cell / next.cell);
    if (seen > 1.5 && seen < 3.5) growth = seen;
    const better = Math.abs(log(nextCount / tets)) < Math.abs(log(count / tets));
    if (!better && step > 2) break;
    cell = next.cell;
    count = nextCount;
    best = next;
  }
  return best;
}

/** The lattice tetrahedra that hold a sample: what the mesh will have, but for duplicates. */
function countTets(lattice: BccLattice, { grid, inside }: SolidField): number {
  const [nx, ny] = grid.counts;
  const seen = new Uint8Array(12 * lattice.cells[0] * lattice.cells[1] * lattice.cells[2]);
  let count = 0;
  for (let point = 0; point < inside.length; point++) {
    if (inside[point] === 0) continue;
    const x = grid.origin[0] + (point % nx) * grid.spacing;
    const y = grid.origin[1] + (Math.floor(point / nx) % ny) * grid.spacing;
    const z = grid.origin[2] + Math.floor(point / (nx * ny)) * grid.spacing;
    const tet = locateBccTet(lattice, x, y, z);
    if (seen[tet] === 0) count++;
    seen[tet] = 1;
  }
  // connections between samples add a few more
  return Math.round(1.08 * count);
}

/** Points that are truly inside, thin parts at half a point each. */
function countSolid(samples: SolidSamples, { windings }: SolidField): number {
  let count = 0;
  for (const point of samples.points) count += windings[point] > 0 ? 1 : 0.25;
  return count;
}

function latticeOf(low: readonly number[], high: readonly number[], cell: number): BccLattice {
  // centred, with at least a cube and a half around the skin: its cells reach out by one
  const cells = [0, 1, 2].map((axis) => Math.ceil((high[axis] - low[axis]) / cell) + 3);
  const start = cells.map((count, axis) => (low[axis] + high[axis] - count * cell) / 2);
  return createBccLattice(
    start,
    start.map((x, axis) => x + cells[axis] * cell),
    cell,
  );
}

function gridOf(lattice: BccLattice): SampleGrid {
  const spacing = lattice.cell / SAMPLES_PER_CELL;
  const counts = lattice.cells.map((count) => count * SAMPLES_PER_CELL) as [number, number, number];
  if (counts[0] * counts[1] * counts[2] > MAX_SAMPLES) {
    throw new TendonError('E_RANGE', 'cell', lattice.cell, 'the cells are too small for a skin of this size');
  }
  const origin = lattice.origin.map((x, axis) => x + SHIFTS[axis] * spacing) as [number, number, number];
  return { counts, spacing, origin };
}

function boundsOf(positions: ArrayLike<number>): [number[], number[]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return [low, high];
}
