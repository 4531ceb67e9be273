/**
 * Runs the parts of a job on one or more threads. With one thread (or where shared memory is missing) the parts run one
 * after the other on the caller; with more, each thread takes every n-th part. The bits are the same.
 * This file and thread-worker.ts are the only ones that know what a thread is.
 */
import { TendonError } from '../errors.js';
import type { KernelTable } from './kernel-table.js';
import { instantiateKernels } from './load-kernels.js';
import type { MemoryPlan, Slot } from './memory.js';
import { PART_JOBS } from './part-jobs.js';
import { ARGUMENTS, awaitChange, CONTROL_WORDS, COUNT, FINISHED, JOB, PARTS, SEQUENCE } from './thread-control.js';
import type { ThreadStart } from './thread-worker.js';

/** A helper that has not finished its parts after this long is taken for dead [ms]. */
const HELPER_TIMEOUT = 2000;
/** A helper that has not started after this long is done without [ms]. */
const START_TIMEOUT = 10_000;

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

  /** Starts helpers until there are `threads` threads; needs a shared memory. One thread where they cannot be had. */
  async startHelpers(threads: number, module: WebAssembly.Module, memory: WebAssembly.Memory): Promise<void> {
    this.stop();
    const started: Promise<Helper | undefined>[] = [];
    const sequence = this.#sequence;
    for (let index = 1; index < threads; index++) {
      const message: ThreadStart = { module, memory, control: this.#control.address, index, threads, sequence };
      started.push(startHelper(message));
    }
    const helpers = await Promise.all(started);
    // Shares are cut for exactly this many threads, so it is all of them or none.
    if (helpers.every((helper) => helper !== undefined)) this.#helpers = helpers as Helper[];
    else for (const helper of helpers) helper?.terminate();
  }

  /** Runs every part of a job; `args` is the address of its arguments. Returns the sum of the parts' counts. */
  run(job: number, args: number, parts: number): number {
    const words = this.#words;
    const first = args >>> 2;
    const kernel = PART_JOBS[job];
    let count = 0;
    if (this.#helpers.length === 0) {
      for (let part = 0; part < parts; part++) count += kernel(this.#kernels, words, first, part);
      return count;
    }
    const base = this.#base;
    Atomics.store(words, base + FINISHED, 0);
    Atomics.store(words, base + COUNT, 0);
    Atomics.store(words, base + JOB, job);
    Atomics.store(words, base + ARGUMENTS, first);
    Atomics.store(words, base + PARTS, parts);
    this.#sequence = (this.#sequence + 1) | 0;
    Atomics.store(words, base + SEQUENCE, this.#sequence);
    Atomics.notify(words, base + SEQUENCE);
    for (let part = 0; part < parts; part += this.threads) count += kernel(this.#kernels, words, first, part);
    for (let finished = 0; finished < this.#helpers.length; finished = Atomics.load(words, base + FINISHED)) {
      if (!awaitChange(words, base + FINISHED, finished, HELPER_TIMEOUT)) {
        this.stop();
        throw new TendonError('E_THREAD', 'threads', finished, 'a helper thread stopped answering');
      }
    }
    return count + Atomics.load(words, base + COUNT);
  }

  /** Ends the helpers; the pool goes on with the caller's thread alone. */
  stop(): void {
    if (this.#helpers.length === 0) return;
    Atomics.store(this.#words, this.#base + JOB, -1);
    this.#sequence = (this.#sequence + 1) | 0;
    Atomics.store(this.#words, this.#base + SEQUENCE, this.#sequence);
    Atomics.notify(this.#words, this.#base + SEQUENCE);
    for (const helper of this.#helpers) helper.terminate();
    this.#helpers = [];
  }
}

/** Starts one helper and waits until it answers; undefined where no thread can be had. */
async function startHelper(message: ThreadStart): Promise<Helper | undefined> {
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
      });
    }
    const worker = new Worker(new URL('./thread-worker.js', import.meta.url), { type: 'module' });
    return await handshake(worker, message, (listener) => {
      worker.onmessage = () => listener(true);
      worker.onerror = () => listener(false);
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
