/**
 * One V(1,1) cycle of the constant Laplacian: the first matrix of the descent, and the solver of everything that is linear
 * in it. One smoothing pass is the first step of Chebyshev's fourth kind [Lottes2022], which is Jacobi's with the weight
 * 4 / (3 Λ). Symmetric, so it may precondition conjugate gradients.
 */

import type { LatticeBody } from '../lattice-body.js';
import type { Arithmetic, FirstMatrix, Vector } from './arithmetic.js';
import { finestReach } from './levels.js';

/** Cycles of one body. */
export class LaplacianCycle implements FirstMatrix {
  readonly #arithmetic: Arithmetic;
  readonly #residual: Vector;
  /** Smoothing weight of every level. */
  readonly #weights: readonly number[];

  /** `room`: a vector over the lattice that the cycle may overwrite. */
  constructor(arithmetic: Arithmetic, body: LatticeBody, room: Vector) {
    this.#arithmetic = arithmetic;
    this.#residual = room;
    const coarse = body.levels.coarse.map(({ reach }) => 4 / (3 * reach));
    this.#weights = [4 / (3 * finestReach(body.law.kappa)), ...coarse];
  }

  /** z = about A⁻¹ b. */
  run(b: Vector, z: Vector): void {
    const a = this.#arithmetic;
    const first = a.coarse[0];
    a.relax(z, b, this.#weights[0], 0);
    a.residual(b, z, this.#residual);
    a.restrict(1, this.#residual, first.b);
    this.#runCoarse(1);
    a.prolong(1, first.x, z);
    a.residual(b, z, this.#residual);
    a.relax(z, this.#residual, this.#weights[0], 1);
  }

  #runCoarse(level: number): void {
    const a = this.#arithmetic;
    const { b, x, r } = a.coarse[level - 1];
    if (level === a.coarse.length) {
      a.solveLast(b, x);
      return;
    }
    const below = a.coarse[level];
    a.coarseRelax(level, x, b, this.#weights[level], 0);
    a.coarseResidual(level, b, x, r);
    a.restrict(level + 1, r, below.b);
    this.#runCoarse(level + 1);
    a.prolong(level + 1, below.x, x);
    a.coarseResidual(level, b, x, r);
    a.coarseRelax(level, x, r, this.#weights[level], 1);
  }
}
