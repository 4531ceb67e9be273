/** Formats that hold tetrahedra: what they share is tested for each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TetData } from '../../../src/io/mesh-data.js';
import { readGmsh, writeGmsh } from '../../../src/io/tets/gmsh.js';
import { readMedit, writeMedit } from '../../../src/io/tets/medit.js';
import { readTetgen, writeTetgen } from '../../../src/io/tets/tetgen.js';
import { readVtk, writeVtk } from '../../../src/io/tets/vtk.js';
import { readVtu, writeVtu } from '../../../src/io/tets/vtu.js';
import { tetData } from './arbitraries.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (file: Uint8Array): string => new TextDecoder().decode(file);

const UNIT: TetData = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tets: Int32Array.of(0, 1, 2, 3),
  regions: Int32Array.of(9),
  triangles: Int32Array.of(0, 2, 1),
  triangleRegions: Int32Array.of(4),
};

interface Format {
  readonly name: string;
  readonly read: (bytes: Uint8Array) => TetData;
  readonly write: (data: TetData) => Uint8Array;
}
const FORMATS: Format[] = [
  { name: 'medit', read: readMedit, write: writeMedit },
  { name: 'gmsh 2.2', read: readGmsh, write: (data) => writeGmsh(data, '2.2') },
  { name: 'gmsh 4.1', read: readGmsh, write: (data) => writeGmsh(data, '4.1') },
  { name: 'vtk', read: readVtk, write: writeVtk },
  { name: 'vtu', read: readVtu, write: writeVtu },
];

describe.each(FORMATS)('$name', ({ read, write }) => {
  it('gives the same data again (property)', () => {
    fc.assert(
      fc.property(tetData(), (data) => {
        expect(read(write(data))).toEqual(data);
      }),
    );
  });

  it('reads CRLF and a byte order mark', () => {
    const file = text(write(UNIT));
    expect(read(bytes(file.replaceAll('\n', '\r\n')))).toEqual(UNIT);
    expect(read(bytes(`\uFEFF${file}`))).toEqual(UNIT);
  });

  it('rejects every truncation before the last words, with a place', () => {
    const file = write(UNIT);
    for (let length = 0; length < file.length - 30; length += 3) {
      let place = '';
      try {
        read(file.slice(0, length));
        // A file cut between two of its sections may be sound.
        continue;
      } catch (error) {
        expect(error).toMatchObject({ name: 'TendonError' });
        place = (error as { place: string }).place;
      }
      expect(place).toMatch(/^\.\w+ (line|byte) \d+$/);
    }
  });
});

describe('tetgen', () => {
  it('gives the same data again, with regions and faces (property)', () => {
    fc.assert(
      fc.property(tetData(1), (data) => {
        const { node, ele, face } = writeTetgen(data);
        expect(readTetgen(node, ele, { face })).toEqual(data);
      }),
    );
  });

  it.each([
    ['an index past the end', '1 1\n0 0 1 4 2', '.face line 2'],
    ['a count that lies', '2 1\n0 0 1 2 2', '.face line 3'],
    ['a short row', '1 1\n0 0 1', '.face line 2'],
  ])('rejects a face file with %s', (_, face, place) => {
    const { node, ele } = writeTetgen(UNIT);
    expect(() => readTetgen(node, ele, { face })).toThrow(expect.objectContaining({ code: 'E_FORMAT', place }));
  });

  it('finds the region behind the ten nodes of an element', () => {
    const { node } = writeTetgen(UNIT);
    expect(readTetgen(node, '1 10 1\n0 0 1 2 3 0 0 0 0 0 0 5').regions).toEqual(Int32Array.of(5));
  });
});

describe('readMedit', () => {
  const FILE = `MeshVersionFormatted 1
# by hand
Dimension
3
Vertices # four
4
0 0 0 0  1 0 0 0
0 1 0 0
0 0 1 0
RequiredVertices
1
2
Quadrilaterals 1
1 2 3 4 5
Tetrahedra
1
1 2 3 4 9
End
ignored`;

  it('reads comments, free layout, quadrilaterals, and steps over what it does not know', () => {
    const data = readMedit(FILE);
    expect(Array.from(data.triangles!)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(Array.from(data.triangleRegions!)).toEqual([5, 5]);
    expect(data.regions).toEqual(Int32Array.of(9));
  });

  it.each([
    ['an index past the end', FILE.replace('1 2 3 4 9', '1 2 3 5 9'), 17],
    ['index 0', FILE.replace('1 2 3 4 9', '0 2 3 4 9'), 17],
    ['two dimensions', FILE.replace('Dimension\n3', 'Dimension\n2'), 4],
    ['more rows than announced', FILE.replace('End', '1 2 3 4 9\nEnd'), 18],
    ['a count that lies', FILE.replace('Tetrahedra\n1', 'Tetrahedra\n2'), 18],
    ['a huge count', FILE.replace('Tetrahedra\n1', 'Tetrahedra\n99999999999'), 16],
    ['nan', FILE.replace('0 0 1 0', '0 0 nan 0'), 9],
    ['no reference', FILE.replace('1 2 3 4 9\nEnd\nignored', '1 2 3 4'), 18],
  ])('rejects %s', (_, file, line) => {
    expect(() => readMedit(file)).toThrow(expect.objectContaining({ code: 'E_FORMAT', place: `.mesh line ${line}` }));
  });
});

describe('readGmsh', () => {
  const V2 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 9 "the flesh"
$EndPhysicalNames
$Nodes
4
10 0 0 0
7 1 0 0
8 0 1 0
9 0 0 1
$EndNodes
$Elements
4
1 15 2 0 1 10
2 3 2 4 1 10 7 8 9
3 4 2 9 1 10 7 8 9
4 11 0 10 7 8 9 7 7 7 7 7 7
$EndElements
`;

  it('reads any numbers of nodes, quadrilaterals, second order, and steps over points', () => {
    const data = readGmsh(V2);
    expect(Array.from(data.tets)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    expect(Array.from(data.regions!)).toEqual([9, 0]);
    expect(Array.from(data.triangles!)).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('reads blocks, parameters and physical groups of version 4.1', () => {
    const file = `$MeshFormat\n4.1 0 8\n$EndMeshFormat
$Entities\n1 0 1 1\n1 0 0 0 0\n3 0 0 0 1 1 1 1 4 0\n2 0 0 0 1 1 1 1 9 1 3\n$EndEntities
$Nodes\n2 4 1 9\n2 3 1 1\n5\n0 0 0 0.5 0.5\n3 2 0 3\n1\n2\n9\n1 0 0\n0 1 0\n0 0 1\n$EndNodes
$Elements\n3 3 1 3\n0 1 15 1\n1 5\n2 3 2 1\n2 5 1 2\n3 8 4 1\n3 5 1 2 9\n$EndElements`;
    const data = readGmsh(file);
    expect(Array.from(data.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(Array.from(data.tets)).toEqual([0, 1, 2, 3]);
    expect(Array.from(data.regions!)).toEqual([8]);
    expect(Array.from(data.triangleRegions!)).toEqual([4]);
  });

  it.each([
    ['another version', V2.replace('2.2', '3.0'), 'E_FORMAT', 2],
    ['a binary file', V2.replace('2.2 0', '2.2 1'), 'E_FORMAT', 2],
    ['a node that is not there', V2.replace('3 4 2 9 1 10', '3 4 2 9 1 11'), 'E_INDEX', 19],
    ['a node twice', V2.replace('7 1 0 0', '10 1 0 0'), 'E_DUPLICATE', 11],
    ['a short element', V2.replace('3 4 2 9 1 10 7 8 9', '3 4 2 9 1 10 7 8'), 'E_FORMAT', 19],
    ['more tags than words', V2.replace('3 4 2', '3 4 200'), 'E_FORMAT', 19],
    ['a count that lies', V2.replace('$Elements\n4', '$Elements\n5'), 'E_FORMAT', 21],
    ['a huge count', V2.replace('$Nodes\n4', '$Nodes\n99999999999'), 'E_FORMAT', 9],
    ['a section that does not end', V2.replace('$EndPhysicalNames', ''), 'E_FORMAT', 22],
    ['Infinity', V2.replace('7 1 0 0', '7 Infinity 0 0'), 'E_FORMAT', 11],
  ])('rejects %s', (_, file, code, line) => {
    expect(() => readGmsh(file)).toThrow(expect.objectContaining({ code, place: `.msh line ${line}` }));
  });
});

describe('readVtk', () => {
  const V5 = `# vtk DataFile Version 5.1

ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 float
0 0 0 1 0 0 0 1 0 0 0 1
METADATA
INFORMATION 0

CELLS 4 12
OFFSETS vtktypeint64
0 4 8 12
CONNECTIVITY vtktypeint64
0 1 2 3 0 1 2 3
0 1 2 3
CELL_TYPES 3
9
10
12
POINT_DATA 4
SCALARS region float
LOOKUP_TABLE default
1 2 3 4
CELL_DATA 3
VECTORS v float
1 2 3 4 5 6 7 8 9
FIELD FieldData 2
p 3 1 double
1 2 3
REGION 1 3 int
7 8 9
`;

  it('reads version 5, fields, quadrilaterals, and steps over what it does not know', () => {
    const data = readVtk(V5);
    expect(Array.from(data.tets)).toEqual([0, 1, 2, 3]);
    expect(Array.from(data.regions!)).toEqual([8]);
    expect(Array.from(data.triangles!)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(Array.from(data.triangleRegions!)).toEqual([7, 7]);
  });

  it.each([
    ['another file', 'solid x', 'E_FORMAT'],
    ['a binary file', V5.replace('ASCII', 'x\nBINARY'), 'E_FORMAT'],
    ['another grid', V5.replace('UNSTRUCTURED_GRID', 'POLYDATA'), 'E_FORMAT'],
    ['an index past the end', V5.replace('0 1 2 3 0 1 2 3', '0 1 2 3 0 1 2 4'), 'E_INDEX'],
    ['offsets that decrease', V5.replace('0 4 8 12', '0 8 4 12'), 'E_FORMAT'],
    ['offsets past the end', V5.replace('0 4 8 12', '0 4 8 13'), 'E_FORMAT'],
    ['fewer types than cells', V5.replace('CELL_TYPES 3', 'CELL_TYPES 2'), 'E_FORMAT'],
    ['fewer regions than cells', V5.replace('REGION 1 3', 'REGION 1 2'), 'E_FORMAT'],
    ['a huge count', V5.replace('POINTS 4', 'POINTS 99999999999'), 'E_FORMAT'],
    ['a count that lies', V5.replace('POINTS 4', 'POINTS 5'), 'E_FORMAT'],
  ])('rejects %s', (_, file, code) => {
    expect(() => readVtk(file)).toThrow(expect.objectContaining({ name: 'TendonError', code }));
  });
});

describe('readVtu', () => {
  const FILE = text(writeVtu(UNIT));

  it('reads notes in arrays, comments, several pieces, one long line', () => {
    const file = FILE.replace('</Points>', '<!-- > --></Points>')
      .replace('</DataArray>\n</Points>', '<InformationKey name="x"/>\n</DataArray>\n</Points>')
      .replace(/0 0 0\n1 0 0\n/, '0 0 0 1 0 0 ');
    expect(readVtu(bytes(file))).toEqual(UNIT);
    const piece = FILE.slice(FILE.indexOf('<Piece'), FILE.indexOf('</UnstructuredGrid>'));
    const two = readVtu(bytes(FILE.replace(piece, piece + piece)));
    expect(Array.from(two.tets)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Array.from(two.regions!)).toEqual([9, 9]);
  });

  it.each([
    ['an image', FILE.replace('type="UnstructuredGrid"', 'type="ImageData"'), 'E_FORMAT', 1],
    ['a binary array', FILE.replace('format="ascii"', 'format="binary"'), 'E_FORMAT', 6],
    ['appended data', FILE.replace('</VTKFile>', '<AppendedData/></VTKFile>'), 'E_FORMAT', 31],
    ['a document type', FILE.replace('<VTKFile', '<!DOCTYPE x>\n<VTKFile'), 'E_FORMAT', 2],
    ['an element that does not end', FILE.replace('</VTKFile>', ''), 'E_FORMAT', 32],
    ['elements that cross', FILE.replace('</Points>', '</Cells>'), 'E_FORMAT', 12],
    ['an index past the end', FILE.replace('0 2 1', '0 2 4'), 'E_INDEX', 29],
    ['a word', FILE.replace('1 0 0', '1 x 0'), 'E_FORMAT', 8],
    ['elements nested deep', `${'<a>'.repeat(70)}`, 'E_FORMAT', 1],
  ])('rejects %s', (_, file, code, line) => {
    expect(() => readVtu(bytes(file))).toThrow(expect.objectContaining({ code, place: `.vtu line ${line}` }));
  });

  it('rejects nesting beyond the limit', () => {
    const deep = FILE.replace('<Points>', `${'<a>'.repeat(70)}<Points>`);
    expect(() => readVtu(bytes(deep))).toThrow(/nested too deep/);
  });
});
