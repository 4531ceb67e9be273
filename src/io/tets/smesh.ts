/**
 * TetGen's `.smesh`: a surface to be filled with tetrahedra. Four parts, each with a line of counts: vertices, facets
 * (polygons with a marker), points in holes, and points in regions with the number and the largest tetrahedron of each.
 *
 *   n 3 attributes markers     f markers             h               r
 *   index x y z ...            k a b c ... [marker]  index x y z     index x y z number [volume]
 *
 * Counting starts from 0 or 1, as the first vertex has it. `#` starts a comment. A facet may go on in the next line.
 */

import { pushPolygon, regionsOrNone, requireCounts, type SurfaceData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { formatNumber } from '../text/number-text.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { readTable } from './tetgen-table.js';

/** A point that names the region it lies in. */
export interface SmeshRegion {
  readonly point: readonly [number, number, number];
  /** Number that its tetrahedra get. */
  readonly region: number;
  /** Largest volume of its tetrahedra; absent for no limit. */
  readonly maxVolume?: number;
}

/** Contents of an `.smesh` file, polygons as triangles; `regions` are the markers of the facets. */
export interface SmeshData extends SurfaceData {
  /** x,y,z of a point in each hole. */
  readonly holes: Float64Array;
  readonly regionPoints: readonly SmeshRegion[];
}

/** Most corners of one facet. */
const MAX_CORNERS = 1e6;

/** Reads an `.smesh` file. Throws `TendonError` with the line where it cannot. */
export function readSmesh(contents: Uint8Array | string, limits: IoLimits = {}): SmeshData {
  const scanner = new TextScanner(contents, { ...limits, file: '.smesh', comment: '#', separator: ',' });
  const { maxVertices, maxElements } = scanner.limits;
  const nodes = readTable(scanner, { width: 3, minRows: 1, maxRows: maxVertices, isWholeFile: false });
  if (nodes.header[1] !== 3) scanner.fail(nodes.header[1], 'only 3-dimensional meshes can be read');
  const { triangles, markers } = readFacets(scanner, nodes.base, nodes.values.length / 3);
  // TetGen itself takes files that end after the facets or after the holes.
  const holes = hasMore(scanner) ? readPoints(scanner, 3, maxElements) : [];
  const points = hasMore(scanner) ? readPoints(scanner, 5, maxElements) : [];
  const regions = regionsOrNone(markers);
  return {
    positions: Float64Array.from(nodes.values),
    triangles: Int32Array.from(triangles),
    ...(regions && { regions }),
    holes: Float64Array.from(holes),
    regionPoints: Array.from({ length: points.length / 5 }, (_, i) => {
      const [x, y, z, region, maxVolume] = points.slice(5 * i, 5 * i + 5);
      return { point: [x, y, z], region, ...(maxVolume > 0 && { maxVolume }) };
    }),
  };
}

/** Writes an `.smesh` file, counting from 0, with every digit. */
export function writeSmesh(data: SurfaceData & Partial<SmeshData>): Uint8Array {
  const { positions, triangles, regions, holes = new Float64Array(0), regionPoints = [] } = data;
  const writer = new TextWriter();
  writer.line('# vertices');
  writer.line(`${positions.length / 3} 3 0 0`);
  for (let i = 0; i < positions.length; i += 3) writer.numbers(positions, i, 3, `${i / 3}`);
  writer.line('# facets');
  writer.line(`${triangles.length / 3} ${regions ? 1 : 0}`);
  for (let t = 0; t < triangles.length; t += 3) {
    const marker = regions ? ` ${regions[t / 3]}` : '';
    writer.line(`3 ${triangles[t]} ${triangles[t + 1]} ${triangles[t + 2]}${marker}`);
  }
  writer.line('# holes');
  writer.line(`${holes.length / 3}`);
  for (let i = 0; i < holes.length; i += 3) writer.numbers(holes, i, 3, `${i / 3}`);
  writer.line('# regions');
  writer.line(`${regionPoints.length}`);
  for (const [i, { point, region, maxVolume }] of regionPoints.entries()) {
    const row = [i, ...point, region, maxVolume ?? -1];
    writer.line(row.map(formatNumber).join(' '));
  }
  return writer.finish();
}

function readFacets(
  scanner: TextScanner,
  base: number,
  vertexCount: number,
): { triangles: number[]; markers: number[] } {
  if (!scanner.nextLine()) scanner.failEnd('the number of facets');
  const count = scanner.integer(0, 0, scanner.limits.maxElements);
  const hasMarkers = scanner.count > 1 && scanner.integer(1, 0, 1) === 1;
  const triangles: number[] = [];
  const markers: number[] = [];
  const polygon: number[] = [];
  for (let i = 0; i < count; i++) {
    const cornerCount = scanner.wantInteger('a facet', 1, MAX_CORNERS);
    polygon.length = 0;
    for (let k = 0; k < cornerCount; k++) {
      polygon.push(scanner.wantInteger('a corner', base, vertexCount - 1 + base) - base);
    }
    const marker = hasMarkers ? scanner.wantInteger('a marker', -0x7fffffff, 0x7fffffff) : 0;
    const added = pushPolygon(polygon, triangles);
    for (let k = 0; k < added; k++) markers.push(marker);
    requireCounts(scanner, 0, markers.length);
  }
  return { triangles, markers };
}

function hasMore(scanner: TextScanner): boolean {
  return scanner.nextLine();
}

/** Rows of the part whose line of counts was just found: index and `width` numbers, the last of which may be missing. */
function readPoints(scanner: TextScanner, width: number, maxRows: number): number[] {
  const count = scanner.integer(0, 0, maxRows);
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    if (!scanner.nextLine()) scanner.failEnd('a point');
    scanner.integer(0, 0, maxRows);
    for (let k = 1; k <= width; k++) values.push(k === 5 && scanner.count <= 5 ? -1 : scanner.number(k));
  }
  return values;
}
