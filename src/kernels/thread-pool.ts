/**
 * Runs the parts of a job on one or more threads. With one thread (or where shared memory is missing) the parts run one
 * after the other on the caller; with more, each thread takes the next part that nobody has taken. The bits are the same, and
 * what a helper is too late for, or too dead, the caller does itself.
 */
import { TendonError } from '../errors.js';
import { type Helper, startHelper } from './helper-thread.js';
import type { KernelTable } from './kernel-table.js';
import { instantiateKernels } from './load-kernels.js';
import type { MemoryPlan, Slot } from './memory.js';
import { PART_JOBS } from './part-jobs.js';
import {
  ARGUMENTS,
  AT_WORK,
  awaitChange,
  CLOSED,
  CONTROL_WORDS,
  COUNT,
  FINISHED,
  JOB,
  LOST,
  NEXT,
  nextWord,
  PARTS,
  SEQUENCE,
  takePart,
} from './thread-control.js';

/** While it waits the caller looks this often whether its helpers are still there [ms]. */
const LOOK = 20;
/** A helper that was told to end does so as soon as it gets a core again; so long it is waited for, lest it writes where the step is taken again [ms]. */
const LAST_BREATH = 100;
/** A helper that is silent for this long has died over what it took, whatever is known of it: less than a page waits for its worker [ms]. */
const HELPER_TIMEOUT = 8000;

/** Helpers that died and were started again, at most: what kills one may kill the next. */
const MOST_RESTARTS = 3;

/** True where threads can share memory: Node, or a page that is cross-origin isolated. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer !== 'function') return false;
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated;
  return isolated !== false;
}

/** True on threads that may block: Node's, and a browser's workers, but not a page's main thread. */
export function canWait(): boolean {
  return typeof (globalThis as { document?: unknown }).document === 'undefined';
}

/** Runs jobs in parts. Planned with the memory, started once the memory exists. */
export class ThreadPool {
  readonly #control: Slot<Int32Array>;
  #kernels!: KernelTable;
  #words!: Int32Array;
  #base = 0;
  #sequence = 0;
  #helpers: Helper[] = [];
  #started = 0;
  #restarts = 0;
  /** Starts one more helper, once it is known how. */
  #startOne: (() => Promise<void>) | undefined;

  constructor(plan: MemoryPlan) {
    this.#control = plan.i32(CONTROL_WORDS);
  }

  /** Threads at work, the caller's included. */
  get threads(): number {
    return this.#helpers.length + 1;
  }

  /** Gets ready to run on the caller's thread. */
  start(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelTable {
    this.#kernels = instantiateKernels(module, memory);
    this.#words = new Int32Array(memory.buffer);
    this.#base = this.#control.address >>> 2;
    return this.#kernels;
  }

  /** Starts helpers until there are `threads` threads; needs a shared memory. One thread where they cannot be had. A helper that dies is started again. */
  async startHelpers(threads: number, module: WebAssembly.Module, memory: WebAssembly.Memory): Promise<void> {
    this.stop();
    const startOne = async (): Promise<void> => {
      const number = this.#started++;
      Atomics.store(this.#words, this.#base + AT_WORK + number, 0);
      const [control, sequence] = [this.#control.address, this.#sequence];
      const helper = await startHelper({ module, memory, control, sequence, number }, (dead) => this.#lose(dead));
      // stopped, or started anew, while this one was on its way
      if (this.#startOne === startOne && helper) this.#helpers.push(helper);
      else helper?.end();
    };
    this.#startOne = startOne;
    this.#started = 0;
    this.#restarts = 0;
    await Promise.all(Array.from({ length: threads - 1 }, startOne));
    if (this.#helpers.length < threads - 1) this.stop();
  }

  /** A helper has died: jobs go on without it, and another one is on its way. */
  #lose(dead: Helper): void {
    const at = this.#helpers.indexOf(dead);
    if (at < 0) return;
    this.#helpers.splice(at, 1);
    if (this.#restarts++ < MOST_RESTARTS) void this.#startOne?.();
  }

  /** Runs every part of a job, on the caller's thread where it is `small`; `args` is the address of its arguments. Returns the sum of the parts' counts. */
  run(job: number, args: number, parts: number, small = false): number {
    const words = this.#words;
    const first = args >>> 2;
    const kernel = PART_JOBS[job];
    let count = 0;
    // telling helpers of a single part would only cost time
    if (this.#helpers.length === 0 || parts === 1 || small) {
      for (let part = 0; part < parts; part++) count += kernel(this.#kernels, words, first, part);
      return count;
    }
    const base = this.#base;
    this.#announce(job, first, parts);
    let own = 0;
    for (let part = takePart(words, base, this.#sequence, parts); part >= 0; own++) {
      count += kernel(this.#kernels, words, first, part);
      part = takePart(words, base, this.#sequence, parts);
    }
    this.#awaitHelpers(parts - own);
    return count + Atomics.load(words, base + COUNT);
  }

  /** Waits until helpers have told of `parts` parts. Throws where some will never be told of, or were lost; nobody works on any then. */
  #awaitHelpers(parts: number): void {
    const words = this.#words;
    const finished = this.#base + FINISHED;
    let done = Atomics.load(words, finished);
    for (let silence = 0; done % LOST < parts; done = Atomics.load(words, finished)) {
      const hasChanged = awaitChange(words, finished, done, LOOK);
      silence = hasChanged ? 0 : silence + LOOK;
      if (silence >= HELPER_TIMEOUT) this.#giveUp();
      if (hasChanged || this.#isSomeoneAtWork()) continue;
      if (!awaitChange(words, finished, done, LAST_BREATH)) this.#giveUp();
    }
    if (done >= LOST) this.#giveUp();
  }

  /** Whether a helper that lives works on the job; one that has started, but is not known yet, may. */
  #isSomeoneAtWork(): boolean {
    for (let number = 0; number < this.#started; number++) {
      if (!this.#isAtWork(number)) continue;
      if (!this.#helpers.find((helper) => helper.number === number)?.hasEnded) return true;
    }
    return false;
  }

  #isAtWork(number: number): boolean {
    return Atomics.load(this.#words, this.#base + AT_WORK + number) !== 0;
  }

  /** Tells the helpers of a job. */
  #announce(job: number, args: number, parts: number): void {
    const words = this.#words;
    const base = this.#base;
    this.#sequence = (this.#sequence + 1) | 0;
    Atomics.store(words, base + NEXT, nextWord(this.#sequence, CLOSED));
    Atomics.store(words, base + FINISHED, 0);
    Atomics.store(words, base + COUNT, 0);
    Atomics.store(words, base + JOB, job);
    Atomics.store(words, base + ARGUMENTS, args);
    Atomics.store(words, base + PARTS, parts);
    Atomics.store(words, base + NEXT, nextWord(this.#sequence, 0));
    Atomics.store(words, base + SEQUENCE, this.#sequence);
    Atomics.notify(words, base + SEQUENCE);
  }

  /** A helper has died over a part: what it left half done is to be done again. Others take its place. */
  #giveUp(): never {
    const dead = this.#helpers.filter(({ number }) => this.#isAtWork(number));
    // whoever took it is none of ours
    if (dead.length === 0) dead.push(...this.#helpers);
    for (const helper of dead) {
      Atomics.store(this.#words, this.#base + AT_WORK + helper.number, 0);
      helper.end();
      this.#lose(helper);
    }
    throw new TendonError('E_THREAD', 'threads', dead.length, 'a helper thread died over its work');
  }

  /** Ends the helpers; the pool goes on with the caller's thread alone. */
  stop(): void {
    const helpers = this.#helpers;
    this.#helpers = [];
    this.#startOne = undefined;
    if (helpers.length === 0) return;
    Atomics.store(this.#words, this.#base + JOB, -1);
    this.#sequence = (this.#sequence + 1) | 0;
    Atomics.store(this.#words, this.#base + SEQUENCE, this.#sequence);
    Atomics.notify(this.#words, this.#base + SEQUENCE);
    for (const helper of helpers) helper.end();
  }
}
