/** Cells of VTK's formats: which kinds are of use, and how they become triangles and tetrahedra. */
import type { TendonErrorCode } from '../../errors.js';
import { pushPolygon, type TetData } from '../mesh-data.js';

/** Grids as VTK stores them: every cell a run of `connectivity` that ends at its number in `offsets`. */
export interface VtkCells {
  readonly connectivity: readonly number[];
  readonly offsets: readonly number[];
  readonly types: readonly number[];
  /** Region per cell; empty where there are none. */
  readonly regions: readonly number[];
}

/** Lists that cells are added to. */
export interface VtkLists {
  readonly positions: number[];
  readonly tets: number[];
  readonly regions: number[];
  readonly triangles: number[];
  readonly triangleRegions: number[];
}

/** Throws an error about the cells. */
export type VtkFail = (value: unknown, advice: string, code?: TendonErrorCode) => never;

/** VTK's number of each kind of cell that is used. */
export const VTK_TRIANGLE = 5;
export const VTK_TET = 10;
/** Corners of the cells we use; those of second order start with the same corners. Polygons have any number. */
const CORNERS = new Map([
  [VTK_TRIANGLE, 3],
  [22, 3],
  [7, 0],
  [9, 4],
  [23, 4],
  [VTK_TET, 4],
  [24, 4],
]);
/** Names under which programs store what we call region. */
const REGION_NAMES = ['region', 'regions', 'medit:ref', 'gmsh:physical', 'cellentityids', 'tetgen:ref', 'material'];

/** Whether a field of a cell holds its region. */
export function isRegionName(name: string): boolean {
  return REGION_NAMES.includes(name.toLowerCase());
}

/** Adds the cells to the lists; their points count from `base` and there are `vertexCount` in all. */
export function pushVtkCells(cells: VtkCells, lists: VtkLists, base: number, fail: VtkFail): void {
  const { connectivity, offsets, types, regions } = cells;
  const vertexCount = lists.positions.length / 3;
  if (types.length !== offsets.length) fail(types.length, `there are ${offsets.length} cells`);
  if (regions.length > 0 && regions.length !== types.length) fail(regions.length, `there are ${types.length} cells`);
  const corners: number[] = [];
  let start = 0;
  for (let i = 0; i < types.length; i++) {
    const end = offsets[i];
    if (!Number.isInteger(end) || end < start || end > connectivity.length) fail(end, 'a cell ends where it cannot');
    const needed = CORNERS.get(types[i]);
    if (needed !== undefined) {
      if (end - start < needed) fail(end - start, `a cell of type ${types[i]} has ${needed} points`);
      corners.length = 0;
      for (let k = start; k < (needed === 0 ? end : start + needed); k++) {
        const vertex = connectivity[k] + base;
        if (!Number.isInteger(vertex) || vertex < base || vertex >= vertexCount) {
          fail(connectivity[k], `there are only ${vertexCount - base} points`, 'E_INDEX');
        }
        corners.push(vertex);
      }
      pushCell(types[i], corners, regions[i] ?? 0, lists);
    }
    start = end;
  }
}

/** Cells of a mesh, triangles before tetrahedra, with the region of each where any is not 0. */
export function listVtkCells(data: TetData): VtkCells {
  const { tets, regions, triangles = new Int32Array(0), triangleRegions } = data;
  const triangleCount = triangles.length / 3;
  const count = triangleCount + tets.length / 4;
  const cells = Array.from({ length: count }, (_, i) => i);
  const connectivity: number[] = [];
  for (const vertex of triangles) connectivity.push(vertex);
  for (const vertex of tets) connectivity.push(vertex);
  return {
    connectivity,
    offsets: cells.map((i) => (i < triangleCount ? 3 * (i + 1) : 3 * triangleCount + 4 * (i + 1 - triangleCount))),
    types: cells.map((i) => (i < triangleCount ? VTK_TRIANGLE : VTK_TET)),
    regions:
      regions || triangleRegions
        ? cells.map((i) => (i < triangleCount ? (triangleRegions?.[i] ?? 0) : (regions?.[i - triangleCount] ?? 0)))
        : [],
  };
}

function pushCell(type: number, corners: readonly number[], region: number, lists: VtkLists): void {
  if (type === VTK_TET || type === 24) {
    for (const corner of corners) lists.tets.push(corner);
    lists.regions.push(region);
    return;
  }
  const added = pushPolygon(corners, lists.triangles);
  for (let i = 0; i < added; i++) lists.triangleRegions.push(region);
}
