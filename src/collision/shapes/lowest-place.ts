/**
 * The lowest place of a function of one number, of which value and slope can be asked: first at samples in order, then between the
 * lowest of them and the one it falls towards. The tangents at both ends say where to ask next and how low it can be there.
 */

/** Most places asked after the samples; a kink is found by the second or third, a smooth hollow by the fifth. */
const MOST_PLACES = 12;
/** Share of an interval by which a new place keeps away from its ends, so that none is stuck. */
const INSIDE = 0.05;

/** One search at a time; numbers are kept in arrays, because fields of their own would be boxed. */
export class LowestPlace {
  /** The lowest place so far, and its value. */
  readonly best = new Float64Array(2);
  /** The place to be asked next. */
  readonly next = new Float64Array(1);
  /** What is known of the place asked last: itself, value and slope there. By reference, because numbers handed over one by one are boxed. */
  readonly asked = new Float64Array(3);
  /** Place, value, slope and gradient at the two ends, the first of which falls towards the second. */
  readonly #low = new Float64Array(6);
  readonly #high = new Float64Array(6);
  /** The last sample. */
  readonly #last = new Float64Array(6);
  #count = 0;
  /** Whether the next sample ends the interval. */
  #awaits = false;

  begin(): void {
    this.#count = 0;
    this.#awaits = false;
    this.best[1] = Number.POSITIVE_INFINITY;
    this.#last.fill(0);
    this.#low[2] = this.#high[2] = 0;
  }

  /** The place asked last is the next sample, farther along than the one before. */
  sample(gradient: Float64Array): void {
    const { asked } = this;
    if (this.#awaits) set(this.#high, asked, gradient);
    this.#awaits = false;
    if (asked[1] < this.best[1]) {
      this.best[0] = asked[0];
      this.best[1] = asked[1];
      if (asked[2] < 0) {
        set(this.#low, asked, gradient);
        this.#high[2] = 0;
        this.#awaits = true;
      } else {
        this.#low.set(this.#last);
        set(this.#high, asked, gradient);
      }
    }
    set(this.#last, asked, gradient);
  }

  /** Whether a lower place by more than the tolerance is possible, and is worth asking for: `next`. */
  wantsMore(tolerance: Float64Array): boolean {
    const low = this.#low;
    const high = this.#high;
    if (!(low[2] < 0 && high[2] > 0) || this.#count >= MOST_PLACES) return false;
    const width = high[0] - low[0];
    const along = (high[1] - low[1] - high[2] * width) / (low[2] - high[2]);
    if (low[1] + low[2] * along > this.best[1] - tolerance[0]) return false;
    this.next[0] = low[0] + Math.max(INSIDE * width, Math.min((1 - INSIDE) * width, along));
    this.#count++;
    return true;
  }

  /** The place asked last is `next`. */
  take(gradient: Float64Array): void {
    const { asked } = this;
    if (asked[1] < this.best[1]) {
      this.best[0] = asked[0];
      this.best[1] = asked[1];
    }
    set(asked[2] < 0 ? this.#low : this.#high, asked, gradient);
  }

  /**
   * out = the mean of the gradients at both ends that has no slope: at a kink, the direction in which the lowest place rises, which is
   * neither of the two. False where the lowest place is at an end.
   */
  blend(out: Float64Array): boolean {
    const low = this.#low;
    const high = this.#high;
    if (!(low[2] < 0 && high[2] > 0)) return false;
    const share = -low[2] / (high[2] - low[2]);
    for (let k = 0; k < 3; k++) out[k] = (1 - share) * low[3 + k] + share * high[3 + k];
    return true;
  }
}

function set(out: Float64Array, asked: Float64Array, gradient: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = asked[k];
    out[3 + k] = gradient[k];
  }
}
