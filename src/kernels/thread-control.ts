/** The words through which threads agree on who does what: layout of the control block and the bounded wait on it. */

/** Job sequence number: a new value means a new job. */
export const SEQUENCE = 0;
/** How many parts of the current job the helpers have finished, or lost: then `LOST` is added for each helper that died over one. */
export const FINISHED = 1;
export const LOST = 0x10000;
/** Sum of the counts the parts returned. */
export const COUNT = 2;
/** Number of the job, −1 to stop. */
export const JOB = 3;
/** Index of the job's arguments, in words. */
export const ARGUMENTS = 4;
/** How many parts there are. */
export const PARTS = 5;
/**
 * The next part that nobody has taken yet, in the lower half; in the upper half the lower half of the sequence number, so that who comes late
 * to a job takes none of the next. `CLOSED` parts are none to take, while the words above are written.
 */
export const NEXT = 6;
export const CLOSED = 0xffff;
/** From here on one word per helper, by its number: not zero from before it takes its first part of a job until it has told of its last. */
export const AT_WORK = 16;
/** Helpers that a pool can have had, those that took the place of dead ones included. */
export const MOST_HELPERS = 80;
/** Words (i32) of the control block. */
export const CONTROL_WORDS = AT_WORK + MOST_HELPERS;

/** The word `NEXT` of a job of which `part` is the next part. */
export function nextWord(sequence: number, part: number): number {
  return (sequence << 16) | part;
}

/** Takes the next part of job `sequence`; −1 where none is left, or another job has begun. */
export function takePart(words: Int32Array, base: number, sequence: number, parts: number): number {
  while (true) {
    const word = Atomics.load(words, base + NEXT);
    const part = word & CLOSED;
    if (word >> 16 !== (sequence << 16) >> 16 || part >= parts) return -1;
    if (Atomics.compareExchange(words, base + NEXT, word, word + 1) === word) return part;
  }
}

/**
 * Looks this often before going to sleep. Enough to bridge the serial part of a solve, little enough that a thread whose
 * core is taken by somebody else does not burn it: 2 million looks made a busy machine eight times slower.
 */
const SPINS = 20_000;

/**
 * Waits until word `index` is no longer `value`; false after `timeout` [ms]. Never spins without bound.
 */
export function awaitChange(words: Int32Array, index: number, value: number, timeout: number): boolean {
  for (let spin = 0; spin < SPINS; spin++) {
    if (Atomics.load(words, index) !== value) return true;
  }
  // A spurious or early wake-up only leads to another wait; the time-out is for threads that are gone.
  while (Atomics.load(words, index) === value) {
    if (Atomics.wait(words, index, value, timeout) === 'timed-out') return false;
  }
  return true;
}
