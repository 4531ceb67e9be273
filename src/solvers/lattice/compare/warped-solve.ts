/**
 * Warped stiffness as the first matrix of a descent, solved exactly: the best that a multigrid cycle over it could be. Plain f64, for
 * comparison with the Laplacian.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import type { LatticeBody } from '../lattice-body.js';
import type { FirstMatrix, Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { assembleStiffness } from './stiffness.js';

/** Solves with the stiffness at the last `refresh`. */
export class WarpedSolve implements FirstMatrix {
  readonly #body: LatticeBody;
  readonly #b: Float64Array;
  readonly #scratch: Float64Array;
  #factor: CholeskyFactor | undefined;

  constructor(body: LatticeBody) {
    this.#body = body;
    this.#b = new Float64Array(body.lattice.nodes.length);
    this.#scratch = new Float64Array(body.lattice.nodes.length);
  }

  refresh(x: Vector): void {
    this.#read(x);
    const matrix = assembleStiffness(this.#body, this.#b, 'warped');
    this.#factor = factor(analyse(matrix), matrix);
  }

  run(b: Vector, z: Vector): void {
    this.#read(b);
    solveOriginal(this.#factor!, this.#b, this.#b, this.#scratch);
    this.#body.layout.placeOfNode.forEach((at, node) => {
      const free = this.#body.filling.held[node] ? 0 : 1;
      for (let k = 0; k < 3; k++) z.view[floatOfPlace(at, k)] = free * this.#b[3 * node + k];
    });
  }

  #read(from: Vector): void {
    this.#body.layout.placeOfNode.forEach((at, node) => {
      for (let k = 0; k < 3; k++) this.#b[3 * node + k] = from.view[floatOfPlace(at, k)];
    });
  }
}
