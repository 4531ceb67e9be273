import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/linalg/cholesky.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { buildSupernodes, type SupernodalStructure } from '../../../src/linalg/supernodes.js';
import { partitionTree } from '../../../src/linalg/tree-partition.js';
import { bodyLattice, latticeMatrix } from './body-lattice.js';
import { caught } from './errors.js';
import { countLower, randomChoice, randomSpd, SEEDED, spdArbitrary, symbolicFill } from './reference.js';

/** Checks everything that a structure promises about itself. */
function expectConsistent(structure: SupernodalStructure, partCount: number, lastCount: number): void {
  const { size, count, columnStart, rowStart, rows, valueStart, parent, partStart, lastStart, lastColumn } = structure;
  for (let i = 0; i < size; i++) expect(structure.inverse[structure.permutation[i]]).toBe(i);
  expect([columnStart[0], columnStart[count], rowStart[0], rowStart[count]]).toEqual([0, size, 0, rows.length]);
  expect([valueStart[0], valueStart[count]]).toEqual([0, structure.storedEntries]);
  expect(partStart.length).toBe(partCount + 1);
  expect(partStart[0]).toBe(0);
  expect(partStart[partCount]).toBeLessThanOrEqual(lastStart);
  expect(lastColumn).toBe(size - lastCount);
  expect(lastStart).toBe(lastCount === 0 ? count : count - 1);
  if (lastCount > 0) expect(columnStart[lastStart]).toBe(lastColumn);
  const ofColumn = new Int32Array(size);
  for (let s = 0; s < count; s++) ofColumn.fill(s, columnStart[s], columnStart[s + 1]);
  for (let s = 0; s < count; s++) {
    const width = columnStart[s + 1] - columnStart[s];
    const below = [...rows.subarray(rowStart[s], rowStart[s + 1])];
    expect(width).toBeGreaterThan(0);
    expect(valueStart[s + 1] - valueStart[s]).toBe(width * (width + below.length));
    expect(below).toEqual([...new Set(below)].sort((a, b) => a - b));
    expect(below.every((row) => row >= columnStart[s + 1] && row < size)).toBe(true);
    expect(parent[s]).toBe(below.length === 0 ? -1 : ofColumn[below[0]]);
    // What lies below a supernode lies in or below its parent: the update of one panel fits into the next.
    for (const row of below) {
      const above = parent[s];
      const inParent =
        row < columnStart[above + 1] || rows.subarray(rowStart[above], rowStart[above + 1]).includes(row);
      expect(inParent).toBe(true);
    }
  }
}

/** Every part reaches only itself, the top and the last block. */
function expectIndependentParts(structure: SupernodalStructure): void {
  const { partStart, columnStart, rowStart, rows } = structure;
  const partCount = partStart.length - 1;
  const topColumn = columnStart[partStart[partCount]];
  for (let p = 0; p < partCount; p++) {
    expect(partStart[p + 1]).toBeGreaterThanOrEqual(partStart[p]);
    const columnEnd = columnStart[partStart[p + 1]];
    for (let k = rowStart[partStart[p]]; k < rowStart[partStart[p + 1]]; k++) {
      expect(rows[k] < columnEnd || rows[k] >= topColumn).toBe(true);
    }
  }
}

describe('analyse', () => {
  it('holds the brute-force factor for random matrices, parts and last blocks', () => {
    const partCounts = fc.integer({ min: 1, max: 5 });
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(spdArbitrary, partCounts, shares, ({ matrix, seed }, partCount, share) => {
        const last = randomChoice(matrix.size, Math.floor(share * matrix.size), seed);
        const structure = analyse(matrix, { last, partCount });
        expectConsistent(structure, partCount, last.length);
        expectIndependentParts(structure);
        expect([...structure.permutation.subarray(structure.lastColumn)]).toEqual(last);
        const fill = symbolicFill(matrix, structure.permutation);
        expect(structure.entries).toBe(countLower(fill));
        expectContains(structure, fill);
      }),
      SEEDED,
    );
  });

  it('stores exactly the factor when nothing is merged at a loss', () => {
    fc.assert(
      fc.property(spdArbitrary, ({ matrix }) => {
        const structure = analyse(matrix, { panelCost: { perPanel: 0, perRow: 0 } });
        let lower = 0;
        for (let s = 0; s < structure.count; s++) {
          const width = structure.columnStart[s + 1] - structure.columnStart[s];
          lower += (width * (width + 1)) / 2 + width * (structure.rowStart[s + 1] - structure.rowStart[s]);
        }
        expect(lower).toBe(structure.entries);
        expect(structure.entries).toBe(countLower(symbolicFill(matrix, structure.permutation)));
      }),
      SEEDED,
    );
  });

  it('splits a body into balanced parts', () => {
    const matrix = latticeMatrix(bodyLattice(0.04), 1);
    const last = Array.from({ length: 24 }, (_, k) => k * 100);
    for (const partCount of [2, 4]) {
      const structure = analyse(matrix, { last, partCount });
      expectConsistent(structure, partCount, last.length);
      expectIndependentParts(structure);
      const loads = Array.from({ length: partCount }, (_, p) => {
        return structure.valueStart[structure.partStart[p + 1]] - structure.valueStart[structure.partStart[p]];
      });
      // Two arms, two legs, a trunk and a head: the heaviest of 2 or 4 parts need not be twice the lightest.
      expect(Math.max(...loads)).toBeLessThan(2 * Math.min(...loads));
      // With one thread per part the solve must at least not be slower than 80 % of the serial one.
      const serial = structure.valueStart[structure.lastStart];
      const top = serial - structure.valueStart[structure.partStart[partCount]];
      expect(top + Math.max(...loads)).toBeLessThan(0.8 * serial);
    }
  });

  it('does not depend on the number of parts but for the numbering', () => {
    const matrix = latticeMatrix(bodyLattice(0.06), 1);
    const [one, four] = [1, 4].map((partCount) => analyse(matrix, { partCount }));
    expect(four.entries).toBe(one.entries);
    expect(four.storedEntries).toBe(one.storedEntries);
    expect(four.count).toBe(one.count);
  });

  it('copes with extreme shapes', () => {
    const single = analyse(sparseFromTriplets(1, [0], [0], [4]), { partCount: 4 });
    expectConsistent(single, 4, 0);
    expect(single.entries).toBe(1);
    const diagonal = analyse(diagonalMatrix(10), { partCount: 3 });
    expectConsistent(diagonal, 3, 0);
    expect(diagonal.entries).toBe(10);
    expect([...diagonal.parent]).toEqual(new Array(diagonal.count).fill(-1));
    const dense = analyse(randomSpd(30, 1, 1), { partCount: 4 });
    expectConsistent(dense, 4, 0);
    expect(dense.count).toBe(1);
    expect(dense.entries).toBe(465);
    const allLast = analyse(randomSpd(12, 0.3, 5), { last: randomChoice(12, 12, 9), partCount: 2 });
    expectConsistent(allLast, 2, 12);
    expect(allLast).toMatchObject({ count: 1, lastStart: 0, lastColumn: 0, storedEntries: 144 });
    expect([...allLast.permutation]).toEqual(randomChoice(12, 12, 9));
  });

  it('leaves parts empty when there are fewer subtrees than parts', () => {
    const chain = sparseFromTriplets(3, [0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 1, 2, 1, 2], [4, 1, 1, 4, 1, 1, 4]);
    const structure = analyse(chain, { partCount: 8 });
    expectConsistent(structure, 8, 0);
    expectIndependentParts(structure);
    expect(structure.partStart[8]).toBeLessThanOrEqual(structure.count);
  });

  it('rejects bad input', () => {
    const matrix = randomSpd(6, 0.5, 2);
    for (const partCount of [0, -1, 1.5, Number.NaN, 5000]) {
      expect(caught(() => analyse(matrix, { partCount }))).toMatchObject({ code: 'E_RANGE', place: 'partCount' });
    }
    expect(caught(() => analyse(matrix, { last: [6] })).code).toBe('E_INDEX');
    matrix.values[2] = Number.NaN;
    expect(caught(() => analyse(matrix)).code).toBe('E_NOT_FINITE');
    const order = Int32Array.from([0, 1, 2, 3, 4, 5]);
    expect(caught(() => buildSupernodes(matrix, order, 7, 1)).code).toBe('E_RANGE');
    expect(caught(() => buildSupernodes(matrix, order.fill(0), 0, 1)).code).toBe('E_INDEX');
  });
});

describe('partitionTree', () => {
  it('cuts a root with two equal children in two', () => {
    const { part, work } = partitionTree(Int32Array.from([2, 2, -1]), Float64Array.from([10, 10, 1]), 2);
    expect([...part].sort()).toEqual([0, 1, 2]);
    expect(part[2]).toBe(2);
    expect([...work]).toEqual([10, 10, 1]);
  });

  it('is never slower than one thread', () => {
    const forests = fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 100 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(forests, fc.integer({ min: 1, max: 6 }), (nodes, partCount) => {
        const parent = Int32Array.from(nodes, ([jump], i) => (jump === 0 || i + jump >= nodes.length ? -1 : i + jump));
        const work = Float64Array.from(nodes, ([, cost]) => cost);
        const total = work.reduce((a, b) => a + b, 0);
        const split = partitionTree(parent, work, partCount);
        expect(split.work.reduce((a, b) => a + b, 0)).toBe(total);
        const loads = [...split.work.subarray(0, partCount)];
        expect(Math.max(...loads) + split.work[partCount]).toBeLessThanOrEqual(total);
        nodes.forEach((_, i) => {
          const above = parent[i] === -1 ? partCount : split.part[parent[i]];
          expect(above === split.part[i] || above === partCount).toBe(true);
        });
      }),
      SEEDED,
    );
  });
});

/** Every entry of the factor has a place in the panels. */
function expectContains(structure: SupernodalStructure, fill: boolean[][]): void {
  const { columnStart, rowStart, rows, count, lastColumn } = structure;
  for (let s = 0; s < count; s++) {
    const below = new Set(rows.subarray(rowStart[s], rowStart[s + 1]));
    for (let j = columnStart[s]; j < columnStart[s + 1]; j++) {
      for (let i = columnStart[s + 1]; i < fill.length; i++) if (fill[i][j]) expect(below.has(i)).toBe(true);
    }
    // Rows are not invented: each is an entry of at least one column.
    for (const i of below) {
      const columns = Array.from({ length: columnStart[s + 1] - columnStart[s] }, (_, c) => columnStart[s] + c);
      expect(columns.some((j) => fill[i][j])).toBe(true);
      expect(columnStart[s]).toBeLessThan(lastColumn);
    }
  }
}

function diagonalMatrix(size: number): SparseMatrix {
  const index = Array.from({ length: size }, (_, i) => i);
  return sparseFromTriplets(
    size,
    index,
    index,
    index.map((i) => i + 1),
  );
}
