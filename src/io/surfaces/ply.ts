/**
 * PLY, ASCII and binary of either byte order: vertices with normals and texture coordinates where there are any, and
 * faces, which become triangles. Other elements and properties are skipped.
 */
import { TendonError, type TendonErrorCode } from '../../errors.js';
import { pushPolygon, regionsOrNone, requireCountsAt, type SurfaceData } from '../mesh-data.js';
import { type IoLimits, requireFileSize, resolveLimits } from '../text/io-limits.js';
import { type PlyFormat, type PlyHeader, type PlyProperty, readPlyHeader } from './ply-header.js';
import { type PlySource, plyAsciiSource, plyBinarySource } from './ply-source.js';
import { writePlyBody } from './ply-write.js';

/** Contents of a PLY file. */
export interface PlyData extends SurfaceData {
  /** x,y,z per vertex; absent where the file has none. */
  readonly normals?: Float64Array;
  /** u,v per vertex; absent where the file has none. */
  readonly uvs?: Float64Array;
}

const INDEX_NAMES = ['vertex_indices', 'vertex_index'];
const UV_NAMES = [
  ['u', 'v'],
  ['s', 't'],
  ['texture_u', 'texture_v'],
];

/** Reads a PLY file. Throws `TendonError` with line or byte where it cannot. */
export function readPly(bytes: Uint8Array, options: IoLimits = {}): PlyData {
  const limits = resolveLimits(options);
  requireFileSize(bytes.length, limits, '.ply');
  const header = readPlyHeader(bytes);
  const source = header.format === 'ascii' ? plyAsciiSource(bytes, header, limits) : plyBinarySource(bytes, header);
  const lists: Lists = { positions: [], normals: [], uvs: [], triangles: [], regions: [], largest: -1, where: '' };
  for (const { name, count, properties } of header.elements) {
    if (properties.length === 0) continue;
    if (name === 'vertex') readVertices(source, count, properties, { lists, limits });
    else if (name === 'face') readFaces(source, count, properties, { lists, limits });
    // Strips and the like are not triangles we could use; their bytes still have to be stepped over.
    else for (let row = 0; row < count; row++) for (const property of properties) source.skip(property);
  }
  const vertexCount = lists.positions.length / 3;
  if (lists.largest >= vertexCount) {
    throw new TendonError('E_INDEX', lists.where, lists.largest, `there are only ${vertexCount} vertices`);
  }
  const regions = regionsOrNone(lists.regions);
  return {
    positions: Float64Array.from(lists.positions),
    triangles: Int32Array.from(lists.triangles),
    ...(regions && { regions }),
    ...(lists.normals.length > 0 && { normals: Float64Array.from(lists.normals) }),
    ...(lists.uvs.length > 0 && { uvs: Float64Array.from(lists.uvs) }),
  };
}

/** Writes a PLY file with every digit (double precision); regions become the face property `region`. */
export function writePly(data: PlyData, format: PlyFormat = 'binary_little_endian'): Uint8Array {
  const { positions, triangles, regions, normals, uvs } = data;
  const names = ['x', 'y', 'z', ...(normals ? ['nx', 'ny', 'nz'] : []), ...(uvs ? ['u', 'v'] : [])];
  const header = [
    'ply',
    `format ${format} 1.0`,
    'comment written by tendon',
    `element vertex ${positions.length / 3}`,
    ...names.map((name) => `property double ${name}`),
    `element face ${triangles.length / 3}`,
    'property list uchar int vertex_indices',
    ...(regions ? ['property int region'] : []),
    'end_header\n',
  ].join('\n');
  return writePlyBody(header, data, format);
}

interface Lists {
  readonly positions: number[];
  readonly normals: number[];
  readonly uvs: number[];
  readonly triangles: number[];
  readonly regions: number[];
  /** Largest vertex a face asked for, and where: faces may come before vertices. */
  largest: number;
  where: string;
}

interface Target {
  readonly lists: Lists;
  readonly limits: Required<IoLimits>;
}

function readVertices(source: PlySource, count: number, properties: readonly PlyProperty[], target: Target): void {
  const { lists, limits } = target;
  const find = (name: string) => properties.findIndex((property) => property.name === name && !property.countType);
  const findAll = (names: readonly string[]) => (names.every((name) => find(name) >= 0) ? names.map(find) : []);
  const place = findAll(['x', 'y', 'z']);
  if (place.length === 0) fail(source, 'vertex', 'vertices need the properties x, y and z');
  const normal = findAll(['nx', 'ny', 'nz']);
  const uv = UV_NAMES.map(findAll).find((found) => found.length > 0) ?? [];
  const row = new Float64Array(properties.length);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < properties.length; k++) {
      if (properties[k].countType) source.skip(properties[k]);
      else row[k] = source.number(properties[k].type);
    }
    for (const k of place) lists.positions.push(requireFinite(row[k], source));
    for (const k of normal) lists.normals.push(requireFinite(row[k], source));
    for (const k of uv) lists.uvs.push(requireFinite(row[k], source));
    requireCountsAt(source.place(), limits, lists.positions.length / 3, 0);
  }
}

function readFaces(source: PlySource, count: number, properties: readonly PlyProperty[], target: Target): void {
  const { lists, limits } = target;
  const corners = properties.findIndex(({ name, countType }) => countType && INDEX_NAMES.includes(name));
  const region = properties.findIndex(({ name, countType }) => !countType && name === 'region');
  const polygon: number[] = [];
  for (let i = 0; i < count; i++) {
    let number = 0;
    for (let k = 0; k < properties.length; k++) {
      const { type, countType } = properties[k];
      if (k === region) number = source.number(type);
      else if (k !== corners) source.skip(properties[k]);
      else {
        const length = source.count(countType!);
        requireCountsAt(source.place(), limits, 0, lists.triangles.length / 3 + length);
        polygon.length = 0;
        for (let c = 0; c < length; c++) polygon.push(requireCorner(source.number(type), source, lists));
      }
    }
    if (corners < 0) continue;
    const added = pushPolygon(polygon, lists.triangles);
    if (!Number.isInteger(number) || Math.abs(number) > 0x7fffffff) fail(source, number, 'a region is a whole number');
    for (let k = 0; k < added; k++) lists.regions.push(number);
  }
}

function requireCorner(index: number, source: PlySource, lists: Lists): number {
  if (!Number.isInteger(index) || index < 0 || index > 0x7fffffff) {
    fail(source, index, 'an index must be a whole number from 0 on', 'E_INDEX');
  }
  if (index > lists.largest) {
    lists.largest = index;
    lists.where = source.place();
  }
  return index;
}

function requireFinite(value: number, source: PlySource): number {
  return Number.isFinite(value) ? value : fail(source, value, 'every number must be finite', 'E_NOT_FINITE');
}

function fail(source: PlySource, value: unknown, advice: string, code: TendonErrorCode = 'E_FORMAT'): never {
  throw new TendonError(code, source.place(), value, advice);
}

export type { PlyFormat, PlyHeader };
