/**
 * One helper thread, seen by who started it: it is started, told what to serve, and asked whether it still lives. This file, thread-pool.ts and
 * thread-worker.ts are the only ones that know what a thread is.
 */
import type { ThreadStart } from './thread-worker.js';

/** A helper that has not started after this long is done without [ms]. */
const START_TIMEOUT = 10_000;

/** What Node and browsers call a worker. */
interface Thread {
  postMessage(message: unknown): void;
  terminate(): unknown;
  /** Node's alone. */
  readonly performance?: { eventLoopUtilization(): { readonly idle: number; readonly active: number } };
}

/** A helper that has started. */
export class Helper {
  /** Its number: where it says that it is at work. */
  readonly number: number;
  readonly #thread: Thread;
  readonly #canTell: boolean;

  constructor(number: number, thread: Thread) {
    this.number = number;
    this.#thread = thread;
    this.#canTell = hasTimes(thread);
  }

  /**
   * True where the engine knows that this thread has ended, or was told to and will at its next branch backwards. No event can come in while the caller waits, but Node
   * gives no times of a thread that was ended, by whatever. Nothing of the kind is known in browsers.
   */
  get hasEnded(): boolean {
    return this.#canTell && !hasTimes(this.#thread);
  }

  end(): void {
    this.#thread.terminate();
  }
}

/** True where the engine gives the times of a thread: no idle ones of one that was ended, none at all of one that ended before it was asked first. */
function hasTimes({ performance }: Thread): boolean {
  const times = performance?.eventLoopUtilization();
  return times !== undefined && times.idle >= 0 && times.active > 0;
}

/** Starts one helper and waits until it answers; undefined where no thread can be had. `died` is told when it ends, however it does. */
export async function startHelper(message: ThreadStart, died: (dead: Helper) => void): Promise<Helper | undefined> {
  let helper: Helper | undefined;
  const ended = () => helper && died(helper);
  try {
    let thread: Thread | undefined;
    if (typeof process === 'object' && process.versions?.node) {
      const { Worker: NodeWorker } = await import(
        /* @vite-ignore */ /* webpackIgnore: true */ `node:${'worker_threads'}`
      );
      // bundlers are not to copy it for pages
      const script = new URL(/* @vite-ignore */ /* webpackIgnore: true */ './thread-worker.js', import.meta.url);
      const worker = new NodeWorker(script);
      worker.unref();
      thread = await handshake(worker, message, (listener) => {
        worker.once('message', () => listener(true));
        worker.once('error', () => listener(false));
        worker.once('exit', ended);
      });
    } else {
      const worker = new Worker(new URL('./thread-worker.js', import.meta.url), { type: 'module' });
      thread = await handshake(worker, message, (listener) => {
        worker.onmessage = () => listener(true);
        worker.onerror = () => {
          listener(false);
          ended();
        };
      });
    }
    helper = thread && new Helper(message.number, thread);
    return helper;
  } catch {
    return undefined;
  }
}

function handshake(
  thread: Thread,
  message: ThreadStart,
  listen: (listener: (ready: boolean) => void) => void,
): Promise<Thread | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), START_TIMEOUT);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      if (!ready) thread.terminate();
      resolve(ready ? thread : undefined);
    };
    listen(settle);
    try {
      thread.postMessage(message);
    } catch {
      // a memory that is not shared cannot be sent
      settle(false);
    }
  });
}
