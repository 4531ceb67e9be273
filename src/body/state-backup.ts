/** A copy of arrays that move, to go back to. */
import type { StateArray } from './state.js';

/** A copy of some arrays, made once and refilled without allocating. */
export class StateBackup {
  readonly #arrays: readonly StateArray[];
  readonly #copies: readonly StateArray[];

  constructor(arrays: readonly StateArray[]) {
    this.#arrays = arrays;
    this.#copies = arrays.map((array) => array.slice());
  }

  /** Remembers the state as it is now. */
  save(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#copies[i].set(this.#arrays[i]);
  }

  /** Puts the state back to what was remembered. */
  restore(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#arrays[i].set(this.#copies[i]);
  }
}
