/**
 * Boxes around all bodies for the broad phase, wide enough for what each may do in a step: turn, fall, and go its way as seen from the mean velocity of all, so that
 * neighbours that fall together do not meet.
 */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftPairs } from '../soft/soft-pairs.js';
import { CARRY, type CarriedContacts } from './carried-contacts.js';

/** Contacts are kept within this share of a body's size even where nothing moves. */
const ALWAYS = 0.01;

/** Slower than this on the whole, a heap is calm [m/s]. */
const CALM = 0.5;

/** How far bodies may go in a step before they are looked at again wherever somebody may be stopped [m]. */
const FAR = 0.01;

/** Fills the boxes of the broad phase. */
export class SweptBoxes {
  /** How far the outside of a body comes in a step beside its velocity as a whole, and the least margin it asks for [m]. */
  readonly motion: Float64Array;
  /** That velocity, 3 per body [m/s]: bodies that fall side by side do not approach each other. */
  readonly #drift: Float64Array;
  readonly #wind = new Float64Array(3);
  /** Of the step at hand: its length [s], and how far bodies fall in it [m]. By reference, because numbers handed over one by one are boxed. */
  readonly #pace = new Float64Array(2);
  /** Whether rigid bodies are slow on the whole: no blow is on its way that would bring together what is apart. */
  isCalm = false;
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #shapes: readonly SampledShape[];
  readonly #softPairs: SoftPairs;
  /** Lowest corner, highest corner; 6 per body. */
  readonly #boxes: Float64Array;

  constructor(
    rigid: RigidBodies,
    soft: SoftBodies,
    shapes: readonly SampledShape[],
    softPairs: SoftPairs,
    boxes: Float64Array,
  ) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#shapes = shapes;
    this.#softPairs = softPairs;
    this.#boxes = boxes;
    this.motion = new Float64Array(rigid.count + soft.count);
    this.#drift = new Float64Array((rigid.count + soft.count) * 3);
  }

  /** Measures all bodies for a step of h [s]. */
  measure(movable: Uint8Array, gravity: ArrayLike<number>, h: number, carried?: CarriedContacts): void {
    const { count } = this.#rigid;
    this.#pace[0] = h;
    this.#pace[1] = h * h * Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    this.#measureWind(movable);
    for (let b = 0; b < count; b++) this.#boxRigid(b, carried);
    for (let s = 0; s < this.#soft.count; s++) {
      this.#softPairs.boxBody(s, this.#boxes, count + s, this.#drift, this.motion, this.#pace, carried);
    }
    for (let b = 0; b < this.motion.length; b++) this.#sweepBox(b);
  }

  /** How far ahead two bodies are to be looked at [m]. */
  marginOf(a: number, b: number): number {
    return this.motion[a] + this.motion[b] + this.#pace[0] * this.#approach(a, b);
  }

  /** How far ahead they are to be looked at where one of them may be stopped all of a sudden, and the other goes on [m]. */
  marginIfStopped(a: number, b: number): number {
    return this.motion[a] + this.motion[b] + this.#pace[0] * Math.max(this.#speed(a), this.#speed(b));
  }

  /** Whether one of two bodies goes so far in a step that what was found for them is not good enough, should the other be stopped. */
  isFast(a: number, b: number): boolean {
    return !this.isCalm && this.#pace[0] * Math.max(this.#speed(a), this.#speed(b)) > FAR;
  }

  #speed(b: number): number {
    const d = this.#drift;
    return Math.sqrt(d[b * 3] * d[b * 3] + d[b * 3 + 1] * d[b * 3 + 1] + d[b * 3 + 2] * d[b * 3 + 2]);
  }

  /** Speed of a relative to b [m/s]. */
  #approach(a: number, b: number): number {
    const d = this.#drift;
    const x = d[a * 3] - d[b * 3];
    const y = d[a * 3 + 1] - d[b * 3 + 1];
    const z = d[a * 3 + 2] - d[b * 3 + 2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** wind = mean velocity of what moves: a heap that falls is at rest in it, and what lies still comes towards it. */
  #measureWind(movable: Uint8Array): void {
    const { count, v } = this.#rigid;
    const wind = this.#wind;
    let moving = 0;
    let square = 0;
    wind.fill(0);
    for (let b = 0; b < count; b++) {
      if (movable[b] === 0) continue;
      moving++;
      for (let k = b * 3; k < b * 3 + 3; k++) {
        wind[k - b * 3] += v[k];
        square += v[k] * v[k];
      }
    }
    this.isCalm = square < moving * CALM * CALM;
    for (let k = 0; k < 3; k++) wind[k] = moving > 0 ? wind[k] / moving : 0;
  }

  /** Widens the box of body b by the way it goes in a step, as seen from the wind, and, where others may be stopped before it, as seen from them. */
  #sweepBox(b: number): void {
    const boxes = this.#boxes;
    const h = this.#pace[0];
    for (let k = 0; k < 3; k++) {
      const inWind = h * (this.#drift[b * 3 + k] - this.#wind[k]);
      const way = this.isCalm ? inWind : h * this.#drift[b * 3 + k];
      boxes[b * 6 + k] += Math.min(0, way, inWind);
      boxes[b * 6 + 3 + k] += Math.max(0, way, inWind);
    }
  }

  /** The box around body b, wide enough for what it may turn and fall in a step. */
  #boxRigid(b: number, carried?: CarriedContacts): void {
    const h = this.#pace[0];
    const fall = this.#pace[1];
    const { x, v, velocity, rotation, inverseMass } = this.#rigid;
    const boxes = this.#boxes;
    const { box, reach } = this.#shapes[b];
    const o = b * 6;
    const drift = this.#drift;
    drift[b * 3] = v[b * 3];
    drift[b * 3 + 1] = v[b * 3 + 1];
    drift[b * 3 + 2] = v[b * 3 + 2];
    if (!box) {
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Number.NEGATIVE_INFINITY;
        boxes[o + 3 + k] = Number.POSITIVE_INFINITY;
      }
      this.motion[b] = 0;
      return;
    }
    const w = b * TWIST + 3;
    const spin = Math.sqrt(
      velocity[w] * velocity[w] + velocity[w + 1] * velocity[w + 1] + velocity[w + 2] * velocity[w + 2],
    );
    const slack = Math.max(ALWAYS * reach, carried?.isOfHeap(b) ? CARRY * reach : 0);
    const motion = h * spin * reach + (inverseMass[b] > 0 ? fall + slack : 0);
    this.motion[b] = motion;
    const m0 = box[0] + box[3];
    const m1 = box[1] + box[4];
    const m2 = box[2] + box[5];
    const s0 = box[3] - box[0];
    const s1 = box[4] - box[1];
    const s2 = box[5] - box[2];
    for (let k = 0; k < 3; k++) {
      const r = b * 9 + k * 3;
      const r0 = 0.5 * rotation[r];
      const r1 = 0.5 * rotation[r + 1];
      const r2 = 0.5 * rotation[r + 2];
      const centre = x[b * 3 + k] + r0 * m0 + r1 * m1 + r2 * m2;
      const half = motion + Math.abs(r0) * s0 + Math.abs(r1) * s1 + Math.abs(r2) * s2;
      boxes[o + k] = centre - half;
      boxes[o + 3 + k] = centre + half;
    }
  }
}
