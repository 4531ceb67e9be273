/**
 * A slab between two bodies, across the line of their middles: what of one is behind it cannot touch the other. Boxes along the axes of the
 * world let most points of two round bodies through that lie side by side; this lets hardly any.
 */

import { SAMPLE, type SampledShape } from '../../../collision/rigid/sampled-shape.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from './soft-bodies.js';

/** How far a shape may stand out between its samples, as a share of its reach: a ring of twenty by 1 - cos 9°. */
const BETWEEN = 0.015;

/** The slab of the pair at hand: body A ends at `endA`, body B starts at `startB`, both along `axis` [m]. */
export class PairSlab {
  readonly axis = new Float64Array(3);
  readonly endA = new Float64Array(1);
  readonly startB = new Float64Array(1);
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #shapes: readonly SampledShape[];

  constructor(rigid: RigidBodies, soft: SoftBodies, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#shapes = shapes;
  }

  /** Measures bodies a (of any kind) and b (soft), both numbered among all. False where they are farther apart than `margin[0]`. */
  measure(a: number, b: number, boxes: Float64Array, margin: Float64Array): boolean {
    const { axis, endA, startB } = this;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      axis[k] = boxes[b * 6 + k] + boxes[b * 6 + 3 + k] - boxes[a * 6 + k] - boxes[a * 6 + 3 + k];
      square += axis[k] * axis[k];
    }
    // what has no end has no middle either
    const isKnown = square > 0 && square < Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) axis[k] = isKnown ? axis[k] / Math.sqrt(square) : 0;
    endA[0] = Number.POSITIVE_INFINITY;
    startB[0] = Number.NEGATIVE_INFINITY;
    if (!isKnown) return true;
    if (a >= this.#rigid.count) endA[0] = -this.#leastSoft(a - this.#rigid.count, -1);
    else endA[0] = this.#endOfRigid(a);
    startB[0] = this.#leastSoft(b - this.#rigid.count, 1);
    return startB[0] - endA[0] < margin[0];
  }

  /** How far the point x[i..] is along the axis. */
  along(x: Float64Array, i: number): number {
    const { axis } = this;
    return axis[0] * x[i] + axis[1] * x[i + 1] + axis[2] * x[i + 2];
  }

  /** Least of sign times the places of the vertices of soft body s along the axis. */
  #leastSoft(s: number, sign: number): number {
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices, radius } = models[s];
    const first = firstVertex[s];
    const a0 = sign * this.axis[0];
    const a1 = sign * this.axis[1];
    const a2 = sign * this.axis[2];
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < surfaceVertices.length; n++) {
      const i = (first + surfaceVertices[n]) * 3;
      const at = a0 * x[i] + a1 * x[i + 1] + a2 * x[i + 2];
      if (at < least) least = at;
    }
    return least - radius;
  }

  /** Where rigid body a ends along the axis; nowhere if it has no samples. */
  #endOfRigid(a: number): number {
    const { x, rotation } = this.#rigid;
    const { samples, count, reach } = this.#shapes[a];
    const { axis } = this;
    if (count === 0) return Number.POSITIVE_INFINITY;
    const r = a * 9;
    const l0 = rotation[r] * axis[0] + rotation[r + 3] * axis[1] + rotation[r + 6] * axis[2];
    const l1 = rotation[r + 1] * axis[0] + rotation[r + 4] * axis[1] + rotation[r + 7] * axis[2];
    const l2 = rotation[r + 2] * axis[0] + rotation[r + 5] * axis[1] + rotation[r + 8] * axis[2];
    let most = Number.NEGATIVE_INFINITY;
    for (let o = 0; o < count * SAMPLE; o += SAMPLE) {
      const at = l0 * samples[o] + l1 * samples[o + 1] + l2 * samples[o + 2] + samples[o + 3];
      if (at > most) most = at;
    }
    return most + this.along(x, a * 3) + BETWEEN * reach;
  }
}
