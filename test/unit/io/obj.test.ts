import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ObjData, type ObjPart, readObj, writeObj } from '../../../src/io/surfaces/obj.js';
import { name, number, surface } from './arbitraries.js';

const POINTS = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

/** A whole OBJ around any surface. */
const obj: fc.Arbitrary<ObjData> = surface.chain(({ positions, triangles }) =>
  fc
    .record({
      uvs: fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 5 }),
      normals: fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 5 }),
      corners: fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: triangles.length, maxLength: triangles.length }),
      names: fc.array(fc.tuple(name, name, name), { minLength: 3, maxLength: 3 }),
      parts: fc.array(fc.nat(2), { minLength: triangles.length / 3, maxLength: triangles.length / 3 }),
      materialFiles: fc.array(name, { maxLength: 2 }),
    })
    .map(({ uvs, normals, corners, names, parts: choices, materialFiles }) => {
      const parts: ObjPart[] = [];
      for (const [start, choice] of choices.entries()) {
        const [object, group, material] = names[choice];
        const last = parts.at(-1);
        if (last?.object === object && last.group === group && last.material === material) {
          parts[parts.length - 1] = { ...last, count: last.count + 1 };
        } else parts.push({ object, group, material, start, count: 1 });
      }
      const uvTriangles = Int32Array.from(corners, ([i]) => Math.min(i, uvs.length) - 1);
      const normalTriangles = Int32Array.from(corners, ([, i]) => Math.min(i, normals.length) - 1);
      return {
        positions,
        triangles,
        ...(uvTriangles.some((i) => i >= 0) && { uvs: Float64Array.from(uvs.flat()), uvTriangles }),
        ...(normalTriangles.some((i) => i >= 0) && { normals: Float64Array.from(normals.flat()), normalTriangles }),
        parts,
        materialFiles,
      };
    }),
);

describe('writeObj and readObj', () => {
  it('give the same data again (property)', () => {
    fc.assert(
      fc.property(obj, (data) => {
        expect(readObj(writeObj(data))).toEqual(data);
      }),
    );
  });

  it('write a bare surface', () => {
    const bytes = writeObj({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      triangles: Int32Array.of(0, 1, 2),
    });
    expect(new TextDecoder().decode(bytes)).toBe('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  });
});

describe('readObj', () => {
  it('splits polygons, counts from the end, keeps names', () => {
    const text = `# x\nmtllib a b.mtl\n${POINTS}vt 0\nvt 1 2 3\nvn 0 0 1\no body\nf 1 2 3 4\ng arm left\nusemtl red\nf -4/1/1 -3//-1 -2/2\n`;
    const data = readObj(text);
    expect(Array.from(data.triangles)).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 2]);
    expect(Array.from(data.uvTriangles!)).toEqual([-1, -1, -1, -1, -1, -1, 0, -1, 1]);
    expect(Array.from(data.normalTriangles!)).toEqual([-1, -1, -1, -1, -1, -1, 0, 0, -1]);
    expect(Array.from(data.uvs!)).toEqual([0, 0, 1, 2]);
    expect(data.materialFiles).toEqual(['a b.mtl']);
    expect(data.parts).toEqual([
      { object: 'body', group: '', material: '', start: 0, count: 2 },
      { object: 'body', group: 'arm left', material: 'red', start: 2, count: 1 },
    ]);
  });

  it.each([
    ['CRLF', `${POINTS}f 1 2 3\n`.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${POINTS}f 1 2 3\n`],
    ['colours and weights', `${POINTS.replace('v 0 0 0', 'v 0 0 0 1 0.5 0.5')}f 1 2 3`],
    ['faces before vertices', `f 1 2 3\n${POINTS}`],
    ['lines that go on', `${POINTS}f 1 2 \\\n 3`],
    ['comments', `${POINTS}f 1 2 3 # first\n#f 1 2 4`],
    ['what it does not know', `${POINTS}s 1\nvp 1\nl 1 2\nf 1 2 3\ncurv x`],
  ])('reads %s', (_, text) => {
    const data = readObj(text);
    expect(Array.from(data.triangles)).toEqual([0, 1, 2]);
    expect(data.positions.length).toBe(12);
  });

  it.each([
    ['an index past the end', `${POINTS}f 1 2 5`, 'E_INDEX', '.obj line 5'],
    ['an index past the end of texture coordinates', `${POINTS}f 1/1 2 3`, 'E_INDEX', '.obj line 5'],
    ['index 0', `${POINTS}f 0 1 2`, 'E_INDEX', '.obj line 5'],
    ['a negative index past the start', `${POINTS}f -5 -1 -2`, 'E_INDEX', '.obj line 5'],
    ['a fractional index', `${POINTS}f 1.5 2 3`, 'E_INDEX', '.obj line 5'],
    ['a huge index', `${POINTS}f 1 2 99999999999`, 'E_INDEX', '.obj line 5'],
    ['four indices', `${POINTS}f 1/1/1/1 2 3`, 'E_FORMAT', '.obj line 5'],
    ['two corners', `${POINTS}f 1 2`, 'E_FORMAT', '.obj line 5'],
    ['a word', `v 0 zero 0`, 'E_FORMAT', '.obj line 1'],
    ['NaN', `v 0 NaN 0`, 'E_FORMAT', '.obj line 1'],
    ['a short vertex', `v 0 0`, 'E_FORMAT', '.obj line 1'],
    ['a face that never ends', `${POINTS}f 1 2 \\`, 'E_FORMAT', '.obj line 6'],
  ])('rejects %s', (_, text, code, place) => {
    expect(() => readObj(text)).toThrow(expect.objectContaining({ name: 'TendonError', code, place }));
  });

  it('obeys its limits, also with one polygon of very many corners', () => {
    expect(() => readObj(POINTS, { maxVertices: 3 })).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
    expect(() => readObj(`${POINTS}f 1 2 3 4`, { maxElements: 1 })).toThrow(
      expect.objectContaining({ code: 'E_RANGE' }),
    );
    expect(() => readObj(`${POINTS}f${' 1'.repeat(1e6)}`)).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
    expect(readObj(`${POINTS}f${' 1 2 3'.repeat(1e5)}`).triangles.length).toBe(3 * (3e5 - 2));
  });
});
