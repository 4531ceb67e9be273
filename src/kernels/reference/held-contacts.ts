/**
 * Specification of part of the kernel `solveContacts`: the contacts that hold, those that push. A contact within its friction cone sticks, and holds in all directions; one at the edge
 * of its cone slides, and holds along its normal alone.
 */
import { type ContactProblem, dot3 } from './contact-problem.js';

/** Share of the most friction from which on a contact is said to slide. */
const SLIDES = 1 - 1e-6;
/** Share of the largest push that is as good as none. */
const NOTHING = 1e-9;

/** A list of contacts that hold, with what is left to close of them. */
export class HeldContacts {
  count = 0;
  /** Number of each contact that holds, and 1 for those that stick. */
  readonly contact: Int32Array;
  readonly sticks: Uint8Array;
  readonly #problem: ContactProblem;
  readonly #here = new Float64Array(3);
  #largest = 0;

  constructor(problem: ContactProblem) {
    this.#problem = problem;
    this.contact = new Int32Array(problem.count);
    this.sticks = new Uint8Array(problem.count);
  }

  /** Lists the contacts that push. */
  list(): void {
    this.count = 0;
    this.#largest = 0;
    for (let c = 0; c < this.#problem.count; c++) {
      const push = this.#pushOf(c);
      if (push <= 0) continue;
      this.#largest = Math.max(this.#largest, push);
      this.sticks[this.count] = this.#isWithinCone(c, push) ? 1 : 0;
      this.contact[this.count++] = c;
    }
  }

  /** Contacts that have come to push no more leave the list, and those at the edge of their cone slide from now on. */
  letGo(): void {
    const { force } = this.#problem;
    let kept = 0;
    for (let n = 0; n < this.count; n++) {
      const c = this.contact[n];
      const o = c * 3;
      const push = this.#pushOf(c);
      if (push <= NOTHING * this.#largest) {
        for (let k = 0; k < 3; k++) {
          this.#here[k] = -force[o + k];
          force[o + k] = 0;
        }
        this.#problem.move(c, this.#here);
        continue;
      }
      this.sticks[kept] = this.sticks[n] === 1 && this.#isWithinCone(c, push) ? 1 : 0;
      this.contact[kept++] = c;
    }
    this.count = kept;
  }

  /** out[3 n..] = what is left to close of contact n [m], at the places and forces as they stand. */
  readLeft(n: number, out: Float64Array): void {
    const { normal, stuck, offset, normalCompliance, softness } = this.#problem;
    const c = this.contact[n];
    const o = c * 3;
    const here = this.#here;
    this.#problem.place(c, here);
    let gap = softness[c] * normalCompliance[c] * this.#pushOf(c) - offset[c];
    let along = 0;
    for (let k = 0; k < 3; k++) {
      gap += normal[o + k] * here[k];
      along += normal[o + k] * (here[k] - stuck[o + k]);
    }
    const sticks = this.sticks[n];
    for (let k = 0; k < 3; k++) {
      const aside = here[k] - stuck[o + k] - along * normal[o + k];
      out[n * 3 + k] = -gap * normal[o + k] - sticks * aside;
    }
  }

  /** How far along a direction (3 per contact that holds) all forces still push and stay in their cones. */
  roomAlong(direction: Float64Array): number {
    const { normal, force, friction } = this.#problem;
    let room = Number.POSITIVE_INFINITY;
    for (let n = 0; n < this.count; n++) {
      const o = this.contact[n] * 3;
      let push = 0;
      let more = 0;
      let ff = 0;
      let fd = 0;
      let dd = 0;
      for (let k = 0; k < 3; k++) {
        const f = force[o + k];
        const d = direction[n * 3 + k];
        push += normal[o + k] * f;
        more += normal[o + k] * d;
        ff += f * f;
        fd += f * d;
        dd += d * d;
      }
      if (more < 0) room = Math.min(room, push / -more);
      if (this.sticks[n] === 0) continue;
      // |f + s d|² = (1 + μ²) (push + s more)²: the edge of the cone
      const slope = 1 + friction[this.contact[n]] * friction[this.contact[n]];
      const a = dd - slope * more * more;
      const b = fd - slope * push * more;
      const root = b * b - a * (ff - slope * push * push);
      if (a > 0 && root > 0) room = Math.min(room, (Math.sqrt(root) - b) / a);
    }
    return Math.max(0, room);
  }

  #pushOf(c: number): number {
    const { normal, force } = this.#problem;
    return dot3(normal, c * 3, force, c * 3);
  }

  #isWithinCone(c: number, push: number): boolean {
    const { force, friction } = this.#problem;
    const square = dot3(force, c * 3, force, c * 3);
    const most = SLIDES * friction[c] * push;
    return square - push * push < most * most;
  }
}
