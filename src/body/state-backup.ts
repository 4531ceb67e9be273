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
  /** Makes them nothing. */
  clear?(): void;
}

/** Arrays of a world's memory start on lines of so many bytes: where the next one begins within them, nothing is between the two. */
const LINE = 64;

/** A copy of some arrays, made once and refilled without allocating. */
export class StateBackup {
  /** Bytes that lie side by side, and their copies: a thousand bodies have ten times as many arrays, and a copy of each by itself took longer than the bytes did. */
  readonly #runs: readonly Uint8Array[];
  readonly #copies: readonly Uint8Array[];
  readonly #keepers: readonly StateKeeper[];

  /** Arrays that a keeper looks after are left to it. */
  constructor(arrays: readonly StateArray[], keepers: readonly StateKeeper[] = []) {
    const kept = new Set(keepers.flatMap((keeper) => keeper.arrays));
    this.#runs = joinNeighbours(arrays.filter((array) => !kept.has(array)));
    this.#copies = this.#runs.map((run) => run.slice());
    this.#keepers = keepers;
  }

  /** Remembers the state as it is now. */
  save(): void {
    for (let i = 0; i < this.#runs.length; i++) this.#copies[i].set(this.#runs[i]);
    for (let i = 0; i < this.#keepers.length; i++) this.#keepers[i].save();
  }

  /** Puts the state back to what was remembered. */
  restore(): void {
    for (let i = 0; i < this.#runs.length; i++) this.#runs[i].set(this.#copies[i]);
    for (let i = 0; i < this.#keepers.length; i++) this.#keepers[i].restore();
  }
}

/** The bytes of arrays, those together that follow each other in memory as in the list. */
function joinNeighbours(arrays: readonly StateArray[]): Uint8Array[] {
  const runs: Uint8Array[] = [];
  for (const { buffer, byteOffset, byteLength } of arrays) {
    const last = runs.at(-1);
    const between = last && last.buffer === buffer ? byteOffset - last.byteOffset - last.byteLength : -1;
    if (last && between >= 0 && between < LINE && byteLength > 0) {
      runs[runs.length - 1] = new Uint8Array(buffer, last.byteOffset, last.byteLength + between + byteLength);
    } else if (byteLength > 0) runs.push(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return runs;
}
