/**
 * Specification of part of the kernel `solveContacts`: conjugate gradients over the contacts that hold. Sweeps find out quickly which contacts push and which slide, but take forever to
 * share a load among contacts of stiff flesh, or of bodies of very different mass. With the set of those that hold given, the
 * forces solve a linear system, and this solves it. A force that comes to pull, or to the edge of its friction cone, ends
 * the direction: it is let go, and the search starts again without it; what should hold again, the next sweep finds.
 */
import type { ContactProblem } from './contact-problem.js';
import { HeldContacts } from './held-contacts.js';

/** Curvature, as a share of what the contacts would have alone, below which a direction leads nowhere. */
const FLAT = 1e-9;

/** Solves for the forces of the contacts that hold; the places of the sides follow. */
export class ConjugateContacts {
  readonly #problem: ContactProblem;
  readonly #held: HeldContacts;
  /** What is left to close [m], the direction of search [N] and how far it moves the contacts [m], 3 per contact that holds. */
  readonly #left: Float64Array;
  readonly #direction: Float64Array;
  readonly #reach: Float64Array;
  readonly #next = new Float64Array(3);
  /** What is left to close, squared, in the metric of the contacts alone [N m]. */
  readonly #size = new Float64Array(1);

  constructor(problem: ContactProblem) {
    this.#problem = problem;
    this.#held = new HeldContacts(problem);
    this.#left = new Float64Array(problem.count * 3);
    this.#direction = new Float64Array(problem.count * 3);
    this.#reach = new Float64Array(problem.count * 3);
  }

  /** At most `steps` steps, until what is left has fallen to the share `enough`; returns the steps taken. */
  run(steps: number, enough: number): number {
    this.#held.list();
    this.#start();
    const goal = this.#size[0] * enough * enough;
    let step = 0;
    while (this.#size[0] > goal) {
      step++;
      const curvature = this.#measureReach();
      // nothing bends this direction: there is no answer along it
      if (curvature === 0) break;
      const whole = this.#size[0] / curvature;
      const length = Math.min(whole, this.#held.roomAlong(this.#direction));
      const before = this.#size[0];
      this.#take(length);
      if (step >= steps || length < whole || this.#size[0] <= goal) this.#move(length - 1);
      if (step >= steps || this.#size[0] <= goal) return step;
      if (length < whole) {
        this.#held.letGo();
        this.#start();
      } else this.#turn(length - 1, this.#size[0] / before);
    }
    this.#move(-1);
    return step;
  }

  /** The first direction, straight down, and the sides moved by it. */
  #start(): void {
    for (let n = 0; n < this.#held.count; n++) this.#held.readLeft(n, this.#left);
    this.#direction.fill(0, 0, this.#held.count * 3);
    this.#turn(0, 0);
  }

  /** With the sides moved by the direction: how far that was, and the curvature along it (0: as good as none). */
  #measureReach(): number {
    const { normal, normalCompliance, softness, tangentCompliance } = this.#problem;
    const reach = this.#reach;
    const direction = this.#direction;
    let curvature = 0;
    let alone = 0;
    for (let n = 0; n < this.#held.count; n++) {
      this.#held.readLeft(n, reach);
      const c = this.#held.contact[n];
      let push = 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        push += normal[c * 3 + k] * direction[n * 3 + k];
        square += direction[n * 3 + k] * direction[n * 3 + k];
      }
      for (let k = 0; k < 3; k++) {
        const i = n * 3 + k;
        reach[i] = this.#left[i] - reach[i] + softness[c] * normalCompliance[c] * push * normal[c * 3 + k];
        curvature += direction[i] * reach[i];
      }
      alone += normalCompliance[c] * push * push + tangentCompliance[c] * Math.max(0, square - push * push);
    }
    return curvature > FLAT * alone ? curvature : 0;
  }

  /** Changes the forces by so much of the direction, and what is left with them. */
  #take(length: number): void {
    const { force } = this.#problem;
    let size = 0;
    for (let n = 0; n < this.#held.count; n++) {
      const o = this.#held.contact[n] * 3;
      for (let k = 0; k < 3; k++) {
        force[o + k] += length * this.#direction[n * 3 + k];
        this.#left[n * 3 + k] -= length * this.#reach[n * 3 + k];
      }
      size += this.#wish(n);
    }
    this.#size[0] = size;
  }

  /** Moves the sides by a share of the direction. */
  #move(share: number): void {
    const next = this.#next;
    for (let n = 0; n < this.#held.count; n++) {
      for (let k = 0; k < 3; k++) next[k] = share * this.#direction[n * 3 + k];
      this.#problem.move(this.#held.contact[n], next);
    }
  }

  /** The next direction, and the sides moved by it on top of what the last one still owes. */
  #turn(owed: number, keep: number): void {
    const d = this.#direction;
    const next = this.#next;
    let size = 0;
    for (let n = 0; n < this.#held.count; n++) {
      const i = n * 3;
      size += this.#wish(n);
      for (let k = 0; k < 3; k++) {
        const last = d[i + k];
        d[i + k] = next[k] + keep * last;
        next[k] = owed * last + d[i + k];
      }
      this.#problem.move(this.#held.contact[n], next);
    }
    this.#size[0] = size;
  }

  /** next = the force that would close what is left of contact n were it alone; returns its work [N m]. */
  #wish(n: number): number {
    const { normal, normalCompliance, tangentCompliance, softness } = this.#problem;
    const left = this.#left;
    const c = this.#held.contact[n];
    const o = c * 3;
    const i = n * 3;
    const gap = normal[o] * left[i] + normal[o + 1] * left[i + 1] + normal[o + 2] * left[i + 2];
    const close = gap / (normalCompliance[c] * (1 + softness[c]));
    let work = 0;
    for (let k = 0; k < 3; k++) {
      this.#next[k] = close * normal[o + k] + (left[i + k] - gap * normal[o + k]) / tangentCompliance[c];
      work += this.#next[k] * left[i + k];
    }
    return work;
  }
}
