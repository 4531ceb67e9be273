/**
 * Soft shape constraints [Bouaziz et al. 2012], the second imitation of bones: every vertex of a former bone is drawn to its
 * place in the rigid copy of the bone that fits best, with a spring of weight w per vertex,
 *
 *     w/2 Σ |x_i − (R r_i + t)|²      R, t: best fit of the rest shape to the current positions, in the vertices' masses
 *
 * After k iterations a lag of rho^k is left, rho = w / (w + m/h²): the stiffer, the slower. For comparison only.
 */
import type { Model } from '../../../body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import type { FleshRows } from '../flesh-rows.js';

/** Spring of a vertex relative to its inertia, w h²/m: stiff enough to look rigid, and locked because of it. */
export const SHAPE_STIFFNESS = 1000;

/** The shapes of one model. */
export class ShapeTargets {
  readonly #model: Model;
  readonly #shapes: readonly Int32Array[];
  readonly #stiffness: number;
  readonly #moment = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  readonly #rest = new Float64Array(3);
  readonly #now = new Float64Array(3);

  /** `stiffness`: w h²/m of every vertex. */
  constructor(model: Model, shapes: readonly Int32Array[], stiffness = SHAPE_STIFFNESS) {
    this.#model = model;
    this.#shapes = shapes;
    this.#stiffness = stiffness;
  }

  /** What the springs add to the mass of each vertex in the constant matrix, relative to it. */
  addToMatrix(values: Float64Array, diagonalOf: (vertex: number) => number, inertia: number): void {
    for (const shape of this.#shapes) {
      for (const v of shape) values[diagonalOf(v)] += this.#stiffness * inertia * this.#model.masses[v];
    }
  }

  /** Adds the springs' forces to the right-hand side `y` (rows of 4). */
  addForces(rows: FleshRows, y: Float32Array): void {
    for (const shape of this.#shapes) {
      this.#fit(rows, shape);
      for (let i = 0; i < shape.length; i++) {
        const row = rows.rowOfVertex[shape[i]];
        const spring = this.#stiffness * rows.weights.view[row];
        for (let k = 0; k < 3; k++) {
          let place = this.#now[k];
          for (let p = 0; p < 3; p++) {
            place += this.#rotation[k * 3 + p] * (this.#model.positions[shape[i] * 3 + p] - this.#rest[p]);
          }
          y[row * 4 + k] += spring * (place - rows.x.view[row * 4 + k]);
        }
      }
    }
  }

  /** Best rigid fit in the masses: centres of mass, then the polar rotation of Σ m (x − now)(X − rest)ᵀ. */
  #fit(rows: FleshRows, shape: Int32Array): void {
    const { masses, positions } = this.#model;
    const x = rows.x.view;
    const rest = this.#rest.fill(0);
    const now = this.#now.fill(0);
    let mass = 0;
    for (let i = 0; i < shape.length; i++) {
      const v = shape[i];
      mass += masses[v];
      for (let k = 0; k < 3; k++) {
        rest[k] += masses[v] * positions[v * 3 + k];
        now[k] += masses[v] * x[rows.rowOfVertex[v] * 4 + k];
      }
    }
    for (let k = 0; k < 3; k++) {
      rest[k] /= mass;
      now[k] /= mass;
    }
    this.#moment.fill(0);
    for (let i = 0; i < shape.length; i++) {
      const v = shape[i];
      for (let k = 0; k < 3; k++) {
        const arm = masses[v] * (x[rows.rowOfVertex[v] * 4 + k] - now[k]);
        for (let p = 0; p < 3; p++) this.#moment[k * 3 + p] += arm * (positions[v * 3 + p] - rest[p]);
      }
    }
    polarRotation(this.#rotation, 0, this.#moment, 0, this.#scratch, 0);
  }
}
