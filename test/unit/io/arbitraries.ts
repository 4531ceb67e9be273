/** Random contents of files, for tests that write and read them back. */
import fc from 'fast-check';
import type { SurfaceData, TetData } from '../../../src/io/mesh-data.js';
import { makeTetData, regionsOrNone } from '../../../src/io/mesh-data.js';

/** Any finite double. */
export const number = fc.double({ noNaN: true, noDefaultInfinity: true });
/** Any finite single. */
export const single = fc.float({ noNaN: true, noDefaultInfinity: true });
/** Any region. */
export const region = fc.oneof(fc.nat(5), fc.integer({ min: -0x7fffffff, max: 0x7fffffff }));
/** Names without white space at their ends or line breaks; not empty. */
export const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[\s\p{C}\uFEFF\uFFFD]+/gu, ' ').trim())
  .filter((text) => text !== '' && !text.startsWith('#'));

const flat = <T>(item: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength: length, maxLength: length });
const indices = (count: number, width: number, least: number): fc.Arbitrary<Int32Array> =>
  fc
    .array(flat(fc.nat(count - 1), width), { minLength: least, maxLength: 20 })
    .map((rows) => Int32Array.from(rows.flat()));

/** Positions, and triangles with or without regions. */
export const surface: fc.Arbitrary<SurfaceData> = fc.integer({ min: 1, max: 20 }).chain((count) =>
  fc.tuple(flat(number, 3 * count), indices(count, 3, 0), fc.boolean()).chain(([positions, triangles, hasRegions]) =>
    flat(region, hasRegions ? triangles.length / 3 : 0).map((numbers) => {
      const regions = regionsOrNone(numbers);
      return { positions: Float64Array.from(positions), triangles, ...(regions && { regions }) };
    }),
  ),
);

/** Positions, tetrahedra and triangles, with or without regions. */
export function tetData(least = 0): fc.Arbitrary<TetData> {
  return fc
    .integer({ min: 1, max: 20 })
    .chain((count) =>
      fc
        .tuple(flat(number, 3 * count), indices(count, 4, least), indices(count, 3, 0), fc.boolean(), fc.boolean())
        .chain(([positions, tets, triangles, hasRegions, hasMarkers]) =>
          fc
            .tuple(flat(region, hasRegions ? tets.length / 4 : 0), flat(region, hasMarkers ? triangles.length / 3 : 0))
            .map(([regions, triangleRegions]) => makeTetData({ positions, tets, regions, triangles, triangleRegions })),
        ),
    );
}
