import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSmesh, type SmeshRegion, writeSmesh } from '../../../src/io/tets/smesh.js';
import { number, region, surface } from './arbitraries.js';

const point = fc.tuple(number, number, number);
const regionPoint: fc.Arbitrary<SmeshRegion> = fc
  .tuple(point, region, fc.option(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { nil: undefined }))
  .map(([at, id, maxVolume]) => ({ point: at, region: id, ...(maxVolume !== undefined && { maxVolume }) }));

const FILE = `# part 1
4 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
# part 2
2 1
4 1 2 3 4 5
3 1 2
  4 6
# part 3
1
1 .1 .2 .3
# part 4
2
1 .1 .1 .1 1 0.5
2 .3 .3 .3 2
`;

describe('writeSmesh and readSmesh', () => {
  it('give the same data again (property)', () => {
    fc.assert(
      fc.property(
        surface,
        fc.array(point, { maxLength: 3 }),
        fc.array(regionPoint, { maxLength: 3 }),
        (data, holes, regionPoints) => {
          const full = { ...data, holes: Float64Array.from(holes.flat()), regionPoints };
          expect(readSmesh(writeSmesh(full))).toEqual(full);
        },
      ),
    );
  });
});

describe('readSmesh', () => {
  it('splits polygons, reads facets over two lines, holes and regions, counting from 1', () => {
    const data = readSmesh(FILE);
    expect(Array.from(data.triangles)).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 3]);
    expect(Array.from(data.regions!)).toEqual([5, 5, 6]);
    expect(Array.from(data.holes)).toEqual([0.1, 0.2, 0.3]);
    expect(data.regionPoints).toEqual([
      { point: [0.1, 0.1, 0.1], region: 1, maxVolume: 0.5 },
      { point: [0.3, 0.3, 0.3], region: 2 },
    ]);
  });

  it('reads files that end after the facets', () => {
    const data = readSmesh(FILE.slice(0, FILE.indexOf('# part 3')));
    expect(data.holes.length).toBe(0);
    expect(data.regionPoints).toEqual([]);
  });

  it.each([
    ['an index past the end', FILE.replace('3 1 2\n  4 6', '3 1 2\n  5 6'), 11],
    ['index 0 where counting starts from 1', FILE.replace('4 1 2 3 4 5', '4 0 2 3 4 5'), 9],
    ['a facet of a million corners', FILE.replace('4 1 2 3 4 5', '99999999 1 2 3 4 5'), 9],
    ['a missing hole', FILE.replace('1 .1 .2 .3\n', ''), 15],
    ['no vertices', FILE.replace('4 3 0 0', '0 3 0 0'), 2],
    ['nan', FILE.replace('2 1 0 0', '2 nan 0 0'), 4],
  ])('rejects %s', (_, file, line) => {
    expect(() => readSmesh(file)).toThrow(expect.objectContaining({ code: 'E_FORMAT', place: `.smesh line ${line}` }));
  });
});
