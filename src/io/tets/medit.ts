/**
 * Medit's `.mesh`, ASCII: keywords, a count, then rows that end with a reference number. Vertices, triangles,
 * quadrilaterals (split) and tetrahedra are read, other kinds of rows skipped. `#` starts a comment. Counts from 1.
 */

import { makeTetData, pushPolygon, requireCounts, type TetData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';

/** Words per row of the sections that hold mesh elements, without the reference. */
const SECTIONS = new Map([
  ['edges', 2],
  ['triangles', 3],
  ['quadrilaterals', 4],
  ['tetrahedra', 4],
  ['hexahedra', 8],
]);
const MAX_REFERENCE = 0x7fffffff;

/** Reads a `.mesh` file. Throws `TendonError` with the line where it cannot. */
export function readMedit(contents: Uint8Array | string, limits: IoLimits = {}): TetData {
  const scanner = new TextScanner(contents, { ...limits, file: '.mesh', comment: '#' });
  readHeader(scanner);
  const lists = { positions: [], tets: [], regions: [], triangles: [], triangleRegions: [] } as Lists;
  let isSkipping = false;
  while (scanner.nextWord()) {
    const keyword = scanner.text(0);
    if (keyword === 'End') break;
    // Numbers follow where a section was not needed: they are stepped over until the next word.
    if (!/^[A-Za-z]/.test(keyword)) {
      if (!isSkipping) scanner.fail(keyword, 'a keyword was expected');
      continue;
    }
    isSkipping = false;
    if (keyword === 'Vertices') readVertices(scanner, lists);
    else if (SECTIONS.has(keyword.toLowerCase())) readElements(scanner, keyword.toLowerCase(), lists);
    else isSkipping = true;
  }
  if (lists.positions.length === 0) scanner.failEnd('"Vertices"');
  return makeTetData(lists);
}

/** Writes a `.mesh` file, every digit kept; regions become the references. */
export function writeMedit(data: TetData): Uint8Array {
  const { positions, tets, regions, triangles = new Int32Array(0), triangleRegions } = data;
  const writer = new TextWriter();
  writer.line('MeshVersionFormatted 2');
  writer.line('Dimension 3');
  writer.line('Vertices');
  writer.line(`${positions.length / 3}`);
  const row = [0, 0, 0, 0];
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) row[k] = positions[i + k];
    writer.numbers(row, 0, 4);
  }
  const write = (name: string, corners: Int32Array, width: number, references: Int32Array | undefined): void => {
    if (corners.length === 0) return;
    writer.line(name);
    writer.line(`${corners.length / width}`);
    for (let i = 0; i < corners.length; i += width) {
      const words = Array.from(corners.subarray(i, i + width), (corner) => corner + 1);
      writer.line(`${words.join(' ')} ${references ? references[i / width] : 0}`);
    }
  };
  write('Triangles', triangles, 3, triangleRegions);
  write('Tetrahedra', tets, 4, regions);
  writer.line('End');
  return writer.finish();
}

interface Lists {
  readonly positions: number[];
  readonly tets: number[];
  readonly regions: number[];
  readonly triangles: number[];
  readonly triangleRegions: number[];
}

function readHeader(scanner: TextScanner): void {
  const first = scanner.wantText('"MeshVersionFormatted"');
  if (first !== 'MeshVersionFormatted') scanner.fail(first, '"MeshVersionFormatted" was expected');
  scanner.wantInteger('the version', 1, 4);
  const second = scanner.wantText('"Dimension"');
  if (second !== 'Dimension') scanner.fail(second, '"Dimension" was expected');
  scanner.wantInteger('the dimension', 3, 3);
}

function readVertices(scanner: TextScanner, { positions }: Lists): void {
  if (positions.length > 0) scanner.fail('Vertices', 'the vertices are there twice');
  const count = scanner.wantInteger('the number of vertices', 1, scanner.limits.maxVertices);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) positions.push(scanner.wantNumber('a coordinate'));
    scanner.wantNumber('a reference');
  }
}

function readElements(scanner: TextScanner, section: string, lists: Lists): void {
  const width = SECTIONS.get(section)!;
  const count = scanner.wantInteger('a count', 0, scanner.limits.maxElements);
  const vertexCount = lists.positions.length / 3;
  const corners: number[] = [];
  for (let i = 0; i < count; i++) {
    corners.length = 0;
    for (let k = 0; k < width; k++) corners.push(scanner.wantInteger('a vertex', 1, vertexCount) - 1);
    const reference = scanner.wantInteger('a reference', -MAX_REFERENCE, MAX_REFERENCE);
    if (section === 'tetrahedra') {
      for (const corner of corners) lists.tets.push(corner);
      lists.regions.push(reference);
    } else if (section === 'triangles' || section === 'quadrilaterals') {
      const added = pushPolygon(corners, lists.triangles);
      for (let k = 0; k < added; k++) lists.triangleRegions.push(reference);
    }
    requireCounts(scanner, vertexCount, lists.regions.length + lists.triangleRegions.length);
  }
}
