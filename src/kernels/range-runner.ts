/** Runs kernels over ranges cut into parts; the cuts belong to the data, so the bits do not depend on the threads. */
import type { MemoryPlan, Slot } from './memory.js';
import { JOB_RANGE, RANGE_ARGUMENTS, RANGE_KERNELS } from './part-jobs.js';
import type { ThreadPool } from './thread-pool.js';

/** A range cut into parts: first and last of each. */
export interface Cut {
  readonly bounds: Slot<Int32Array>;
  readonly parts: number;
  /** Too little work to tell other threads of: the caller does all parts itself. */
  readonly isSmall?: boolean;
}

/** A cut that is made again and again. */
export interface MovingCut extends Cut {
  parts: number;
  isSmall?: boolean;
}

/** Parts that most ranges are cut into. */
const PARTS = 8;
/** Ranges shorter than this per part are cut into fewer. */
const LEAST = 256;

/** Plans cuts, then runs. */
export class RangeRunner {
  readonly #args: Slot<Int32Array>;
  readonly #cuts: { readonly slot: Slot<Int32Array>; readonly pairs: readonly number[] }[] = [];
  readonly #plan: MemoryPlan;
  #threads!: ThreadPool;

  constructor(plan: MemoryPlan) {
    this.#plan = plan;
    this.#args = plan.i32(4 + RANGE_ARGUMENTS);
  }

  /** A cut with these firsts and lasts. */
  cutAt(pairs: readonly number[]): Cut {
    const slot = this.#plan.i32(Math.max(2, pairs.length));
    this.#cuts.push({ slot, pairs });
    return { bounds: slot, parts: pairs.length / 2 };
  }

  /** [0, count) in about equal parts of `least` at least. */
  cutEvenly(count: number, least = LEAST): Cut {
    const parts = Math.max(1, Math.min(PARTS, Math.floor(count / least)));
    const pairs: number[] = [];
    for (let part = 0; part < parts; part++) {
      pairs.push(Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts));
    }
    return this.cutAt(pairs);
  }

  /** A cut that is made later, of at most so many parts. */
  cutLater(most: number = PARTS): MovingCut {
    return { bounds: this.#plan.i32(2 * most), parts: 0 };
  }

  /** Makes a cut anew: [0, count) in about equal parts of `least` at least. */
  cutAgain(cut: MovingCut, count: number, least = LEAST): void {
    const most = cut.bounds.length / 2;
    cut.parts = Math.max(1, Math.min(most, Math.floor(count / least)));
    for (let part = 0; part < cut.parts; part++) {
      cut.bounds.view[2 * part] = Math.floor((part * count) / cut.parts);
      cut.bounds.view[2 * part + 1] = Math.floor(((part + 1) * count) / cut.parts);
    }
  }

  start(threads: ThreadPool): void {
    this.#threads = threads;
    for (const { slot, pairs } of this.#cuts) slot.view.set(pairs);
  }

  /** Runs a kernel over all parts of a cut; `own` is the first part's memory, the next one's `stride` bytes further. */
  run(
    kernel: (typeof RANGE_KERNELS)[number],
    cut: Cut,
    own: number,
    stride: number,
    a = 0,
    b = 0,
    c = 0,
    d = 0,
    e = 0,
    f = 0,
    g = 0,
    h = 0,
  ): void {
    if (cut.parts === 0) return;
    // one by one: a list of arguments would be garbage of every call
    const args = this.#args.view;
    args[0] = cut.bounds.address;
    args[1] = RANGE_KERNELS.indexOf(kernel);
    args[2] = own;
    args[3] = stride;
    args[4] = a;
    args[5] = b;
    args[6] = c;
    args[7] = d;
    args[8] = e;
    args[9] = f;
    args[10] = g;
    args[11] = h;
    this.#threads.run(JOB_RANGE, this.#args.address, cut.parts, cut.isSmall);
  }
}
