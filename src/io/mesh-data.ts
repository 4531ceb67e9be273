/**
 * What the readers of meshes give and the writers take. Lengths are those of the file; nothing is scaled or turned.
 * Indices count from 0 and point at vertices; every reader has checked that they do.
 */
import { TendonError } from '../errors.js';
import type { TetMesh } from '../mesh/tets/tet-mesh.js';
import type { IoLimits } from './text/io-limits.js';
import type { TextScanner } from './text/text-scanner.js';

/** A surface of triangles. */
export interface SurfaceData {
  /** x,y,z per vertex. */
  readonly positions: Float64Array;
  /** Three vertices per triangle. */
  readonly triangles: Int32Array;
  /** Number of the region each triangle belongs to; absent where all are 0. */
  readonly regions?: Int32Array;
}

/** Tetrahedra, the regions they belong to, and the triangles stored beside them. */
export interface TetData extends TetMesh {
  /** Number of the region of each tetrahedron; absent where all are 0. */
  readonly regions?: Int32Array;
  /** Three vertices per triangle; absent where there are none. */
  readonly triangles?: Int32Array;
  /** Number of each triangle's region; absent where all are 0. */
  readonly triangleRegions?: Int32Array;
}

/** Lists that grow while a volume file is read. */
export interface TetLists {
  readonly positions: ArrayLike<number>;
  readonly tets: ArrayLike<number>;
  readonly regions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly triangleRegions: ArrayLike<number>;
}

/** Typed arrays of what was read, without the parts that say nothing. */
export function makeTetData(lists: TetLists): TetData {
  const regions = regionsOrNone(lists.regions);
  const triangleRegions = regionsOrNone(lists.triangleRegions);
  return {
    positions: new Float64Array(lists.positions),
    tets: new Int32Array(lists.tets),
    ...(regions && { regions }),
    ...(lists.triangles.length > 0 && { triangles: new Int32Array(lists.triangles) }),
    ...(triangleRegions && { triangleRegions }),
  };
}

/** The numbers as an array, or nothing where all are 0. */
export function regionsOrNone(regions: ArrayLike<number>): Int32Array | undefined {
  for (let i = 0; i < regions.length; i++) if (regions[i] !== 0) return new Int32Array(regions);
  return undefined;
}

/** Appends the triangles of a polygon to `triangles`, as a fan around its first corner; how many they are. */
export function pushPolygon(polygon: ArrayLike<number>, triangles: number[]): number {
  for (let i = 2; i < polygon.length; i++) triangles.push(polygon[0], polygon[i - 1], polygon[i]);
  return Math.max(0, polygon.length - 2);
}

/** Throws where more has been read than the limits allow. */
export function requireCounts(scanner: TextScanner, vertexCount: number, elementCount: number): void {
  const advice = excess(scanner.limits, vertexCount, elementCount);
  if (advice !== undefined) scanner.fail(Math.max(vertexCount, elementCount), advice, 'E_RANGE');
}

/** As `requireCounts`, for binary files. */
export function requireCountsAt(
  place: string,
  limits: Required<IoLimits>,
  vertexCount: number,
  elementCount: number,
): void {
  const advice = excess(limits, vertexCount, elementCount);
  if (advice !== undefined) throw new TendonError('E_RANGE', place, Math.max(vertexCount, elementCount), advice);
}

function excess(limits: Required<IoLimits>, vertexCount: number, elementCount: number): string | undefined {
  if (vertexCount > limits.maxVertices) return `at most ${limits.maxVertices} vertices are allowed`;
  return elementCount > limits.maxElements ? `at most ${limits.maxElements} elements are allowed` : undefined;
}
