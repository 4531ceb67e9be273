import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse, factor } from '../../../src/linalg/cholesky.js';
import { solveOriginal } from '../../../src/linalg/cholesky-solve.js';
import { ConjugateGradients } from '../../../src/linalg/conjugate-gradients.js';
import { multiplySparse, type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { bodyLattice, latticeMatrix } from './body-lattice.js';
import { caught } from './errors.js';
import { denseSolve, maxDifference, randomNumbers, SEEDED, spdArbitrary, toDense } from './reference.js';

function diagonalOf(matrix: SparseMatrix): Float64Array {
  const dense = new Float64Array(matrix.size);
  for (let i = 0; i < matrix.size; i++) {
    for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
      if (matrix.columns[k] === i) dense[i] = matrix.values[k];
    }
  }
  return dense;
}

function operator(matrix: SparseMatrix) {
  return (x: Float64Array, y: Float64Array) => multiplySparse(matrix, x, y);
}

describe('ConjugateGradients', () => {
  it('agrees with dense elimination, with and without preconditioner', () => {
    fc.assert(
      fc.property(spdArbitrary, fc.boolean(), ({ matrix, seed }, jacobi) => {
        const random = randomNumbers(seed);
        const b = Float64Array.from({ length: matrix.size }, () => 2 * random() - 1);
        const x = Float64Array.from({ length: matrix.size }, () => random());
        const solver = new ConjugateGradients(matrix.size);
        const options = jacobi ? { diagonal: diagonalOf(matrix), tolerance: 1e-12 } : { tolerance: 1e-12 };
        const result = solver.solve(operator(matrix), b, x, options);
        expect(result.status).toBe('converged');
        expect(result.residual).toBeLessThanOrEqual(1e-12);
        // Residual 1e-12 * |b| (at most sqrt 40) over the smallest eigenvalue, 0.1.
        expect(maxDifference(x, denseSolve(toDense(matrix), b))).toBeLessThan(1e-10);
      }),
      SEEDED,
    );
  });

  it('agrees with the factorisation on a body', () => {
    const matrix = latticeMatrix(bodyLattice(0.06), 0.1);
    const random = randomNumbers(3);
    const b = Float64Array.from({ length: matrix.size }, () => 2 * random() - 1);
    const direct = new Float64Array(matrix.size);
    solveOriginal(factor(analyse(matrix), matrix), b, direct, new Float64Array(matrix.size));
    const x = new Float64Array(matrix.size);
    const result = new ConjugateGradients(matrix.size).solve(operator(matrix), b, x, { diagonal: diagonalOf(matrix) });
    expect(result.status).toBe('converged');
    // Condition below 2 * 100 / 0.1 = 2e3: sqrt(cond) * ln(2 / tolerance) / 2 = 530 iterations at the most.
    expect(result.iterations).toBeLessThan(530);
    // Residual 1e-10 * |b| (below sqrt(1041)) over the smallest eigenvalue, 0.1.
    expect(maxDifference(x, direct)).toBeLessThan(3.3e-8);
  });

  it('needs one iteration per distinct eigenvalue', () => {
    const matrix = sparseFromTriplets(4, [0, 1, 2, 3], [0, 1, 2, 3], [1, 1, 5, 5]);
    const x = new Float64Array(4);
    const solver = new ConjugateGradients(4);
    expect(solver.solve(operator(matrix), [1, 2, 3, 4], x).iterations).toBe(2);
    x.fill(0);
    expect(solver.solve(operator(matrix), [1, 2, 3, 4], x, { diagonal: [1, 1, 5, 5] }).iterations).toBe(1);
    // Divisions by 1 and 5 and a step length of 1: a few eps.
    expect(maxDifference(x, [1, 2, 0.6, 0.8])).toBeLessThan(1e-15);
  });

  it('takes no step when the guess is right or b is zero', () => {
    const matrix = sparseFromTriplets(2, [0, 1], [0, 1], [2, 4]);
    const solver = new ConjugateGradients(2);
    const right = Float64Array.from([1, 2]);
    expect(solver.solve(operator(matrix), [2, 8], right)).toEqual({ status: 'converged', iterations: 0, residual: 0 });
    const zero = new Float64Array(2);
    expect(solver.solve(operator(matrix), [0, 0], zero)).toEqual({ status: 'converged', iterations: 0, residual: 0 });
    const away = Float64Array.from([3, -5]);
    expect(solver.solve(operator(matrix), [0, 0], away).status).toBe('converged');
    // With b = 0 the residual is absolute: 1e-10 over the smallest eigenvalue, 2.
    expect(maxDifference(away, [0, 0])).toBeLessThan(1e-10);
  });

  it('says why it stopped', () => {
    const solver = new ConjugateGradients(2);
    const indefinite = sparseFromTriplets(2, [0, 1], [0, 1], [1, -1]);
    expect(solver.solve(operator(indefinite), [0, 1], new Float64Array(2)).status).toBe('indefinite');
    const singular = sparseFromTriplets(2, [0, 1], [0, 1], [1, 0]);
    expect(solver.solve(operator(singular), [0, 1], new Float64Array(2)).status).toBe('indefinite');
    const definite = sparseFromTriplets(2, [0, 1], [0, 1], [1, 100]);
    const limited = solver.solve(operator(definite), [1, 1], new Float64Array(2), { maxIterations: 1 });
    expect(limited).toMatchObject({ status: 'limit', iterations: 1 });
    expect(limited.residual).toBeGreaterThan(0.1);
  });

  it('stops at numbers that are not finite and keeps the last good iterate', () => {
    const solver = new ConjugateGradients(2);
    const matrix = sparseFromTriplets(2, [0, 1], [0, 1], [1, 100]);
    const x = Float64Array.from([7, 8]);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(solver.solve(operator(matrix), [bad, 1], x).status).toBe('not-finite');
      expect([...x]).toEqual([7, 8]);
    }
    let products = 0;
    const breaking = (from: Float64Array, to: Float64Array) => {
      multiplySparse(matrix, from, to);
      if (++products === 3) to[0] = Number.NaN;
    };
    const start = new Float64Array(2);
    const broken = solver.solve(breaking, [1, 1], start);
    expect(broken).toMatchObject({ status: 'not-finite', iterations: 1 });
    expect(start.every(Number.isFinite)).toBe(true);
  });

  it('rejects sizes that are none', () => {
    for (const size of [0, -1, 2.5, Number.NaN]) {
      expect(caught(() => new ConjugateGradients(size))).toMatchObject({ code: 'E_RANGE', place: 'size' });
    }
  });
});
