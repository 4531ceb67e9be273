/**
 * Turns the time that passed on the screen into whole steps of fixed length. What is left over says how far between the
 * last two states the picture is; what cannot be caught up with is dropped and counted, so that a slow machine shows slow
 * motion and a page that was hidden for an hour does not simulate that hour.
 */

/** Most steps taken for one picture. */
export const MAX_STEPS = 4;

/** Where steps take long, no more are taken for one picture than fit into this time: it moves slower, but evenly [ms]. */
export const STEP_BUDGET = 24;

/** A step is due this much early [steps], so that sixty times 1/60 s makes sixty steps whatever the rounding. */
const SLACK = 1e-6;

/** Keeps the account of time owed. */
export class FixedClock {
  /** Length of a step [s]. */
  readonly dt: number;
  /** Steps left out since the start. */
  dropped = 0;
  #owed = 0;

  constructor(dt: number) {
    this.dt = dt;
  }

  /** Time passed [s]; what is negative or not finite counts as none. */
  add(delta: number): void {
    if (delta > 0 && Number.isFinite(delta)) this.#owed += delta;
  }

  /** The steps that are due, as many as can be had where one takes `stepMs`; whatever is due beyond them is dropped. */
  take(stepMs = 0): number {
    const due = Math.floor(this.#owed / this.dt + SLACK);
    const most = Math.max(1, Math.min(MAX_STEPS, Math.floor(STEP_BUDGET / stepMs)));
    const taken = Math.min(due, most);
    this.dropped += due - taken;
    this.#owed = Math.max(0, this.#owed - due * this.dt);
    return taken;
  }

  /** How far the picture is from the last but one state to the last one, 0 to 1. */
  get phase(): number {
    return Math.min(1, this.#owed / this.dt);
  }

  /** Forgets what is owed; `dropped` starts at zero again. */
  reset(): void {
    this.dropped = 0;
    this.#owed = 0;
  }
}
