/**
 * Muscle fibres in the adjoint of the step: how their forces change with small moves of the flesh, and with their activation. Energy and forces are
 * those of fibres.ts; with the stretch s along d = Σ c_a x_a = s u and the tension T(s) the second derivative by d is T' u uᵀ + T/s (1 − u uᵀ).
 */
import type { Model } from '../../../../body/model.js';
import type { Muscles } from '../../../../body/muscles.js';
import { dotVec3, lengthVec3 } from '../../../../math/vec3.js';
import { listFibres } from '../../fibres.js';
import type { Layout } from '../../layout.js';

/** Fibres of one model. */
export class FibreSlopes {
  readonly #muscles: Muscles;
  readonly #list: Int32Array;
  readonly #slopes: Float64Array;
  readonly #vertices: Int32Array;
  readonly #volumes: Float64Array;
  /** u, T', T/s and V w (s − s₀)₊ of each fibre, 6 each. */
  readonly #data: Float64Array;
  readonly #d = new Float64Array(3);

  constructor(model: Model, layout: Layout, muscles: Muscles) {
    this.#muscles = muscles;
    const { list, slopes, vertices, volumes } = listFibres(model, layout, muscles);
    this.#list = list;
    this.#slopes = slopes;
    this.#vertices = vertices;
    this.#volumes = volumes;
    this.#data = new Float64Array(list.length * 6);
  }

  /** Gets ready at these positions and activations; adds minus the forces to `gradient`. */
  prepare(positions: Float64Array, activations: Float64Array, gradient: Float64Array): void {
    const { strength, shortest, passive, fibreMuscle } = this.#muscles;
    for (let n = 0; n < this.#list.length; n++) {
      const muscle = fibreMuscle[this.#list[n]];
      this.#along(n, positions);
      const s = lengthVec3(this.#d, 0);
      const scale = this.#volumes[n] * strength[muscle];
      const short = Math.max(0, s - shortest[muscle]);
      const long = Math.max(0, s - 1);
      const tension = scale * (activations[muscle] * short + passive[muscle] * long);
      const o = n * 6;
      for (let k = 0; k < 3; k++) this.#data[o + k] = s > 0 ? this.#d[k] / s : 0;
      const stiff = (short > 0 ? activations[muscle] : 0) + (long > 0 ? passive[muscle] : 0);
      this.#data[o + 3] = scale * stiff;
      this.#data[o + 4] = s > 0 ? tension / s : 0;
      this.#data[o + 5] = scale * short;
      for (let k = 0; k < 3; k++) this.#d[k] = tension * this.#data[o + k];
      this.#scatter(n, gradient);
    }
  }

  /** Adds the change of minus the forces over small moves (3 per vertex). */
  addProduct(moves: Float64Array, out: Float64Array): void {
    for (let n = 0; n < this.#list.length; n++) {
      const o = n * 6;
      this.#along(n, moves);
      const along = (this.#data[o + 3] - this.#data[o + 4]) * dotVec3(this.#d, 0, this.#data, o);
      for (let k = 0; k < 3; k++) this.#d[k] = this.#data[o + 4] * this.#d[k] + along * this.#data[o + k];
      this.#scatter(n, out);
    }
  }

  /** Adds what the moves are worth to each activation: the work of its forces over them. */
  addActivations(moves: Float64Array, out: Float64Array): void {
    for (let n = 0; n < this.#list.length; n++) {
      this.#along(n, moves);
      out[this.#muscles.fibreMuscle[this.#list[n]]] -= this.#data[n * 6 + 5] * dotVec3(this.#d, 0, this.#data, n * 6);
    }
  }

  /** d = Σ c_a x_a of a fibre. */
  #along(n: number, x: Float64Array): void {
    this.#d.fill(0);
    for (let a = n * 4; a < n * 4 + 4; a++) {
      for (let k = 0; k < 3; k++) this.#d[k] += this.#slopes[a] * x[this.#vertices[a] * 3 + k];
    }
  }

  #scatter(n: number, out: Float64Array): void {
    for (let a = n * 4; a < n * 4 + 4; a++) {
      for (let k = 0; k < 3; k++) out[this.#vertices[a] * 3 + k] += this.#slopes[a] * this.#d[k];
    }
  }
}
