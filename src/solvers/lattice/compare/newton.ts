/**
 * Newton's method on a lattice with any of the paper's stiffness matrices, each step solved directly: how many steps the
 * definiteness fix needs, and how fast a modified method converges at all [McAdams2011, Fig. 2]. Plain f64, for comparison.
 */
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { multiplySparse } from '../../../linalg/sparse.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { DoubleArithmetic } from '../numbers/double-arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { assembleStiffness, type StiffnessKind } from './stiffness.js';

/** Newton's method for one body. */
export class NewtonSolver {
  readonly #body: LatticeBody;
  readonly #arithmetic: DoubleArithmetic;
  readonly #place: Vector;
  readonly #gradient: Vector;

  constructor(body: LatticeBody) {
    this.#body = body;
    this.#arithmetic = new DoubleArithmetic(body);
    this.#place = this.#arithmetic.vector();
    this.#gradient = this.#arithmetic.vector();
  }

  /** Gradient at x (x,y,z per node), zero at held nodes; returns its length [N]. */
  gradient(x: Float64Array, out: Float64Array): number {
    const { placeOfNode } = this.#body.layout;
    placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) this.#place.view[floatOfPlace(place, k)] = x[3 * node + k];
    });
    this.#arithmetic.elastic(this.#place, this.#gradient);
    placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) out[3 * node + k] = this.#gradient.view[floatOfPlace(place, k)];
    });
    return Math.sqrt(out.reduce((sum, value) => sum + value * value, 0));
  }

  /** Steps until the gradient is below `tolerance` [N]; returns its length at the start of each step and at the end. */
  run(x: Float64Array, kind: StiffnessKind, tolerance: number, maxSteps: number): number[] {
    const g = new Float64Array(x.length);
    const scratch = new Float64Array(x.length);
    const history = [this.gradient(x, g)];
    for (let step = 0; step < maxSteps && history[history.length - 1] > tolerance; step++) {
      const matrix = assembleStiffness(this.#body, x, kind);
      solveOriginal(factor(analyse(matrix), matrix), g, g, scratch);
      for (let i = 0; i < x.length; i++) x[i] -= g[i];
      history.push(this.gradient(x, g));
    }
    return history;
  }
}

/**
 * Spectral radius of I - Ĵ⁻¹ J at x: what is left of a small error after one step of the modified method. Below one it converges,
 * linearly; the exact matrix has zero. By power iterations.
 */
export function modifiedNewtonRadius(body: LatticeBody, x: Float64Array, kind: StiffnessKind, passes = 200): number {
  const exact = assembleStiffness(body, x, 'exact');
  const modified = assembleStiffness(body, x, kind);
  const solver = factor(analyse(modified), modified);
  const size = exact.size;
  const scratch = new Float64Array(size);
  let error = Float64Array.from({ length: size }, (_, i) => {
    return body.filling.held[Math.floor(i / 3)] ? 0 : ((i * 7919) % 101) / 50 - 1;
  });
  let radius = 0;
  const next = new Float64Array(size);
  for (let pass = 0; pass < passes; pass++) {
    const length = Math.sqrt(error.reduce((sum, value) => sum + value * value, 0));
    if (length === 0) return 0;
    error = error.map((value) => value / length);
    multiplySparse(exact, error, next);
    solveOriginal(solver, next, next, scratch);
    for (let i = 0; i < size; i++) next[i] = body.filling.held[Math.floor(i / 3)] ? 0 : error[i] - next[i];
    radius = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    error.set(next);
  }
  return radius;
}
