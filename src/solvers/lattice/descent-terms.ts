/** What a descent is given and what it hands back; see descent.ts. */
import type { Vector } from './numbers/arithmetic.js';

/** Adds to the energy besides elasticity. */
export interface EnergyTerm {
  /** Adds its gradient at x to `gradient` [N]; returns its energy [J]. */
  add(x: Vector, gradient: Vector): number;
  /** How many springs it has, where these act on few nodes each; undefined where it acts on all nodes, by the diagonal alone. */
  readonly count?: number;
}

/** Lets a part of a body go downhill by itself. */
export interface PartSolver {
  /**
   * Moves a part of x downhill, given the gradient there; false where there is no part to move. `trial` and `push` are vectors of the
   * body that may be overwritten.
   */
  run(
    x: Vector,
    gradient: Vector,
    terms: readonly EnergyTerm[],
    trial: Vector,
    push: Vector,
    tolerance: number,
  ): boolean;
  /** Puts the part back to where it was. */
  undo(x: Vector): void;
}

/** 'laplacian': a constant Laplacian, and warped stiffness where that leads no further. 'warped': warped stiffness at once. */
export type Preconditioner = 'laplacian' | 'warped';

/** When to stop. */
export interface DescentOptions {
  readonly maxIterations: number;
  /** Largest move of a node in the last iteration [m]. */
  readonly tolerance: number;
  /** Called before every iteration with its number; true when the energy itself was changed (contacts found anew). */
  readonly refresh?: (iteration: number, x: Vector) => boolean;
  /** What directions start from; default 'laplacian'. */
  readonly preconditioner?: Preconditioner;
}

/** How a descent ended. */
export interface DescentResult {
  iterations: number;
  /** Times L-BFGS over the Laplacian found no way down, and went on over warped stiffness or in Newton's direction. */
  stalls: number;
  /** Energy at the end [J]. */
  energy: number;
  /** Largest move in the last iteration [m]. */
  lastMove: number;
  /** Length of the gradient at the end, free nodes only [N]. */
  residual: number;
  /** False where something was not finite; x is then of no use. */
  finite: boolean;
}
