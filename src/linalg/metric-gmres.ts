/**
 * Generalised minimal residuals [Saad1986] in the metric of the preconditioner: for H x = b with H near to a symmetric P that is easy to solve with,
 * but itself neither symmetric nor definite. Called by the adjoint of the step, where P is the constant matrix with the bones' problem in it.
 *
 * Basis vectors v come with their duals z = P v, so that products in the metric of P are plain ones, ⟨a, b⟩ = a·P b, and one solve with P is
 * needed per iteration. Where P solves on a subspace only (joints that stay closed), what is orthogonal to it in b and H v does not count, and is
 * taken out at once: left in, it drowned right-hand sides that are nearly all of that kind in rounding.
 */

/** The two operators, from one array to another. */
export interface PreconditionedSystem {
  readonly size: number;
  /** out = H v. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** out = P⁻¹ z; takes out of z what that does not see, so that it becomes P out. */
  precondition(z: Float64Array, out: Float64Array): void;
}

/** Solves systems of one size; allocates nothing after it was made. */
export class MetricGmres {
  /** Iterations of the last solve, and what it left of the residual, as a share of the right-hand side. */
  iterations = 0;
  residual = 0;
  readonly #most: number;
  readonly #primal: Float64Array[];
  readonly #dual: Float64Array[];
  /** Upper triangle left by the rotations, column by column, and the rotated right-hand side. */
  readonly #triangle: Float64Array;
  readonly #right: Float64Array;
  readonly #cosine: Float64Array;
  readonly #sine: Float64Array;
  readonly #work: Float64Array;

  /** `most`: iterations at most. */
  constructor(size: number, most: number) {
    this.#most = most;
    this.#primal = Array.from({ length: most + 1 }, () => new Float64Array(size));
    this.#dual = Array.from({ length: most + 1 }, () => new Float64Array(size));
    this.#triangle = new Float64Array((most + 1) * most);
    this.#right = new Float64Array(most + 1);
    this.#cosine = new Float64Array(most);
    this.#sine = new Float64Array(most);
    this.#work = new Float64Array(size);
  }

  /** Improves x until the residual is `tolerance` of the right-hand side; x is where to start. */
  solve(system: PreconditionedSystem, b: Float64Array, x: Float64Array, tolerance: number): void {
    const [first, firstDual] = [this.#primal[0], this.#dual[0]];
    firstDual.set(b);
    system.precondition(firstDual, first);
    const scale = Math.sqrt(Math.max(0, dot(first, firstDual)));
    this.iterations = 0;
    this.residual = 0;
    if (scale === 0) {
      x.fill(0);
      return;
    }
    system.multiply(x, this.#work);
    for (let i = 0; i < b.length; i++) firstDual[i] = b[i] - this.#work[i];
    system.precondition(firstDual, first);
    const start = Math.sqrt(Math.max(0, dot(first, firstDual)));
    this.residual = start / scale;
    if (this.residual <= tolerance) return;
    multiplyBy(first, 1 / start);
    multiplyBy(firstDual, 1 / start);
    this.#right.fill(0);
    this.#right[0] = start;
    let used = 0;
    while (used < this.#most && this.residual > tolerance) {
      const next = this.#extend(system, used);
      this.#rotate(used, next);
      used++;
      this.residual = Math.abs(this.#right[used]) / scale;
      if (!(next > 0)) break;
    }
    this.iterations = used;
    this.#combine(x, used);
  }

  /** One more basis vector, orthogonal to those before; returns its length, 0 where there is none. */
  #extend(system: PreconditionedSystem, n: number): number {
    const [next, nextDual] = [this.#primal[n + 1], this.#dual[n + 1]];
    system.multiply(this.#primal[n], nextDual);
    for (let i = 0; i <= n; i++) {
      const share = dot(this.#primal[i], nextDual);
      this.#triangle[n * (this.#most + 1) + i] = share;
      const dual = this.#dual[i];
      for (let k = 0; k < dual.length; k++) nextDual[k] -= share * dual[k];
    }
    system.precondition(nextDual, next);
    const length = Math.sqrt(Math.max(0, dot(next, nextDual)));
    if (!(length > 0)) return 0;
    multiplyBy(next, 1 / length);
    multiplyBy(nextDual, 1 / length);
    return length;
  }

  /** Turns column n, whose entry below the diagonal is `below`, upper triangular [Givens]. */
  #rotate(n: number, below: number): void {
    const column = n * (this.#most + 1);
    const t = this.#triangle;
    for (let i = 0; i < n; i++) {
      const [a, b] = [t[column + i], t[column + i + 1]];
      t[column + i] = this.#cosine[i] * a + this.#sine[i] * b;
      t[column + i + 1] = this.#cosine[i] * b - this.#sine[i] * a;
    }
    const length = Math.sqrt(t[column + n] * t[column + n] + below * below);
    this.#cosine[n] = length > 0 ? t[column + n] / length : 1;
    this.#sine[n] = length > 0 ? below / length : 0;
    t[column + n] = length;
    this.#right[n + 1] = -this.#sine[n] * this.#right[n];
    this.#right[n] *= this.#cosine[n];
  }

  /** x += Σ y_i v_i of the small triangular system. */
  #combine(x: Float64Array, used: number): void {
    for (let i = used - 1; i >= 0; i--) {
      let sum = this.#right[i];
      for (let j = i + 1; j < used; j++) sum -= this.#triangle[j * (this.#most + 1) + i] * this.#right[j];
      const own = this.#triangle[i * (this.#most + 1) + i];
      this.#right[i] = own > 0 ? sum / own : 0;
      const v = this.#primal[i];
      for (let k = 0; k < x.length; k++) x[k] += this.#right[i] * v[k];
    }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function multiplyBy(a: Float64Array, factor: number): void {
  for (let i = 0; i < a.length; i++) a[i] *= factor;
}
