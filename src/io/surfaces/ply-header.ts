/** The header of a PLY file: what elements follow, with which properties, and in which encoding. Used by `readPly`. */
import { TendonError } from '../../errors.js';

/** How the numbers after the header are written. */
export type PlyFormat = 'ascii' | 'binary_little_endian' | 'binary_big_endian';
/** Types of numbers, by their sized names. */
export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

/** One property of an element. */
export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  /** Type of the count, where the property is a list. */
  readonly countType?: PlyType;
}

/** One kind of row. */
export interface PlyElement {
  readonly name: string;
  /** How many rows are announced: to be believed only as they are found. */
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

/** What a header says. */
export interface PlyHeader {
  readonly format: PlyFormat;
  readonly elements: readonly PlyElement[];
  /** Where the numbers start [bytes]. */
  readonly end: number;
  /** Lines of the header. */
  readonly lineCount: number;
}

/** Bytes of a number of each type. */
export const PLY_SIZES: ReadonlyMap<PlyType, number> = new Map([
  ['int8', 1],
  ['uint8', 1],
  ['int16', 2],
  ['uint16', 2],
  ['int32', 4],
  ['uint32', 4],
  ['float32', 4],
  ['float64', 8],
]);
const OTHER_NAMES = new Map<string, PlyType>([
  ['char', 'int8'],
  ['uchar', 'uint8'],
  ['short', 'int16'],
  ['ushort', 'uint16'],
  ['int', 'int32'],
  ['uint', 'uint32'],
  ['float', 'float32'],
  ['double', 'float64'],
]);
const FORMATS: readonly string[] = ['ascii', 'binary_little_endian', 'binary_big_endian'];
/** A header longer than this is not one [bytes], [rows]. */
const MAX_HEADER = 1 << 16;
const MAX_ITEMS = 256;

/** Reads the header. */
export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = [];
  let format: PlyFormat | undefined;
  let line = 0;
  for (let at = 0; ; ) {
    const end = bytes.subarray(0, MAX_HEADER).indexOf(10, at);
    line++;
    if (end < 0) fail(line, 'the end', '"end_header" was expected');
    const words = splitWords(new TextDecoder().decode(bytes.subarray(at, end)));
    at = end + 1;
    const [first, second, third] = words;
    if (line === 1) {
      if (first !== 'ply') fail(line, first, '"ply" was expected');
    } else if (first === 'format') {
      if (!FORMATS.includes(second)) fail(line, second, `one of ${FORMATS.join(', ')} was expected`);
      format = second as PlyFormat;
    } else if (first === 'element') {
      const count = Number(third);
      if (!/^\d{1,15}$/.test(third ?? '')) fail(line, third, 'a count was expected');
      elements.push({ name: second, count, properties: [] });
    } else if (first === 'property') {
      const element = elements.at(-1);
      if (element === undefined) fail(line, second, 'a property must follow an element');
      element.properties.push(readProperty(words, line));
      if (element.properties.length > MAX_ITEMS) fail(line, MAX_ITEMS, 'too many properties');
    } else if (first === 'end_header') {
      if (format === undefined) fail(line, first, 'the format is missing');
      return { format, elements, end: at, lineCount: line };
    } else if (first !== 'comment' && first !== 'obj_info' && first !== undefined) {
      fail(line, first, 'no such word in a header');
    }
    if (elements.length > MAX_ITEMS) fail(line, MAX_ITEMS, 'too many elements');
  }
}

function readProperty(words: readonly string[], line: number): PlyProperty {
  if (words[1] !== 'list') return { name: wantName(words[2], line), type: wantType(words[1], line) };
  const countType = wantType(words[2], line);
  if (countType.startsWith('float')) fail(line, words[2], 'a count is a whole number');
  return { name: wantName(words[4], line), type: wantType(words[3], line), countType };
}

function wantName(name: string | undefined, line: number): string {
  return name ?? fail(line, name, 'a name was expected');
}

function wantType(name: string | undefined, line: number): PlyType {
  const type = OTHER_NAMES.get(name ?? '') ?? (name as PlyType);
  if (!PLY_SIZES.has(type)) fail(line, name, 'no such type of number');
  return type;
}

function splitWords(text: string): string[] {
  return text.split(/[ \t\r\uFEFF]/).filter((word) => word !== '');
}

function fail(line: number, value: unknown, advice: string): never {
  throw new TendonError('E_FORMAT', `.ply line ${line}`, value, advice);
}
