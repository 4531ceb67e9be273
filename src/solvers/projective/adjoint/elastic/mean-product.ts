/**
 * The same product as elastic-product.ts for what tets share through their vertices (nodal-strain.ts): forces that answer small moves, by the mean deformation
 * F = Σ_b (x_b − x_a) g_bᵀ around each vertex a. With S = RᵀF and A = RᵀdF
 *
 *     corotated     dP = 2μ dF + λ (tr A) R + (λ tr(S − 1) − 2μ) R [w],   (tr S − S) w = axial part of A
 *     neo-Hookean   dP = μ dF + λ (C:dF) C + (λ (J − 1) − μ) dC
 *
 * all times the volume, and force dP g_b on b, less the sum of them on a.
 */
import type { NodalMeans } from '../../../../kernels/nodal-groups.js';
import { cofactors, rotationOf, turningOf } from './stress-change.js';

/** Numbers per mean: R, (tr S − S)⁻¹ and the pressure less 2μ; F, its cofactors and the pressure of neo-Hookean ones. */
const STRIDE = 19;
const SECOND = 9;
const PRESSURE = 18;

/** The product for the means of one family; their rows are numbers of vertices. */
export class MeanProduct {
  readonly #means: NodalMeans;
  readonly #isNeoHookean: boolean;
  readonly #data: Float64Array;
  readonly #quats: Float64Array;
  #knowsQuats = false;
  readonly #f = new Float64Array(9);
  readonly #p = new Float64Array(9);

  constructor(means: NodalMeans, isNeoHookean: boolean) {
    const count = means.rows.length;
    this.#means = means;
    this.#isNeoHookean = isNeoHookean;
    this.#data = new Float64Array(count * STRIDE);
    this.#quats = new Float64Array(isNeoHookean ? 0 : count * 4);
  }

  /** The next positions are far from the last ones. */
  restart(): void {
    this.#knowsQuats = false;
  }

  /** Gets ready at these positions (3 per vertex); adds minus the forces to `gradient`. */
  prepare(positions: Float64Array, gradient: Float64Array): void {
    for (let n = 0; n < this.#means.rows.length; n++) {
      this.#gather(n, positions);
      if (this.#isNeoHookean) this.#prepareNeoHookean(n);
      else this.#prepareCorotated(n);
      this.#scatter(n, gradient);
    }
    this.#knowsQuats = true;
  }

  /** Adds the change of minus the forces over small moves (3 per vertex). */
  addProduct(moves: Float64Array, out: Float64Array): void {
    for (let n = 0; n < this.#means.rows.length; n++) {
      this.#gather(n, moves);
      if (this.#isNeoHookean) this.#changeNeoHookean(n);
      else this.#changeCorotated(n);
      this.#scatter(n, out);
    }
  }

  #prepareCorotated(n: number): void {
    const [f, p, data, o] = [this.#f, this.#p, this.#data, n * STRIDE];
    const { shearStiffness, bulkStiffness } = this.#means;
    rotationOf(data, o, f, this.#quats, n * 4, this.#knowsQuats);
    const pressure = bulkStiffness[n] * (turningOf(data, o + SECOND, data, o, f) - 3);
    data[o + PRESSURE] = pressure - shearStiffness[n];
    for (let k = 0; k < 9; k++) p[k] = shearStiffness[n] * (f[k] - data[o + k]) + pressure * data[o + k];
  }

  #changeCorotated(n: number): void {
    const [f, p, r, o] = [this.#f, this.#p, this.#data, n * STRIDE];
    const m = o + SECOND;
    const { shearStiffness, bulkStiffness } = this.#means;
    let spread = 0;
    for (let k = 0; k < 9; k++) spread += r[o + k] * f[k];
    const x = crossed(r, o, f, 2, 1);
    const y = crossed(r, o, f, 0, 2);
    const z = crossed(r, o, f, 1, 0);
    const turned = r[o + PRESSURE];
    const wx = turned * (r[m] * x + r[m + 1] * y + r[m + 2] * z);
    const wy = turned * (r[m + 3] * x + r[m + 4] * y + r[m + 5] * z);
    const wz = turned * (r[m + 6] * x + r[m + 7] * y + r[m + 8] * z);
    const along = bulkStiffness[n] * spread;
    for (let k = 0; k < 9; k += 3) {
      const [a, b, c] = [r[o + k], r[o + k + 1], r[o + k + 2]];
      p[k] = shearStiffness[n] * f[k] + along * a + b * wz - c * wy;
      p[k + 1] = shearStiffness[n] * f[k + 1] + along * b + c * wx - a * wz;
      p[k + 2] = shearStiffness[n] * f[k + 2] + along * c + a * wy - b * wx;
    }
  }

  #prepareNeoHookean(n: number): void {
    const [f, p, data, o] = [this.#f, this.#p, this.#data, n * STRIDE];
    const c = o + SECOND;
    const { shearStiffness, bulkStiffness } = this.#means;
    data.set(f, o);
    cofactors(data, c, f, 0, f, 0, 0.5);
    const grown = f[0] * data[c] + f[1] * data[c + 1] + f[2] * data[c + 2] - 1;
    const pressure = bulkStiffness[n] * grown - shearStiffness[n];
    data[o + PRESSURE] = pressure;
    for (let k = 0; k < 9; k++) p[k] = shearStiffness[n] * f[k] + pressure * data[c + k];
  }

  #changeNeoHookean(n: number): void {
    const [f, p, data, o] = [this.#f, this.#p, this.#data, n * STRIDE];
    const c = o + SECOND;
    const { shearStiffness, bulkStiffness } = this.#means;
    let spread = 0;
    for (let k = 0; k < 9; k++) spread += data[c + k] * f[k];
    cofactors(p, 0, data, o, f, 0, 1);
    for (let k = 0; k < 9; k++)
      p[k] = shearStiffness[n] * f[k] + bulkStiffness[n] * spread * data[c + k] + data[o + PRESSURE] * p[k];
  }

  /** f = Σ (x_b − x_a) g_bᵀ. */
  #gather(n: number, x: Float64Array): void {
    const { rows, start, entryRows, gradients: g } = this.#means;
    const f = this.#f.fill(0);
    const own = rows[n] * 3;
    for (let e = start[n]; e < start[n + 1]; e++) {
      const other = entryRows[e] * 3;
      for (let k = 0; k < 3; k++) {
        const d = x[other + k] - x[own + k];
        f[k * 3] += d * g[e * 3];
        f[k * 3 + 1] += d * g[e * 3 + 1];
        f[k * 3 + 2] += d * g[e * 3 + 2];
      }
    }
  }

  /** out += the forces P g_b on all b, and less their sum on a. */
  #scatter(n: number, out: Float64Array): void {
    const { rows, start, entryRows, gradients: g } = this.#means;
    const p = this.#p;
    const own = rows[n] * 3;
    for (let e = start[n]; e < start[n + 1]; e++) {
      const other = entryRows[e] * 3;
      for (let k = 0; k < 3; k++) {
        const force = p[k * 3] * g[e * 3] + p[k * 3 + 1] * g[e * 3 + 1] + p[k * 3 + 2] * g[e * 3 + 2];
        out[other + k] += force;
        out[own + k] -= force;
      }
    }
  }
}

/** A_ij − A_ji of A = Rᵀ F. */
function crossed(r: Float64Array, o: number, f: Float64Array, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < 9; k += 3) sum += r[o + k + i] * f[k + j] - r[o + k + j] * f[k + i];
  return sum;
}
