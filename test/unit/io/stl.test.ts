import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStl, writeStl } from '../../../src/io/surfaces/stl.js';
import { name, number, single } from './arbitraries.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FACET = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';

const soup = (coordinate: fc.Arbitrary<number>) =>
  fc.array(fc.array(coordinate, { minLength: 9, maxLength: 9 }), { maxLength: 10 }).map((rows) => ({
    positions: Float64Array.from(rows.flat()),
    triangles: Int32Array.from(rows.flatMap((_, i) => [3 * i, 3 * i + 1, 3 * i + 2])),
  }));

describe('writeStl and readStl', () => {
  it('give the same triangles again, ASCII with every digit (property)', () => {
    fc.assert(
      fc.property(soup(number), name, (data, solid) => {
        const read = readStl(writeStl({ ...data, names: [solid] }, 'ascii'), { weld: false });
        expect(read).toEqual({ ...data, names: [solid] });
      }),
    );
  });

  it('give the same triangles again, binary in single precision (property)', () => {
    fc.assert(
      fc.property(soup(single), (data) => {
        expect(readStl(writeStl(data), { weld: false })).toEqual({ ...data, names: [''] });
      }),
    );
  });

  it('keep solids as regions', () => {
    const data = readStl(bytes(`solid a b\n${FACET}endsolid a b\nsolid\n${FACET}${FACET}endsolid\n`), { weld: false });
    expect(data.names).toEqual(['a b', '']);
    expect(Array.from(data.regions!)).toEqual([0, 1, 1]);
    expect(readStl(writeStl(data, 'ascii'), { weld: false })).toEqual(data);
  });
});

describe('readStl', () => {
  it('joins vertices at the same place, 0 and -0 too', () => {
    const second = FACET.replace('vertex 0 0 0', 'vertex 1 1 0').replace('0 1 0', '-0 1 0');
    const data = readStl(bytes(`solid\n${FACET}${second}endsolid`));
    expect(Array.from(data.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
    expect(Array.from(data.triangles)).toEqual([0, 1, 2, 3, 1, 2]);
  });

  it('reads capitals, CRLF, nan normals, and binary files that start with solid', () => {
    const text = `SOLID x\n${FACET.replace('0 0 1', 'nan nan nan').toUpperCase()}ENDSOLID x\n`.replaceAll('\n', '\r\n');
    expect(readStl(bytes(text)).triangles.length).toBe(3);
    const binary = writeStl(readStl(bytes(text)));
    binary.set(bytes('solid '));
    expect(readStl(binary).triangles.length).toBe(3);
  });

  const binary = writeStl(readStl(bytes(`solid\n${FACET}endsolid`)));
  const edited = (offset: number, value: number) => {
    const copy = binary.slice();
    new DataView(copy.buffer).setUint32(offset, value, true);
    return copy;
  };
  it.each([
    ['an empty file', new Uint8Array(0), 'E_FORMAT', '.stl byte 0'],
    ['a count that lies', edited(80, 2), 'E_FORMAT', '.stl byte 80'],
    ['a count beyond all bounds', edited(80, 0xffffffff), 'E_FORMAT', '.stl byte 80'],
    ['a truncated binary file', binary.slice(0, 100), 'E_FORMAT', '.stl byte 80'],
    ['NaN', edited(96, 0x7fc00000), 'E_NOT_FINITE', '.stl byte 96'],
    ['a truncated text', bytes(`solid\n${FACET.slice(0, 60)}`), 'E_FORMAT', '.stl line 6'],
    ['no end', bytes(`solid\n${FACET}`), 'E_FORMAT', '.stl line 9'],
    ['four corners', bytes(`solid\n${FACET.replace('endloop', 'vertex 1 1 1\nendloop')}`), 'E_FORMAT', '.stl line 7'],
    ['nan in a corner', bytes(`solid\n${FACET.replace('1 0 0', 'nan 0 0')}`), 'E_FORMAT', '.stl line 5'],
  ])('rejects %s', (_, file, code, place) => {
    expect(() => readStl(file)).toThrow(expect.objectContaining({ name: 'TendonError', code, place }));
  });
});
