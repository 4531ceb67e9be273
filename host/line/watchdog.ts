/**
 * Notices a worker that no longer answers. It counts beats of a timer, not the clock: a page that was hidden, asleep or
 * busy beats less often, so that none of these is taken for the worker's silence.
 */

/** Time between two beats of a page that is awake [ms]. */
export const BEAT = 250;

/** Watches over one question at a time. */
export class Watchdog {
  readonly #lost: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `lost` is called once when an answer is overdue. */
  constructor(lost: () => void) {
    this.#lost = lost;
  }

  /** Something was asked that has to be answered within so many milliseconds; what was watched before is forgotten. */
  watch(patience: number): void {
    this.rest();
    let beats = 0;
    this.#timer = setInterval(() => {
      beats++;
      if (beats * BEAT < patience) return;
      this.rest();
      this.#lost();
    }, BEAT);
  }

  /** Nothing is waited for. */
  rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
