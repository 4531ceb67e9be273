/**
 * How far two boxes overlap, exactly: the shortest way on which one of them would leave the other, by the fifteen directions that can separate boxes (normals of their faces, and across
 * two edges). Points of one in the other say nothing where two plates cross each other between all corners and samples, nor where they are past its middle.
 */
import type { RigidFrames } from './rigid-frames.js';

/** Squared sine below which edges are parallel: normals of faces say all. */
const PARALLEL = 1e-8;

/** The overlap measured last. Numbers are kept in arrays: handed over one by one they would be boxed. */
export class BoxOverlap {
  /** How deep boxes are in each other, 0 where they are apart [m]; and less than this is nothing. */
  readonly depth = new Float64Array(1);
  readonly least = new Float64Array(1);
  /** The shortest way out, of length 1: either way round. */
  readonly way = new Float64Array(3);
  readonly #at = new Float64Array(3);

  /** Measures boxes a and b of these half sides. */
  measure(frames: RigidFrames, a: number, halfA: readonly number[], b: number, halfB: readonly number[]): void {
    const { rotation: r } = frames;
    const { depth, least } = this;
    const at = this.#at;
    depth[0] = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3 && depth[0] > least[0]; i++) {
      for (let k = 0; k < 3; k++) at[k] = r[a * 9 + i + k * 3];
      this.#look(frames, a, halfA, b, halfB);
      for (let k = 0; k < 3; k++) at[k] = r[b * 9 + i + k * 3];
      this.#look(frames, a, halfA, b, halfB);
    }
    for (let n = 0; n < 9 && depth[0] > least[0]; n++) {
      const p = a * 9 + (n % 3);
      const q = b * 9 + Math.floor(n / 3);
      at[0] = r[p + 3] * r[q + 6] - r[p + 6] * r[q + 3];
      at[1] = r[p + 6] * r[q] - r[p] * r[q + 6];
      at[2] = r[p] * r[q + 3] - r[p + 3] * r[q];
      const square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
      if (square < PARALLEL) continue;
      const length = Math.sqrt(square);
      for (let k = 0; k < 3; k++) at[k] /= length;
      this.#look(frames, a, halfA, b, halfB);
    }
    if (!(depth[0] > least[0])) depth[0] = 0;
  }

  /** Takes how far the shadows of both boxes on a direction overlap, where that is less than on those before. */
  #look(
    { x, rotation: r }: RigidFrames,
    a: number,
    halfA: readonly number[],
    b: number,
    halfB: readonly number[],
  ): void {
    const at = this.#at;
    let both = 0;
    for (let i = 0; i < 3; i++) {
      const p = a * 9 + i;
      const q = b * 9 + i;
      both += halfA[i] * Math.abs(at[0] * r[p] + at[1] * r[p + 3] + at[2] * r[p + 6]);
      both += halfB[i] * Math.abs(at[0] * r[q] + at[1] * r[q + 3] + at[2] * r[q + 6]);
    }
    const far =
      at[0] * (x[a * 3] - x[b * 3]) + at[1] * (x[a * 3 + 1] - x[b * 3 + 1]) + at[2] * (x[a * 3 + 2] - x[b * 3 + 2]);
    const overlap = both - Math.abs(far);
    if (!(overlap < this.depth[0])) return;
    this.depth[0] = overlap;
    for (let k = 0; k < 3; k++) this.way[k] = far < 0 ? -at[k] : at[k];
  }
}
