/**
 * TetGen's text files: `.node` (vertices), `.ele` (tetrahedra) and `.face` (triangles).
 *
 *   .node   n 3 attributes markers      .ele   t 4 attributes            .face   f markers
 *           index x y z ...                    index a b c d [region]            index a b c [marker]
 *
 * Indices count from 0 or from 1, as the first vertex has it. `#` starts a comment. The counts in the first line are
 * checked against what follows and never used to reserve memory. Format: https://wias-berlin.de/software/tetgen
 */
import { TendonError } from '../../errors.js';
import { makeTetData, type TetData } from '../mesh-data.js';
import type { IoLimits } from '../text/io-limits.js';
import { TextScanner } from '../text/text-scanner.js';
import { TextWriter } from '../text/text-writer.js';
import { readTable, type Table } from './tetgen-table.js';

/** A mesh as TetGen writes it. */
export interface TetgenFiles {
  readonly node: Uint8Array;
  readonly ele: Uint8Array;
  /** Only where the mesh has triangles. */
  readonly face?: Uint8Array;
}

/** What `readTetgen` may be told. */
export interface TetgenReadOptions extends IoLimits {
  /** Contents of the `.face` file. */
  readonly face?: Uint8Array | string;
}

/** Writes the files, counting from 0, with every digit of every coordinate. */
export function writeTetgen(mesh: TetData): TetgenFiles {
  const { positions, tets, regions, triangles, triangleRegions } = mesh;
  const node = new TextWriter();
  node.line(`${positions.length / 3} 3 0 0`);
  for (let i = 0; i < positions.length; i += 3) node.numbers(positions, i, 3, `${i / 3}`);
  const ele = new TextWriter();
  writeRows(ele, `${tets.length / 4} 4`, { corners: tets, width: 4, numbers: regions });
  const files = { node: node.finish(), ele: ele.finish() };
  if (triangles === undefined) return files;
  const face = new TextWriter();
  writeRows(face, `${triangles.length / 3}`, { corners: triangles, width: 3, numbers: triangleRegions });
  return { ...files, face: face.finish() };
}

/**
 * Reads a mesh from the contents of the files. The first attribute of a tetrahedron is its region where all are whole
 * numbers; other attributes and the extra nodes of 10-node tetrahedra are skipped. Throws `E_FORMAT` with file and line
 * where the text is not what the format says.
 */
export function readTetgen(
  nodeFile: Uint8Array | string,
  eleFile: Uint8Array | string,
  options: TetgenReadOptions = {},
): TetData {
  const open = (contents: Uint8Array | string, file: string): TextScanner =>
    new TextScanner(contents, { ...options, file, comment: '#', separator: ',' });
  const nodeScanner = open(nodeFile, '.node');
  const nodes = readTable(nodeScanner, { width: 3, minRows: 1, maxRows: nodeScanner.limits.maxVertices });
  if (nodes.header[1] !== 3) fail('.node', nodes.headerLine, nodes.header[1], 'only 3-dimensional meshes can be read');
  const scanner = open(eleFile, '.ele');
  const maxRows = scanner.limits.maxElements;
  // The first attribute comes after all the nodes of a row.
  const elements = readTable(scanner, {
    width: 4,
    minRows: 1,
    maxRows,
    extra: (header) => (header[2] > 0 ? 1 : 0) + (header[1] === 10 ? 6 : 0),
  });
  const nodeCount = elements.header[1];
  if (nodeCount !== 4 && nodeCount !== 10) {
    fail('.ele', elements.headerLine, nodeCount, 'tetrahedra must have 4 or 10 nodes');
  }
  const faces =
    options.face === undefined
      ? undefined
      : readTable(open(options.face, '.face'), {
          width: 3,
          minRows: 0,
          maxRows,
          extra: (header) => (header[1] > 0 ? 1 : 0),
        });
  const vertexCount = nodes.values.length / 3;
  return makeTetData({
    positions: nodes.values,
    tets: toVertices(elements, { file: '.ele', width: 4, base: nodes.base, vertexCount }),
    regions: elements.header[2] > 0 ? toRegions(elements) : [],
    triangles: faces ? toVertices(faces, { file: '.face', width: 3, base: nodes.base, vertexCount }) : [],
    triangleRegions: faces && faces.header[1] > 0 ? toRegions(faces) : [],
  });
}

interface RowNumbers {
  readonly corners: Int32Array;
  readonly width: number;
  readonly numbers?: Int32Array;
}

function writeRows(writer: TextWriter, counts: string, { corners, width, numbers }: RowNumbers): void {
  writer.line(`${counts} ${numbers ? 1 : 0}`);
  for (let i = 0; i < corners.length / width; i++) {
    const row = [...corners.subarray(i * width, (i + 1) * width), ...(numbers?.subarray(i, i + 1) ?? [])];
    writer.numbers(row, 0, row.length, `${i}`);
  }
}

interface VertexRule {
  readonly file: string;
  readonly width: number;
  readonly base: number;
  readonly vertexCount: number;
}

function toVertices(table: Table, { file, width, base, vertexCount }: VertexRule): Int32Array {
  const vertices = new Int32Array(table.values.length);
  for (let i = 0; i < vertices.length; i++) {
    const index = table.values[i] - base;
    if (!Number.isInteger(index) || index < 0 || index >= vertexCount) {
      const advice = `a node must be a whole number from ${base} to ${vertexCount - 1 + base}`;
      fail(file, table.lines[Math.floor(i / width)], table.values[i], advice);
    }
    vertices[i] = index;
  }
  return vertices;
}

/** The last of the extra numbers of each row, or nothing where they are not regions. */
function toRegions({ extras, lines }: Table): number[] {
  const width = extras.length / lines.length;
  const regions = lines.map((_, row) => extras[(row + 1) * width - 1]);
  return regions.every((value) => Number.isInteger(value) && Math.abs(value) <= 0x7fffffff) ? regions : [];
}

function fail(file: string, line: number, value: unknown, advice: string): never {
  throw new TendonError('E_FORMAT', `${file} line ${line}`, value, advice);
}
