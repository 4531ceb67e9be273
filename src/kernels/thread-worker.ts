/** What a helper thread runs: wait for a job, do its share of the parts, say so. Works in Node and in a browser. */
import { instantiateKernels } from './load-kernels.js';
import { PART_JOBS } from './part-jobs.js';
import { ARGUMENTS, awaitChange, COUNT, FINISHED, JOB, PARTS, SEQUENCE, takePart } from './thread-control.js';

/** The first and only message a helper is sent. */
export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Address of the control block. */
  readonly control: number;
  /** Sequence number of the last job before this thread: the next one is its first. */
  readonly sequence: number;
}

/** Where the first message comes in: Node's port, or a worker's own scope. */
interface MessagePortLike {
  postMessage(message: unknown): void;
  once?(event: 'message', listener: (message: ThreadStart) => void): void;
  onmessage?: ((event: { data: ThreadStart }) => void) | null;
}

function serve(start: ThreadStart): void {
  const kernels = instantiateKernels(start.module, start.memory);
  const words = new Int32Array(start.memory.buffer);
  const control = start.control >>> 2;
  let sequence = start.sequence;
  while (true) {
    if (!awaitChange(words, control + SEQUENCE, sequence, Number.POSITIVE_INFINITY)) return;
    sequence = Atomics.load(words, control + SEQUENCE);
    const job = Atomics.load(words, control + JOB);
    if (job < 0) return;
    const args = Atomics.load(words, control + ARGUMENTS);
    const parts = Atomics.load(words, control + PARTS);
    let count = 0;
    let finished = 0;
    for (let part = takePart(words, control, sequence, parts); part >= 0; finished++) {
      count += PART_JOBS[job](kernels, words, args, part);
      part = takePart(words, control, sequence, parts);
    }
    if (finished === 0) continue;
    Atomics.add(words, control + COUNT, count);
    Atomics.add(words, control + FINISHED, finished);
    Atomics.notify(words, control + FINISHED);
  }
}

function listen(port: MessagePortLike): void {
  const begin = (start: ThreadStart): void => {
    port.postMessage('ready');
    serve(start);
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
