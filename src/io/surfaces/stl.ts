/**
 * STL, ASCII and binary. Facet normals are not kept: they follow from the corners. In an ASCII file with several solids
 * the region of a triangle is the number of its solid, from 0.
 */
import { TendonError } from '../../errors.js';
import { regionsOrNone, requireCounts, requireCountsAt, type SurfaceData } from '../mesh-data.js';
import { type IoLimits, requireFileSize, resolveLimits } from '../text/io-limits.js';
import { formatNumber } from '../text/number-text.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { weldExact } from './weld-exact.js';

/** Contents of an STL file. */
export interface StlData extends SurfaceData {
  /** Name of each solid; one, and empty, for binary files. */
  readonly names: readonly string[];
}

/** What `readStl` may be told. */
export interface StlReadOptions extends IoLimits {
  /** Join vertices at the same place; default true. Without it every triangle has its own three. */
  readonly weld?: boolean;
}

/** Header, count; then 12 floats and 2 bytes per triangle. */
const BINARY_HEADER = 84;
const BINARY_TRIANGLE = 50;

/** Reads an STL file of either kind. Throws `TendonError` with line or byte where it cannot. */
export function readStl(bytes: Uint8Array, options: StlReadOptions = {}): StlData {
  const limits = resolveLimits(options);
  requireFileSize(bytes.length, limits, '.stl');
  const data = isBinary(bytes) ? readBinary(bytes, limits) : readAscii(bytes, limits);
  return options.weld === false ? data : { ...weldExact(data), names: data.names };
}

/** Writes an STL file: binary by default, which rounds to single precision; ASCII keeps every digit. */
export function writeStl(data: SurfaceData & Partial<StlData>, format: 'binary' | 'ascii' = 'binary'): Uint8Array {
  return format === 'ascii' ? writeAscii(data) : writeBinary(data);
}

/** Binary files may start with `solid` too, so the size decides first. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length >= BINARY_HEADER) {
    const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
    if (bytes.length === BINARY_HEADER + BINARY_TRIANGLE * count) return true;
  }
  const start = new TextDecoder().decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
  return !start.startsWith('solid');
}

function readBinary(bytes: Uint8Array, limits: Required<IoLimits>): StlData {
  if (bytes.length < BINARY_HEADER) fail(bytes.length, bytes.length, 'the file ends in its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(80, true);
  if (BINARY_HEADER + BINARY_TRIANGLE * count > bytes.length) {
    fail(80, count, `the ${bytes.length} bytes of the file hold fewer triangles`);
  }
  requireCountsAt('.stl byte 80', limits, 3 * count, count);
  const positions = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < 9; i++) {
      const offset = BINARY_HEADER + BINARY_TRIANGLE * t + 12 + 4 * i;
      const value = view.getFloat32(offset, true);
      if (!Number.isFinite(value)) {
        throw new TendonError('E_NOT_FINITE', `.stl byte ${offset}`, value, 'every number must be finite');
      }
      positions[9 * t + i] = value;
    }
  }
  return { positions, triangles: Int32Array.from({ length: 3 * count }, (_, i) => i), names: [''] };
}

function readAscii(bytes: Uint8Array, limits: Required<IoLimits>): StlData {
  const scanner = new TextScanner(bytes, { ...limits, file: '.stl' });
  const positions: number[] = [];
  const regions: number[] = [];
  const names: string[] = [];
  const want = (word: string): void => {
    const found = scanner.wantText(`"${word}"`);
    if (found.toLowerCase() !== word) scanner.fail(found, `"${word}" was expected`);
  };
  while (scanner.nextWord()) {
    if (scanner.text(0).toLowerCase() !== 'solid') scanner.fail(scanner.text(0), '"solid" was expected');
    names.push(scanner.restOfLine());
    for (;;) {
      const word = scanner.wantText('"endsolid"').toLowerCase();
      if (word === 'endsolid') break;
      if (word !== 'facet') scanner.fail(word, '"facet" or "endsolid" was expected');
      want('normal');
      // Normals are not used, and some programs write nan for triangles without area.
      for (let i = 0; i < 3; i++) scanner.wantText('a normal');
      want('outer');
      want('loop');
      for (let corner = 0; corner < 3; corner++) {
        want('vertex');
        for (let i = 0; i < 3; i++) positions.push(scanner.wantNumber('a coordinate'));
      }
      want('endloop');
      want('endfacet');
      regions.push(names.length - 1);
      requireCounts(scanner, positions.length / 3, regions.length);
    }
    scanner.restOfLine();
  }
  if (names.length === 0) scanner.failEnd('"solid"');
  const solids = regionsOrNone(regions);
  const triangles = Int32Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { positions: Float64Array.from(positions), triangles, ...(solids && { regions: solids }), names };
}

function writeAscii({ positions, triangles, regions, names = [''] }: SurfaceData & Partial<StlData>): Uint8Array {
  const writer = new TextWriter();
  for (const [solid, name] of names.entries()) {
    writer.line(`solid ${name.replace(/\s+/g, ' ')}`.trimEnd());
    for (let t = 0; t < triangles.length; t += 3) {
      const region = regions === undefined ? 0 : Math.min(Math.max(regions[t / 3], 0), names.length - 1);
      if (region !== solid) continue;
      writer.line(`facet normal ${facetNormal(positions, triangles, t).map(formatNumber).join(' ')}`);
      writer.line('outer loop');
      for (let i = t; i < t + 3; i++) writer.numbers(positions, 3 * triangles[i], 3, 'vertex');
      writer.line('endloop');
      writer.line('endfacet');
    }
    writer.line('endsolid');
  }
  return writer.finish();
}

function writeBinary({ positions, triangles }: SurfaceData): Uint8Array {
  const count = triangles.length / 3;
  const bytes = new Uint8Array(BINARY_HEADER + BINARY_TRIANGLE * count);
  bytes.set(new TextEncoder().encode('binary STL, written by tendon'));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  for (let t = 0; t < count; t++) {
    const offset = BINARY_HEADER + BINARY_TRIANGLE * t;
    const normal = facetNormal(positions, triangles, 3 * t);
    for (let i = 0; i < 3; i++) view.setFloat32(offset + 4 * i, normal[i], true);
    for (let i = 0; i < 9; i++) {
      const value = positions[3 * triangles[3 * t + Math.floor(i / 3)] + (i % 3)];
      view.setFloat32(offset + 12 + 4 * i, value, true);
    }
  }
  return bytes;
}

/** Unit normal of the triangle whose corners start at `t`; 0 where it has no area. */
function facetNormal(p: Float64Array, triangles: Int32Array, t: number): number[] {
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return length > 0 && Number.isFinite(length) ? n.map((value) => value / length) : [0, 0, 0];
}

function fail(offset: number, value: unknown, advice: string): never {
  throw new TendonError('E_FORMAT', `.stl byte ${offset}`, value, advice);
}
