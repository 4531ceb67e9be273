import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DenseLdlt } from '../../../src/linalg/dense-ldlt.js';
import { caught } from './errors.js';
import { type Dense, denseSolve, maxDifference, multiplyDense, randomNumbers, SEEDED, zeros } from './reference.js';

/** Q D Qᵀ with Q a product of random reflections: eigenvalues known exactly up to rounding. */
function withEigenvalues(eigenvalues: number[], seed: number): Dense {
  const size = eigenvalues.length;
  const random = randomNumbers(seed);
  const matrix = zeros(size);
  for (let i = 0; i < size; i++) matrix[i][i] = eigenvalues[i];
  for (let pass = 0; pass < 3; pass++) {
    const v = Array.from({ length: size }, () => random() - 0.5);
    const lengthSq = v.reduce((sum, value) => sum + value * value, 0);
    reflect(matrix, v, 2 / lengthSq);
  }
  return matrix;
}

/** A := H A H with H = I - factor v vᵀ. */
function reflect(matrix: Dense, v: number[], factor: number): void {
  const size = v.length;
  const w = multiplyDense(matrix, v);
  const vw = v.reduce((sum, value, i) => sum + value * w[i], 0);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      matrix[i][j] += -factor * (v[i] * w[j] + w[i] * v[j]) + factor * factor * vw * v[i] * v[j];
    }
  }
}

const spectra = fc.record({
  positive: fc.integer({ min: 0, max: 12 }),
  negative: fc.integer({ min: 0, max: 12 }),
  seed: fc.nat(),
});

/** Eigenvalues between 0.5 and 2 in size: condition 4. */
function spectrum(positive: number, negative: number, seed: number): number[] {
  const random = randomNumbers(seed + 7);
  return Array.from({ length: positive + negative }, (_, i) => (i < positive ? 1 : -1) * (0.5 + 1.5 * random()));
}

/**
 * [[H, Cᵀ], [C, 0]] with H = `stiffness` * (I + small), the first `independent` rows of C random and the rest sums of two
 * of them.
 */
function saddlePoint(unknowns: number, independent: number, redundant: number, stiffness: number, seed: number): Dense {
  const random = randomNumbers(seed);
  const rows = independent + redundant;
  const matrix = zeros(unknowns + rows);
  for (let i = 0; i < unknowns; i++) {
    for (let j = 0; j < i; j++) {
      const value = (stiffness * (random() - 0.5)) / unknowns;
      matrix[i][j] = value;
      matrix[j][i] = value;
    }
    matrix[i][i] = stiffness * (1 + random());
  }
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < unknowns; j++) {
      const a = matrix[unknowns + (r % independent)][j];
      const b = matrix[unknowns + ((r + 1) % independent)][j];
      const value = r < independent ? random() - 0.5 : a + b;
      matrix[unknowns + r][j] = value;
      matrix[j][unknowns + r] = value;
    }
  }
  return matrix;
}

describe('DenseLdlt', () => {
  it('solves indefinite systems like dense elimination and knows their inertia', () => {
    const ldlt = new DenseLdlt(24);
    fc.assert(
      fc.property(spectra, fc.integer({ min: 1, max: 3 }), ({ positive, negative, seed }, stride) => {
        fc.pre(positive + negative > 0);
        const size = positive + negative;
        const matrix = withEigenvalues(spectrum(positive, negative, seed), seed);
        expect(ldlt.factor(matrix.flat(), size)).toBe(size);
        expect([ldlt.positive, ldlt.negative]).toEqual([positive, negative]);
        const random = randomNumbers(seed + 1);
        const b = Float64Array.from({ length: size * stride }, () => 2 * random() - 1);
        const x = b.slice();
        // No equation was dropped.
        expect(ldlt.solve(x, x, stride)).toBe(0);
        for (let r = 0; r < stride; r++) {
          const expected = denseSolve(
            matrix,
            b.filter((_, k) => k % stride === r),
          );
          const found = x.filter((_, k) => k % stride === r);
          // Condition 4 and element growth of a few: 24 * 4 * 10 * eps = 2e-13; the reference has the same error.
          expect(maxDifference(found, expected)).toBeLessThan(1e-12);
        }
      }),
      SEEDED,
    );
  });

  it('needs 2x2 pivots where the diagonal is zero', () => {
    const ldlt = new DenseLdlt(4);
    expect(ldlt.factor([0, 3, 3, 0], 2)).toBe(2);
    expect([ldlt.positive, ldlt.negative]).toEqual([1, 1]);
    const x = new Float64Array(2);
    ldlt.solve([6, 9], x);
    // One scaling, one division: a few eps of 3.
    expect(maxDifference(x, [3, 2])).toBeLessThan(1e-14);
  });

  it('finds the only entries wherever they are', () => {
    const ldlt = new DenseLdlt(4);
    const matrix = new Float64Array(16);
    matrix[3 * 4 + 2] = -5;
    expect(ldlt.factor(matrix, 4)).toBe(2);
    expect([ldlt.positive, ldlt.negative]).toEqual([1, 1]);
    const x = new Float64Array(4);
    expect(ldlt.solve([0, 0, 10, 15], x)).toBe(0);
    // One scaling, one division: a few eps of 3.
    expect(maxDifference(x, [0, 0, -3, -2])).toBeLessThan(1e-14);
  });

  it('keeps entries small where a small diagonal would make them grow', () => {
    // Without pivoting the first pivot, 1e-10, would cost ten digits.
    const matrix = [1e-10, 1, 2, 1, 1e-10, 3, 2, 3, 1e-10];
    const ldlt = new DenseLdlt(3);
    expect(ldlt.factor(matrix, 3)).toBe(3);
    // Determinant 2 * 1 * 2 * 3 > 0 and trace 0: one positive, two negative eigenvalues.
    expect([ldlt.positive, ldlt.negative]).toEqual([1, 2]);
    const x = new Float64Array(3);
    ldlt.solve([3 + 1e-10, 4 + 1e-10, 5 + 1e-10], x);
    // Condition below 10: 10 * 3 * eps and a margin.
    expect(maxDifference(x, [1, 1, 1])).toBeLessThan(1e-14);
  });

  it('reads only the lower triangle and leaves the matrix alone', () => {
    const full = [4, 1, 2, 1, -3, 0.5, 2, 0.5, 5];
    const lower = [4, Number.NaN, Number.NaN, 1, -3, Number.NaN, 2, 0.5, 5];
    const copy = lower.slice();
    const ldlt = new DenseLdlt(3);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    ldlt.factor(full, 3);
    ldlt.solve([1, 2, 3], a);
    expect(ldlt.factor(lower, 3)).toBe(3);
    ldlt.solve([1, 2, 3], b);
    expect(b).toEqual(a);
    expect(lower).toEqual(copy);
  });

  it('drops redundant constraints of a saddle point and still satisfies all of them', () => {
    const sizes = fc.record({
      unknowns: fc.integer({ min: 4, max: 20 }),
      independent: fc.integer({ min: 2, max: 4 }),
      redundant: fc.integer({ min: 0, max: 4 }),
      exponent: fc.integer({ min: -9, max: 12 }),
      seed: fc.nat(),
    });
    const ldlt = new DenseLdlt(30);
    fc.assert(
      fc.property(sizes, ({ unknowns, independent, redundant, exponent, seed }) => {
        const stiffness = 10 ** exponent;
        const matrix = saddlePoint(unknowns, independent, redundant, stiffness, seed);
        const size = matrix.length;
        expect(ldlt.factor(matrix.flat(), size)).toBe(unknowns + independent);
        // Inertia of a saddle point: one negative eigenvalue per independent constraint.
        expect([ldlt.positive, ldlt.negative]).toEqual([unknowns, independent]);
        const random = randomNumbers(seed + 3);
        const solution = Array.from({ length: size }, (_, i) => (i < unknowns ? 1 : stiffness) * (random() - 0.5));
        const b = multiplyDense(matrix, solution);
        const x = new Float64Array(size);
        const leftOver = ldlt.solve(b, x);
        // The unknowns are determined although the multipliers are not. Up to 4 random rows in 4 dimensions have
        // condition up to 1e4 now and then, squared in the Schur complement: 1e8 * 2.2e-16 and a margin.
        expect(leftOver).toBeLessThan(1e-7);
        expect(maxDifference(x.subarray(0, unknowns), solution.slice(0, unknowns))).toBeLessThan(1e-7);
      }),
      SEEDED,
    );
  });

  it('drops contradictory equations and says how far they are from holding', () => {
    // x = 1 and x = 3 at once, minimising x^2 / 2.
    const matrix = [1, 1, 1, 1, 0, 0, 1, 0, 0];
    const ldlt = new DenseLdlt(3);
    expect(ldlt.factor(matrix, 3)).toBe(2);
    const x = new Float64Array(3);
    const leftOver = ldlt.solve([0, 1, 3], x);
    expect(Math.abs(leftOver - 2)).toBeLessThan(1e-14);
    // One of the two is satisfied, its multiplier is -x, the other one's is exactly 0.
    expect([1, 3].some((target) => Math.abs(x[0] - target) < 1e-14)).toBe(true);
    expect([...x.subarray(1)].filter((value) => value === 0).length).toBe(1);
  });

  it('finds rank and inertia of matrices of known spectrum', () => {
    const ldlt = new DenseLdlt(30);
    fc.assert(
      fc.property(spectra, fc.integer({ min: 1, max: 6 }), ({ positive, negative, seed }, nullity) => {
        const eigenvalues = [...spectrum(positive, negative, seed), ...new Array<number>(nullity).fill(0)];
        const size = eigenvalues.length;
        const matrix = withEigenvalues(eigenvalues, seed);
        expect(ldlt.factor(matrix.flat(), size)).toBe(positive + negative);
        expect([ldlt.positive, ldlt.negative]).toEqual([positive, negative]);
        const random = randomNumbers(seed + 5);
        const b = multiplyDense(
          matrix,
          Array.from({ length: size }, () => random() - 0.5),
        );
        const x = new Float64Array(size);
        // Consistent: the residual of all equations, dropped ones included, is rounding error (growth of a few).
        expect(ldlt.solve(b, x)).toBeLessThan(1e-11);
        expect(maxDifference(multiplyDense(matrix, x), b)).toBeLessThan(1e-11);
      }),
      SEEDED,
    );
  });

  it('treats zero matrices and zero rows as dropped equations', () => {
    const ldlt = new DenseLdlt(3);
    expect(ldlt.factor(new Float64Array(9), 3)).toBe(0);
    const x = Float64Array.from([9, 9, 9]);
    expect(ldlt.solve([1, -4, 2], x)).toBe(4);
    expect([...x]).toEqual([0, 0, 0]);
    expect(ldlt.factor([2, 0, 0, 0, 0, 0, 0, 0, -8], 3)).toBe(2);
    expect([ldlt.positive, ldlt.negative]).toEqual([1, 1]);
    expect(ldlt.solve([4, 0, 8], x)).toBe(0);
    // Scales are roots: a few eps.
    expect(maxDifference(x, [2, 0, -1])).toBeLessThan(1e-15);
  });

  it('is quiet about numbers that are not finite: rank -1, solution 0', () => {
    const ldlt = new DenseLdlt(2);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(ldlt.factor([1, 0, bad, 1], 2)).toBe(-1);
      const x = Float64Array.from([5, 5]);
      expect(ldlt.solve([1, 1], x)).toBeNaN();
      expect([...x]).toEqual([0, 0]);
    }
    expect(ldlt.factor([1, 0, 0, 1], 2)).toBe(2);
  });

  it('does not care about the units of rows', () => {
    const ldlt = new DenseLdlt(10);
    const matrix = withEigenvalues(spectrum(6, 4, 2), 2);
    const units = Array.from({ length: 10 }, (_, i) => 100 ** (i - 5));
    const scaled = matrix.map((row, i) => row.map((value, j) => value * units[i] * units[j]));
    expect(ldlt.factor(scaled.flat(), 10)).toBe(10);
    expect([ldlt.positive, ldlt.negative]).toEqual([6, 4]);
    const solution = Array.from({ length: 10 }, (_, i) => i - 4.5);
    const b = multiplyDense(matrix, solution).map((value, i) => value * units[i]);
    const x = new Float64Array(10);
    ldlt.solve(b, x);
    const found = x.map((value, i) => value * units[i]);
    // As well conditioned as the unscaled system: 10 * 4 * 10 * eps * 4.5.
    expect(maxDifference(found, solution)).toBeLessThan(1e-12);
  });

  it('rejects sizes that do not fit', () => {
    for (const capacity of [0, -3, 1.5, Number.NaN, 1e9]) {
      expect(caught(() => new DenseLdlt(capacity))).toMatchObject({ code: 'E_RANGE', place: 'capacity' });
    }
    const ldlt = new DenseLdlt(3);
    for (const size of [0, 4, 1.5]) expect(caught(() => ldlt.factor([], size)).code).toBe('E_RANGE');
  });
});
