/**
 * How far a step still is from its converged end, judged by how the falls of its objective from iteration to iteration die away: what they
 * would still add up to is the energy that is left to fall, and the square root of its share in that of the whole correction is the
 * error. Called by acceleration.ts, which measures the falls, and at the end of a step.
 */

/** Falls that are remembered: the rate is taken over all of them. */
export const REMEMBERED = 5;
/** Rate beyond which falls are taken not to die away any slower. */
const SLOWEST = 0.98;

/** The falls of the objective in one step. */
export class Convergence {
  readonly #falls = new Float64Array(REMEMBERED);
  #count = 0;

  begin(): void {
    this.#count = 0;
  }

  /** The objective fell by this much in an iteration [J]. What rose by as much is as far from its end: counted as nothing, steps that a blow threw up said that they had converged. */
  add(fall: number): void {
    this.#falls[this.#count++ % REMEMBERED] = Math.abs(fall);
  }

  /** So many iterations were not measured: of the falls that are remembered only the first and the last count, once there are enough of them. */
  skip(count: number): void {
    this.#count += count;
  }

  /** Energy that is left to fall [J]; infinite where too little is known. */
  get left(): number {
    if (this.#count < 2) return Number.POSITIVE_INFINITY;
    const last = this.#back(0);
    if (last === 0) return 0;
    // fourth root, root or ratio: the rate over four, two or one iterations
    let rate: number;
    if (this.#count >= 5) rate = Math.sqrt(Math.sqrt(last / this.#back(4)));
    else if (this.#count >= 3) rate = Math.sqrt(last / this.#back(2));
    else rate = last / this.#back(1);
    rate = rate < SLOWEST ? rate : SLOWEST;
    return (last * rate) / (1 - rate);
  }

  /** The fall some iterations before the last one. */
  #back(before: number): number {
    return this.#falls[(this.#count - 1 - before) % REMEMBERED];
  }
}
