/**
 * One body and everything that touches it, pushed apart at once [Shinar2008 §6.1, eq. 1-2; §7.3, eq. 3-4]. With u, w the change of the central body's
 * velocity, r the arm of an outer one and K its answer to an impulse at the point,
 *
 *     u + w × r − K j = v        →        (m δ + Σ K⁻¹   Σ K⁻¹ r*ᵀ      ) (u)   (Σ K⁻¹ v   )
 *                                         (Σ r* K⁻¹     I + Σ r* K⁻¹ r*ᵀ) (w) = (Σ r* K⁻¹ v)
 *
 * and the same along normals alone with L = n nᵀ/(nᵀ K n) for K⁻¹. Eq. 4 is printed with a minus on its right side, which contradicts eq. 3; it is a plus.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';

/** Numbers per outer body: arm, K⁻¹ or L, wanted change of relative velocity. */
const OUTER = 15;
const SIZE = 6;

/** The system of one central body. */
export class CentralBody {
  count = 0;
  /** Change of the central body's velocity: u, w [m/s, rad/s]. */
  readonly change = new Float64Array(SIZE);
  readonly #outers: Float64Array;
  readonly #capacity: number;
  readonly #matrix = new Float64Array(SIZE * SIZE);
  readonly #inverse = new Float64Array(9);

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#outers = new Float64Array(capacity * OUTER);
  }

  /** A new central body: its mass, and its inertia in world axes at inertia[o..]. */
  begin(mass: number, inertia: ArrayLike<number>, o: number): void {
    this.count = 0;
    this.#matrix.fill(0);
    this.change.fill(0);
    for (let k = 0; k < 3; k++) {
      this.#matrix[k * SIZE + k] = mass;
      for (let m = 0; m < 3; m++) this.#matrix[(3 + k) * SIZE + 3 + m] = inertia[o + k * 3 + m];
    }
  }

  /** An outer body at arm r[i..], that answers by K, to be moved by v [m/s] against the central one. False without room. */
  addOuter(r: ArrayLike<number>, i: number, k: ArrayLike<number>, v: ArrayLike<number>): boolean {
    if (this.count === this.#capacity || !invertMat3(this.#inverse, 0, k, 0)) return false;
    this.#add(r, i, this.#inverse, v);
    return true;
  }

  /** The same along n alone: impulses have no other direction. */
  addAlong(r: ArrayLike<number>, i: number, n: ArrayLike<number>, k: ArrayLike<number>, v: ArrayLike<number>): boolean {
    let nkn = 0;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) nkn += n[a] * k[a * 3 + b] * n[b];
    if (this.count === this.#capacity || !(nkn > 0)) return false;
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) this.#inverse[a * 3 + b] = (n[a] * n[b]) / nkn;
    this.#add(r, i, this.#inverse, v);
    return true;
  }

  #add(r: ArrayLike<number>, i: number, inverse: Float64Array, v: ArrayLike<number>): void {
    const o = this.count++ * OUTER;
    const outers = this.#outers;
    for (let k = 0; k < 3; k++) {
      outers[o + k] = r[i + k];
      outers[o + 12 + k] = v[k];
    }
    for (let k = 0; k < 9; k++) outers[o + 3 + k] = inverse[k];
    const matrix = this.#matrix;
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        matrix[a * SIZE + b] += inverse[a * 3 + b];
        // K⁻¹ r*ᵀ and r* K⁻¹: r*ᵀ w = w × r, r* j = r × j
        matrix[a * SIZE + 3 + b] += timesTurned(inverse, a, outers, o, b);
        matrix[(3 + b) * SIZE + a] += timesTurned(inverse, a, outers, o, b);
        matrix[(3 + a) * SIZE + 3 + b] += turnedTwice(inverse, outers, o, a, b);
      }
      let along = 0;
      for (let b = 0; b < 3; b++) along += inverse[a * 3 + b] * v[b];
      this.change[a] += along;
      this.change[3 + ((a + 1) % 3)] += outers[o + ((a + 2) % 3)] * along;
      this.change[3 + ((a + 2) % 3)] -= outers[o + ((a + 1) % 3)] * along;
    }
  }

  /** Solves for the central body's change; false where nothing can be solved. */
  solve(): boolean {
    const a = this.#matrix;
    const x = this.change;
    for (let k = 0; k < SIZE; k++) {
      const pivot = a[k * SIZE + k];
      if (!(pivot > 0)) return false;
      for (let i = k + 1; i < SIZE; i++) {
        const share = a[i * SIZE + k] / pivot;
        for (let j = k; j < SIZE; j++) a[i * SIZE + j] -= share * a[k * SIZE + j];
        x[i] -= share * x[k];
      }
    }
    for (let k = SIZE - 1; k >= 0; k--) {
      for (let j = k + 1; j < SIZE; j++) x[k] -= a[k * SIZE + j] * x[j];
      x[k] /= a[k * SIZE + k];
    }
    return true;
  }

  /** out = impulse on outer body n [N s], after `solve`; the central one gets the opposite. */
  impulseOf(n: number, out: Float64Array): void {
    const o = n * OUTER;
    const outers = this.#outers;
    const c = this.change;
    const d0 = c[0] + c[4] * outers[o + 2] - c[5] * outers[o + 1] - outers[o + 12];
    const d1 = c[1] + c[5] * outers[o] - c[3] * outers[o + 2] - outers[o + 13];
    const d2 = c[2] + c[3] * outers[o + 1] - c[4] * outers[o] - outers[o + 14];
    for (let k = 0; k < 3; k++) {
      const row = o + 3 + k * 3;
      out[k] = outers[row] * d0 + outers[row + 1] * d1 + outers[row + 2] * d2;
    }
  }
}

/** Entry (a, b) of K⁻¹ r*ᵀ, whose columns are K⁻¹ (e_b × r). */
function timesTurned(inverse: Float64Array, a: number, outers: Float64Array, o: number, b: number): number {
  const [i, j] = [(b + 1) % 3, (b + 2) % 3];
  // e_b × r has −r_j at i and r_i at j
  return inverse[a * 3 + j] * outers[o + i] - inverse[a * 3 + i] * outers[o + j];
}

/** Entry (a, b) of r* K⁻¹ r*ᵀ. */
function turnedTwice(inverse: Float64Array, outers: Float64Array, o: number, a: number, b: number): number {
  const [i, j] = [(a + 1) % 3, (a + 2) % 3];
  // row a of r*: (r × y)_a = r_i y_j − r_j y_i
  return outers[o + i] * timesTurned(inverse, j, outers, o, b) - outers[o + j] * timesTurned(inverse, i, outers, o, b);
}
