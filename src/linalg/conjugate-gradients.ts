/**
 * Preconditioned conjugate gradients for a symmetric positive definite operator that is only known by what it does to a
 * vector. Scratch is owned by the object; `solve` allocates nothing and never throws, so a step may call it.
 *
 * M. Hestenes, E. Stiefel (1952). Letters: r residual, z preconditioned residual, p direction, q = A p.
 */

import { TendonError } from '../errors.js';

/** Writes A x into y. Must not keep or change x. */
export type LinearOperator = (x: Float64Array, y: Float64Array) => void;

/** When to stop, and the preconditioner. */
export interface ConjugateGradientsOptions {
  /** Stop when |b - A x| <= tolerance * |b|. */
  readonly tolerance?: number;
  /** Stop after this many iterations. */
  readonly maxIterations?: number;
  /** Diagonal of A for the Jacobi preconditioner; without it there is none. Entries that are not positive count as 1. */
  readonly diagonal?: ArrayLike<number>;
}

/** What CG does when not told otherwise. The tolerance leaves two digits above what f64 can reach at condition 1e4. */
export const CONJUGATE_GRADIENTS_DEFAULTS = { tolerance: 1e-10, maxIterations: 1000 } as const;

/** Why a solve ended: 'indefinite' when a direction without positive curvature was met. */
export type ConjugateGradientsStatus = 'converged' | 'limit' | 'indefinite' | 'not-finite';

/** How a solve ended. */
export interface ConjugateGradientsResult {
  /** Why it stopped. */
  status: ConjugateGradientsStatus;
  /** Number of products with the operator, the one for the first residual not counted. */
  iterations: number;
  /** |b - A x| / |b| by the recurrence; the absolute residual when b is 0. */
  residual: number;
}

/** Conjugate gradients for systems of one size. */
export class ConjugateGradients {
  /** How the last solve ended; the same object every time. */
  readonly result: ConjugateGradientsResult = { status: 'converged', iterations: 0, residual: 0 };
  private readonly size: number;
  private readonly r: Float64Array;
  private readonly z: Float64Array;
  private readonly p: Float64Array;
  private readonly q: Float64Array;
  private readonly invDiagonal: Float64Array;

  constructor(size: number) {
    if (!Number.isInteger(size) || size < 1) {
      throw new TendonError('E_RANGE', 'size', size, 'the size must be a whole number of at least 1');
    }
    this.size = size;
    this.r = new Float64Array(size);
    this.z = new Float64Array(size);
    this.p = new Float64Array(size);
    this.q = new Float64Array(size);
    this.invDiagonal = new Float64Array(size);
  }

  /**
   * Improves x until A x = b. `x` holds the first guess and receives the answer. When the numbers stop being finite x
   * keeps the last iterate that was.
   */
  solve(
    apply: LinearOperator,
    b: ArrayLike<number>,
    x: Float64Array,
    options: ConjugateGradientsOptions = CONJUGATE_GRADIENTS_DEFAULTS,
  ): ConjugateGradientsResult {
    const { size, r, z, p, q } = this;
    const tolerance = options.tolerance ?? CONJUGATE_GRADIENTS_DEFAULTS.tolerance;
    const limit = options.maxIterations ?? CONJUGATE_GRADIENTS_DEFAULTS.maxIterations;
    this.setPreconditioner(options.diagonal);
    apply(x, q);
    let scaleSq = 0;
    for (let i = 0; i < size; i++) {
      r[i] = b[i] - q[i];
      scaleSq += b[i] * b[i];
    }
    const scale = scaleSq > 0 ? Math.sqrt(scaleSq) : 1;
    this.precondition();
    p.set(z);
    let rz = dot(r, z);
    let residual = Math.sqrt(dot(r, r)) / scale;
    for (let iteration = 0; ; iteration++) {
      if (!Number.isFinite(residual) || !Number.isFinite(rz)) return this.finish('not-finite', iteration, residual);
      if (residual <= tolerance) return this.finish('converged', iteration, residual);
      if (iteration >= limit) return this.finish('limit', iteration, residual);
      apply(p, q);
      const curvature = dot(p, q);
      const step = rz / curvature;
      if (!Number.isFinite(curvature)) return this.finish('not-finite', iteration, residual);
      if (!(curvature > 0 && Number.isFinite(step))) return this.finish('indefinite', iteration, residual);
      for (let i = 0; i < size; i++) {
        x[i] += step * p[i];
        r[i] -= step * q[i];
      }
      this.precondition();
      const next = dot(r, z);
      const beta = next / rz;
      for (let i = 0; i < size; i++) p[i] = z[i] + beta * p[i];
      rz = next;
      residual = Math.sqrt(dot(r, r)) / scale;
    }
  }

  private setPreconditioner(diagonal: ArrayLike<number> | undefined): void {
    for (let i = 0; i < this.size; i++) {
      const entry = diagonal === undefined ? 1 : diagonal[i];
      this.invDiagonal[i] = entry > 0 ? 1 / entry : 1;
    }
  }

  private precondition(): void {
    const { size, r, z, invDiagonal } = this;
    for (let i = 0; i < size; i++) z[i] = r[i] * invDiagonal[i];
  }

  private finish(status: ConjugateGradientsStatus, iterations: number, residual: number): ConjugateGradientsResult {
    this.result.status = status;
    this.result.iterations = iterations;
    this.result.residual = residual;
    return this.result;
  }
}

/** Summed from first to last: one fixed order. */
function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
