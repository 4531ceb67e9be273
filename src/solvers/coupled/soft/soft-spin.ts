/** How flesh goes and spins as a whole, and what is taken away by and by: of its spin as air would, or of all that it does beside going and spinning as a whole. */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { SoftBodies } from './soft-bodies.js';

/** Product of the moments of inertia, as a share of the cube of their sum, below which a body is a line. */
const LINE = 1e-12;

/** Slows soft bodies. */
export class SoftSpin {
  readonly #soft: SoftBodies;
  readonly #centre = new Float64Array(3);
  readonly #drift = new Float64Array(3);
  readonly #momentum = new Float64Array(3);
  readonly #inertia = new Float64Array(9);
  readonly #omega = new Float64Array(3);

  constructor(soft: SoftBodies) {
    this.#soft = soft;
  }

  /** Of the spins of all bodies that are awake and that nothing holds this share is left; what is taken is added to `explained` [kg m²/s]. */
  damp(kept: number, explained: Float64Array): void {
    for (let s = 0; s < this.#soft.count; s++) {
      if (this.#soft.asleep[s] === 0 && !this.#isHeld(s)) this.#dampOne(s, kept, explained);
    }
  }

  /**
   * Of what bodies that are awake do beside moving as a whole this share is left: their momenta stay. What has vertices that others hold is to move as these do.
   */
  dampWithin(kept: number): void {
    for (let s = 0; s < this.#soft.count; s++) if (this.#soft.asleep[s] === 0) this.#dampOneWithin(s, 1 - kept);
  }

  #isHeld(s: number): boolean {
    const { firstVertex, pinned } = this.#soft;
    for (let i = firstVertex[s]; i < firstVertex[s + 1]; i++) if (pinned[i] === 1) return true;
    return false;
  }

  #dampOne(s: number, kept: number, explained: Float64Array): void {
    const { firstVertex, x, v } = this.#soft;
    const c = this.#centre;
    const w = this.#omega;
    if (!this.#measure(s, 0)) return;
    for (let k = 0; k < 3; k++) {
      w[k] *= kept - 1;
      explained[k] += (kept - 1) * this.#momentum[k];
    }
    for (let o = firstVertex[s] * 3; o < firstVertex[s + 1] * 3; o += 3) {
      const r0 = x[o] - c[0];
      const r1 = x[o + 1] - c[1];
      const r2 = x[o + 2] - c[2];
      v[o] += w[1] * r2 - w[2] * r1;
      v[o + 1] += w[2] * r0 - w[0] * r2;
      v[o + 2] += w[0] * r1 - w[1] * r0;
    }
  }

  #dampOneWithin(s: number, lost: number): void {
    const { firstVertex, x, v, pinned } = this.#soft;
    const c = this.#centre;
    const u = this.#drift;
    const w = this.#omega;
    if (!this.#measure(s, this.#isHeld(s) ? 1 : 0)) w.fill(0);
    for (let i = firstVertex[s]; i < firstVertex[s + 1]; i++) {
      if (pinned[i] === 1) continue;
      const o = i * 3;
      const r0 = x[o] - c[0];
      const r1 = x[o + 1] - c[1];
      const r2 = x[o + 2] - c[2];
      v[o] += lost * (u[0] + w[1] * r2 - w[2] * r1 - v[o]);
      v[o + 1] += lost * (u[1] + w[2] * r0 - w[0] * r2 - v[o + 1]);
      v[o + 2] += lost * (u[2] + w[0] * r1 - w[1] * r0 - v[o + 2]);
    }
  }

  /** Centre, drift and spin of the vertices of body s that are held (1), or that are not (0). False where they lie on a line: that has no rotation about itself. */
  #measure(s: number, held: 0 | 1): boolean {
    const i = this.#inertia;
    const l = this.#momentum;
    this.#measureCentre(s, held);
    this.#measureSpin(s, held);
    const trace = i[0] + i[4] + i[8];
    const minors = i[4] * i[8] - i[5] * i[5];
    const determinant = i[0] * minors - i[1] * (i[1] * i[8] - i[5] * i[2]) + i[2] * (i[1] * i[5] - i[4] * i[2]);
    if (!(determinant > LINE * trace * trace * trace) || !invertMat3(i, 0, i, 0)) return false;
    for (let k = 0; k < 3; k++) this.#omega[k] = i[k * 3] * l[0] + i[k * 3 + 1] * l[1] + i[k * 3 + 2] * l[2];
    return true;
  }

  /** Centre of mass and its velocity. */
  #measureCentre(s: number, held: 0 | 1): void {
    const { firstVertex, x, v, mass, pinned } = this.#soft;
    const c = this.#centre;
    const u = this.#drift;
    let all = 0;
    c.fill(0);
    u.fill(0);
    for (let i = firstVertex[s]; i < firstVertex[s + 1]; i++) {
      if (pinned[i] !== held) continue;
      all += mass[i];
      for (let k = 0; k < 3; k++) {
        c[k] += mass[i] * x[i * 3 + k];
        u[k] += mass[i] * v[i * 3 + k];
      }
    }
    for (let k = 0; k < 3; k++) {
      c[k] /= all;
      u[k] /= all;
    }
  }

  /** Angular momentum and moments of inertia about the centre. */
  #measureSpin(s: number, held: 0 | 1): void {
    const { firstVertex, x, v, mass, pinned } = this.#soft;
    const c = this.#centre;
    const u = this.#drift;
    const l = this.#momentum;
    const i = this.#inertia;
    l.fill(0);
    i.fill(0);
    for (let n = firstVertex[s]; n < firstVertex[s + 1]; n++) {
      if (pinned[n] !== held) continue;
      const m = mass[n];
      const r0 = x[n * 3] - c[0];
      const r1 = x[n * 3 + 1] - c[1];
      const r2 = x[n * 3 + 2] - c[2];
      const v0 = v[n * 3] - u[0];
      const v1 = v[n * 3 + 1] - u[1];
      const v2 = v[n * 3 + 2] - u[2];
      l[0] += m * (r1 * v2 - r2 * v1);
      l[1] += m * (r2 * v0 - r0 * v2);
      l[2] += m * (r0 * v1 - r1 * v0);
      i[0] += m * (r1 * r1 + r2 * r2);
      i[4] += m * (r0 * r0 + r2 * r2);
      i[8] += m * (r0 * r0 + r1 * r1);
      i[1] -= m * r0 * r1;
      i[2] -= m * r0 * r2;
      i[5] -= m * r1 * r2;
    }
    i[3] = i[1];
    i[6] = i[2];
    i[7] = i[5];
  }
}
