/**
 * The paper's linear multigrid on a box of cells at rest: re-discretised coarse levels, damped Jacobi, restriction the transpose of
 * prolongation, forces that contain h cubed on every level [formula audit, convention A; McAdams2011 §8]. Plain f64, for its
 * rate of convergence and the residual per cycle of Fig. 7.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { multiplySparse, type SparseMatrix } from '../../../linalg/sparse.js';
import { coarsenLattice } from '../../../mesh/hexes/coarsen-lattice.js';
import { nodePositions } from '../../../mesh/hexes/hex-lattice.js';
import { buildLatticeBody, type LatticeBody } from '../lattice-body.js';
import { assembleStiffness } from './stiffness.js';

interface Level {
  readonly matrix: SparseMatrix;
  readonly inverse: Float64Array;
  readonly held: Uint8Array;
  /** Way down from the level above. */
  readonly parentStart?: Int32Array;
  readonly parents?: Int32Array;
  readonly b: Float64Array;
  readonly x: Float64Array;
  readonly r: Float64Array;
}

/** V-cycles on one body at rest. */
export class PaperCycle {
  readonly #levels: Level[] = [];
  readonly #last: CholeskyFactor;
  readonly #damping: number;

  /** `levelCount`: with the finest; materials must be the same everywhere. */
  constructor(body: LatticeBody, levelCount: number, damping = 0.5, share: CoarseShare = 'printed') {
    this.#damping = damping;
    let own = body;
    this.#levels.push(levelOf(own));
    for (let level = 1; level < levelCount; level++) {
      const { body: coarse, parentStart, parents } = coarserBody(own, share);
      own = coarse;
      this.#levels.push({ ...levelOf(own), parentStart, parents });
    }
    const { matrix } = this.#levels[levelCount - 1];
    this.#last = factor(analyse(matrix), matrix);
  }

  /** Improves x for K x = b by one cycle with so many sweeps down and as many up; returns the largest residual before it. */
  run(b: Float64Array, x: Float64Array, sweeps: number): number {
    const finest = this.#levels[0];
    finest.b.set(b);
    finest.x.set(x);
    const before = this.#residual(finest);
    this.#cycle(0, sweeps);
    x.set(finest.x);
    return before;
  }

  #cycle(index: number, sweeps: number): void {
    const level = this.#levels[index];
    if (index === this.#levels.length - 1) {
      solveOriginal(this.#last, level.b, level.x, level.r);
      return;
    }
    for (let n = 0; n < sweeps; n++) this.#sweep(level);
    this.#residual(level);
    const below = this.#levels[index + 1];
    const { parentStart, parents } = below as Required<Level>;
    below.b.fill(0);
    below.x.fill(0);
    forEachWeight(parentStart, parents, (node, parent, weight) => {
      for (let k = 0; k < 3; k++) below.b[3 * parent + k] += weight * level.r[3 * node + k];
    });
    for (let i = 0; i < below.b.length; i++) if (below.held[Math.floor(i / 3)]) below.b[i] = 0;
    this.#cycle(index + 1, sweeps);
    forEachWeight(parentStart, parents, (node, parent, weight) => {
      if (level.held[node]) return;
      for (let k = 0; k < 3; k++) level.x[3 * node + k] += weight * below.x[3 * parent + k];
    });
    for (let n = 0; n < sweeps; n++) this.#sweep(level);
  }

  #sweep(level: Level): void {
    this.#residual(level);
    for (let i = 0; i < level.x.length; i++) level.x[i] += this.#damping * level.inverse[i] * level.r[i];
  }

  /** r = b - K x; returns its largest number. */
  #residual({ matrix, b, x, r }: Level): number {
    multiplySparse(matrix, x, r);
    let most = 0;
    for (let i = 0; i < r.length; i++) {
      r[i] = b[i] - r[i];
      most = Math.max(most, Math.abs(r[i]));
    }
    return most;
  }
}

/** Hourglass share of coarse levels: 'printed' has the paper's on all of them, 'matched' that of the finer cells in them. */
export type CoarseShare = 'printed' | 'matched';

/**
 * Hourglass share with which a cell has the energy of the eight in it. A mode ξη of the large cell has half of its largest gradient in the middle of each
 * small one, a quarter of its energy, and leaves there a mode ξη of half the gradient again: (1 + κ) / 4. Exact integrals have 1/3 and stay.
 */
function matchedShare(kappa: number): number {
  return (1 + kappa) / 4;
}

/** The same body in cells twice as large, re-discretised, and which of its nodes each finer one lies between. */
export function coarserBody(own: LatticeBody, share: CoarseShare = 'printed') {
  const { lattice, parentStart, parents } = coarsenLattice(own.lattice);
  // a coarse node is held where the fine node at the same place is
  const held = new Uint8Array(lattice.nodes.length / 3);
  for (let node = 0; node + 1 < parentStart.length; node++) {
    if (parentStart[node + 1] - parentStart[node] === 1) held[parents[parentStart[node]]] = own.filling.held[node];
  }
  const count = lattice.cells.length / 3;
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(count).fill(own.filling.mu[0]),
    lambda: new Float64Array(count).fill(own.filling.lambda[0]),
    held,
    kappa: share === 'printed' ? own.law.kappa : matchedShare(own.law.kappa),
    volume: own.law.volume,
  });
  return { body, parentStart, parents };
}

function levelOf(body: LatticeBody): Level {
  const matrix = assembleStiffness(body, nodePositions(body.lattice), 'warped');
  const inverse = new Float64Array(matrix.size);
  for (let row = 0; row < matrix.size; row++) {
    for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
      if (matrix.columns[n] === row) inverse[row] = 1 / matrix.values[n];
    }
  }
  const [b, x, r] = [0, 1, 2].map(() => new Float64Array(matrix.size));
  return { matrix, inverse, held: body.filling.held, b, x, r };
}

/** Visits every node of the finer level with the coarse nodes it lies between. */
export function forEachWeight(
  parentStart: Int32Array,
  parents: Int32Array,
  visit: (node: number, parent: number, weight: number) => void,
): void {
  for (let node = 0; node + 1 < parentStart.length; node++) {
    const weight = 1 / (parentStart[node + 1] - parentStart[node]);
    for (let n = parentStart[node]; n < parentStart[node + 1]; n++) visit(node, parents[n], weight);
  }
}
