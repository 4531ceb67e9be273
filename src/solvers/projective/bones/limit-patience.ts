/**
 * How long limits count while joints are closed: LIMITED_BONE_STEPS steps, and on as long as what is open goes on closing. Two loops of 26 bones that strong motors tore at
 * came near by a fifth in every step and were a step short of the end when limits were dropped: they ended 0.14 rad outside although they could
 * have been kept. Where limits contradict joints nothing closes, and they are dropped as before. Called by BoneStep.
 */
import { LIMITED_BONE_STEPS } from '../../../constants.js';

/** Steps in which nothing closed any further, and share by which it must have, for limits to be dropped. */
const PATIENCE = 8;
const CLOSER = 0.95;
/** Steps after which they are dropped whatever closes. */
const MOST = 100;

/** Watches one closing of the joints. */
export class LimitPatience {
  /** Steps that limits count in. */
  steps = LIMITED_BONE_STEPS;
  #best = Number.POSITIVE_INFINITY;
  #bestAt = 0;

  begin(): void {
    this.steps = LIMITED_BONE_STEPS;
    this.#best = Number.POSITIVE_INFINITY;
    this.#bestAt = 0;
  }

  /** Step n has left this much open: of gaps relative to the body's size, and of limits [rad], the larger one. */
  see(n: number, open: number): void {
    if (open < CLOSER * this.#best) {
      this.#best = open;
      this.#bestAt = n;
    }
    if (n + 1 === this.steps && n - this.#bestAt < PATIENCE && this.steps < MOST) this.steps++;
  }
}
