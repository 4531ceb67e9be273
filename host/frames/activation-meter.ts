/** How hard the flesh works: the activation of the muscle fibres around each vertex of a body. */
import type { Model } from '../../src/body/model.js';

/** Measures one body; owns its scratch. */
export class ActivationMeter {
  readonly #model: Model;
  /** Volume of the tets around each vertex. */
  readonly #sum: Float64Array;
  readonly #out: Float32Array;

  constructor(model: Model) {
    this.#model = model;
    this.#sum = new Float64Array(model.vertexCount);
    this.#out = new Float32Array(model.vertexCount);
    model.tets.forEach((vertex, corner) => {
      this.#sum[vertex] += model.volumes[Math.floor(corner / 4)];
    });
  }

  /** Activation at each vertex, 0 to 1, the mean over the tets around it, by volume and by the fibres they have; the array is used again by the next call. */
  measure(activations: ArrayLike<number>): Float32Array {
    const out = this.#out.fill(0);
    const { muscles, tets, volumes } = this.#model;
    for (let i = 0; muscles && i < muscles.fibreTet.length; i++) {
      const tet = muscles.fibreTet[i];
      const work = volumes[tet] * muscles.fibreShare[i] * activations[muscles.fibreMuscle[i]];
      for (let k = tet * 4; k < tet * 4 + 4; k++) out[tets[k]] += work / this.#sum[tets[k]];
    }
    return out;
  }
}
