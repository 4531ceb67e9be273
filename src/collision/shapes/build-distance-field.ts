/**
 * Makes a distance field of a closed surface: how far by the nearest triangle, on which side by winding number. Far from the
 * surface neighbours are on the same side, so only grid points next to it are asked. For building.
 */
import { type AnyBodyDef, buildAnyModel } from '../../body/kinds/any-body-def.js';
import { requireInRange, TendonError } from '../../errors.js';
import { extractSurface, gatherSurfacePositions } from '../../mesh/surface/surface.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import { WindingTree } from '../../mesh/surface/winding-number.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';
import { type ClosedSurface, checkSurface, closeSurface } from './close-surface.js';
import type { DistanceField } from './distance-field.js';
import { gridDistances } from './grid-distances.js';
import { measureThinShare } from './thin-walls.js';

/** Cells along the longest side where the user gives no cell. */
const USUAL_CELLS = 48;
/** Cells around the surface's box: what comes near should be within the grid before it touches. */
const PADDING = 4;
/** Most grid points: 16 MB. */
export const MAX_FIELD_VALUES = 1 << 21;
/** Share of the surface that may be thinner than a cell, as the rim of a wedge always is. */
const MAX_THIN_SHARE = 0.05;

/** Grid points nearer than this, in cells, are on the surface: which side they are on is left to the last bits of an angle. */
const ON_SURFACE = 1e-9;

type Corner = readonly [number, number, number];

/**
 * The distance field of a surface that is closed, or nearly so: holes are closed by fans of triangles. `cell` [m]: from one
 * grid point to the next; without it a 48th of the longest side, halved for thin walls as long as memory allows. Throws where
 * walls remain thinner than a cell.
 */
export function buildDistanceField(
  positions: ArrayLike<number>,
  triangles: ArrayLike<number>,
  cell?: number,
  place = 'surface',
): DistanceField {
  checkSurface(positions, triangles, place);
  if (cell !== undefined) requireInRange(cell, 1e-6, 1e6, `${place}/cell`);
  const surface = closeSurface(positions, triangles, place);
  const [low, high] = boxOf(surface.mesh.positions);
  const winding = new WindingTree(surface.mesh);
  const longest = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  let step = cell ?? longest / USUAL_CELLS;
  let thinShare = measureThinShare(surface.mesh, winding, step);
  while (cell === undefined && thinShare > MAX_THIN_SHARE && valueCount(low, high, step / 2) <= MAX_FIELD_VALUES) {
    step /= 2;
    thinShare = measureThinShare(surface.mesh, winding, step);
  }
  if (valueCount(low, high, step) > MAX_FIELD_VALUES) {
    const advice = `at most ${MAX_FIELD_VALUES} grid points: use a larger cell`;
    throw new TendonError('E_MEM_LIMIT', `${place}/cell`, step, advice);
  }
  if (thinShare > MAX_THIN_SHARE) {
    const advice = 'walls are thinner than this and things would pass through: use a smaller cell or thicker walls';
    throw new TendonError('E_RANGE', `${place}/cell`, step, advice);
  }
  return sample(surface, winding, low, high, step, thinShare);
}

/** The distance field of a tetrahedral mesh where it is, or of a body of any kind in its rest shape. */
export function buildBodyField(body: TetMesh | AnyBodyDef, cell?: number, place = 'body'): DistanceField {
  const mesh =
    'tets' in body ? { surface: extractSurface(body), positions: body.positions } : buildAnyModel(body, place);
  const { surface } = mesh;
  const positions = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, mesh.positions, positions);
  return buildDistanceField(positions, surface.triangles, cell, place);
}

function sample(
  { mesh, holes }: ClosedSurface,
  winding: WindingTree,
  low: Corner,
  high: Corner,
  cell: number,
  thinShare: number,
): DistanceField {
  const counts = countsOf(low, high, cell);
  // the surface in the middle of the grid
  const shift = [0, 1, 2].map((k) => (low[k] + high[k] - (counts[k] - 1) * cell) / 2);
  const origin: Corner = [shift[0], shift[1], shift[2]];
  const values = gridDistances(mesh, { origin, cell, counts });
  // a little more than a cell: on the surface itself the side is a matter of rounding and must not be handed on
  const step = 1.001 * cell;
  for (let row = 0; row < values.length; row += counts[0]) {
    const y = origin[1] + ((row / counts[0]) % counts[1]) * cell;
    const z = origin[2] + Math.floor(row / (counts[0] * counts[1])) * cell;
    let before = Number.POSITIVE_INFINITY;
    // rows start outside, in the padding
    let inside = false;
    for (let i = 0; i < counts[0]; i++) {
      const away = values[row + i];
      // else no surface is between the two
      if (away <= step && before <= step) inside = winding.at(origin[0] + i * cell, y, z) > 0.5;
      if (away <= ON_SURFACE * cell) values[row + i] = 0;
      else if (inside) values[row + i] = -away;
      before = away;
    }
  }
  return { origin, cell, counts, values, low, high, holes, thinShare };
}

function countsOf(low: Corner, high: Corner, cell: number): [number, number, number] {
  const count = (k: number): number => Math.ceil((high[k] - low[k]) / cell) + 1 + 2 * PADDING;
  return [count(0), count(1), count(2)];
}

function valueCount(low: Corner, high: Corner, cell: number): number {
  const [nx, ny, nz] = countsOf(low, high, cell);
  return nx * ny * nz;
}

function boxOf(positions: TriangleMesh['positions']): [Corner, Corner] {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return [low, high];
}
