/** Soft bodies as parts of a group that turns as a whole: mass, moments and momenta of each about the origin, moments of inertia about any centre, and a turn of all their velocities. */
import type { SoftBodies } from './soft-bodies.js';

/** Numbers of a body: mass, Σ m x, Σ m v, Σ m x × v. */
const SUM = 10;

/** Measures the soft bodies of a world. */
export class SoftMoments {
  readonly #soft: SoftBodies;
  /** When the substep began, and now. */
  readonly before: Float64Array;
  readonly now: Float64Array;
  readonly #isPinned: Uint8Array;

  constructor(soft: SoftBodies) {
    this.#soft = soft;
    this.before = new Float64Array(soft.count * SUM);
    this.now = new Float64Array(soft.count * SUM);
    this.#isPinned = Uint8Array.from({ length: soft.count }, (_, s) =>
      soft.pinned.subarray(soft.firstVertex[s], soft.firstVertex[s + 1]).includes(1) ? 1 : 0,
    );
  }

  /** Whether something beside contacts acts on body s: vertices that others hold or pull. */
  isHeld(s: number): boolean {
    const { firstVertex, outside } = this.#soft;
    if (this.#isPinned[s] === 1) return true;
    for (let o = firstVertex[s] * 3; o < firstVertex[s + 1] * 3; o++) if (outside[o] !== 0) return true;
    return false;
  }

  /** Measures body s as it is. */
  measure(s: number, out: Float64Array): void {
    const { firstVertex, x, v, mass } = this.#soft;
    const o = s * SUM;
    for (let k = 0; k < SUM; k++) out[o + k] = 0;
    for (let i = firstVertex[s]; i < firstVertex[s + 1]; i++) {
      const m = mass[i];
      const x0 = x[i * 3];
      const x1 = x[i * 3 + 1];
      const x2 = x[i * 3 + 2];
      const p0 = m * v[i * 3];
      const p1 = m * v[i * 3 + 1];
      const p2 = m * v[i * 3 + 2];
      out[o] += m;
      out[o + 1] += m * x0;
      out[o + 2] += m * x1;
      out[o + 3] += m * x2;
      out[o + 4] += p0;
      out[o + 5] += p1;
      out[o + 6] += p2;
      out[o + 7] += x1 * p2 - x2 * p1;
      out[o + 8] += x2 * p0 - x0 * p2;
      out[o + 9] += x0 * p1 - x1 * p0;
    }
  }

  /** to[at..at + 7) += mass, Σ m x and Σ m v of body s. */
  addSums(from: Float64Array, s: number, to: Float64Array, at: number): void {
    for (let k = 0; k < 7; k++) to[at + k] += from[s * SUM + k];
  }

  /** to[at..at + 3) += sign times the angular momentum of body s about the centre, and against the velocity, that are centre[c..c + 6). */
  addSpin(
    from: Float64Array,
    s: number,
    centre: Float64Array,
    c: number,
    sign: number,
    to: Float64Array,
    at: number,
  ): void {
    const o = s * SUM;
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      const moved = from[o + 1 + i] * centre[c + 3 + j] - from[o + 1 + j] * centre[c + 3 + i];
      const carried = centre[c + i] * from[o + 4 + j] - centre[c + j] * from[o + 4 + i];
      const both = from[o] * (centre[c + i] * centre[c + 3 + j] - centre[c + j] * centre[c + 3 + i]);
      to[at + k] += sign * (from[o + 7 + k] - moved - carried + both);
    }
  }

  /** to (3 x 3, row major, from `at` on) += moments of inertia of body s about the point centre[c..c + 3). */
  addInertia(s: number, centre: Float64Array, c: number, to: Float64Array, at: number): void {
    const { firstVertex, x, mass } = this.#soft;
    for (let n = firstVertex[s]; n < firstVertex[s + 1]; n++) {
      const m = mass[n];
      const r0 = x[n * 3] - centre[c];
      const r1 = x[n * 3 + 1] - centre[c + 1];
      const r2 = x[n * 3 + 2] - centre[c + 2];
      to[at] += m * (r1 * r1 + r2 * r2);
      to[at + 4] += m * (r0 * r0 + r2 * r2);
      to[at + 8] += m * (r0 * r0 + r1 * r1);
      to[at + 1] -= m * r0 * r1;
      to[at + 3] -= m * r0 * r1;
      to[at + 2] -= m * r0 * r2;
      to[at + 6] -= m * r0 * r2;
      to[at + 5] -= m * r1 * r2;
      to[at + 7] -= m * r1 * r2;
    }
  }

  /** Turns the velocities of body s by w [rad/s] about the point centre[c..c + 3). */
  turn(s: number, centre: Float64Array, c: number, w: Float64Array): void {
    const { firstVertex, x, v } = this.#soft;
    for (let o = firstVertex[s] * 3; o < firstVertex[s + 1] * 3; o += 3) {
      const r0 = x[o] - centre[c];
      const r1 = x[o + 1] - centre[c + 1];
      const r2 = x[o + 2] - centre[c + 2];
      v[o] += w[1] * r2 - w[2] * r1;
      v[o + 1] += w[2] * r0 - w[0] * r2;
      v[o + 2] += w[0] * r1 - w[1] * r0;
    }
  }
}
