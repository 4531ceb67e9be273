import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkSparse,
  checkSymmetricPattern,
  invertPermutation,
  multiplySparse,
  permuteSparse,
  sparseFromTriplets,
  transposeSparse,
} from '../../../src/linalg/sparse.js';
import { caught } from './errors.js';
import { maxDifference, multiplyDense, randomChoice, randomNumbers, SEEDED, toDense, zeros } from './reference.js';

const triplets = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    entries: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.double({ min: -100, max: 100, noNaN: true })), {
      minLength: 1,
      maxLength: 60,
    }),
  }),
);

function build({ size, entries }: { size: number; entries: [number, number, number][] }) {
  return sparseFromTriplets(
    size,
    entries.map((e) => e[0]),
    entries.map((e) => e[1]),
    entries.map((e) => e[2]),
  );
}

describe('sparseFromTriplets', () => {
  it('sums repeated places in the order given and sorts columns', () => {
    fc.assert(
      fc.property(triplets, (input) => {
        const expected = zeros(input.size);
        const places = new Set<string>();
        for (const [i, j, value] of input.entries) {
          // Same order of additions, so the same bits: no tolerance.
          expected[i][j] = places.has(`${i},${j}`) ? expected[i][j] + value : value;
          places.add(`${i},${j}`);
        }
        const matrix = build(input);
        checkSparse(matrix);
        expect(matrix.rowStart[input.size]).toBe(places.size);
        expect(toDense(matrix)).toEqual(expected);
      }),
      SEEDED,
    );
  });

  it('gives order-dependent sums in triplet order', () => {
    const matrix = sparseFromTriplets(1, [0, 0, 0], [0, 0, 0], [1e16, 1, -1e16]);
    expect(matrix.values[0]).toBe(1e16 + 1 - 1e16);
  });

  it('rejects what is not a matrix', () => {
    expect(caught(() => sparseFromTriplets(0, [], [], [])).code).toBe('E_EMPTY');
    expect(caught(() => sparseFromTriplets(3, [], [], [])).code).toBe('E_EMPTY');
    expect(caught(() => sparseFromTriplets(-1, [0], [0], [1])).code).toBe('E_RANGE');
    expect(caught(() => sparseFromTriplets(1.5, [0], [0], [1])).code).toBe('E_RANGE');
    expect(caught(() => sparseFromTriplets(2, [0, 1], [0], [1]))).toMatchObject({ code: 'E_RANGE' });
    expect(caught(() => sparseFromTriplets(2, [0, 2], [0, 0], [1, 1]))).toMatchObject({
      code: 'E_INDEX',
      place: 'rows/1',
      value: 2,
    });
    expect(caught(() => sparseFromTriplets(2, [0], [-1], [1]))).toMatchObject({ code: 'E_INDEX', place: 'columns/0' });
    expect(caught(() => sparseFromTriplets(2, [0], [0.5], [1]))).toMatchObject({ code: 'E_INDEX', value: 0.5 });
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(caught(() => sparseFromTriplets(2, [0, 1], [0, 1], [1, bad]))).toMatchObject({
        code: 'E_NOT_FINITE',
        place: 'values/1',
        value: bad,
      });
    }
  });
});

describe('checkSparse', () => {
  const good = () => sparseFromTriplets(3, [0, 1, 2, 0], [0, 1, 2, 2], [1, 2, 3, 4]);

  it('finds the damage', () => {
    expect(() => checkSparse(good())).not.toThrow();
    const notFinite = good();
    notFinite.values[3] = Number.NaN;
    expect(caught(() => checkSparse(notFinite))).toMatchObject({ code: 'E_NOT_FINITE', place: 'matrix/values/3' });
    const outside = good();
    outside.columns[3] = 3;
    expect(caught(() => checkSparse(outside))).toMatchObject({ code: 'E_INDEX', place: 'matrix/columns/3', value: 3 });
    const unsorted = good();
    unsorted.columns[1] = 0;
    expect(caught(() => checkSparse(unsorted)).code).toBe('E_INDEX');
    const descending = good();
    descending.rowStart[1] = 4;
    expect(caught(() => checkSparse(descending)).place).toBe('matrix/rowStart/2');
    const long = good();
    long.rowStart[3] = 9;
    expect(caught(() => checkSparse(long)).code).toBe('E_INDEX');
    expect(caught(() => checkSparse({ ...good(), rowStart: new Int32Array(2) })).code).toBe('E_RANGE');
    expect(caught(() => checkSparse({ ...good(), size: 0 })).code).toBe('E_EMPTY');
  });

  it('tells symmetric from unsymmetric patterns', () => {
    expect(caught(() => checkSymmetricPattern(good())).code).toBe('E_RANGE');
    expect(caught(() => checkSymmetricPattern(transposeSparse(good()))).code).toBe('E_RANGE');
    const symmetric = sparseFromTriplets(3, [0, 2, 1, 2], [2, 0, 1, 2], [1, 1, 1, 1]);
    expect(() => checkSymmetricPattern(symmetric)).not.toThrow();
  });

  it('decides symmetry like a dense comparison', () => {
    fc.assert(
      fc.property(triplets, (input) => {
        const matrix = build({ ...input, entries: input.entries.map(([i, j]) => [i, j, 1]) });
        const dense = toDense(matrix);
        const symmetric = dense.every((row, i) => row.every((value, j) => (value !== 0) === (dense[j][i] !== 0)));
        let accepted = true;
        try {
          checkSymmetricPattern(matrix);
        } catch {
          accepted = false;
        }
        expect(accepted).toBe(symmetric);
      }),
      SEEDED,
    );
  });
});

describe('products and rearrangements', () => {
  it('multiplies several right-hand sides like the dense product', () => {
    fc.assert(
      fc.property(triplets, fc.integer({ min: 1, max: 4 }), (input, stride) => {
        const matrix = build(input);
        const random = randomNumbers(input.size);
        const x = Float64Array.from({ length: input.size * stride }, () => random() - 0.5);
        const y = new Float64Array(x.length).fill(Number.NaN);
        multiplySparse(matrix, x, y, stride);
        for (let r = 0; r < stride; r++) {
          const expected = multiplyDense(
            toDense(matrix),
            x.filter((_, k) => k % stride === r),
          );
          // At most 60 summed products of 100 * 0.5, in another order (zeros between): 60 * 50 * eps < 1e-12.
          expect(
            maxDifference(
              y.filter((_, k) => k % stride === r),
              expected,
            ),
          ).toBeLessThan(1e-12);
        }
      }),
      SEEDED,
    );
  });

  it('transposes and permutes exactly', () => {
    fc.assert(
      fc.property(triplets, fc.nat(), (input, seed) => {
        const matrix = build(input);
        const dense = toDense(matrix);
        expect(toDense(transposeSparse(matrix))).toEqual(dense.map((row, i) => row.map((_, j) => dense[j][i])));
        const permutation = Int32Array.from(randomChoice(input.size, input.size, seed));
        const permuted = toDense(permuteSparse(matrix, permutation));
        expect(permuted).toEqual(dense.map((row, i) => row.map((_, j) => dense[permutation[i]][permutation[j]])));
      }),
      SEEDED,
    );
  });

  it('inverts permutations and rejects everything else', () => {
    expect([...invertPermutation([2, 0, 1], 3)]).toEqual([1, 2, 0]);
    expect(caught(() => invertPermutation([0, 0, 1], 3))).toMatchObject({ code: 'E_INDEX', place: 'permutation/1' });
    expect(caught(() => invertPermutation([0, 3, 1], 3)).code).toBe('E_INDEX');
    expect(caught(() => invertPermutation([0, Number.NaN], 2)).code).toBe('E_INDEX');
    expect(caught(() => invertPermutation([0, 1], 3)).code).toBe('E_RANGE');
  });
});
