import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnCounts, eliminationTree, permuteLower, postorder } from '../../../src/linalg/elimination-tree.js';
import { invertPermutation } from '../../../src/linalg/sparse.js';
import { randomChoice, SEEDED, spdArbitrary, symbolicFill } from './reference.js';

describe('elimination tree', () => {
  it('has parents and column counts of the brute-force factor', () => {
    fc.assert(
      fc.property(spdArbitrary, ({ matrix, seed }) => {
        const size = matrix.size;
        const permutation = Int32Array.from(randomChoice(size, size, seed));
        const lower = permuteLower(matrix, permutation, invertPermutation(permutation, size));
        const parent = eliminationTree(lower);
        const counts = columnCounts(lower, parent);
        const fill = symbolicFill(matrix, permutation);
        for (let j = 0; j < size; j++) {
          const below = fill.map((row, i) => (i > j && row[j] ? i : -1)).filter((i) => i !== -1);
          expect(parent[j]).toBe(below.length === 0 ? -1 : below[0]);
          expect(counts[j]).toBe(below.length + 1);
        }
      }),
      SEEDED,
    );
  });

  it('numbers subtrees contiguously, children first', () => {
    const forest = fc
      .integer({ min: 1, max: 30 })
      .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => fc.integer({ min: i, max: size + 2 }))));
    fc.assert(
      fc.property(forest, (choice) => {
        const size = choice.length;
        // Parents are later nodes; i itself stands for "root", numbers past the end are parents outside.
        const parent = Int32Array.from(choice, (above, i) => (above === i ? -1 : above));
        const order = postorder(parent, size);
        const place = invertPermutation(order, size);
        for (let i = 0; i < size; i++) {
          const inSubtree = (j: number): boolean => j === i || (j !== -1 && j < size && inSubtree(parent[j]));
          const places = [...Array(size).keys()].filter(inSubtree).map((j) => place[j]);
          expect(Math.max(...places)).toBe(place[i]);
          expect(Math.max(...places) - Math.min(...places)).toBe(places.length - 1);
        }
      }),
      SEEDED,
    );
  });
});
