/**
 * The true second derivative of the elastic energy, as a product: forces that answer small moves of the vertices, dE'' dx. The constant matrix only
 * bounds it; the adjoint of the step needs it as it is. Symbols as in src/kernels/reference/local-tets.ts:
 *
 *     corotated     dP = 2μ (dF − dR) + λ (R:dF) R + λ tr(S − 1) dR,   dR = R [w],  (tr S − S) w = axial part of RᵀdF
 *     neo-Hookean   dP = μ dF + λ (C:dF) C + (λ (J − 1) − μ) dC
 *
 * Rotations are kept from one set of positions to the next, which is the one of the step before: two Newton steps bring them up to date.
 */
import type { Model } from '../../../../body/model.js';
import { multiplyMat3, multiplyTransposeMat3 } from '../../../../math/mat3-product.js';
import type { Layout } from '../../layout.js';
import { NODAL_SHAPE, nodalMeans } from '../../nodal-strain.js';
import { MeanProduct } from './mean-product.js';
import { cofactors, rotationOf, turningOf } from './stress-change.js';

/** Numbers per tet: h_a = R g_a, N and the pressure less 2μ of corotated tets; F, its cofactors and the pressure of neo-Hookean ones. */
const STRIDE = 19;
/** 2μ g_a·g_b of a tet's gradients. */
const GRAM = 9;
const INVERSE = 9;
const PRESSURE = 18;

/** The product for one model. */
export class ElasticProduct {
  readonly #model: Model;
  readonly #tets: Int32Array;
  readonly #shear: Float64Array;
  readonly #bulk: Float64Array;
  readonly #data: Float64Array;
  readonly #gram: Float64Array;
  readonly #quats: Float64Array;
  #knowsQuats = false;
  /** What tets share through their vertices, by family. */
  readonly #means: readonly MeanProduct[];
  readonly #f = new Float64Array(9);
  readonly #g = new Float64Array(9);
  readonly #scratch = new Float64Array(9);

  /** `smoothed`: tets share strains, see nodal-strain.ts. */
  constructor(model: Model, layout: Layout, smoothed: boolean) {
    const { mu, lambda, volumes, neoHookean } = model;
    const { tets } = layout;
    this.#model = model;
    this.#tets = tets;
    const [shape, volume] = smoothed ? [1 - NODAL_SHAPE, 0] : [1, 1];
    this.#shear = Float64Array.from(tets, (tet) => shape * (neoHookean[tet] ? 1 : 2) * mu[tet] * volumes[tet]);
    this.#bulk = Float64Array.from(
      tets,
      (tet) => (volume * lambda[tet] + (neoHookean[tet] ? shape * mu[tet] : 0)) * volumes[tet],
    );
    const own = Int32Array.from({ length: model.vertexCount }, (_, vertex) => vertex);
    this.#means = (smoothed ? [false, true] : []).map(
      (isNeoHookean) => new MeanProduct(nodalMeans(model, layout, own, isNeoHookean), isNeoHookean),
    );
    this.#data = new Float64Array(tets.length * STRIDE);
    this.#quats = new Float64Array(tets.length * 4);
    this.#gram = new Float64Array(tets.length * GRAM);
    for (let n = 0; n < tets.length; n++) {
      const g = tets[n] * 9;
      multiplyTransposeMat3(this.#gram, n * GRAM, model.inverseRest, g, model.inverseRest, g);
      for (let k = n * GRAM; k < (n + 1) * GRAM; k++) this.#gram[k] *= this.#shear[n];
    }
  }

  /** The next positions are far from the last ones: rotations start over. */
  restart(): void {
    this.#knowsQuats = false;
    for (const means of this.#means) means.restart();
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
    for (const means of this.#means) means.prepare(positions, gradient);
  }

  /** Adds the change of minus the forces over small moves (3 per vertex). */
  addProduct(moves: Float64Array, out: Float64Array): void {
    const { neoHookean } = this.#model;
    for (let n = 0; n < this.#tets.length; n++) {
      const tet = this.#tets[n];
      if (!neoHookean[tet]) {
        this.#addCorotated(n, moves, out);
        continue;
      }
      this.#gradientOf(tet, moves, this.#f);
      this.#neoHookean(n);
      this.#scatter(tet, this.#g, out);
    }
    for (const means of this.#means) means.addProduct(moves, out);
  }

  #prepareCorotated(n: number): void {
    const [f, g, data] = [this.#f, this.#g, this.#data];
    const o = n * STRIDE;
    rotationOf(data, o, f, this.#quats, n * 4, this.#knowsQuats);
    const trace = turningOf(data, o + INVERSE, data, o, f);
    const pressure = this.#bulk[n] * (trace - 3);
    data[o + PRESSURE] = pressure - this.#shear[n];
    for (let k = 0; k < 9; k++) g[k] = this.#shear[n] * (f[k] - data[o + k]) + pressure * data[o + k];
    this.#turnToWorld(n, o);
  }

  /** From R and (tr S − S)⁻¹ to h_a = R g_a, three numbers each, and N = R (tr S − S)⁻¹ Rᵀ. */
  #turnToWorld(n: number, o: number): void {
    const data = this.#data;
    const r = this.#scratch;
    for (let k = 0; k < 9; k++) r[k] = data[o + k];
    multiplyTransposeMat3(data, o, this.#model.inverseRest, this.#tets[n] * 9, r, 0);
    multiplyMat3(this.#f, 0, r, 0, data, o + INVERSE);
    multiplyTransposeMat3(data, o + INVERSE, this.#f, 0, r, 0);
  }

  /**
   * The product of a corotated tet by the moves d of its corners against the first one, with h = R g of their gradients g and N = R (tr S − S)⁻¹ Rᵀ:
   *
   *     force on corner a = 2μ Σ (g_a·g_b) d_b + λ (Σ h_b·d_b) h_a + (pressure − 2μ) N (Σ h_b × d_b) × h_a
   *
   * which is half the work of going by dF.
   */
  #addCorotated(n: number, moves: Float64Array, out: Float64Array): void {
    const { tets } = this.#model;
    const tet = this.#tets[n] * 4;
    const p0 = tets[tet] * 3;
    const p1 = tets[tet + 1] * 3;
    const p2 = tets[tet + 2] * 3;
    const p3 = tets[tet + 3] * 3;
    const x = moves[p0];
    const y = moves[p0 + 1];
    const z = moves[p0 + 2];
    const ux = moves[p1] - x;
    const uy = moves[p1 + 1] - y;
    const uz = moves[p1 + 2] - z;
    const vx = moves[p2] - x;
    const vy = moves[p2 + 1] - y;
    const vz = moves[p2 + 2] - z;
    const wx = moves[p3] - x;
    const wy = moves[p3 + 1] - y;
    const wz = moves[p3 + 2] - z;
    const h = this.#data;
    const a = n * STRIDE;
    const b = a + 3;
    const c = a + 6;
    const m = a + INVERSE;
    const spread = h[a] * ux + h[a + 1] * uy + h[a + 2] * uz + h[b] * vx + h[b + 1] * vy + h[b + 2] * vz;
    const along = this.#bulk[n] * (spread + h[c] * wx + h[c + 1] * wy + h[c + 2] * wz);
    const tx = h[a + 1] * uz - h[a + 2] * uy + h[b + 1] * vz - h[b + 2] * vy + h[c + 1] * wz - h[c + 2] * wy;
    const ty = h[a + 2] * ux - h[a] * uz + h[b + 2] * vx - h[b] * vz + h[c + 2] * wx - h[c] * wz;
    const tz = h[a] * uy - h[a + 1] * ux + h[b] * vy - h[b + 1] * vx + h[c] * wy - h[c + 1] * wx;
    const turned = h[a + PRESSURE];
    const rx = turned * (h[m] * tx + h[m + 1] * ty + h[m + 2] * tz);
    const ry = turned * (h[m + 3] * tx + h[m + 4] * ty + h[m + 5] * tz);
    const rz = turned * (h[m + 6] * tx + h[m + 7] * ty + h[m + 8] * tz);
    const gram = this.#gram;
    const q = n * GRAM;
    let [sumX, sumY, sumZ] = [0, 0, 0];
    for (let corner = 0; corner < 3; corner++) {
      const k = a + corner * 3;
      const to = corner === 0 ? p1 : corner === 1 ? p2 : p3;
      const g0 = gram[q + corner * 3];
      const g1 = gram[q + corner * 3 + 1];
      const g2 = gram[q + corner * 3 + 2];
      const fx = g0 * ux + g1 * vx + g2 * wx + along * h[k] + ry * h[k + 2] - rz * h[k + 1];
      const fy = g0 * uy + g1 * vy + g2 * wy + along * h[k + 1] + rz * h[k] - rx * h[k + 2];
      const fz = g0 * uz + g1 * vz + g2 * wz + along * h[k + 2] + rx * h[k + 1] - ry * h[k];
      out[to] += fx;
      out[to + 1] += fy;
      out[to + 2] += fz;
      sumX += fx;
      sumY += fy;
      sumZ += fz;
    }
    out[p0] -= sumX;
    out[p0 + 1] -= sumY;
    out[p0 + 2] -= sumZ;
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
