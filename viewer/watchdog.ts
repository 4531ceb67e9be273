/** Notices a worker that no longer answers, by the page's own time: a hidden page and a busy one do not count. */

/** The most one animation frame adds, however long it was [ms]. */
const LONGEST_TICK = 250;
/** A frame is overdue after this long, and building after that long without a word [ms]. */
export const PATIENCE = { frame: 5000, building: 60_000 };
/** Restarts after which it gives up. */
const MOST_RESTARTS = 3;

/** Counts the time since the last answer. */
export class Watchdog {
  #waited = 0;
  #before: number | undefined;
  #restarts = 0;

  /** Something was heard, or something new was asked. */
  rest(): void {
    this.#waited = 0;
    this.#before = undefined;
  }

  /** Call on every animation frame spent waiting [ms]; true once it took too long. */
  isLost(now: number, building: boolean): boolean {
    if (this.#before !== undefined) this.#waited += Math.min(LONGEST_TICK, Math.max(0, now - this.#before));
    this.#before = now;
    // A machine that is only slow gets more time after each restart.
    const patience = (building ? PATIENCE.building : PATIENCE.frame) * 2 ** this.#restarts;
    return this.#waited > patience;
  }

  /** Counts a restart; true where there were too many. */
  tooOften(): boolean {
    this.rest();
    return ++this.#restarts > MOST_RESTARTS;
  }
}
