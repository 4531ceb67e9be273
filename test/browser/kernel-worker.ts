/** Runs the kernel sequence in a module worker: the place where a page's simulation lives, and where waiting is allowed. */
import { runKernelSequence, type SequenceOptions } from './kernel-sequence.js';

self.onmessage = (event: MessageEvent<SequenceOptions>) => {
  runKernelSequence(event.data).then(
    (result) => self.postMessage({ result }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
};
