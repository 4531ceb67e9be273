/** Slow and plain dense algebra that the tests compare with, and random matrices to compare on. */

import fc from 'fast-check';
import { type SparseMatrix, sparseFromTriplets } from '../../../src/linalg/sparse.js';

export type Dense = number[][];

/** Property runs use one seed, so a failure today is a failure tomorrow. */
export const SEEDED = { seed: 20240611, numRuns: 200 } as const;

/** A fixed sequence of numbers in [0, 1): multiplicative congruential, modulus 2^31 - 1. */
export function randomNumbers(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Symmetric, diagonally dominant (hence positive definite), each off-diagonal place filled with chance `density`. */
export function randomSpd(size: number, density: number, seed: number): SparseMatrix {
  const random = randomNumbers(seed);
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const diagonal = new Array<number>(size).fill(0);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      if (random() >= density) continue;
      const value = 2 * random() - 1;
      rows.push(i, j);
      columns.push(j, i);
      values.push(value, value);
      diagonal[i] += Math.abs(value);
      diagonal[j] += Math.abs(value);
    }
  }
  for (let i = 0; i < size; i++) {
    rows.push(i);
    columns.push(i);
    values.push(diagonal[i] + 0.1 + random());
  }
  return sparseFromTriplets(size, rows, columns, values);
}

/** Random positive definite matrices of 1 to 40 unknowns, from nearly diagonal to full. */
export const spdArbitrary = fc
  .record({
    size: fc.integer({ min: 1, max: 40 }),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
  })
  .map(({ size, density, seed }) => ({ matrix: randomSpd(size, density * density, seed), seed }));

/** `count` different numbers below `size`, in random order. */
export function randomChoice(size: number, count: number, seed: number): number[] {
  const random = randomNumbers(seed);
  const all = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.slice(0, count);
}

export function toDense(matrix: SparseMatrix): Dense {
  const dense = zeros(matrix.size);
  for (let i = 0; i < matrix.size; i++) {
    for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) dense[i][matrix.columns[k]] = matrix.values[k];
  }
  return dense;
}

export function zeros(rows: number, columns = rows): Dense {
  return Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
}

/** Gaussian elimination with partial pivoting. */
export function denseSolve(matrix: Dense, b: ArrayLike<number>): number[] {
  const size = matrix.length;
  const a = matrix.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < size; k++) {
    let best = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(a[i][k]) > Math.abs(a[best][k])) best = i;
    [a[k], a[best]] = [a[best], a[k]];
    for (let i = k + 1; i < size; i++) {
      const factor = a[i][k] / a[k][k];
      for (let j = k; j <= size; j++) a[i][j] -= factor * a[k][j];
    }
  }
  const x = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let sum = a[i][size];
    for (let j = i + 1; j < size; j++) sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
  return x;
}

/** Which places of the Cholesky factor are entries: brute-force elimination of the permuted pattern. */
export function symbolicFill(matrix: SparseMatrix, permutation: ArrayLike<number>): boolean[][] {
  const dense = toDense(matrix);
  const size = matrix.size;
  const fill = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => i === j || dense[permutation[i]][permutation[j]] !== 0),
  );
  for (let k = 0; k < size; k++) {
    for (let i = k + 1; i < size; i++) {
      if (!fill[i][k]) continue;
      for (let j = k + 1; j < size; j++) if (fill[j][k]) fill[i][j] = true;
    }
  }
  return fill;
}

/** Number of entries on and under the diagonal. */
export function countLower(fill: boolean[][]): number {
  let count = 0;
  for (let i = 0; i < fill.length; i++) for (let j = 0; j <= i; j++) if (fill[i][j]) count++;
  return count;
}

/** Largest absolute difference. */
export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

export function multiplyDense(matrix: Dense, x: ArrayLike<number>): number[] {
  return matrix.map((row) => row.reduce((sum, value, j) => sum + value * x[j], 0));
}
