/** Turns the time that passed on the clock into whole steps of fixed length, and drops what the machine cannot keep up with. */

/** Most steps taken for one frame. */
export const MAX_STEPS_PER_FRAME = 4;
/** A frame takes no further step once its steps have taken this long [ms]; the page stays responsive. */
export const STEP_BUDGET = 24;

/** Keeps the account of time owed. */
export class Pacer {
  /** Steps left out since the start. */
  dropped = 0;
  /** Time not yet turned into steps, less than one step [s]. */
  #owed = 0;

  /** Takes the steps that `elapsed` [s] asks for, as far as they can be afforded; returns how many. */
  run(elapsed: number, dt: number, step: () => boolean, clock: () => number): number {
    this.#owed += Math.max(0, elapsed);
    const due = Math.floor(this.#owed / dt);
    const began = clock();
    let taken = 0;
    while (taken < Math.min(due, MAX_STEPS_PER_FRAME)) {
      taken++;
      if (!step() || clock() - began > STEP_BUDGET) break;
    }
    if (taken < due) {
      this.dropped += due - taken;
      this.#owed = 0;
    } else this.#owed -= due * dt;
    return taken;
  }

  /** How far the clock is past the last but one step, 0 to 1: where between the last two states to draw. */
  phase(dt: number): number {
    return Math.min(1, this.#owed / dt);
  }

  reset(): void {
    this.dropped = 0;
    this.#owed = 0;
  }
}
