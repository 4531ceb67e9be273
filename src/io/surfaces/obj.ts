/**
 * Wavefront OBJ: positions, texture coordinates, normals, polygons, and which object, group and material each face
 * belongs to. Polygons become fans of triangles; points, lines and curves are skipped. Faces may count from the end of
 * the list (negative indices) and may go on in the next line after a backslash.
 */
import { TendonError } from '../../errors.js';
import { pushPolygon, requireCounts, type SurfaceData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { parseNumber } from '../text/number-text.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';

/** A run of triangles with the same names. */
export interface ObjPart {
  /** Empty where the file names none; so are the next two. */
  readonly object: string;
  readonly group: string;
  readonly material: string;
  /** First triangle. */
  readonly start: number;
  /** Number of triangles. */
  readonly count: number;
}

/** Contents of an OBJ file. */
export interface ObjData extends SurfaceData {
  /** u,v per texture coordinate; absent where there are none. */
  readonly uvs?: Float64Array;
  /** Three texture coordinates per triangle, -1 where a corner has none. */
  readonly uvTriangles?: Int32Array;
  /** x,y,z per normal; absent where there are none. */
  readonly normals?: Float64Array;
  /** Three normals per triangle, -1 where a corner has none. */
  readonly normalTriangles?: Int32Array;
  /** All triangles, in order. */
  readonly parts: readonly ObjPart[];
  /** Names of the material files it asks for. */
  readonly materialFiles: readonly string[];
}

/** A list of numbers that corners point into, and the largest index seen with its line. */
interface Pool {
  readonly values: number[];
  readonly width: number;
  readonly corners: number[];
  largest: number;
  largestLine: number;
}

/** Reads an OBJ file. Throws `TendonError` with the line where it cannot. */
export function readObj(contents: Uint8Array | string, limits: IoLimits = {}): ObjData {
  const scanner = new TextScanner(contents, { ...limits, file: '.obj' });
  const pools = [makePool(3), makePool(2), makePool(3)];
  const [positions, uvs, normals] = pools;
  const parts: ObjPart[] = [];
  const materialFiles: string[] = [];
  const names = { object: '', group: '', material: '' };
  while (scanner.nextLine()) {
    if (scanner.is(0, 'v')) readPoint(scanner, positions, 3);
    else if (scanner.is(0, 'vt')) readPoint(scanner, uvs, 1);
    else if (scanner.is(0, 'vn')) readPoint(scanner, normals, 3);
    else if (scanner.is(0, 'f')) addToPart(parts, names, readFace(scanner, pools));
    else if (scanner.is(0, 'o')) names.object = scanner.textFrom(1);
    else if (scanner.is(0, 'g')) names.group = scanner.textFrom(1);
    else if (scanner.is(0, 'usemtl')) names.material = scanner.textFrom(1);
    else if (scanner.is(0, 'mtllib') && scanner.count > 1) materialFiles.push(scanner.textFrom(1));
  }
  for (const { values, width, largest, largestLine } of pools) {
    if (largest < values.length / width) continue;
    const advice = `there are only ${values.length / width} to point at`;
    throw new TendonError('E_INDEX', `.obj line ${largestLine}`, largest + 1, advice);
  }
  return {
    positions: Float64Array.from(positions.values),
    triangles: Int32Array.from(positions.corners),
    ...(uvs.largest >= 0 && { uvs: Float64Array.from(uvs.values), uvTriangles: Int32Array.from(uvs.corners) }),
    ...(normals.largest >= 0 && {
      normals: Float64Array.from(normals.values),
      normalTriangles: Int32Array.from(normals.corners),
    }),
    parts,
    materialFiles,
  };
}

/** Writes an OBJ file; `parts` and what follows may be left out. Reading it gives the same data again. */
export function writeObj(data: SurfaceData & Partial<ObjData>): Uint8Array {
  const { positions, triangles, uvs, uvTriangles, normals, normalTriangles } = data;
  const writer = new TextWriter();
  for (const name of data.materialFiles ?? []) writer.line(`mtllib ${oneLine(name)}`);
  for (let i = 0; i < positions.length; i += 3) writer.numbers(positions, i, 3, 'v');
  if (uvs) for (let i = 0; i < uvs.length; i += 2) writer.numbers(uvs, i, 2, 'vt');
  if (normals) for (let i = 0; i < normals.length; i += 3) writer.numbers(normals, i, 3, 'vn');
  const corner = (i: number): string => {
    const uv = uvTriangles && uvTriangles[i] >= 0 ? uvTriangles[i] + 1 : '';
    const normal = normalTriangles && normalTriangles[i] >= 0 ? `/${normalTriangles[i] + 1}` : '';
    return `${triangles[i] + 1}${uv !== '' || normal !== '' ? `/${uv}${normal}` : ''}`;
  };
  const whole: ObjPart = { object: '', group: '', material: '', start: 0, count: triangles.length / 3 };
  let last = whole;
  for (const part of data.parts ?? [whole]) {
    if (part.object !== last.object) writer.line(`o ${oneLine(part.object)}`.trimEnd());
    if (part.group !== last.group) writer.line(`g ${oneLine(part.group)}`.trimEnd());
    if (part.material !== last.material) writer.line(`usemtl ${oneLine(part.material)}`.trimEnd());
    last = part;
    for (let i = 3 * part.start; i < 3 * (part.start + part.count); i += 3) {
      writer.line(`f ${corner(i)} ${corner(i + 1)} ${corner(i + 2)}`);
    }
  }
  return writer.finish();
}

function makePool(width: number): Pool {
  return { values: [], width, corners: [], largest: -1, largestLine: 0 };
}

/** Coordinates of a `v`, `vt` or `vn`; at least `needed` of them, the rest are 0. */
function readPoint(scanner: TextScanner, pool: Pool, needed: number): void {
  for (let i = 1; i <= pool.width; i++) {
    pool.values.push(i <= needed || i < scanner.count ? scanner.number(i) : 0);
  }
  requireCounts(scanner, pool.values.length / pool.width, 0);
}

/** Corners of a face go into the pools as triangles; returns how many. */
function readFace(scanner: TextScanner, pools: readonly Pool[]): number {
  const polygons: number[][] = [[], [], []];
  for (let first = 1; ; first = 0) {
    let goesOn = false;
    for (let i = first; i < scanner.count && !goesOn; i++) {
      const [start, , bytes] = scanner.range(i);
      if (bytes[start] === 35) break;
      goesOn = scanner.is(i, '\\');
      if (!goesOn) readCorner(scanner, i, pools, polygons);
    }
    if (!goesOn) break;
    if (!scanner.nextLine()) scanner.failEnd('the rest of a face');
    requireCounts(scanner, 0, polygons[0].length);
  }
  if (polygons[0].length < 3) scanner.fail(polygons[0].length, 'a face needs at least three corners');
  let count = 0;
  for (let k = 0; k < 3; k++) count = pushPolygon(polygons[k], pools[k].corners);
  requireCounts(scanner, 0, pools[0].corners.length / 3);
  return count;
}

/** One corner, `v`, `v/vt`, `v//vn` or `v/vt/vn`. */
function readCorner(scanner: TextScanner, word: number, pools: readonly Pool[], polygons: readonly number[][]): void {
  const [start, end, bytes] = scanner.range(word);
  let from = start;
  for (let k = 0; k < 3; k++) {
    let to = from;
    while (to < end && bytes[to] !== 47) to++;
    polygons[k].push(to > from || k === 0 ? resolve(parseNumber(bytes, from, to), pools[k]) : -1);
    from = Math.min(to + 1, end);
    if (k === 2 && to < end) scanner.fail(scanner.text(word), 'a corner has at most three indices');
  }

  function resolve(written: number, pool: Pool): number {
    const count = pool.values.length / pool.width;
    const index = written < 0 ? count + written : written - 1;
    if (!Number.isInteger(written) || index < 0 || index > 0x7fffffff) {
      scanner.fail(scanner.text(word), 'an index must be a whole number that points at something above', 'E_INDEX');
    }
    if (index > pool.largest) {
      pool.largest = index;
      pool.largestLine = scanner.line;
    }
    return index;
  }
}

/** Makes the last part longer, or starts one where a name has changed. */
function addToPart(parts: ObjPart[], names: Omit<ObjPart, 'start' | 'count'>, count: number): void {
  const last = parts.at(-1);
  const isSame = last?.object === names.object && last.group === names.group && last.material === names.material;
  const start = last === undefined ? 0 : last.start + last.count;
  if (isSame) parts[parts.length - 1] = { ...last, count: last.count + count };
  else parts.push({ object: names.object, group: names.group, material: names.material, start, count });
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
