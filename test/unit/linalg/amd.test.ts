import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnCounts, eliminationTree, permuteLower } from '../../../src/linalg/elimination-tree.js';
import { orderAmd } from '../../../src/linalg/order/amd.js';
import { eliminateAll, writeOrder } from '../../../src/linalg/order/quotient-elimination.js';
import { QuotientGraph } from '../../../src/linalg/order/quotient-graph.js';
import { invertPermutation, type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { bodyLattice, latticeMatrix } from './body-lattice.js';
import { caught } from './errors.js';
import { randomChoice, randomSpd, SEEDED, spdArbitrary } from './reference.js';

function factorEntries(matrix: SparseMatrix, permutation: Int32Array): number {
  const lower = permuteLower(matrix, permutation, invertPermutation(permutation, matrix.size));
  return columnCounts(lower, eliminationTree(lower)).reduce((a, b) => a + b, 0);
}

/** Exact minimum degree on an explicit elimination graph: what AMD approximates. */
function exactMinimumDegree(matrix: SparseMatrix): Int32Array {
  const neighbours = Array.from({ length: matrix.size }, (_, i) => {
    const row = new Set(matrix.columns.subarray(matrix.rowStart[i], matrix.rowStart[i + 1]));
    row.delete(i);
    return row;
  });
  const left = new Set(neighbours.keys());
  const order: number[] = [];
  while (left.size > 0) {
    let pivot = -1;
    for (const i of left) if (pivot === -1 || neighbours[i].size < neighbours[pivot].size) pivot = i;
    left.delete(pivot);
    order.push(pivot);
    for (const i of neighbours[pivot]) {
      neighbours[i].delete(pivot);
      for (const j of neighbours[pivot]) if (j !== i) neighbours[i].add(j);
    }
  }
  return Int32Array.from(order);
}

describe('orderAmd', () => {
  it('returns a permutation that ends with the forced unknowns in their order', () => {
    fc.assert(
      fc.property(spdArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), ({ matrix, seed }, share) => {
        const last = randomChoice(matrix.size, Math.round(share * matrix.size), seed);
        const permutation = orderAmd(matrix, last);
        expect(() => invertPermutation(permutation, matrix.size)).not.toThrow();
        expect([...permutation.subarray(matrix.size - last.length)]).toEqual(last);
      }),
      SEEDED,
    );
  });

  it('is as good as exact minimum degree on random graphs', () => {
    let approximate = 0;
    let exact = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const matrix = randomSpd(80, 0.05, seed);
      approximate += factorEntries(matrix, orderAmd(matrix));
      exact += factorEntries(matrix, exactMinimumDegree(matrix));
    }
    // [Amestoy1996, table 3]: fill within a few percent of exact minimum degree, on average.
    expect(approximate).toBeLessThan(1.03 * exact);
  });

  it('fills little more than CHOLMOD with AMD on a tet mesh', () => {
    const matrix = latticeMatrix(bodyLattice(0.0235), 1);
    // 645,851 entries: SuiteSparse's AMD through Eigen on the same mesh.
    expect(factorEntries(matrix, orderAmd(matrix))).toBeLessThan(1.1 * 645851);
  });

  it('leaves graphs without cycles free of fill', () => {
    const size = 500;
    const rows: number[] = [];
    const columns: number[] = [];
    for (let i = 1; i < size; i++) {
      const parent = (i * 7919) % i;
      rows.push(i, parent);
      columns.push(parent, i);
    }
    for (let i = 0; i < size; i++) {
      rows.push(i);
      columns.push(i);
    }
    const matrix = sparseFromTriplets(size, rows, columns, new Array(rows.length).fill(1));
    expect(factorEntries(matrix, orderAmd(matrix))).toBe(size + size - 1);
  });

  it('puts the hub of an arrow last, whatever its number', () => {
    const size = 20000;
    const hub = 7;
    const rows: number[] = [];
    const columns: number[] = [];
    for (let i = 0; i < size; i++) {
      rows.push(i);
      columns.push(i);
      if (i !== hub) {
        rows.push(i, hub);
        columns.push(hub, i);
      }
    }
    const matrix = sparseFromTriplets(size, rows, columns, new Array(rows.length).fill(1));
    const permutation = orderAmd(matrix);
    expect(permutation[size - 1]).toBe(hub);
    expect(factorEntries(matrix, permutation)).toBe(2 * size - 1);
  });

  it('does not need the diagonal', () => {
    const path = sparseFromTriplets(4, [0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2], [1, 1, 1, 1, 1, 1]);
    const permutation = orderAmd(path);
    expect(factorEntries(path, permutation)).toBe(7);
  });

  it('gives the same order every time', () => {
    const matrix = latticeMatrix(bodyLattice(0.08), 1);
    expect(orderAmd(matrix, [5, 3])).toEqual(orderAmd(matrix, [5, 3]));
  });

  it('gives the same order with and without compactions, and when its stamps start over', () => {
    const order = (matrix: SparseMatrix, spareRoom: number, stamp: number) => {
      const graph = new QuotientGraph(matrix, new Uint8Array(matrix.size), spareRoom);
      graph.stamp = stamp;
      const firstList = graph.list;
      eliminateAll(graph);
      const permutation = new Int32Array(matrix.size);
      expect(writeOrder(graph, permutation)).toBe(matrix.size);
      return { permutation, compacted: graph.list !== firstList, stamp: graph.stamp };
    };
    const matrix = latticeMatrix(bodyLattice(0.07), 1);
    const roomy = order(matrix, 10, 2);
    const tight = order(matrix, 0, 2);
    const late = order(matrix, 10, 0x3fffffff - 2 * matrix.size - 5);
    expect(roomy.compacted).toBe(false);
    expect(tight.compacted).toBe(true);
    expect(tight.permutation).toEqual(roomy.permutation);
    expect(late.stamp).toBeLessThan(0x20000000);
    expect(late.permutation).toEqual(roomy.permutation);
  });

  it('rejects bad input', () => {
    const matrix = randomSpd(5, 0.5, 1);
    expect(caught(() => orderAmd(matrix, [5]))).toMatchObject({ code: 'E_INDEX', place: 'forcedLast/0', value: 5 });
    expect(caught(() => orderAmd(matrix, [1, -1])).code).toBe('E_INDEX');
    expect(caught(() => orderAmd(matrix, [0.5])).code).toBe('E_INDEX');
    expect(caught(() => orderAmd(matrix, [2, 2]))).toMatchObject({ code: 'E_RANGE', place: 'forcedLast/1' });
    expect(caught(() => orderAmd(sparseFromTriplets(2, [0], [1], [1]))).code).toBe('E_RANGE');
  });
});
