/**
 * The true second derivative of the elastic energy, as a product: forces that answer small moves of the vertices, dE'' dx. The constant matrix only
 * bounds it; the adjoint of the step needs it as it is. Symbols as in src/kernels/reference/local-tets.ts:
 *
 *     corotated     dP = 2μ (dF − dR) + λ (R:dF) R + λ tr(S − 1) dR,   dR = R [w],  (tr S − S) w = axial part of RᵀdF
 *     neo-Hookean   dP = μ dF + λ (C:dF) C + (λ (J − 1) − μ) dC
 *
 * Rotations are kept from one set of positions to the next, which is the one of the step before: two Newton steps bring them up to date.
 */
import type { Model } from '../../../body/model.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { POLAR_SCRATCH_LENGTH, polarNewton, polarRotation } from '../../../math/polar3.js';
import { identityQuat, mat3ToQuat, quatToMat3 } from '../../../math/quat.js';
import type { Layout } from '../layout.js';

/** Numbers per tet: F (only for neo-Hookean tets) or R, then (tr S − S)⁻¹, then the pressure. */
const STRIDE = 19;
const INVERSE = 9;
const PRESSURE = 18;
/** Least sum of two stretches that turning a tet is divided by: flat tets turn by any amount, and say nothing. */
const FLAT = 0.05;

/** The product for one model. */
export class ElasticProduct {
  readonly #model: Model;
  readonly #tets: Int32Array;
  readonly #shear: Float64Array;
  readonly #bulk: Float64Array;
  readonly #data: Float64Array;
  readonly #quats: Float64Array;
  #knowsQuats = false;
  readonly #f = new Float64Array(9);
  readonly #g = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  constructor(model: Model, { tets }: Layout) {
    const { mu, lambda, volumes, neoHookean } = model;
    this.#model = model;
    this.#tets = tets;
    this.#shear = Float64Array.from(tets, (tet) => (neoHookean[tet] ? 1 : 2) * mu[tet] * volumes[tet]);
    this.#bulk = Float64Array.from(tets, (tet) => (lambda[tet] + (neoHookean[tet] ? mu[tet] : 0)) * volumes[tet]);
    this.#data = new Float64Array(tets.length * STRIDE);
    this.#quats = new Float64Array(tets.length * 4);
  }

  /** The next positions are far from the last ones: rotations start over. */
  restart(): void {
    this.#knowsQuats = false;
  }

  /** Gets ready at these positions (3 per vertex); adds minus the elastic forces to `gradient`. */
  prepare(positions: Float64Array, gradient: Float64Array): void {
    for (let n = 0; n < this.#tets.length; n++) {
      this.#gradientOf(this.#tets[n], positions, this.#f);
      if (this.#model.neoHookean[this.#tets[n]]) this.#prepareNeoHookean(n);
      else this.#prepareCorotated(n);
      this.#scatter(this.#tets[n], this.#g, gradient);
    }
    this.#knowsQuats = true;
  }

  /** Adds the change of minus the forces over small moves (3 per vertex). */
  addProduct(moves: Float64Array, out: Float64Array): void {
    const { neoHookean } = this.#model;
    for (let n = 0; n < this.#tets.length; n++) {
      const tet = this.#tets[n];
      this.#gradientOf(tet, moves, this.#f);
      if (neoHookean[tet]) this.#neoHookean(n);
      else this.#corotated(n);
      this.#scatter(tet, this.#g, out);
    }
  }

  #prepareCorotated(n: number): void {
    const [f, g, data] = [this.#f, this.#g, this.#data];
    const o = n * STRIDE;
    const quats = this.#quats;
    if (!this.#knowsQuats) identityQuat(quats, n * 4);
    let good = this.#knowsQuats;
    for (let round = 0; round < 2 && good; round++) good = polarNewton(quats, n * 4, f, 0);
    if (good) quatToMat3(data, o, quats, n * 4);
    else {
      polarRotation(data, o, f, 0, this.#scratch, 0);
      mat3ToQuat(quats, n * 4, data, o);
    }
    // S = RᵀF, symmetric up to rounding
    const s = g;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++)
        s[i * 3 + j] = data[o + i] * f[j] + data[o + 3 + i] * f[3 + j] + data[o + 6 + i] * f[6 + j];
    }
    const trace = s[0] + s[4] + s[8];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++)
        this.#scratch[i * 3 + j] = (i === j ? trace : 0) - 0.5 * (s[i * 3 + j] + s[j * 3 + i]);
    }
    this.#invertTurning(o + INVERSE);
    const pressure = this.#bulk[n] * (trace - 3);
    data[o + PRESSURE] = pressure;
    for (let k = 0; k < 9; k++) g[k] = this.#shear[n] * (f[k] - data[o + k]) + pressure * data[o + k];
  }

  /** (tr S − S)⁻¹ to data[o..o+9), kept finite for flat and inverted tets. */
  #invertTurning(o: number): void {
    const m = this.#scratch;
    const trace = m[0] + m[4] + m[8];
    const least = Math.min(m[0], m[4], m[8]);
    const more = least < FLAT ? FLAT - least + 1e-3 * Math.abs(trace) : 0;
    for (let k = 0; k < 9; k += 4) m[k] += more;
    if (!invertMat3(this.#data, o, m, 0)) this.#data.fill(0, o, o + 9);
  }

  #corotated(n: number): void {
    const f = this.#f;
    const g = this.#g;
    const r = this.#data;
    const o = n * STRIDE;
    const m = o + INVERSE;
    const r0 = r[o];
    const r1 = r[o + 1];
    const r2 = r[o + 2];
    const r3 = r[o + 3];
    const r4 = r[o + 4];
    const r5 = r[o + 5];
    const r6 = r[o + 6];
    const r7 = r[o + 7];
    const r8 = r[o + 8];
    // axial part of RᵀdF − dFᵀR
    const a = r2 * f[1] + r5 * f[4] + r8 * f[7] - (r1 * f[2] + r4 * f[5] + r7 * f[8]);
    const b = r0 * f[2] + r3 * f[5] + r6 * f[8] - (r2 * f[0] + r5 * f[3] + r8 * f[6]);
    const c = r1 * f[0] + r4 * f[3] + r7 * f[6] - (r0 * f[1] + r3 * f[4] + r6 * f[7]);
    const turned = r[o + PRESSURE] - this.#shear[n];
    const x = turned * (r[m] * a + r[m + 1] * b + r[m + 2] * c);
    const y = turned * (r[m + 3] * a + r[m + 4] * b + r[m + 5] * c);
    const z = turned * (r[m + 6] * a + r[m + 7] * b + r[m + 8] * c);
    const along =
      r0 * f[0] + r1 * f[1] + r2 * f[2] + r3 * f[3] + r4 * f[4] + r5 * f[5] + r6 * f[6] + r7 * f[7] + r8 * f[8];
    const p = this.#bulk[n] * along;
    const shear = this.#shear[n];
    // R [w]: column 0 is z r1 − y r2, and so on round
    g[0] = shear * f[0] + p * r0 + z * r1 - y * r2;
    g[1] = shear * f[1] + p * r1 + x * r2 - z * r0;
    g[2] = shear * f[2] + p * r2 + y * r0 - x * r1;
    g[3] = shear * f[3] + p * r3 + z * r4 - y * r5;
    g[4] = shear * f[4] + p * r4 + x * r5 - z * r3;
    g[5] = shear * f[5] + p * r5 + y * r3 - x * r4;
    g[6] = shear * f[6] + p * r6 + z * r7 - y * r8;
    g[7] = shear * f[7] + p * r7 + x * r8 - z * r6;
    g[8] = shear * f[8] + p * r8 + y * r6 - x * r7;
  }

  #prepareNeoHookean(n: number): void {
    const [f, g, data] = [this.#f, this.#g, this.#data];
    const o = n * STRIDE;
    for (let k = 0; k < 9; k++) data[o + k] = f[k];
    cofactors(data, o + INVERSE, f, 0, f, 0, 0.5);
    const grown = f[0] * data[o + INVERSE] + f[1] * data[o + INVERSE + 1] + f[2] * data[o + INVERSE + 2] - 1;
    const pressure = this.#bulk[n] * grown - this.#shear[n];
    data[o + PRESSURE] = pressure;
    for (let k = 0; k < 9; k++) g[k] = this.#shear[n] * f[k] + pressure * data[o + INVERSE + k];
  }

  #neoHookean(n: number): void {
    const [f, g, data] = [this.#f, this.#g, this.#data];
    const o = n * STRIDE;
    const c = o + INVERSE;
    let along = 0;
    for (let k = 0; k < 9; k++) along += data[c + k] * f[k];
    cofactors(g, 0, data, o, f, 0, 1);
    for (let k = 0; k < 9; k++)
      g[k] = this.#shear[n] * f[k] + this.#bulk[n] * along * data[c + k] + data[o + PRESSURE] * g[k];
  }

  /** f = Σ x_k g_kᵀ of one tet: the deformation gradient of positions, or how moves change it. */
  #gradientOf(tet: number, x: Float64Array, f: Float64Array): void {
    const { tets, inverseRest: b } = this.#model;
    const origin = tets[tet * 4] * 3;
    const u = tets[tet * 4 + 1] * 3;
    const v = tets[tet * 4 + 2] * 3;
    const w = tets[tet * 4 + 3] * 3;
    const o = tet * 9;
    for (let i = 0; i < 3; i++) {
      const base = x[origin + i];
      const d = x[u + i] - base;
      const e = x[v + i] - base;
      const h = x[w + i] - base;
      f[i * 3] = d * b[o] + e * b[o + 3] + h * b[o + 6];
      f[i * 3 + 1] = d * b[o + 1] + e * b[o + 4] + h * b[o + 7];
      f[i * 3 + 2] = d * b[o + 2] + e * b[o + 5] + h * b[o + 8];
    }
  }

  /** out += the forces P g_k on the corners of one tet. */
  #scatter(tet: number, p: Float64Array, out: Float64Array): void {
    const { tets, inverseRest: b } = this.#model;
    const origin = tets[tet * 4] * 3;
    const u = tets[tet * 4 + 1] * 3;
    const v = tets[tet * 4 + 2] * 3;
    const w = tets[tet * 4 + 3] * 3;
    const o = tet * 9;
    for (let i = 0; i < 3; i++) {
      const p0 = p[i * 3];
      const p1 = p[i * 3 + 1];
      const p2 = p[i * 3 + 2];
      const d = p0 * b[o] + p1 * b[o + 1] + p2 * b[o + 2];
      const e = p0 * b[o + 3] + p1 * b[o + 4] + p2 * b[o + 5];
      const h = p0 * b[o + 6] + p1 * b[o + 7] + p2 * b[o + 8];
      out[u + i] += d;
      out[v + i] += e;
      out[w + i] += h;
      out[origin + i] -= d + e + h;
    }
  }
}

/** out = factor times the mixed cofactors of a and b: the cofactors of a for a = b and ½, their derivative by a in direction b for 1. */
function cofactors(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  factor: number,
): void {
  for (let row = 0; row < 3; row++) {
    const r1 = ((row + 1) % 3) * 3;
    const r2 = ((row + 2) % 3) * 3;
    for (let column = 0; column < 3; column++) {
      const c1 = (column + 1) % 3;
      const c2 = (column + 2) % 3;
      out[o + row * 3 + column] =
        factor *
        (a[i + r1 + c1] * b[j + r2 + c2] +
          b[j + r1 + c1] * a[i + r2 + c2] -
          a[i + r1 + c2] * b[j + r2 + c1] -
          b[j + r1 + c2] * a[i + r2 + c1]);
    }
  }
}
