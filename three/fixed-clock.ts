/**
 * Turns the time that passed on the screen into whole steps of fixed length. What is left over says how far between the
 * last two states the picture is; what cannot be caught up with is dropped and counted, so that a slow machine shows slow
 * motion and a page that was hidden for an hour does not simulate that hour.
 */

/** Most steps taken for one picture. */
export const MAX_STEPS = 4;

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

  /** The steps that are due, at most MAX_STEPS; whatever is due beyond them is dropped. */
  take(): number {
    const due = Math.floor(this.#owed / this.dt + SLACK);
    const taken = Math.min(due, MAX_STEPS);
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
