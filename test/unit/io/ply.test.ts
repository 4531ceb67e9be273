import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlyFormat, readPly, writePly } from '../../../src/io/surfaces/ply.js';
import { surface } from './arbitraries.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FORMATS: PlyFormat[] = ['ascii', 'binary_little_endian', 'binary_big_endian'];
const ASCII = `ply
format ascii 1.0
comment made by hand
element vertex 4
property float x
property float y
property float z
property uchar red
element face 1
property list uchar int vertex_indices
end_header
0 0 0 255
1 0 0 255
1 1 0 255
0 1 0 255
4 0 1 2 3
`;

const ply = surface.chain((data) => {
  const count = data.positions.length / 3;
  const list = (length: number) =>
    fc.float64Array({ minLength: length, maxLength: length, noNaN: true, noDefaultInfinity: true });
  return fc
    .tuple(fc.boolean(), fc.boolean(), list(3 * count), list(2 * count))
    .map(([hasNormals, hasUvs, normals, uvs]) => ({
      ...data,
      ...(hasNormals && { normals }),
      ...(hasUvs && { uvs }),
    }));
});

describe('writePly and readPly', () => {
  it.each(FORMATS)('give the same data again, %s (property)', (format) => {
    fc.assert(
      fc.property(ply, (data) => {
        expect(readPly(writePly(data, format))).toEqual(data);
      }),
    );
  });
});

describe('readPly', () => {
  it.each([
    ['polygons and other properties', ASCII],
    ['CRLF', ASCII.replaceAll('\n', '\r\n')],
    ['vertex_index', ASCII.replace('vertex_indices', 'vertex_index')],
    ['sized types', ASCII.replaceAll('float', 'float64').replace('uchar int', 'uint8 int32')],
    [
      'other elements',
      ASCII.replace('element face', 'element edge 1\nproperty list char short v\nelement face').replace(
        '4 0 1',
        '2 0 1\n4 0 1',
      ),
    ],
    ['elements of nothing', ASCII.replace('end_header', 'element none 999999999999999\nend_header')],
    [
      'faces before vertices',
      `ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 4\nproperty int x\nproperty int y\nproperty int z\nend_header\n4 0 1 2 3 0 0 0 1 0 0 1 1 0 0 1 0`,
    ],
  ])('reads %s', (_, text) => {
    const data = readPly(bytes(text));
    expect(Array.from(data.triangles)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(Array.from(data.positions)).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
  });

  it.each(FORMATS.slice(1))('reads polygons and lists in %s', (format) => {
    const isLittle = format === 'binary_little_endian';
    const head = bytes(
      `ply\nformat ${format} 1.0\nelement vertex 3\nproperty list ushort double junk\nproperty short x\nproperty char y\nproperty uint z\nelement face 1\nproperty list uint ushort vertex_indices\nend_header\n`,
    );
    const view = new DataView(new ArrayBuffer(200));
    let at = 0;
    for (let v = 0; v < 3; v++) {
      view.setUint16(at, v, isLittle);
      at += 2 + 8 * v;
      view.setInt16(at, -v, isLittle);
      view.setInt8(at + 2, v);
      view.setUint32(at + 3, 7, isLittle);
      at += 7;
    }
    view.setUint32(at, 3, isLittle);
    for (let i = 0; i < 3; i++) view.setUint16(at + 4 + 2 * i, i, isLittle);
    const file = Uint8Array.from([...head, ...new Uint8Array(view.buffer, 0, at + 10)]);
    const data = readPly(file);
    expect(Array.from(data.positions)).toEqual([0, 0, 7, -1, 1, 7, -2, 2, 7]);
    expect(Array.from(data.triangles)).toEqual([0, 1, 2]);
    expect(() => readPly(file.slice(0, -1))).toThrow(expect.objectContaining({ code: 'E_FORMAT' }));
  });

  const binary = (count: string) =>
    bytes(
      `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\nproperty float x\nproperty float y\nproperty float z\nend_header\n`,
    );
  it.each([
    ['an empty file', new Uint8Array(0), 'E_FORMAT', '.ply line 1'],
    ['another file', bytes('solid\n'), 'E_FORMAT', '.ply line 1'],
    ['no end of the header', bytes('ply\nformat ascii 1.0\n'), 'E_FORMAT', '.ply line 3'],
    ['no format', bytes('ply\nelement vertex 0\nend_header\n'), 'E_FORMAT', '.ply line 3'],
    ['another format', bytes(ASCII.replace('ascii', 'ebcdic')), 'E_FORMAT', '.ply line 2'],
    ['a negative count', bytes(ASCII.replace('vertex 4', 'vertex -4')), 'E_FORMAT', '.ply line 4'],
    ['a property of nothing', bytes('ply\nformat ascii 1.0\nproperty int x\n'), 'E_FORMAT', '.ply line 3'],
    ['an unknown type', bytes(ASCII.replace('float x', 'string x')), 'E_FORMAT', '.ply line 5'],
    ['no z', bytes(ASCII.replace('float z', 'float zz')), 'E_FORMAT', '.ply line 11'],
    ['a count that lies', bytes(ASCII.replace('vertex 4', 'vertex 5')), 'E_FORMAT', '.ply line 17'],
    ['a huge count', binary('999999999999'), 'E_FORMAT', '.ply byte 126'],
    ['an index past the end', bytes(ASCII.replace('4 0 1 2 3', '3 0 1 4')), 'E_INDEX', '.ply line 16'],
    ['a negative index', bytes(ASCII.replace('4 0 1 2 3', '3 0 1 -1')), 'E_INDEX', '.ply line 16'],
    ['a polygon longer than the file', bytes(ASCII.replace('4 0 1 2 3', '999999 0')), 'E_FORMAT', '.ply line 16'],
    ['nan', bytes(ASCII.replace('1 1 0', 'nan 1 0')), 'E_FORMAT', '.ply line 14'],
  ])('rejects %s', (_, file, code, place) => {
    expect(() => readPly(file)).toThrow(expect.objectContaining({ name: 'TendonError', code, place }));
  });

  it('rejects NaN in binary files', () => {
    const data = { positions: Float64Array.of(0, Number.NaN, 0), triangles: new Int32Array(0) };
    expect(() => readPly(writePly(data))).toThrow(expect.objectContaining({ code: 'E_NOT_FINITE' }));
  });

  it('keeps texture coordinates under their other names', () => {
    const data = readPly(bytes(ASCII.replace('uchar red', 'float s\nproperty float t').replaceAll(' 255', ' 1 2')));
    expect(Array.from(data.uvs!)).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
  });
});
