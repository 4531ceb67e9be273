/** A copy of arrays that move, to go back to. */
import type { StateArray } from './state.js';

/** Arrays of a state that are mostly zero: remembered in a cheaper way than by a copy of all their numbers. */
export interface StateKeeper {
  /** The arrays it looks after. */
  readonly arrays: readonly StateArray[];
  /** Remembers them as they are now, without allocating. */
  save(): void;
  /** Puts them back to what was remembered. */
  restore(): void;
}

/** A copy of some arrays, made once and refilled without allocating. */
export class StateBackup {
  readonly #arrays: readonly StateArray[];
  readonly #copies: readonly StateArray[];
  readonly #keepers: readonly StateKeeper[];

  /** Arrays that a keeper looks after are left to it. */
  constructor(arrays: readonly StateArray[], keepers: readonly StateKeeper[] = []) {
    const kept = new Set(keepers.flatMap((keeper) => keeper.arrays));
    this.#arrays = arrays.filter((array) => !kept.has(array));
    this.#copies = this.#arrays.map((array) => array.slice());
    this.#keepers = keepers;
  }

  /** Remembers the state as it is now. */
  save(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#copies[i].set(this.#arrays[i]);
    for (let i = 0; i < this.#keepers.length; i++) this.#keepers[i].save();
  }

  /** Puts the state back to what was remembered. */
  restore(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#arrays[i].set(this.#copies[i]);
    for (let i = 0; i < this.#keepers.length; i++) this.#keepers[i].restore();
  }
}
