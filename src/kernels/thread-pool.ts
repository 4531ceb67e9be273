/**
 * Runs the parts of a job on one or more threads. With one thread (or where shared memory is missing) the parts run one
 * after the other on the caller; with more, each thread takes the next part that nobody has taken. The bits are the same, and
 * what a helper is too late for, or too dead, the caller does itself. This file and thread-worker.ts are the only ones that know what a thread is.
 */
import { TendonError } from '../errors.js';
import type { KernelTable } from './kernel-table.js';
import { instantiateKernels } from './load-kernels.js';
import type { MemoryPlan, Slot } from './memory.js';
import { PART_JOBS } from './part-jobs.js';
import {
  ARGUMENTS,
  awaitChange,
  CLOSED,
  CONTROL_WORDS,
  COUNT,
  FINISHED,
  JOB,
  NEXT,
  nextWord,
  PARTS,
  SEQUENCE,
  takePart,
} from './thread-control.js';
import type { ThreadStart } from './thread-worker.js';

/** A helper that has not finished what it took after this long has died over it [ms]. */
const HELPER_TIMEOUT = 2000;
/** A helper that has not started after this long is done without [ms]. */
const START_TIMEOUT = 10_000;

/** Helpers that died and were started again, at most: what kills one may kill the next. */
const MOST_RESTARTS = 3;

interface Helper {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

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
      const message: ThreadStart = { module, memory, control: this.#control.address, sequence: this.#sequence };
      const helper = await startHelper(message, (dead) => this.#lose(dead));
      // stopped, or started anew, while this one was on its way
      if (this.#startOne === startOne && helper) this.#helpers.push(helper);
      else helper?.terminate();
    };
    this.#startOne = startOne;
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
    for (let done = Atomics.load(words, base + FINISHED); own + done < parts; ) {
      if (!awaitChange(words, base + FINISHED, done, HELPER_TIMEOUT)) this.#giveUp(done);
      done = Atomics.load(words, base + FINISHED);
    }
    return count + Atomics.load(words, base + COUNT);
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

  /** A helper has died in the middle of a part: what it left half done is to be done again, with new helpers. */
  #giveUp(finished: number): never {
    const helpers = this.#helpers;
    this.#helpers = [];
    this.#dismiss(helpers);
    for (let n = 0; n < helpers.length && this.#restarts++ < MOST_RESTARTS; n++) void this.#startOne?.();
    throw new TendonError('E_THREAD', 'threads', finished, 'a helper thread stopped answering');
  }

  /** Ends the helpers; the pool goes on with the caller's thread alone. */
  stop(): void {
    const helpers = this.#helpers;
    this.#helpers = [];
    this.#startOne = undefined;
    if (helpers.length > 0) this.#dismiss(helpers);
  }

  #dismiss(helpers: readonly Helper[]): void {
    Atomics.store(this.#words, this.#base + JOB, -1);
    this.#sequence = (this.#sequence + 1) | 0;
    Atomics.store(this.#words, this.#base + SEQUENCE, this.#sequence);
    Atomics.notify(this.#words, this.#base + SEQUENCE);
    for (const helper of helpers) helper.terminate();
  }
}

/** Starts one helper and waits until it answers; undefined where no thread can be had. `died` is told when it ends, however it does. */
async function startHelper(message: ThreadStart, died: (dead: Helper) => void): Promise<Helper | undefined> {
  try {
    if (typeof process === 'object' && process.versions?.node) {
      const { Worker: NodeWorker } = await import(
        /* @vite-ignore */ /* webpackIgnore: true */ `node:${'worker_threads'}`
      );
      // bundlers are not to copy it for pages
      const script = new URL(/* @vite-ignore */ /* webpackIgnore: true */ './thread-worker.js', import.meta.url);
      const worker = new NodeWorker(script);
      worker.unref();
      return await handshake(worker, message, (listener) => {
        worker.once('message', () => listener(true));
        worker.once('error', () => listener(false));
        worker.once('exit', () => died(worker));
      });
    }
    const worker = new Worker(new URL('./thread-worker.js', import.meta.url), { type: 'module' });
    return await handshake(worker, message, (listener) => {
      worker.onmessage = () => listener(true);
      worker.onerror = () => {
        listener(false);
        died(worker);
      };
    });
  } catch {
    return undefined;
  }
}

function handshake(
  helper: Helper,
  message: ThreadStart,
  listen: (listener: (ready: boolean) => void) => void,
): Promise<Helper | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), START_TIMEOUT);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      if (!ready) helper.terminate();
      resolve(ready ? helper : undefined);
    };
    listen(settle);
    try {
      helper.postMessage(message);
    } catch {
      // a memory that is not shared cannot be sent
      settle(false);
    }
  });
}
