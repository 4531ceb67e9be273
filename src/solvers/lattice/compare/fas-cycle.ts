/**
 * The paper's nonlinear multigrid, the full approximation scheme [McAdams2011, Algorithm 3], on a box of cells: damped Jacobi on the
 * gradient itself, re-discretised coarse levels, the last one by Newton's method. The paper restricts deformation gradients; we restrict
 * places, by injection, which is the same scheme with fewer arrays. Plain f64, for comparison; no line search, as in the paper.
 */
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { nodePositions } from '../../../mesh/hexes/hex-lattice.js';
import type { LatticeBody } from '../lattice-body.js';
import { NewtonSolver } from './newton.js';
import { coarserBody, forEachWeight } from './paper-cycle.js';
import { assembleStiffness } from './stiffness.js';

interface Level {
  readonly body: LatticeBody;
  readonly forces: NewtonSolver;
  /** Damping over the diagonal of the stiffness at rest, zero where held. */
  readonly step: Float64Array;
  readonly x: Float64Array;
  /** What the gradient ought to be. */
  readonly wanted: Float64Array;
  readonly gradient: Float64Array;
  /** Way down from the level above. */
  readonly parentStart?: Int32Array;
  readonly parents?: Int32Array;
  /** Where restriction put x. */
  readonly start: Float64Array;
}

/** Newton steps on the last level. */
const LAST_STEPS = 2;

/** Cycles on one body. */
export class FasCycle {
  readonly #levels: Level[] = [];

  /** `levelCount`: with the finest; materials must be the same everywhere. */
  constructor(body: LatticeBody, levelCount: number, damping = 0.4) {
    this.#levels.push(levelOf(body, damping));
    for (let own = body; this.#levels.length < levelCount; ) {
      const { body: coarse, parentStart, parents } = coarserBody(own);
      this.#levels.push({ ...levelOf(coarse, damping), parentStart, parents });
      own = coarse;
    }
  }

  /** Improves x (x,y,z per node) by one cycle with so many sweeps down and as many up; returns the gradient's length before it [N]. */
  run(x: Float64Array, sweeps: number): number {
    const [finest] = this.#levels;
    finest.x.set(x);
    finest.wanted.fill(0);
    const before = finest.forces.gradient(finest.x, finest.gradient);
    this.#cycle(0, sweeps);
    x.set(finest.x);
    return before;
  }

  #cycle(index: number, sweeps: number): void {
    const level = this.#levels[index];
    if (index === this.#levels.length - 1) {
      this.#solve(level);
      return;
    }
    for (let n = 0; n < sweeps; n++) sweep(level);
    this.#descend(level, this.#levels[index + 1]);
    this.#cycle(index + 1, sweeps);
    const { x, start, parentStart, parents } = this.#levels[index + 1];
    forEachWeight(parentStart!, parents!, (node, parent, weight) => {
      if (level.body.filling.held[node]) return;
      for (let k = 0; k < 3; k++) level.x[3 * node + k] += weight * (x[3 * parent + k] - start[3 * parent + k]);
    });
    for (let n = 0; n < sweeps; n++) sweep(level);
  }

  /** Sets up the level below: places by injection, and the gradient that makes what is in equilibrium above stay where it is. */
  #descend(level: Level, below: Level): void {
    const { parentStart, parents } = below;
    level.forces.gradient(level.x, level.gradient);
    below.wanted.fill(0);
    forEachWeight(parentStart!, parents!, (node, parent, weight) => {
      for (let k = 0; k < 3; k++) {
        below.wanted[3 * parent + k] += weight * (level.wanted[3 * node + k] - level.gradient[3 * node + k]);
        if (weight === 1) below.x[3 * parent + k] = level.x[3 * node + k];
      }
    });
    below.start.set(below.x);
    below.forces.gradient(below.x, below.gradient);
    for (let i = 0; i < below.wanted.length; i++) {
      below.wanted[i] = below.body.filling.held[Math.floor(i / 3)] ? 0 : below.wanted[i] + below.gradient[i];
    }
  }

  #solve({ body, forces, x, wanted, gradient }: Level): void {
    const scratch = new Float64Array(x.length);
    for (let n = 0; n < LAST_STEPS; n++) {
      forces.gradient(x, gradient);
      for (let i = 0; i < x.length; i++) gradient[i] = wanted[i] - gradient[i];
      const matrix = assembleStiffness(body, x, 'fixed');
      solveOriginal(factor(analyse(matrix), matrix), gradient, gradient, scratch);
      for (let i = 0; i < x.length; i++) x[i] += gradient[i];
    }
  }
}

function sweep({ forces, step, x, wanted, gradient }: Level): void {
  forces.gradient(x, gradient);
  for (let i = 0; i < x.length; i++) x[i] += step[i] * (wanted[i] - gradient[i]);
}

function levelOf(body: LatticeBody, damping: number): Level {
  const x = nodePositions(body.lattice);
  const matrix = assembleStiffness(body, x, 'warped');
  const step = new Float64Array(matrix.size);
  for (let row = 0; row < matrix.size; row++) {
    for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
      const isOwn = matrix.columns[n] === row && !body.filling.held[Math.floor(row / 3)];
      if (isOwn) step[row] = damping / matrix.values[n];
    }
  }
  const [wanted, gradient, start] = [0, 1, 2].map(() => new Float64Array(x.length));
  return { body, forces: new NewtonSolver(body), step, x, wanted, gradient, start };
}
