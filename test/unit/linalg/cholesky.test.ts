import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  analyse,
  type CholeskyFactor,
  factor,
  factorLast,
  refactor,
  schurComplement,
} from '../../../src/linalg/cholesky.js';
import {
  backwardRange,
  forwardRange,
  solve,
  solveBackward,
  solveForward,
  solveOriginal,
} from '../../../src/linalg/cholesky-solve.js';
import { multiplySparse, type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { bodyLattice, latticeMatrix } from './body-lattice.js';
import { caught } from './errors.js';
import {
  type Dense,
  denseSolve,
  maxDifference,
  randomChoice,
  randomNumbers,
  randomSpd,
  SEEDED,
  spdArbitrary,
  toDense,
  zeros,
} from './reference.js';

const shares = fc.double({ min: 0, max: 1, noNaN: true });

/**
 * Random matrices here are diagonally dominant with entries up to 40 and a smallest eigenvalue of at least 0.1: condition
 * below 1e3. Backward error of a Cholesky solve is a few eps times the size: 1e3 * 40 * 2.2e-16 = 1e-11.
 */
const SOLVE_TOLERANCE = 1e-11;

function expandFactor(source: CholeskyFactor): Dense {
  const { structure, values } = source;
  const lower = zeros(structure.size);
  for (let s = 0; s < structure.count; s++) {
    const first = structure.columnStart[s];
    const width = structure.columnStart[s + 1] - first;
    const below = structure.rows.subarray(structure.rowStart[s], structure.rowStart[s + 1]);
    const lead = width + below.length;
    for (let j = 0; j < width; j++) {
      for (let i = 0; i < lead; i++) {
        const row = i < width ? first + i : below[i - width];
        const value = values[structure.valueStart[s] + j * lead + i];
        if (i < j) expect(value).toBe(0);
        lower[row][first + j] = value;
      }
    }
  }
  return lower;
}

function randomVector(length: number, seed: number): Float64Array {
  const random = randomNumbers(seed + 1);
  return Float64Array.from({ length }, () => 2 * random() - 1);
}

/** Dense Schur complement of the unknowns `last`: A22 - A21 A11⁻¹ A12. */
function denseSchur(matrix: SparseMatrix, last: number[]): Dense {
  const dense = toDense(matrix);
  const rest = [...Array(matrix.size).keys()].filter((i) => !last.includes(i));
  const inner = rest.map((i) => rest.map((j) => dense[i][j]));
  const schur = last.map((i) => last.map((j) => dense[i][j]));
  last.forEach((j, column) => {
    const x = denseSolve(
      inner,
      rest.map((i) => dense[i][j]),
    );
    last.forEach((i, row) => {
      rest.forEach((k, at) => {
        schur[row][column] -= dense[i][k] * x[at];
      });
    });
  });
  return schur;
}

describe('factor', () => {
  it('satisfies L Lᵀ = P A Pᵀ', () => {
    fc.assert(
      fc.property(spdArbitrary, fc.integer({ min: 1, max: 4 }), shares, ({ matrix, seed }, partCount, share) => {
        const last = randomChoice(matrix.size, Math.floor(share * matrix.size), seed);
        const result = factor(analyse(matrix, { last, partCount }), matrix);
        const lower = expandFactor(result);
        const dense = toDense(matrix);
        const { permutation } = result.structure;
        for (let i = 0; i < matrix.size; i++) {
          for (let j = 0; j <= i; j++) {
            let sum = 0;
            for (let k = 0; k <= j; k++) sum += lower[i][k] * lower[j][k];
            // Entries up to 40, at most 40 products: 40 * 40 * eps = 4e-13.
            expect(Math.abs(sum - dense[permutation[i]][permutation[j]])).toBeLessThan(1e-12);
          }
        }
      }),
      SEEDED,
    );
  });

  it('solves several right-hand sides like dense elimination', () => {
    fc.assert(
      fc.property(spdArbitrary, fc.integer({ min: 1, max: 4 }), shares, ({ matrix, seed }, stride, share) => {
        const last = randomChoice(matrix.size, Math.floor(share * matrix.size), seed);
        const result = factor(analyse(matrix, { last, partCount: 2 }), matrix);
        const b = randomVector(matrix.size * stride, seed);
        const x = new Float64Array(b.length);
        solveOriginal(result, b, x, new Float64Array(b.length), stride);
        for (let r = 0; r < stride; r++) {
          const expected = denseSolve(
            toDense(matrix),
            b.filter((_, k) => k % stride === r),
          );
          const found = x.filter((_, k) => k % stride === r);
          expect(maxDifference(found, expected)).toBeLessThan(SOLVE_TOLERANCE);
        }
      }),
      SEEDED,
    );
  });

  it('solves a body of 3.1k vertices to the accuracy of its condition', () => {
    const matrix = latticeMatrix(bodyLattice(0.04), 0.01);
    const structure = analyse(matrix, { last: Array.from({ length: 60 }, (_, k) => 40 * k), partCount: 4 });
    const result = factor(structure, matrix);
    const expected = randomVector(matrix.size * 3, 5);
    const b = new Float64Array(expected.length);
    multiplySparse(matrix, expected, b, 3);
    const x = new Float64Array(b.length);
    solveOriginal(result, b, x, new Float64Array(b.length), 3);
    // Largest eigenvalue < 2 * largest diagonal (< 100), smallest 0.01: condition 2e4, times eps, times sqrt(n) = 2e-10.
    expect(maxDifference(x, expected)).toBeLessThan(2e-10);
  });

  it('solves part by part, in any order of the parts, to the same bits', () => {
    const matrix = latticeMatrix(bodyLattice(0.06), 0.1);
    const result = factor(analyse(matrix, { partCount: 4 }), matrix);
    const { partStart, count } = result.structure;
    const b = randomVector(matrix.size * 3, 8);
    const whole = b.slice();
    solve(result, whole, 3);
    // Each part on its own copy, as threads would; what they send to the top is added in the order of the parts.
    const top = result.structure.columnStart[partStart[4]] * 3;
    const x = b.slice();
    for (const p of [2, 0, 3, 1]) {
      const own = b.slice();
      forwardRange(result, own, 3, partStart[p], partStart[p + 1]);
      const from = result.structure.columnStart[partStart[p]] * 3;
      const to = result.structure.columnStart[partStart[p + 1]] * 3;
      x.set(own.subarray(from, to), from);
    }
    const serial = b.slice();
    forwardRange(result, serial, 3, 0, partStart[4]);
    expect(x.subarray(0, top)).toEqual(serial.subarray(0, top));
    x.set(serial.subarray(top), top);
    forwardRange(result, x, 3, partStart[4], count);
    backwardRange(result, x, 3, partStart[4], count);
    for (const p of [3, 1, 0, 2]) backwardRange(result, x, 3, partStart[p], partStart[p + 1]);
    expect(x).toEqual(whole);
  });

  it('handles extreme shapes', () => {
    const size = 60;
    const shapes: SparseMatrix[] = [
      sparseFromTriplets(1, [0], [0], [4]),
      sparseFromTriplets(3, [0, 1, 2], [0, 1, 2], [1, 2, 3]),
      randomSpd(size, 1, 4),
      arrow(size, 0),
      arrow(size, size - 1),
      disconnected(size),
    ];
    for (const matrix of shapes) {
      for (const last of [[], [0], [...Array(matrix.size).keys()].reverse()]) {
        const result = factor(analyse(matrix, { last, partCount: 3 }), matrix);
        const b = randomVector(matrix.size, 3);
        const x = new Float64Array(matrix.size);
        solveOriginal(result, b, x, new Float64Array(matrix.size));
        // Entries up to 60 instead of 40, otherwise as above.
        expect(maxDifference(x, denseSolve(toDense(matrix), b))).toBeLessThan(SOLVE_TOLERANCE);
      }
    }
  });

  it('crosses every block boundary of the dense loops', () => {
    // Dense matrices of all sizes up to 40: 8-wide panels, pairs of columns and fours of rows, with every remainder.
    for (let size = 1; size <= 40; size++) {
      const matrix = randomSpd(size, 1, size);
      const last = [...Array(Math.floor(size / 3)).keys()];
      const result = factor(analyse(matrix, { last }), matrix);
      const b = randomVector(size, size);
      const x = new Float64Array(size);
      solveOriginal(result, b, x, new Float64Array(size));
      expect(maxDifference(x, denseSolve(toDense(matrix), b))).toBeLessThan(SOLVE_TOLERANCE);
    }
  });
});

describe('refactor', () => {
  it('gives the bits of a fresh factor and reuses the memory', () => {
    const first = randomSpd(40, 0.2, 11);
    const second = { ...first, values: first.values.map((value) => 3 * value) };
    const structure = analyse(first, { last: [4, 9], partCount: 2 });
    const target = factor(structure, first);
    const memory = target.values;
    refactor(target, second);
    expect(target.values).toBe(memory);
    expect(target.values).toEqual(factor(structure, second).values);
    refactor(target, first);
    expect(target.values).toEqual(factor(structure, first).values);
  });

  it('recovers after a failure', () => {
    const good = randomSpd(20, 0.3, 2);
    const bad = { ...good, values: good.values.map((value) => -value) };
    const target = factor(analyse(good), good);
    const before = target.values.slice();
    expect(caught(() => refactor(target, bad)).code).toBe('E_NOT_POSITIVE_DEFINITE');
    expect(target.state).toBe('failed');
    expect(caught(() => solve(target, new Float64Array(20))).code).toBe('E_RANGE');
    expect(caught(() => solveForward(target, new Float64Array(20))).code).toBe('E_RANGE');
    refactor(target, good);
    expect(target.state).toBe('complete');
    expect(target.values).toEqual(before);
  });

  it('rejects numbers that are not finite, on either side of the last block', () => {
    const matrix = randomSpd(12, 0.4, 3);
    const structure = analyse(matrix, { last: [0, 1, 2] });
    const target = factor(structure, matrix);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const entry of [0, matrix.rowStart[12] - 1]) {
        const values = matrix.values.slice();
        values[entry] = bad;
        const error = caught(() => refactor(target, { ...matrix, values }, { stopAtLast: true }));
        expect(error).toMatchObject({ code: 'E_NOT_FINITE', place: `matrix/values/${entry}`, value: bad });
      }
    }
  });

  it('rejects a matrix that does not fit the structure', () => {
    const path = sparseFromTriplets(3, [0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 1, 2, 1, 2], [4, 1, 1, 4, 1, 1, 4]);
    const diagonal = sparseFromTriplets(3, [0, 1, 2], [0, 1, 2], [4, 4, 4]);
    const structure = analyse(diagonal, { panelCost: { perPanel: 0, perRow: 0 } });
    expect(caught(() => factor(structure, path)).code).toBe('E_INDEX');
    const pair = sparseFromTriplets(3, [0, 0, 1, 1, 2], [0, 1, 0, 1, 2], [4, 1, 1, 4, 4]);
    expect(caught(() => factor(structure, pair)).code).toBe('E_INDEX');
    expect(caught(() => factor(structure, randomSpd(4, 0.5, 1))).code).toBe('E_RANGE');
  });
});

describe('a last block', () => {
  it('holds the Schur complement when the factorisation stops before it', () => {
    fc.assert(
      fc.property(spdArbitrary, shares, ({ matrix, seed }, share) => {
        const last = randomChoice(matrix.size, Math.max(1, Math.floor(share * matrix.size)), seed);
        const result = factor(analyse(matrix, { last, partCount: 2 }), matrix, { stopAtLast: true });
        expect(result.state).toBe('schur');
        const schur = schurComplement(result);
        expect(maxDifference(schur, denseSchur(matrix, last).flat())).toBeLessThan(SOLVE_TOLERANCE);
        for (let i = 0; i < last.length; i++) {
          for (let j = 0; j < i; j++) expect(schur[i * last.length + j]).toBe(schur[j * last.length + i]);
        }
      }),
      SEEDED,
    );
  });

  it('can be solved outside, between the two sweeps', () => {
    const matrix = randomSpd(40, 0.15, 21);
    const last = [3, 17, 5, 30];
    const result = factor(analyse(matrix, { last, partCount: 2 }), matrix, { stopAtLast: true });
    const { permutation, lastColumn } = result.structure;
    const b = randomVector(40, 2);
    const x = Float64Array.from(permutation, (old) => b[old]);
    expect(caught(() => solve(result, x)).code).toBe('E_RANGE');
    solveForward(result, x);
    const schur = schurComplement(result, new Float64Array(16));
    const dense = last.map((_, i) => [...schur.subarray(i * 4, i * 4 + 4)]);
    x.set(denseSolve(dense, x.subarray(lastColumn)), lastColumn);
    solveBackward(result, x);
    const expected = denseSolve(toDense(matrix), b);
    expect(
      maxDifference(
        x,
        [...permutation].map((old) => expected[old]),
      ),
    ).toBeLessThan(SOLVE_TOLERANCE);
  });

  it('can be factored afterwards, to the bits of factoring at once', () => {
    const matrix = randomSpd(40, 0.15, 22);
    const structure = analyse(matrix, { last: [1, 2, 3, 10, 20], partCount: 2 });
    const stopped = factor(structure, matrix, { stopAtLast: true });
    factorLast(stopped);
    expect(stopped.state).toBe('complete');
    expect(stopped.values).toEqual(factor(structure, matrix).values);
    expect(caught(() => schurComplement(stopped)).code).toBe('E_RANGE');
    expect(caught(() => factorLast(stopped)).code).toBe('E_RANGE');
  });

  it('is the whole matrix when all unknowns are forced last', () => {
    const matrix = randomSpd(9, 0.4, 6);
    const last = randomChoice(9, 9, 4);
    const result = factor(analyse(matrix, { last }), matrix, { stopAtLast: true });
    const dense = toDense(matrix);
    // Nothing was eliminated: no rounding.
    expect([...schurComplement(result)]).toEqual(last.flatMap((i) => last.map((j) => dense[i][j])));
  });

  it('may be absent although the factorisation was asked to stop at it', () => {
    const matrix = randomSpd(9, 0.4, 6);
    const result = factor(analyse(matrix), matrix, { stopAtLast: true });
    expect(result.state).toBe('complete');
    expect(result.values).toEqual(factor(analyse(matrix), matrix).values);
  });
});

describe('a matrix that is not positive definite', () => {
  it('is reported with the unknown and its pivot', () => {
    // Unknown 2 is coupled to nothing, so its pivot is its diagonal entry, whatever the order.
    for (const entry of [-2, 0]) {
      const matrix = sparseFromTriplets(4, [0, 0, 1, 1, 2, 3], [0, 1, 0, 1, 2, 3], [2, 1, 1, 2, entry, 1]);
      const error = caught(() => factor(analyse(matrix), matrix));
      expect(error).toMatchObject({ code: 'E_NOT_POSITIVE_DEFINITE', place: 'pivot/2', value: entry });
    }
  });

  it('is blamed on the coupled unknown that is eliminated last', () => {
    // [[1, 2], [2, 1]] with the order forced: the second pivot is 1 - 2 * 2 / 1.
    const matrix = sparseFromTriplets(2, [0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 2, 1]);
    for (const last of [0, 1]) {
      const error = caught(() => factor(analyse(matrix, { last: [last] }), matrix));
      expect(error).toMatchObject({ code: 'E_NOT_POSITIVE_DEFINITE', place: `pivot/${last}`, value: -3 });
    }
  });

  it('is found when only rounding error is left of a pivot', () => {
    const free = latticeMatrix(bodyLattice(0.1), 0);
    expect(caught(() => factor(analyse(free), free)).code).toBe('E_NOT_POSITIVE_DEFINITE');
  });

  it('is found when the rest of a pivot happens to be positive', () => {
    // The second pivot is 1 + 2^-50 - 1, four units in the last place of what it was made of.
    const matrix = sparseFromTriplets(2, [0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1 + 2 ** -50]);
    expect(caught(() => factor(analyse(matrix, { last: [1] }), matrix))).toMatchObject({
      code: 'E_NOT_POSITIVE_DEFINITE',
      place: 'pivot/1',
      value: 2 ** -50,
    });
  });

  it('is found when a pivot overflows', () => {
    const matrix = sparseFromTriplets(2, [0, 0, 1, 1], [0, 1, 0, 1], [1e-300, 1e200, 1e200, 1]);
    expect(caught(() => factor(analyse(matrix, { last: [1] }), matrix))).toMatchObject({
      code: 'E_NOT_POSITIVE_DEFINITE',
      place: 'pivot/1',
    });
  });

  it('is found in the last block by factorLast', () => {
    const matrix = sparseFromTriplets(2, [0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 2, 1]);
    const result = factor(analyse(matrix, { last: [0] }), matrix, { stopAtLast: true });
    expect([...schurComplement(result)]).toEqual([-3]);
    expect(caught(() => factorLast(result))).toMatchObject({ place: 'pivot/0', value: -3 });
    expect(result.state).toBe('failed');
  });
});

function arrow(size: number, hub: number): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < size; i++) {
    rows.push(i);
    columns.push(i);
    values.push(i === hub ? size : 2);
    if (i === hub) continue;
    rows.push(i, hub);
    columns.push(hub, i);
    values.push(1, 1);
  }
  return sparseFromTriplets(size, rows, columns, values);
}

/** Three blocks without connection, the middle one of single unknowns. */
function disconnected(size: number): SparseMatrix {
  const matrix = randomSpd(size, 0.3, 13);
  const block = (i: number) => (i < size / 3 ? -1 : i < (2 * size) / 3 ? i : -2);
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < size; i++) {
    for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
      if (block(i) !== block(matrix.columns[k])) continue;
      rows.push(i);
      columns.push(matrix.columns[k]);
      values.push(matrix.values[k]);
    }
  }
  return sparseFromTriplets(size, rows, columns, values);
}
