/**
 * Gmsh's `.msh`, ASCII, versions 2.2 and 4.1. Triangles, quadrilaterals (split) and tetrahedra are read, also those of
 * second order (without their middle nodes); other kinds are skipped. The region of an element is its physical group
 * where it has one, else the number of its surface or volume.
 * Format: https://gmsh.info/doc/texinfo/gmsh.html#File-formats
 */

import { makeTetData, type TetData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { formatNumber } from '../text/number-text.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { readGmshBlocks, readGmshEntities } from './gmsh-blocks.js';
import { type GmshLists, makeGmshLists, pushGmshElement, wantEnd } from './gmsh-lists.js';

/** Versions that are read and written. */
export type GmshVersion = '2.2' | '4.1';

/** Reads a `.msh` file. Throws `TendonError` with the line where it cannot. */
export function readGmsh(contents: Uint8Array | string, limits: IoLimits = {}): TetData {
  const scanner = new TextScanner(contents, { ...limits, file: '.msh' });
  const version = readFormat(scanner);
  const lists = makeGmshLists();
  while (scanner.nextWord()) {
    const section = scanner.text(0);
    if (!section.startsWith('$')) scanner.fail(section, 'a section was expected');
    if (section === '$Nodes') version === 2 ? readNodes2(scanner, lists) : readGmshBlocks(scanner, lists, 'nodes');
    else if (section === '$Elements') {
      version === 2 ? readElements2(scanner, lists) : readGmshBlocks(scanner, lists, 'elements');
    } else if (section === '$Entities' && version === 4) readGmshEntities(scanner, lists);
    else {
      skipTo(scanner, `$End${section.slice(1)}`);
      continue;
    }
    wantEnd(scanner, `$End${section.slice(1)}`);
  }
  if (lists.positions.length === 0) scanner.failEnd('"$Nodes"');
  return makeTetData(lists);
}

/** Writes a `.msh` file with every digit; regions become physical groups. */
export function writeGmsh(data: TetData, version: GmshVersion = '4.1'): Uint8Array {
  const writer = new TextWriter();
  for (const line of ['$MeshFormat', `${version} 0 8`, '$EndMeshFormat']) writer.line(line);
  if (version === '2.2') write22(writer, data);
  else write41(writer, data);
  return writer.finish();
}

function readFormat(scanner: TextScanner): 2 | 4 {
  const first = scanner.wantText('"$MeshFormat"');
  if (first !== '$MeshFormat') scanner.fail(first, '"$MeshFormat" was expected');
  const version = scanner.wantNumber('the version');
  if (version !== 2.2 && version !== 4.1) scanner.fail(version, 'only versions 2.2 and 4.1 can be read');
  if (scanner.wantNumber('the file type') !== 0) scanner.fail(1, 'only ASCII files can be read');
  scanner.wantNumber('the size of numbers');
  wantEnd(scanner, '$EndMeshFormat');
  return version === 2.2 ? 2 : 4;
}

function skipTo(scanner: TextScanner, end: string): void {
  while (scanner.nextWord()) if (scanner.is(0, end)) return;
  scanner.failEnd(`"${end}"`);
}

function readNodes2(scanner: TextScanner, lists: GmshLists): void {
  const count = scanner.wantInteger('the number of nodes', 0, scanner.limits.maxVertices);
  for (let i = 0; i < count; i++) {
    const tag = scanner.wantInteger('the number of a node', 0, Number.MAX_SAFE_INTEGER);
    if (lists.nodes.has(tag)) scanner.fail(tag, 'two nodes have the same number', 'E_DUPLICATE');
    lists.nodes.set(tag, lists.positions.length / 3);
    for (let k = 0; k < 3; k++) lists.positions.push(scanner.wantNumber('a coordinate'));
  }
}

/** `number type tags... nodes...`, one element per line. */
function readElements2(scanner: TextScanner, lists: GmshLists): void {
  const count = scanner.wantInteger('the number of elements', 0, scanner.limits.maxElements);
  for (let i = 0; i < count; i++) {
    if (!scanner.nextLine()) scanner.failEnd('an element');
    const type = scanner.integer(1, 1, 1000);
    const tagCount = scanner.integer(2, 0, scanner.count - 3);
    const limit = 0x7fffffff;
    const physical = tagCount > 0 ? scanner.integer(3, -limit, limit) : 0;
    const region = physical !== 0 || tagCount < 2 ? physical : scanner.integer(4, -limit, limit);
    pushGmshElement(scanner, lists, { type, region, firstWord: 3 + tagCount });
  }
}

function write22(writer: TextWriter, data: TetData): void {
  const { positions, tets, regions, triangles = new Int32Array(0), triangleRegions } = data;
  writer.line('$Nodes');
  writer.line(`${positions.length / 3}`);
  for (let i = 0; i < positions.length; i += 3) writer.numbers(positions, i, 3, `${i / 3 + 1}`);
  writer.line('$EndNodes');
  writer.line('$Elements');
  writer.line(`${triangles.length / 3 + tets.length / 4}`);
  let number = 1;
  const write = (type: number, corners: Int32Array, width: number, groups: Int32Array | undefined): void => {
    for (let i = 0; i < corners.length; i += width) {
      const group = groups ? groups[i / width] : 0;
      const words = Array.from(corners.subarray(i, i + width), (corner) => corner + 1);
      writer.line(`${number++} ${type} 2 ${group} ${group} ${words.join(' ')}`);
    }
  };
  write(2, triangles, 3, triangleRegions);
  write(4, tets, 4, regions);
  writer.line('$EndElements');
}

function write41(writer: TextWriter, data: TetData): void {
  const { positions, tets, regions, triangles = new Int32Array(0), triangleRegions } = data;
  const vertexCount = positions.length / 3;
  const triangleRuns = findRuns(triangles.length / 3, triangleRegions);
  const tetRuns = findRuns(tets.length / 4, regions);
  // Gmsh refuses elements of entities that were not announced: one surface or volume per region, in that order.
  const surfaces = [...new Set(triangleRuns.map(({ region }) => region))];
  const volumes = [...new Set(tetRuns.map(({ region }) => region))];
  const isEmpty = surfaces.length + volumes.length === 0;
  writer.line('$Entities');
  writer.line(`${isEmpty ? 1 : 0} 0 ${surfaces.length} ${volumes.length}`);
  if (isEmpty) writer.line('1 0 0 0 0');
  const box = findBox(positions);
  for (const list of [surfaces, volumes]) {
    for (const [i, region] of list.entries()) writer.line(`${i + 1} ${box} 1 ${region} 0`);
  }
  writer.line('$EndEntities');
  writer.line('$Nodes');
  writer.line(`1 ${vertexCount} 1 ${vertexCount}`);
  writer.line(`${isEmpty ? 0 : volumes.length > 0 ? 3 : 2} 1 0 ${vertexCount}`);
  for (let i = 1; i <= vertexCount; i++) writer.line(formatNumber(i));
  for (let i = 0; i < positions.length; i += 3) writer.numbers(positions, i, 3);
  writer.line('$EndNodes');
  writer.line('$Elements');
  const elementCount = triangles.length / 3 + tets.length / 4;
  writer.line(`${triangleRuns.length + tetRuns.length} ${elementCount} 1 ${elementCount}`);
  let number = 1;
  const write = (kind: [number, number], corners: Int32Array, runs: readonly Run[], list: readonly number[]): void => {
    const width = kind[0] + 1;
    const tags = new Map(list.map((region, i) => [region, i + 1]));
    for (const { start, end, region } of runs) {
      writer.line(`${kind[0]} ${tags.get(region)} ${kind[1]} ${end - start}`);
      for (let i = start; i < end; i++) {
        const words = Array.from(corners.subarray(i * width, (i + 1) * width), (corner) => corner + 1);
        writer.line(`${number++} ${words.join(' ')}`);
      }
    }
  };
  write([2, 2], triangles, triangleRuns, surfaces);
  write([3, 4], tets, tetRuns, volumes);
  writer.line('$EndElements');
}

/** Lowest and highest coordinates, as six words. */
function findBox(positions: Float64Array): string {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return [...low, ...high].map(formatNumber).join(' ');
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly region: number;
}

/** Neighbours with the same region, so that the order of elements is kept. */
function findRuns(count: number, regions: Int32Array | undefined): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < count; ) {
    const region = regions?.[start] ?? 0;
    let end = start + 1;
    while (end < count && (regions?.[end] ?? 0) === region) end++;
    runs.push({ start, end, region });
    start = end;
  }
  return runs;
}
