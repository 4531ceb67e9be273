/**
 * VTK's XML files for unstructured grids (`.vtu`), with ASCII arrays. Several pieces are put together. Cells and regions
 * as in legacy files (`vtk.ts`). Binary and appended arrays are refused by name.
 */
import { TendonError } from '../../errors.js';
import { makeTetData, requireCountsAt, type TetData } from '../mesh-data.js';
import { type IoLimits, resolveLimits } from '../text/io-limits.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { XmlScanner, type XmlTag } from '../text/xml-scanner.js';
import { isRegionName, listVtkCells, pushVtkCells, type VtkLists } from './vtk-cells.js';

interface Piece {
  points: number[];
  connectivity: number[];
  offsets: number[];
  types: number[];
  regions: number[];
}

/** Elements that hold arrays; arrays themselves may hold notes. */
const SECTIONS = ['Points', 'Cells', 'CellData', 'PointData', 'FieldData'];
/** Numbers per line in what is written. */
const NUMBERS_PER_LINE = 12;

/** Reads a `.vtu` file. Throws `TendonError` with the line where it cannot. */
export function readVtu(bytes: Uint8Array, options: IoLimits = {}): TetData {
  const limits = resolveLimits(options);
  const xml = new XmlScanner(bytes, '.vtu', limits);
  const root = xml.next();
  if (root?.name !== 'VTKFile' || root.attributes.get('type') !== 'UnstructuredGrid') {
    xml.fail(0, root?.attributes.get('type'), '<VTKFile type="UnstructuredGrid"> was expected');
  }
  const lists: VtkLists = { positions: [], tets: [], regions: [], triangles: [], triangleRegions: [] };
  let piece: Piece | undefined;
  let section = '';
  for (let tag = xml.next(); tag !== undefined; tag = xml.next()) {
    if (tag.name === 'Piece') {
      if (tag.kind === 'open') piece = { points: [], connectivity: [], offsets: [], types: [], regions: [] };
      else if (piece !== undefined) {
        finishPiece(piece, tag, { xml, lists, limits });
        piece = undefined;
      }
    } else if (tag.name === 'DataArray' && tag.kind === 'open' && piece !== undefined) {
      readArray(tag, section, { xml, piece, limits });
    } else if (tag.name === 'AppendedData') xml.fail(tag.end, 'AppendedData', 'only ASCII arrays can be read');
    else if (SECTIONS.includes(tag.name)) section = tag.kind === 'open' ? tag.name : '';
  }
  if (lists.positions.length === 0) xml.fail(bytes.length, 'the end', 'no points were found');
  return makeTetData(lists);
}

/** Writes a `.vtu` file with ASCII arrays and every digit. */
export function writeVtu(data: TetData): Uint8Array {
  const { positions } = data;
  const { connectivity, offsets, types, regions } = listVtkCells(data);
  const writer = new TextWriter();
  const array = (attributes: string, values: ArrayLike<number>, perLine = NUMBERS_PER_LINE): void => {
    writer.line(`<DataArray ${attributes} format="ascii">`);
    for (let i = 0; i < values.length; i += perLine) writer.numbers(values, i, Math.min(perLine, values.length - i));
    writer.line('</DataArray>');
  };
  writer.line('<?xml version="1.0"?>');
  writer.line('<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">');
  writer.line('<UnstructuredGrid>');
  writer.line(`<Piece NumberOfPoints="${positions.length / 3}" NumberOfCells="${types.length}">`);
  writer.line('<Points>');
  array('type="Float64" Name="Points" NumberOfComponents="3"', positions, 3);
  writer.line('</Points>');
  writer.line('<Cells>');
  array('type="Int32" Name="connectivity"', connectivity);
  array('type="Int32" Name="offsets"', offsets);
  array('type="UInt8" Name="types"', types);
  writer.line('</Cells>');
  if (regions.length > 0) {
    writer.line('<CellData Scalars="region">');
    array('type="Int32" Name="region"', regions);
    writer.line('</CellData>');
  }
  for (const name of ['Piece', 'UnstructuredGrid', 'VTKFile']) writer.line(`</${name}>`);
  return writer.finish();
}

interface Work {
  readonly xml: XmlScanner;
  readonly limits: Required<IoLimits>;
}

/** Reads an array into the piece if it is one we need. */
function readArray(tag: XmlTag, section: string, { xml, piece, limits }: Work & { piece: Piece }): void {
  const name = tag.attributes.get('Name') ?? '';
  const isRegion = section === 'CellData' && isRegionName(name);
  const isCells = section === 'Cells' && (name === 'connectivity' || name === 'offsets' || name === 'types');
  if (section !== 'Points' && !isCells && !isRegion) return;
  const format = tag.attributes.get('format');
  if (format !== undefined && format !== 'ascii') xml.fail(tag.end, format, 'only ASCII arrays can be read');
  const values: number[] = [];
  const text = xml.bytes.subarray(tag.end, xml.textEnd(tag.end));
  const scanner = new TextScanner(text, { ...limits, file: '.vtu' });
  // Lines are counted from here on: counting from the top for every array would take too long with many of them.
  try {
    while (scanner.nextWord()) values.push(scanner.number(0));
  } catch (error) {
    if (!(error instanceof TendonError)) throw error;
    const line = xml.lineOf(tag.end) + scanner.line - 1;
    throw new TendonError(error.code, `.vtu line ${line}`, error.value, 'a finite number was expected');
  }
  if (section === 'Points') piece.points = values;
  else if (isRegion) piece.regions = values;
  else piece[name as 'connectivity' | 'offsets' | 'types'] = values;
}

function finishPiece(piece: Piece, tag: XmlTag, { xml, lists, limits }: Work & { lists: VtkLists }): void {
  if (piece.points.length % 3 !== 0) xml.fail(tag.end, piece.points.length, 'points need three numbers each');
  const base = lists.positions.length / 3;
  for (const value of piece.points) lists.positions.push(value);
  for (const region of piece.regions) {
    if (!Number.isInteger(region) || Math.abs(region) > 0x7fffffff) {
      xml.fail(tag.end, region, 'a region is a whole number');
    }
  }
  pushVtkCells(piece, lists, base, (value, advice, code = 'E_FORMAT') => {
    throw new TendonError(code, `.vtu line ${xml.lineOf(tag.end)}`, value, advice);
  });
  const elementCount = lists.regions.length + lists.triangleRegions.length;
  requireCountsAt(`.vtu byte ${tag.end}`, limits, lists.positions.length / 3, elementCount);
}
