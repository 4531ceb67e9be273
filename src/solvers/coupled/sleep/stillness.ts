/**
 * How far bodies have moved from where they were last seen to move: a body stays where it is while none of its points is farther than a small distance from there.
 */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import { transposeMultiplyMat3Vec3 } from '../../../math/mat3.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';

/** Watches where bodies are: rigid ones first, then soft. */
export class Stillness {
  readonly #place: Float64Array;
  readonly #orientation: Float64Array;
  readonly #shape: Float64Array;
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #shapes: readonly SampledShape[];
  readonly #u = new Float64Array(3);
  readonly #extent = new Float64Array(3);

  constructor(rigid: RigidBodies, soft: SoftBodies, shapes: readonly SampledShape[], isOn: boolean) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#shapes = shapes;
    const has = isOn ? 1 : 0;
    this.#place = new Float64Array(has * rigid.x.length);
    this.#orientation = new Float64Array(has * rigid.q.length);
    this.#shape = new Float64Array(has * soft.x.length);
  }

  get arrays(): readonly Float64Array[] {
    return [this.#place, this.#orientation, this.#shape];
  }

  /** Notes where body b is. */
  note(b: number): void {
    const { count } = this.#rigid;
    if (b < count) this.#noteRigid(b);
    else this.#noteSoft(b - count);
  }

  /** How far the point of body b that moved farthest is from where it was noted, at most [m]. */
  movedBy(b: number): number {
    const { count } = this.#rigid;
    return b < count ? this.#movedRigid(b) : this.#movedSoft(b - count);
  }

  /** How fast the fastest point of body b is, at most [m/s]. */
  speedOf(b: number): number {
    const rigid = this.#rigid;
    const { v, firstVertex } = this.#soft;
    const u = this.#u;
    if (b < rigid.count) {
      rigid.spinOf(b, u);
      // into the body's own frame
      transposeMultiplyMat3Vec3(u, 0, rigid.rotation, b * 9, u, 0);
      return lengthOf(rigid.v, b * 3) + this.#sweptBy(b, u);
    }
    let most = 0;
    const s = b - rigid.count;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) most = Math.max(most, lengthOf(v, i));
    return most;
  }

  #movedRigid(b: number): number {
    const { x, q } = this.#rigid;
    const p = this.#place;
    const r = this.#orientation;
    const d0 = x[b * 3] - p[b * 3];
    const d1 = x[b * 3 + 1] - p[b * 3 + 1];
    const d2 = x[b * 3 + 2] - p[b * 3 + 2];
    // the axis of the turn since then, as long as the sine of half its angle: a point moves by twice that times its distance from the axis
    const u = this.#u;
    const i = b * 4;
    for (let k = 0; k < 3; k++) {
      const l = i + ((k + 1) % 3);
      const m = i + ((k + 2) % 3);
      u[k] = r[i + 3] * q[i + k] - q[i + 3] * r[i + k] - r[l] * q[m] + r[m] * q[l];
    }
    return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + 2 * this.#sweptBy(b, u);
  }

  /** How fast the outside of body b moves at most when it turns like this, in its own frame: a rod that turns about itself hardly does. */
  #sweptBy(b: number, u: Float64Array): number {
    const { reach, box } = this.#shapes[b];
    const around = reach * lengthOf(u, 0);
    if (!box) return around;
    const e = this.#extent;
    for (let k = 0; k < 3; k++) e[k] = Math.max(Math.abs(box[k]), Math.abs(box[3 + k]));
    const x = Math.abs(u[1]) * e[2] + Math.abs(u[2]) * e[1];
    const y = Math.abs(u[2]) * e[0] + Math.abs(u[0]) * e[2];
    const z = Math.abs(u[0]) * e[1] + Math.abs(u[1]) * e[0];
    return Math.min(around, Math.sqrt(x * x + y * y + z * z));
  }

  #noteRigid(b: number): void {
    for (let k = b * 3; k < b * 3 + 3; k++) this.#place[k] = this.#rigid.x[k];
    for (let k = b * 4; k < b * 4 + 4; k++) this.#orientation[k] = this.#rigid.q[k];
  }

  #movedSoft(s: number): number {
    const { x, firstVertex } = this.#soft;
    const y = this.#shape;
    let most = 0;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) {
      const d0 = x[i] - y[i];
      const d1 = x[i + 1] - y[i + 1];
      const d2 = x[i + 2] - y[i + 2];
      most = Math.max(most, d0 * d0 + d1 * d1 + d2 * d2);
    }
    return Math.sqrt(most);
  }

  #noteSoft(s: number): void {
    const { x, firstVertex } = this.#soft;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i++) this.#shape[i] = x[i];
  }
}

function lengthOf(x: Float64Array, o: number): number {
  return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}
