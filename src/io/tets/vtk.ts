/**
 * Legacy VTK files (`.vtk`), ASCII, unstructured grids: triangles, quadrilaterals and polygons (split) and tetrahedra;
 * other cells are skipped. Cells are read as versions up to 4 write them (each with its length) and as version 5 does
 * (offsets and connectivity). A whole number per cell named `region` (or as other programs call it) is its region.
 */

import { makeTetData, requireCounts, type TetData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { isRegionName, listVtkCells, pushVtkCells } from './vtk-cells.js';

interface Grid {
  readonly positions: number[];
  connectivity: number[];
  offsets: number[];
  types: number[];
  regions: number[];
  /** Rows of the attributes that follow, and whether they belong to cells. */
  rowCount: number;
  isCellData: boolean;
}

const MAX_REGION = 0x7fffffff;

/** Reads a legacy `.vtk` file. Throws `TendonError` with the line where it cannot. */
export function readVtk(contents: Uint8Array | string, limits: IoLimits = {}): TetData {
  const scanner = new TextScanner(contents, { ...limits, file: '.vtk' });
  readHeader(scanner);
  const grid: Grid = {
    positions: [],
    connectivity: [],
    offsets: [],
    types: [],
    regions: [],
    rowCount: 0,
    isCellData: false,
  };
  while (scanner.nextLine()) readSection(scanner, grid);
  if (grid.positions.length === 0) scanner.failEnd('"POINTS"');
  const lists = { positions: grid.positions, tets: [], regions: [], triangles: [], triangleRegions: [] };
  pushVtkCells(grid, lists, 0, (value, advice, code) => scanner.fail(value, advice, code));
  return makeTetData(lists);
}

/** Writes a legacy `.vtk` file (version 3) with every digit. */
export function writeVtk(data: TetData): Uint8Array {
  const { positions } = data;
  const { connectivity, offsets, types, regions } = listVtkCells(data);
  const writer = new TextWriter();
  writer.line('# vtk DataFile Version 3.0');
  writer.line('written by tendon');
  writer.line('ASCII');
  writer.line('DATASET UNSTRUCTURED_GRID');
  writer.line(`POINTS ${positions.length / 3} double`);
  for (let i = 0; i < positions.length; i += 3) writer.numbers(positions, i, 3);
  writer.line(`CELLS ${types.length} ${connectivity.length + types.length}`);
  for (let i = 0, start = 0; i < types.length; i++) {
    writer.numbers(connectivity, start, offsets[i] - start, `${offsets[i] - start}`);
    start = offsets[i];
  }
  writer.line(`CELL_TYPES ${types.length}`);
  for (const type of types) writer.line(`${type}`);
  if (regions.length > 0) {
    writer.line(`CELL_DATA ${types.length}`);
    writer.line('SCALARS region int 1');
    writer.line('LOOKUP_TABLE default');
    for (const region of regions) writer.line(`${region}`);
  }
  return writer.finish();
}

function readHeader(scanner: TextScanner): void {
  if (!scanner.nextLine() || !scanner.is(0, '#') || !scanner.is(1, 'vtk')) {
    scanner.fail(scanner.count > 0 ? scanner.text(0) : '', '"# vtk DataFile Version" was expected');
  }
  // The second line is a title; it may be empty, and may be anything.
  if (!scanner.nextLine()) scanner.failEnd('"ASCII"');
  if (!(scanner.count === 1 && isWord(scanner, 0, 'ASCII')) && !scanner.nextLine()) scanner.failEnd('"ASCII"');
  if (!isWord(scanner, 0, 'ASCII')) scanner.fail(scanner.text(0), 'only ASCII files can be read');
  if (!scanner.nextLine()) scanner.failEnd('"DATASET"');
  if (!isWord(scanner, 0, 'DATASET') || !isWord(scanner, 1, 'UNSTRUCTURED_GRID')) {
    scanner.fail(scanner.textFrom(0).slice(0, 80), 'only DATASET UNSTRUCTURED_GRID can be read');
  }
}

/** What the keyword of the current line announces. Lines that start with anything else are skipped. */
function readSection(scanner: TextScanner, grid: Grid): void {
  const { maxVertices, maxElements } = scanner.limits;
  if (isWord(scanner, 0, 'POINTS')) {
    if (grid.positions.length > 0) scanner.fail('POINTS', 'the points are there twice');
    const count = scanner.integer(1, 1, maxVertices);
    for (let i = 0; i < 3 * count; i++) grid.positions.push(scanner.wantNumber('a coordinate'));
  } else if (isWord(scanner, 0, 'CELLS')) {
    if (grid.offsets.length > 0) scanner.fail('CELLS', 'the cells are there twice');
    readCells(scanner, grid, scanner.integer(1, 0, maxElements), scanner.integer(2, 0, 32 * maxElements));
  } else if (isWord(scanner, 0, 'CELL_TYPES')) {
    grid.types = readNumbers(scanner, scanner.integer(1, 0, maxElements));
  } else if (isWord(scanner, 0, 'CELL_DATA') || isWord(scanner, 0, 'POINT_DATA')) {
    grid.isCellData = isWord(scanner, 0, 'CELL_DATA');
    grid.rowCount = scanner.integer(1, 0, maxElements);
  } else if (isWord(scanner, 0, 'SCALARS') && scanner.count > 2) {
    const isRegion = grid.isCellData && isRegionName(scanner.text(1));
    const width = scanner.count > 3 ? scanner.integer(3, 1, 4) : 1;
    if (!isRegion || width !== 1) return;
    if (scanner.wantText('"LOOKUP_TABLE"').toUpperCase() !== 'LOOKUP_TABLE') scanner.fail('', 'a table was expected');
    scanner.wantText('the name of a table');
    grid.regions = readRegions(scanner, grid.rowCount);
  } else if (isWord(scanner, 0, 'FIELD') && scanner.count > 2) readField(scanner, grid, scanner.integer(2, 0, 1e6));
}

function readCells(scanner: TextScanner, grid: Grid, count: number, size: number): void {
  if (!scanner.nextWord()) {
    if (count > 0) scanner.failEnd('a cell');
    return;
  }
  if (isWord(scanner, 0, 'OFFSETS')) {
    // Version 5: `count` offsets from 0 on, so one more than there are cells.
    scanner.wantText('a type of numbers');
    grid.offsets = readNumbers(scanner, count).slice(1);
    if (scanner.wantText('"CONNECTIVITY"').toUpperCase() !== 'CONNECTIVITY') scanner.fail('', 'CONNECTIVITY expected');
    scanner.wantText('a type of numbers');
    grid.connectivity = readNumbers(scanner, size);
    return;
  }
  for (let i = 0; i < count; i++) {
    const length = i === 0 ? scanner.integer(0, 0, size) : scanner.wantInteger('the length of a cell', 0, size);
    for (let k = 0; k < length; k++) grid.connectivity.push(scanner.wantNumber('a point'));
    grid.offsets.push(grid.connectivity.length);
    requireCounts(scanner, 0, grid.connectivity.length / 32);
  }
}

/** Arrays of a FIELD: `name width rows type`, then the numbers; those of text are not expected here. */
function readField(scanner: TextScanner, grid: Grid, arrayCount: number): void {
  for (let i = 0; i < arrayCount; i++) {
    const name = scanner.wantText('the name of an array');
    const width = scanner.wantInteger('the width of an array', 0, 1e6);
    const rowCount = scanner.wantInteger('the rows of an array', 0, scanner.limits.maxElements);
    scanner.wantText('a type of numbers');
    if (grid.isCellData && width === 1 && isRegionName(name)) grid.regions = readRegions(scanner, rowCount);
    else for (let k = 0; k < width * rowCount; k++) scanner.wantText('a value');
  }
}

function readNumbers(scanner: TextScanner, count: number): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) numbers.push(scanner.wantNumber('a number'));
  return numbers;
}

function readRegions(scanner: TextScanner, count: number): number[] {
  const regions: number[] = [];
  for (let i = 0; i < count; i++) regions.push(scanner.wantInteger('a region', -MAX_REGION, MAX_REGION));
  return regions;
}

/** Keywords are written in capitals, but not by everyone. */
function isWord(scanner: TextScanner, i: number, word: string): boolean {
  return i < scanner.count && (scanner.is(i, word) || scanner.text(i).toUpperCase() === word);
}
