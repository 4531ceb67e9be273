/**
 * Solves with a supernodal Cholesky factor in f64: the specification and the test oracle of the f32 kernel that a step
 * runs. Right-hand sides are rows of `stride` numbers, one row per unknown, overwritten by the solution.
 *
 * The functions on supernode ranges follow the parts of the structure: the forward sweep runs the parts, then the top,
 * then the last block; the backward sweep the other way round.
 */

import { TendonError } from '../errors.js';
import { type CholeskyFactor, requireState } from './cholesky.js';

/** x := A⁻¹ x with rows in elimination order. */
export function solve(factor: CholeskyFactor, x: Float64Array, stride = 1): void {
  requireState(factor, 'complete');
  solveForward(factor, x, stride);
  solveBackward(factor, x, stride);
}

/** x := A⁻¹ b with rows in the order of the matrix; `b` and `x` may be the same, `scratch` has the size of x. */
export function solveOriginal(
  factor: CholeskyFactor,
  b: ArrayLike<number>,
  x: Float64Array,
  scratch: Float64Array,
  stride = 1,
): void {
  const { size, permutation } = factor.structure;
  for (let i = 0; i < size; i++) {
    for (let r = 0; r < stride; r++) scratch[i * stride + r] = b[permutation[i] * stride + r];
  }
  solve(factor, scratch, stride);
  for (let i = 0; i < size; i++) {
    for (let r = 0; r < stride; r++) x[permutation[i] * stride + r] = scratch[i * stride + r];
  }
}

/**
 * x := L⁻¹ x. With a factor in state 'schur' the rows of the last block are left as the right-hand side of the Schur
 * complement's system.
 */
export function solveForward(factor: CholeskyFactor, x: Float64Array, stride = 1): void {
  forwardRange(factor, x, stride, 0, solvableEnd(factor));
}

/** x := L⁻ᵀ x. With a factor in state 'schur' the rows of the last block must hold that block's solution already. */
export function solveBackward(factor: CholeskyFactor, x: Float64Array, stride = 1): void {
  backwardRange(factor, x, stride, 0, solvableEnd(factor));
}

/** The forward sweep over supernodes from .. to-1. */
export function forwardRange(factor: CholeskyFactor, x: Float64Array, stride: number, from: number, to: number): void {
  const { columnStart, rowStart, rows, valueStart } = factor.structure;
  const values = factor.values;
  for (let s = from; s < to; s++) {
    const first = columnStart[s];
    const width = columnStart[s + 1] - first;
    const lead = width + rowStart[s + 1] - rowStart[s];
    for (let j = 0; j < width; j++) {
      const column = valueStart[s] + j * lead;
      const below = column + width - rowStart[s];
      for (let r = 0; r < stride; r++) {
        const value = x[(first + j) * stride + r] / values[column + j];
        x[(first + j) * stride + r] = value;
        for (let i = j + 1; i < width; i++) x[(first + i) * stride + r] -= values[column + i] * value;
        for (let k = rowStart[s]; k < rowStart[s + 1]; k++) x[rows[k] * stride + r] -= values[below + k] * value;
      }
    }
  }
}

/** The backward sweep over supernodes to-1 .. from. */
export function backwardRange(factor: CholeskyFactor, x: Float64Array, stride: number, from: number, to: number): void {
  const { columnStart, rowStart, rows, valueStart } = factor.structure;
  const values = factor.values;
  for (let s = to - 1; s >= from; s--) {
    const first = columnStart[s];
    const width = columnStart[s + 1] - first;
    const lead = width + rowStart[s + 1] - rowStart[s];
    for (let j = width - 1; j >= 0; j--) {
      const column = valueStart[s] + j * lead;
      const below = column + width - rowStart[s];
      for (let r = 0; r < stride; r++) {
        let sum = x[(first + j) * stride + r];
        for (let i = j + 1; i < width; i++) sum -= values[column + i] * x[(first + i) * stride + r];
        for (let k = rowStart[s]; k < rowStart[s + 1]; k++) sum -= values[below + k] * x[rows[k] * stride + r];
        x[(first + j) * stride + r] = sum / values[column + j];
      }
    }
  }
}

/** One past the last supernode that is factored. */
function solvableEnd(factor: CholeskyFactor): number {
  if (factor.state === 'failed') {
    throw new TendonError('E_RANGE', 'factor/state', factor.state, 'the last factorisation failed');
  }
  return factor.state === 'schur' ? factor.structure.lastStart : factor.structure.count;
}
