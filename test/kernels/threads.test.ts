/**
 * Threads, on the compiled library (Node cannot start a .ts file as a worker; `npm test` builds dist first): the same
 * bits whatever the number of threads, and what happens when a helper dies or cannot be had.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TendonError } from '../../src/errors.js';
import { runKernelSequence, type SequenceResult } from '../browser/kernel-sequence.js';

const LIBRARY = new URL('../../dist/src/', import.meta.url);

type Threading = typeof import('../../src/kernels/thread-pool.js');
type Memory = typeof import('../../src/kernels/memory.js');
type Loading = typeof import('../../src/kernels/load-kernels.js');
type Jobs = typeof import('../../src/kernels/part-jobs.js');

let threading: Threading;
let memories: Memory;
let loading: Loading;
let jobs: Jobs;

beforeAll(async () => {
  if (!existsSync(new URL('kernels/thread-worker.js', LIBRARY))) throw new Error('run "npm run build" first');
  const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ new URL(path, LIBRARY).href);
  threading = (await load('kernels/thread-pool.js')) as Threading;
  memories = (await load('kernels/memory.js')) as Memory;
  loading = (await load('kernels/load-kernels.js')) as Loading;
  jobs = (await load('kernels/part-jobs.js')) as Jobs;
});

const realTerminate = Worker.prototype.terminate;
const realShared = globalThis.SharedArrayBuffer;
const realPost = Worker.prototype.postMessage;

afterEach(() => {
  Worker.prototype.terminate = realTerminate;
  Worker.prototype.postMessage = realPost;
  globalThis.SharedArrayBuffer = realShared;
  Reflect.deleteProperty(globalThis, 'crossOriginIsolated');
});

function run(threads: number, rounds = 30): Promise<SequenceResult> {
  return runKernelSequence({ library: LIBRARY.href, threads, rounds });
}

/** A pool with a small job (sums of copies, in four parts) on shared or plain memory. */
async function makePool(threads: number, shared = true) {
  const plan = new memories.MemoryPlan();
  const pool = new threading.ThreadPool(plan);
  const out = plan.f32(32);
  const copies = plan.f32(64);
  const bounds = plan.i32(5);
  const args = plan.i32(8);
  const memory = plan.allocate({ shared });
  const module = await loading.compileKernels(shared);
  pool.start(module, memory);
  const startHelpers = () => pool.startHelpers(threads, module, memory);
  await startHelpers();
  bounds.view.set([0, 2, 4, 6, 8]);
  args.view.set([bounds.address, out.address, copies.address, 2, 128, 0]);
  const sum = () => {
    copies.view.fill(1);
    out.view.fill(0);
    pool.run(jobs.JOB_SUM, args.address, 4);
    return Array.from(out.view);
  };
  return { pool, sum, startHelpers, memory };
}

/** The pool keeps its workers to itself: this list gets those it starts. */
function catchWorkers(): Worker[] {
  const started: Worker[] = [];
  Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
    started.push(this);
    realPost.apply(this, message);
  };
  return started;
}

const TWOS = new Array(32).fill(2);

describe('ThreadPool', () => {
  it('gives the same bits with 1, 2 and 3 threads, and again', async () => {
    const one = await run(1);
    expect(one.threads).toBe(1);
    expect(one.finite).toBe(true);
    // The start inverts some tets, so the slow path is part of what is compared.
    expect(one.repaired).toBeGreaterThan(10);
    for (const threads of [2, 2, 3, 1]) {
      const again = await run(threads);
      expect(again.threads).toBe(threads);
      expect(again.hash).toBe(one.hash);
      expect(again.repaired).toBe(one.repaired);
    }
  });

  it('keeps the bits over many repetitions with two threads', async () => {
    const one = await run(1, 400);
    const two = await run(2, 400);
    expect(two.threads).toBe(2);
    expect(two.hash).toBe(one.hash);
  });

  it('does what a dead helper would have done, at once, and starts another one', async () => {
    const started = catchWorkers();
    const { pool, sum } = await makePool(2);
    expect(pool.threads).toBe(2);
    expect(sum()).toEqual(TWOS);
    expect(started.length).toBe(1);
    const ended = realTerminate.call(started[0]);
    const before = performance.now();
    // nothing has told the pool yet: the event of the thread's end has not come in
    for (let n = 0; n < 100; n++) expect(sum()).toEqual(TWOS);
    expect(performance.now() - before).toBeLessThan(1000);
    await ended;
    for (let n = 0; n < 200 && pool.threads < 2; n++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pool.threads).toBe(2);
    expect(started.length).toBe(2);
    for (let n = 0; n < 100; n++) expect(sum()).toEqual(TWOS);
    pool.stop();
    expect(pool.threads).toBe(1);
    expect(sum()).toEqual(TWOS);
  });

  it('does not start a helper again and again that dies at once', async () => {
    const started = catchWorkers();
    const { pool, sum } = await makePool(2);
    for (let n = 0; n < 6 && pool.threads === 2; n++) {
      await realTerminate.call(started[started.length - 1]);
      for (let wait = 0; wait < 100 && pool.threads < 2; wait++)
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(started.length).toBe(4);
    expect(pool.threads).toBe(1);
    expect(sum()).toEqual(TWOS);
  });

  it('notices a helper that died over its part, says so within 3 s, and goes on', async () => {
    const { pool, sum, memory } = await makePool(2);
    expect(sum()).toEqual(TWOS);
    // a thread that takes a part as a helper would, and is gone
    const thief = new Worker(
      `const { workerData } = require('node:worker_threads');
       const words = new Int32Array(workerData.buffer);
       require('node:worker_threads').parentPort.postMessage('ready');
       for (let word = 0xffff; (word & 0xffff) > 3 || Atomics.compareExchange(words, 1030, word, word + 1) !== word; ) word = Atomics.load(words, 1030);`,
      { eval: true, workerData: memory },
    );
    await new Promise((resolve) => thief.once('message', resolve));
    const before = performance.now();
    let failure: TendonError | undefined;
    // the thief may come too late for the first job, and then takes a part of a later one
    for (let n = 0; n < 100_000 && !failure; n++) {
      try {
        sum();
      } catch (error) {
        failure = error as TendonError;
      }
    }
    expect(performance.now() - before).toBeLessThan(3000);
    expect(failure?.code).toBe('E_THREAD');
    expect(sum()).toEqual(TWOS);
    for (let wait = 0; wait < 100 && pool.threads < 2; wait++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pool.threads).toBe(2);
    pool.stop();
  });

  it('ends its helpers when it stops, and when it starts others', async () => {
    let ended = 0;
    Worker.prototype.terminate = function (this: Worker) {
      ended++;
      return realTerminate.call(this);
    };
    const { pool, sum, startHelpers } = await makePool(3);
    expect(pool.threads).toBe(3);
    await startHelpers();
    expect(ended).toBe(2);
    expect(sum()).toEqual(TWOS);
    pool.stop();
    expect(ended).toBe(4);
    pool.stop();
    expect(ended).toBe(4);
  });

  it('stays with one thread on memory that is not shared, at once', async () => {
    const before = performance.now();
    const { pool, sum } = await makePool(2, false);
    expect(pool.threads).toBe(1);
    expect(sum()).toEqual(TWOS);
    // Far below the time a helper is given to start.
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('stays with one thread when a helper cannot start', async () => {
    Worker.prototype.postMessage = function (this: Worker) {
      this.emit('error', new Error('no thread'));
    };
    const { pool, sum } = await makePool(3);
    expect(pool.threads).toBe(1);
    expect(sum()).toEqual(TWOS);
  });
});

describe('canShareMemory', () => {
  it('is true in Node, false without SharedArrayBuffer, false in a page that is not isolated', () => {
    expect(threading.canShareMemory()).toBe(true);
    (globalThis as { SharedArrayBuffer?: unknown }).SharedArrayBuffer = undefined;
    expect(threading.canShareMemory()).toBe(false);
    globalThis.SharedArrayBuffer = realShared;
    (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated = false;
    expect(threading.canShareMemory()).toBe(false);
  });

  it('leads to one thread and the same bits where it is false', async () => {
    const shared = await run(2, 5);
    (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated = false;
    const alone = await run(2, 5);
    expect(shared.threads).toBe(2);
    expect(alone.threads).toBe(1);
    expect(alone.hash).toBe(shared.hash);
  });
});
