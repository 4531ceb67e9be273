/**
 * TetGen's pair of text files: `.node` (vertices) and `.ele` (tetrahedra).
 *
 *   .node   n 3 attributes markers      .ele   t 4 attributes
 *           index x y z ...                    index a b c d ...
 *
 * Indices count from 0 or from 1, as the first vertex has it. `#` starts a comment. The counts in the first line are
 * checked against what follows and never used to reserve memory. Format: https://wias-berlin.de/software/tetgen
 */
import { TendonError } from '../errors.js';
import type { TetMesh } from '../mesh/tet-mesh.js';

/** A mesh as TetGen writes it. */
export interface TetgenFiles {
  readonly node: Uint8Array;
  readonly ele: Uint8Array;
}

/** Limits beyond which a file is refused rather than read. */
export interface TetgenLimits {
  /** Default 5e6. */
  readonly maxVertices?: number;
  /** Default 2e7. */
  readonly maxTets?: number;
  /** Size of either file [bytes]; default 512 MiB. */
  readonly maxBytes?: number;
}

/** Most characters of a number that is still a number; also keeps the pattern below from being slow. */
const MAX_NUMBER_LENGTH = 64;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** Most numbers in a line that are looked at: 10-node tetrahedra have eleven and a few attributes. */
const MAX_FIELDS = 64;

/** Writes both files, counting from 0, with every digit of every coordinate. */
export function writeTetgen(mesh: TetMesh): TetgenFiles {
  const { positions: p, tets } = mesh;
  const node = [`${p.length / 3} 3 0 0`];
  for (let i = 0; i < p.length; i += 3) {
    node.push(`${i / 3} ${exact(p[i])} ${exact(p[i + 1])} ${exact(p[i + 2])}`);
  }
  const ele = [`${tets.length / 4} 4 0`];
  for (let t = 0; t < tets.length; t += 4) {
    ele.push(`${t / 4} ${tets[t]} ${tets[t + 1]} ${tets[t + 2]} ${tets[t + 3]}`);
  }
  const encoder = new TextEncoder();
  return { node: encoder.encode(`${node.join('\n')}\n`), ele: encoder.encode(`${ele.join('\n')}\n`) };
}

/**
 * Reads a mesh from the contents of both files. Attributes, markers and the extra nodes of 10-node tetrahedra are
 * skipped. Throws `E_FORMAT` with file and line where the text is not what the format says.
 */
export function readTetgen(
  nodeFile: Uint8Array | string,
  eleFile: Uint8Array | string,
  limits: TetgenLimits = {},
): TetMesh {
  const { maxVertices = 5e6, maxTets = 2e7, maxBytes = 512 * 1024 * 1024 } = limits;
  const nodes = readTable(nodeFile, { file: '.node', width: 3, maxRows: maxVertices, maxBytes });
  if (nodes.header[1] !== 3) fail('.node', nodes.headerLine, nodes.header[1], 'only 3-dimensional meshes can be read');
  const elements = readTable(eleFile, { file: '.ele', width: 4, maxRows: maxTets, maxBytes });
  if (elements.header[1] !== 4 && elements.header[1] !== 10) {
    fail('.ele', elements.headerLine, elements.header[1], 'tetrahedra must have 4 or 10 nodes');
  }
  const vertexCount = nodes.values.length / 3;
  const tets = new Int32Array(elements.values.length);
  for (let i = 0; i < tets.length; i++) {
    const index = elements.values[i] - nodes.base;
    if (!Number.isInteger(index) || index < 0 || index >= vertexCount) {
      const advice = `a node must be a whole number from ${nodes.base} to ${vertexCount - 1 + nodes.base}`;
      fail('.ele', elements.lines[Math.floor(i / 4)], elements.values[i], advice);
    }
    tets[i] = index;
  }
  return { positions: Float64Array.from(nodes.values), tets };
}

interface TableOptions {
  readonly file: string;
  /** Numbers to keep of each row, after its index. */
  readonly width: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

interface Table {
  readonly header: number[];
  readonly headerLine: number;
  /** Index of the first row, 0 or 1. */
  readonly base: number;
  readonly values: number[];
  /** Line of each row, for error messages. */
  readonly lines: number[];
}

/** Reads a header and the rows it announces. */
function readTable(contents: Uint8Array | string, options: TableOptions): Table {
  const { file, width, maxRows, maxBytes } = options;
  if (contents.length > maxBytes) fail(file, 1, contents.length, `the file may have at most ${maxBytes} bytes`);
  const text = typeof contents === 'string' ? contents.replace(/^\uFEFF/, '') : new TextDecoder().decode(contents);
  let header: number[] | undefined;
  let headerLine = 0;
  let base = 0;
  const values: number[] = [];
  const lines: number[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line++;
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const fields = splitFields(text, start, end);
    start = end + 1;
    if (fields.length === 0) continue;
    if (header === undefined) {
      header = fields.slice(0, 4).map((field) => parseNumber(field, file, line));
      headerLine = line;
      if (!Number.isInteger(header[0]) || header[0] < 1 || header[0] > maxRows) {
        fail(file, line, header[0], `the first line must start with a count from 1 to ${maxRows}`);
      }
      continue;
    }
    if (lines.length === header[0]) fail(file, line, fields[0], `only ${header[0]} rows were announced`);
    if (fields.length < width + 1) fail(file, line, fields.length, `a row needs ${width + 1} numbers`);
    const index = parseNumber(fields[0], file, line);
    if (lines.length === 0) base = index;
    if ((base !== 0 && base !== 1) || index !== base + lines.length) {
      fail(file, line, index, 'rows must be numbered one after the other, from 0 or from 1');
    }
    for (let i = 1; i <= width; i++) values.push(parseNumber(fields[i], file, line));
    lines.push(line);
  }
  if (header === undefined) fail(file, line + 1, text.length, 'the file holds no numbers');
  if (lines.length < header[0]) fail(file, line + 1, lines.length, `the file ends before its ${header[0]} rows`);
  return { header, headerLine, base, values, lines };
}

/** The words of one line up to a comment, at most `MAX_FIELDS`. */
function splitFields(text: string, start: number, end: number): string[] {
  const fields: string[] = [];
  let wordStart = -1;
  for (let i = start; i <= end && fields.length < MAX_FIELDS; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    const isComment = code === 35;
    const isSpace = code === 32 || code === 9 || code === 13 || code === 44;
    if (!isSpace && !isComment) {
      if (wordStart < 0) wordStart = i;
      continue;
    }
    if (wordStart >= 0) fields.push(text.slice(wordStart, i));
    wordStart = -1;
    if (isComment) break;
  }
  return fields;
}

function parseNumber(field: string, file: string, line: number): number {
  const value = field.length <= MAX_NUMBER_LENGTH && NUMBER.test(field) ? Number(field) : Number.NaN;
  if (!Number.isFinite(value)) fail(file, line, field, 'a finite number was expected');
  return value;
}

/** Shortest text that reads back as the same double; `String` alone loses the sign of -0. */
function exact(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function fail(file: string, line: number, value: unknown, advice: string): never {
  throw new TendonError('E_FORMAT', `${file} line ${line}`, value, advice);
}
