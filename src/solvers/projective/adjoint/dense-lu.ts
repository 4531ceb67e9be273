/** LU of a small dense matrix with partial pivoting, for systems that are neither symmetric nor sparse. Called by the adjoint of the step, for contacts. */
export class DenseLu {
  readonly size: number;
  readonly #values: Float64Array;
  /** Row that was taken as each pivot. */
  readonly #taken: Int32Array;
  readonly #work: Float64Array;

  /** Factors a matrix of `size` rows, row major, in place. A column without any pivot is left out: its unknown is 0. */
  constructor(values: Float64Array, size: number) {
    this.size = size;
    this.#values = values;
    this.#taken = new Int32Array(size);
    this.#work = new Float64Array(size);
    for (let k = 0; k < size; k++) this.#eliminate(k);
  }

  #eliminate(k: number): void {
    const { size } = this;
    const a = this.#values;
    let best = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(a[i * size + k]) > Math.abs(a[best * size + k])) best = i;
    this.#taken[k] = best;
    for (let j = 0; best !== k && j < size; j++) {
      const kept = a[k * size + j];
      a[k * size + j] = a[best * size + j];
      a[best * size + j] = kept;
    }
    const pivot = a[k * size + k];
    if (pivot === 0) return;
    for (let i = k + 1; i < size; i++) {
      const share = a[i * size + k] / pivot;
      a[i * size + k] = share;
      for (let j = k + 1; share !== 0 && j < size; j++) a[i * size + j] -= share * a[k * size + j];
    }
  }

  /** Solves in place. */
  solve(b: Float64Array): void {
    const { size } = this;
    const a = this.#values;
    const x = this.#work;
    x.set(b.subarray(0, size));
    for (let k = 0; k < size; k++) {
      const kept = x[this.#taken[k]];
      x[this.#taken[k]] = x[k];
      x[k] = kept;
    }
    for (let i = 0; i < size; i++) for (let k = 0; k < i; k++) x[i] -= a[i * size + k] * x[k];
    for (let i = size - 1; i >= 0; i--) {
      for (let k = i + 1; k < size; k++) x[i] -= a[i * size + k] * x[k];
      x[i] = a[i * size + i] === 0 ? 0 : x[i] / a[i * size + i];
    }
    b.set(x);
  }
}
