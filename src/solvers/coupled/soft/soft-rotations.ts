/** Rotations of elements worked out from nothing, as the kernels keep them. For building and for bodies that were put elsewhere. */
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { mat3ToQuat } from '../../../math/quat.js';
import type { SoftElements } from './soft-model.js';

/** Owns the room to work them out. */
export class SoftRotations {
  readonly #f = new Float64Array(9);
  readonly #r = new Float64Array(9);
  readonly #q = new Float64Array(4);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  /** Writes w, x, y, z of element t, four numbers apart. */
  write(elements: SoftElements, t: number, x: Float64Array, first: number, out: Float32Array, at: number): void {
    const { tets, inverseRest } = elements;
    const f = this.#f;
    f.fill(0);
    const origin = (first + tets[t * 4]) * 3;
    for (let k = 0; k < 3; k++) {
      const corner = (first + tets[t * 4 + k + 1]) * 3;
      for (let row = 0; row < 3; row++) {
        const edge = x[corner + row] - x[origin + row];
        for (let c = 0; c < 3; c++) f[row * 3 + c] += edge * inverseRest[t * 9 + k * 3 + c];
      }
    }
    polarRotation(this.#r, 0, f, 0, this.#scratch, 0);
    mat3ToQuat(this.#q, 0, this.#r, 0);
    out[at] = this.#q[3];
    for (let k = 0; k < 3; k++) out[at + 4 + k * 4] = this.#q[k];
  }
}
