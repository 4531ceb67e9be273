/** What a helper thread runs: wait for a job, do its share of the parts, say so. Works in Node and in a browser. */
import { instantiateKernels } from './load-kernels.js';
import { PART_JOBS } from './part-jobs.js';
import {
  ARGUMENTS,
  AT_WORK,
  awaitChange,
  COUNT,
  FINISHED,
  JOB,
  LOST,
  PARTS,
  SEQUENCE,
  takePart,
} from './thread-control.js';

/** The first and only message a helper is sent. */
export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Address of the control block. */
  readonly control: number;
  /** Sequence number of the last job before this thread: the next one is its first. */
  readonly sequence: number;
  /** Which helper it is. */
  readonly number: number;
}

/** Where the first message comes in: Node's port, or a worker's own scope. */
interface MessagePortLike {
  postMessage(message: unknown): void;
  once?(event: 'message', listener: (message: ThreadStart) => void): void;
  onmessage?: ((event: { data: ThreadStart }) => void) | null;
}

/** Parts of the current job that were taken and not told of. */
let taken = 0;

function serve({ module, memory, control, sequence: last, number }: ThreadStart): void {
  const kernels = instantiateKernels(module, memory);
  const words = new Int32Array(memory.buffer);
  const base = control >>> 2;
  let sequence = last;
  while (true) {
    if (!awaitChange(words, base + SEQUENCE, sequence, Number.POSITIVE_INFINITY)) return;
    sequence = Atomics.load(words, base + SEQUENCE);
    const job = Atomics.load(words, base + JOB);
    if (job < 0) return;
    const args = Atomics.load(words, base + ARGUMENTS);
    const parts = Atomics.load(words, base + PARTS);
    let count = 0;
    Atomics.store(words, base + AT_WORK + number, 1);
    for (let part = takePart(words, base, sequence, parts); part >= 0; ) {
      taken++;
      count += PART_JOBS[job](kernels, words, args, part);
      part = takePart(words, base, sequence, parts);
    }
    if (taken > 0) {
      Atomics.add(words, base + COUNT, count);
      tell(words, base, 0);
    }
    Atomics.store(words, base + AT_WORK + number, 0);
  }
}

/** Tells the caller of all parts that were taken: they are done, or `LOST`. */
function tell(words: Int32Array, base: number, lost: number): void {
  Atomics.add(words, base + FINISHED, taken + lost);
  taken = 0;
  Atomics.notify(words, base + FINISHED);
}

/** Last words: the caller waits for parts that will never be done, and hears of no event meanwhile. */
function lose({ memory, control }: ThreadStart): void {
  if (taken > 0) tell(new Int32Array(memory.buffer), control >>> 2, LOST);
}

function listen(port: MessagePortLike): void {
  const begin = (start: ThreadStart): void => {
    port.postMessage('ready');
    // of what ends the thread itself nothing is thrown
    if (port.once) process.once('exit', () => lose(start));
    try {
      serve(start);
    } finally {
      lose(start);
    }
  };
  if (port.once) port.once('message', begin);
  else port.onmessage = ({ data }) => begin(data);
}

// Nothing is awaited at the top level: bundlers make classic scripts of workers, which cannot.
if (typeof process === 'object' && process.versions?.node) {
  void import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${'worker_threads'}`).then(({ parentPort }) =>
    listen(parentPort),
  );
} else listen(globalThis as unknown as MessagePortLike);
