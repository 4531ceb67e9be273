/**
 * Dense symmetric indefinite systems, P S A S Pᵀ = L D Lᵀ with 1x1 and 2x2 blocks in D. For the small saddle-point
 * systems [[H, Cᵀ], [C, 0]] of joints, where rows of C may be redundant: what is left when all entries are below a
 * tolerance is dropped, its unknowns become 0.
 *
 * Pivots by rook search [C. Ashcraft, R. Grimes, J. Lewis, Accurate symmetric indefinite linear equation solvers, SIAM
 * J. Matrix Anal. Appl. 20 (1998), §2.3], started at the largest diagonal entry: as stable as complete pivoting and as
 * good at finding the rank, since the end is only declared after a look at all remaining entries; complete pivoting
 * [Bunch and Parlett 1971] took 4.3 ms instead of 2.5 ms at 200 unknowns.
 *
 * S scales rows and columns to a largest entry near 1, so that the tolerance means the same for stiffnesses of 1e6 and
 * for constraint rows of 1. A row is judged by its own size: a row that is noise must be made zero by the caller.
 */

import { TendonError } from '../errors.js';

/** (1 + sqrt 17) / 8: below this ratio of diagonal to off-diagonal a 2x2 pivot lets entries grow less. */
const PIVOT_RATIO = 0.6403882032022076;

/** Sweeps of row scaling. The first already brings entries to at most 1, the others even the rows out. */
const SCALING_SWEEPS = 3;

/** Pivots below this, relative to the scaled matrix (largest entry about 1), count as zero: eps^(3/4). */
export const RANK_TOLERANCE = 1e-12;

/** Factors and solves dense symmetric systems up to `capacity` unknowns without allocating. */
export class DenseLdlt {
  /** Largest number of unknowns. */
  readonly capacity: number;
  /** Number of unknowns of the last factorisation. */
  size = 0;
  /** Number of independent rows; -1 when the matrix was not finite. */
  rank = 0;
  /** Number of positive eigenvalues among the independent ones. */
  positive = 0;
  /** Number of negative eigenvalues among the independent ones. */
  negative = 0;
  /** Lower triangle by rows of length `size`: L under the diagonal, D on it and beside it for 2x2 blocks. */
  private readonly a: Float64Array;
  /** permutation[k] = unknown at place k. */
  private readonly permutation: Int32Array;
  /** Size of the block that starts at k; 0 for the second row of a 2x2 block. */
  private readonly block: Uint8Array;
  private readonly scale: Float64Array;
  private readonly column: Float64Array;
  private readonly column2: Float64Array;
  /** The pivot found last: one place, or two for a 2x2 block (otherwise -1). */
  private pivotFirst = 0;
  private pivotSecond = -1;
  /** Largest off-diagonal entry of the row searched last, and its column. */
  private rowMax = 0;
  private rowMaxAt = -1;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > 16384) {
      throw new TendonError('E_RANGE', 'capacity', capacity, 'the capacity must be a whole number from 1 to 16384');
    }
    this.capacity = capacity;
    this.a = new Float64Array(capacity * capacity);
    this.permutation = new Int32Array(capacity);
    this.block = new Uint8Array(capacity);
    this.scale = new Float64Array(capacity);
    this.column = new Float64Array(capacity);
    this.column2 = new Float64Array(capacity);
  }

  /**
   * Factors the symmetric matrix in the lower triangle of `matrix` (size x size, by rows), which is not changed, and
   * returns its rank, or -1 when an entry is not finite.
   */
  factor(matrix: ArrayLike<number>, size: number, tolerance = RANK_TOLERANCE): number {
    if (!Number.isInteger(size) || size < 1 || size > this.capacity) {
      throw new TendonError('E_RANGE', 'size', size, `the size must be a whole number from 1 to ${this.capacity}`);
    }
    this.size = size;
    this.positive = 0;
    this.negative = 0;
    this.rank = -1;
    if (!this.loadScaled(matrix)) return -1;
    let k = 0;
    while (k < size && this.findPivot(k, tolerance)) {
      const { pivotFirst, pivotSecond } = this;
      this.swap(k, pivotFirst);
      if (pivotSecond === -1) {
        this.eliminateOne(k);
        k += 1;
      } else {
        // If the second was at k it has just moved to where the first was.
        this.swap(k + 1, pivotSecond === k ? pivotFirst : pivotSecond);
        this.eliminateTwo(k);
        k += 2;
      }
    }
    this.rank = k;
    return k;
  }

  /**
   * Solves for `stride` right-hand sides, rows of `stride` numbers; `x` may be `b`. Returns how far the dropped
   * equations are from holding (largest |b - A x| among them): about 0 when the system is consistent. NaN and x = 0
   * when the last factorisation failed.
   */
  solve(b: ArrayLike<number>, x: Float64Array, stride = 1): number {
    const { size, permutation, scale, column } = this;
    if (this.rank < 0) {
      x.fill(0, 0, size * stride);
      return Number.NaN;
    }
    let leftOver = 0;
    for (let r = 0; r < stride; r++) {
      for (let k = 0; k < size; k++) column[k] = b[permutation[k] * stride + r] * scale[permutation[k]];
      this.solveForward();
      for (let k = this.rank; k < size; k++) {
        leftOver = Math.max(leftOver, Math.abs(column[k] / scale[permutation[k]]));
        column[k] = 0;
      }
      this.solveBackward();
      for (let k = 0; k < size; k++) x[permutation[k] * stride + r] = column[k] * scale[permutation[k]];
    }
    return leftOver;
  }

  /** column := D⁻¹ L⁻¹ column in the first `rank` places; the others keep what is left of their equations. */
  private solveForward(): void {
    const { a, size, rank, column, block } = this;
    for (let i = 1; i < size; i++) {
      // L has no entry between the two rows of a block: that place holds D.
      const end = Math.min(rank, i < rank && block[i] === 0 ? i - 1 : i);
      let sum = column[i];
      for (let j = 0; j < end; j++) sum -= a[i * size + j] * column[j];
      column[i] = sum;
    }
    for (let k = 0; k < rank; k++) {
      if (block[k] === 1) {
        column[k] /= a[k * size + k];
      } else if (block[k] === 2) {
        const off = a[(k + 1) * size + k];
        const d0 = a[k * size + k] / off;
        const d1 = a[(k + 1) * size + k + 1] / off;
        const denominator = off * (d0 * d1 - 1);
        const c0 = column[k];
        const c1 = column[k + 1];
        column[k] = (d1 * c0 - c1) / denominator;
        column[k + 1] = (d0 * c1 - c0) / denominator;
      }
    }
  }

  /** column := L⁻ᵀ column. */
  private solveBackward(): void {
    const { a, size, rank, column, block } = this;
    for (let i = rank - 1; i > 0; i--) {
      const end = block[i] === 0 ? i - 1 : i;
      const value = column[i];
      for (let j = 0; j < end; j++) column[j] -= a[i * size + j] * value;
    }
  }

  /** Copies the lower triangle and scales rows and columns; false when an entry is not finite. */
  private loadScaled(matrix: ArrayLike<number>): boolean {
    const { a, size, scale, column, permutation } = this;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      permutation[i] = i;
      scale[i] = 1;
      for (let j = 0; j <= i; j++) {
        const value = matrix[i * size + j];
        a[i * size + j] = value;
        sum += value - value;
      }
    }
    // x - x is 0 for finite x and NaN otherwise.
    if (sum !== 0) return false;
    for (let sweep = 0; sweep < SCALING_SWEEPS; sweep++) {
      column.fill(0, 0, size);
      for (let i = 0; i < size; i++) {
        for (let j = 0; j <= i; j++) {
          const value = Math.abs(a[i * size + j]);
          if (value > column[i]) column[i] = value;
          if (value > column[j]) column[j] = value;
        }
      }
      // A row of zeros stays one.
      for (let i = 0; i < size; i++) column[i] = column[i] > 0 ? 1 / Math.sqrt(column[i]) : 1;
      for (let i = 0; i < size; i++) {
        scale[i] *= column[i];
        for (let j = 0; j <= i; j++) a[i * size + j] *= column[i] * column[j];
      }
    }
    return true;
  }

  /** Chooses the pivot among the places from k on; false when nothing above the tolerance is left. */
  private findPivot(k: number, tolerance: number): boolean {
    const { a, size } = this;
    let p = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(a[i * size + i]) > Math.abs(a[p * size + p])) p = i;
    this.searchRow(k, p);
    if (Math.max(Math.abs(a[p * size + p]), this.rowMax) <= tolerance) {
      p = this.findAbove(k, tolerance);
      if (p === -1) return false;
      this.searchRow(k, p);
    }
    this.pivotSecond = -1;
    for (;;) {
      this.pivotFirst = p;
      const max = this.rowMax;
      const q = this.rowMaxAt;
      if (Math.abs(a[p * size + p]) >= PIVOT_RATIO * max) return true;
      this.searchRow(k, q);
      if (Math.abs(a[q * size + q]) >= PIVOT_RATIO * this.rowMax) {
        this.pivotFirst = q;
        return true;
      }
      if (this.rowMax <= max) {
        this.pivotSecond = q;
        return true;
      }
      // Row q has a larger entry than the one it shares with p: climb on. The maximum grows, so this ends.
      p = q;
    }
  }

  /** A row, from k on, with an entry above the tolerance; -1 when there is none. */
  private findAbove(k: number, tolerance: number): number {
    const { a, size } = this;
    for (let i = k; i < size; i++) {
      for (let j = k; j <= i; j++) if (Math.abs(a[i * size + j]) > tolerance) return i;
    }
    return -1;
  }

  /** Finds the largest off-diagonal entry of row p among the places from k on. */
  private searchRow(k: number, p: number): void {
    const { a, size } = this;
    let max = 0;
    let at = -1;
    for (let j = k; j < p; j++) {
      const value = Math.abs(a[p * size + j]);
      if (value > max) {
        max = value;
        at = j;
      }
    }
    for (let i = p + 1; i < size; i++) {
      const value = Math.abs(a[i * size + p]);
      if (value > max) {
        max = value;
        at = i;
      }
    }
    this.rowMax = max;
    this.rowMaxAt = at;
  }

  /** Exchanges unknowns p <= q in the lower triangle, the finished columns of L included. */
  private swap(p: number, q: number): void {
    if (p === q) return;
    const { a, size, permutation } = this;
    const unknown = permutation[p];
    permutation[p] = permutation[q];
    permutation[q] = unknown;
    for (let j = 0; j < p; j++) this.exchange(p * size + j, q * size + j);
    for (let j = p + 1; j < q; j++) this.exchange(j * size + p, q * size + j);
    for (let i = q + 1; i < size; i++) this.exchange(i * size + p, i * size + q);
    const diagonal = a[p * size + p];
    a[p * size + p] = a[q * size + q];
    a[q * size + q] = diagonal;
  }

  private exchange(s: number, t: number): void {
    const value = this.a[s];
    this.a[s] = this.a[t];
    this.a[t] = value;
  }

  /** 1x1 pivot at k: a(i, j) -= a(i, k) a(j, k) / d, and column k becomes L. */
  private eliminateOne(k: number): void {
    const { a, size, column, block } = this;
    const pivot = a[k * size + k];
    block[k] = 1;
    if (pivot > 0) this.positive++;
    else this.negative++;
    for (let i = k + 1; i < size; i++) column[i] = a[i * size + k];
    for (let i = k + 1; i < size; i++) {
      const row = i * size;
      const factor = column[i] / pivot;
      a[row + k] = factor;
      if (factor !== 0) for (let j = k + 1; j <= i; j++) a[row + j] -= factor * column[j];
    }
  }

  /** 2x2 pivot at k, k+1. Its determinant is negative by the choice of pivot: one eigenvalue of each sign. */
  private eliminateTwo(k: number): void {
    const { a, size, column, column2, block } = this;
    const off = a[(k + 1) * size + k];
    // Scaled by the off-diagonal entry, the largest of the three, so that nothing overflows.
    const d0 = a[k * size + k] / off;
    const d1 = a[(k + 1) * size + k + 1] / off;
    const denominator = off * (d0 * d1 - 1);
    block[k] = 2;
    block[k + 1] = 0;
    this.positive++;
    this.negative++;
    for (let i = k + 2; i < size; i++) {
      column[i] = a[i * size + k];
      column2[i] = a[i * size + k + 1];
    }
    for (let i = k + 2; i < size; i++) {
      const row = i * size;
      const factor = (d1 * column[i] - column2[i]) / denominator;
      const factor2 = (d0 * column2[i] - column[i]) / denominator;
      a[row + k] = factor;
      a[row + k + 1] = factor2;
      for (let j = k + 2; j <= i; j++) a[row + j] -= factor * column[j] + factor2 * column2[j];
    }
  }
}
