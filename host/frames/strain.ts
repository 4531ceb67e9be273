/** How much the flesh is deformed: the size of Green's strain, E = (FᵀF − I)/2, at each vertex of a body. */
import type { Model } from '../../src/body/model.js';

/** Measures one body; owns its scratch. */
export class StrainMeter {
  readonly #model: Model;
  /** 0 for tets that lie wholly inside a bone. */
  readonly #share: Float64Array;
  readonly #sum: Float64Array;
  readonly #out: Float32Array;

  constructor(model: Model) {
    this.#model = model;
    const { tets, bones, volumes, vertexCount } = model;
    this.#share = volumes.map((volume, tet) => {
      const bone = bones.ofVertex[tets[tet * 4]];
      const rigid = bone >= 0 && [1, 2, 3].every((k) => bones.ofVertex[tets[tet * 4 + k]] === bone);
      return rigid ? 0 : volume;
    });
    this.#sum = new Float64Array(vertexCount);
    this.#share.forEach((share, tet) => {
      for (let k = 0; k < 4; k++) this.#sum[tets[tet * 4 + k]] += share;
    });
    this.#out = new Float32Array(vertexCount);
  }

  /** |E| at each vertex, the mean over the tets around it by volume. The array is used again by the next call. */
  measure(positions: Float64Array): Float32Array {
    const { tets, inverseRest, tetCount } = this.#model;
    const out = this.#out.fill(0);
    for (let tet = 0; tet < tetCount; tet++) {
      const share = this.#share[tet];
      if (share === 0) continue;
      const strain = greenStrain(positions, tets, tet * 4, inverseRest, tet * 9) * share;
      for (let k = 0; k < 4; k++) out[tets[tet * 4 + k]] += strain / this.#sum[tets[tet * 4 + k]];
    }
    return out;
  }
}

const edges = new Float64Array(9);
const deformation = new Float64Array(9);

/** Frobenius norm of Green's strain of the tet at `t`, with the inverse of its rest edges at `i`. */
export function greenStrain(
  x: ArrayLike<number>,
  tets: ArrayLike<number>,
  t: number,
  inverseRest: ArrayLike<number>,
  i: number,
): number {
  const origin = tets[t] * 3;
  for (let k = 0; k < 3; k++) {
    const corner = tets[t + k + 1] * 3;
    for (let row = 0; row < 3; row++) edges[row * 3 + k] = x[corner + row] - x[origin + row];
  }
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += edges[row * 3 + k] * inverseRest[i + k * 3 + column];
      deformation[row * 3 + column] = sum;
    }
  }
  let square = 0;
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      let dot = a === b ? -1 : 0;
      for (let k = 0; k < 3; k++) dot += deformation[k * 3 + a] * deformation[k * 3 + b];
      square += dot * dot;
    }
  }
  return 0.5 * Math.sqrt(square);
}
