/** A recording of what is simulated: the states after steps themselves, at equal times, until it is full. */
import type { Recording } from './scene-info.js';

/** States are kept this far apart, or as far as a step is long [s]. */
const INTERVAL = 1 / 30;
/** The most that is kept: files of more are no pleasure in any program. */
const MOST_STATES = 300;
const MOST_BYTES = 96e6;

/** Collects states; see frame-layout.ts for what each of them holds. */
export class Take {
  /** States that fit. */
  readonly room: number;
  readonly #every: number;
  #times: number[] = [];
  #states: Float32Array<ArrayBuffer>[] = [];

  /** `dt`: length of a step [s]; `length`: numbers per state. */
  constructor(dt: number, length: number) {
    this.#every = Math.max(1, Math.round(INTERVAL / dt));
    this.room = Math.max(2, Math.min(MOST_STATES, Math.floor(MOST_BYTES / (4 * length))));
  }

  get count(): number {
    return this.#states.length;
  }

  /** Whether the state after that many steps belongs into the recording. */
  wants(stepCount: number): boolean {
    return this.count < this.room && stepCount % this.#every === 0;
  }

  add(time: number, state: Float32Array<ArrayBuffer>): void {
    this.#times.push(time);
    this.#states.push(state);
  }

  /** Begins again. */
  clear(): void {
    this.#times = [];
    this.#states = [];
  }

  /** What was recorded, its times counted from the first state. */
  finish(): Recording {
    return { times: this.#times.map((time) => time - this.#times[0]), states: this.#states };
  }
}
