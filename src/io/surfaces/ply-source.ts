/** Numbers of a PLY file one after the other, whichever way they are written. Used by `readPly`. */
import { TendonError } from '../../errors.js';
import type { IoLimits } from '../text/io-limits.js';
import { TextScanner } from '../text/text-scanner.js';
import { PLY_SIZES, type PlyHeader, type PlyProperty, type PlyType } from './ply-header.js';

/** Gives numbers in the order of the file and throws where it ends. */
export interface PlySource {
  /** The next number; may be NaN or infinite in binary files. */
  number(type: PlyType): number;
  /** The next number as the length of a list, which is known to fit into what is left of the file. */
  count(type: PlyType): number;
  /** Steps over a property. */
  skip(property: PlyProperty): void;
  /** Where we are, for errors. */
  place(): string;
}

/** Numbers as words of text. */
export function plyAsciiSource(bytes: Uint8Array, header: PlyHeader, limits: Required<IoLimits>): PlySource {
  const scanner = new TextScanner(bytes.subarray(header.end), { ...limits, file: '.ply' });
  scanner.line = header.lineCount;
  const source: PlySource = {
    number: () => scanner.wantNumber('a number'),
    count: () => scanner.wantInteger('the length of a list', 0, bytes.length),
    skip: ({ countType, type }) => {
      const count = countType ? source.count(countType) : 1;
      for (let i = 0; i < count; i++) source.number(type);
    },
    place: () => `.ply line ${scanner.line}`,
  };
  return source;
}

/** Numbers as bytes. */
export function plyBinarySource(bytes: Uint8Array, header: PlyHeader): PlySource {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = header.format === 'binary_little_endian';
  let at = header.end;
  const advance = (size: number, what: unknown): number => {
    const from = at;
    if (size > bytes.length - at) {
      throw new TendonError('E_FORMAT', `.ply byte ${at}`, what, `only ${bytes.length - at} bytes are left`);
    }
    at += size;
    return from;
  };
  const source: PlySource = {
    number: (type) => {
      const from = advance(PLY_SIZES.get(type)!, type);
      if (type === 'float32') return view.getFloat32(from, isLittle);
      if (type === 'float64') return view.getFloat64(from, isLittle);
      if (type === 'int32') return view.getInt32(from, isLittle);
      if (type === 'uint32') return view.getUint32(from, isLittle);
      if (type === 'int16') return view.getInt16(from, isLittle);
      if (type === 'uint16') return view.getUint16(from, isLittle);
      return type === 'int8' ? view.getInt8(from) : view.getUint8(from);
    },
    count: (type) => {
      const count = source.number(type);
      if (count >= 0 && count <= bytes.length - at) return count;
      throw new TendonError('E_FORMAT', `.ply byte ${at}`, count, `only ${bytes.length - at} bytes are left`);
    },
    skip: ({ countType, type }) => {
      const count = countType ? source.count(countType) : 1;
      advance(count * PLY_SIZES.get(type)!, count);
    },
    place: () => `.ply byte ${at}`,
  };
  return source;
}
