/**
 * A simulation in a worker. Where the page is isolated the worker writes pictures into shared memory; elsewhere one array of
 * numbers goes back and forth. A worker that no longer answers is given up.
 */
import { TendonError } from '../src/errors.js';
import type { Progress } from './build-simulation.js';
import { unpackError } from './error-data.js';
import { layOutFrame } from './frame-layout.js';
import type { Link, LinkListener, Transport } from './link.js';
import type { Action, Answer, Command, SimulationInfo, SimulationSpec } from './protocol.js';
import { Watchdog } from './watchdog.js';

/** A worker that did not answer for this long is taken for dead [ms]. */
export const WORKER_TIMEOUT = 10_000;

/** Starts the worker next to this file; bundlers know this form. */
export function startWorker(): Worker {
  return new Worker(new URL('./simulation-worker.js', import.meta.url), { type: 'module' });
}

interface Waiting<Value> {
  resolve(value: Value): void;
  reject(error: Error): void;
}

/** Talks to one worker until it is closed or lost. */
export class WorkerLink implements Link {
  readonly #listener: LinkListener;
  readonly #timeout: number;
  #worker: Worker | undefined;
  #shared: Float32Array | undefined;
  #numbers: Float32Array | undefined;
  #loading: (Waiting<SimulationInfo> & { progress: Progress }) | undefined;
  #hashes: Waiting<string>[] = [];
  readonly #watchdog: Watchdog;
  /** Questions the worker has not answered. */
  #open = 0;

  constructor(listener: LinkListener, start: () => Worker = startWorker, timeout = WORKER_TIMEOUT) {
    this.#listener = listener;
    this.#timeout = timeout;
    this.#watchdog = new Watchdog(() => this.#lose(`the worker did not answer for ${timeout / 1000} s`));
    this.#worker = start();
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    this.#worker.onmessageerror = () => this.#lose('an answer of the worker cannot be read');
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message || 'the worker could not be started');
    };
  }

  get transport(): Transport {
    return this.#shared ? 'shared memory' : 'transfer';
  }

  load(spec: SimulationSpec, progress: Progress): Promise<SimulationInfo> {
    return new Promise((resolve, reject) => {
      this.#loading = { resolve, reject, progress };
      this.#send({ kind: 'load', spec });
    });
  }

  act(action: Action): void {
    this.#send({ kind: 'act', action });
  }

  advance(steps: number, phase: number): void {
    this.#ask();
    const numbers = this.#numbers;
    this.#numbers = undefined;
    if (!numbers) this.#send({ kind: 'advance', steps, phase });
    else this.#send({ kind: 'advance', steps, phase, numbers }, [numbers.buffer as ArrayBuffer]);
  }

  hash(): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!this.#worker) return reject(lostError('the worker is gone'));
      this.#hashes.push({ resolve, reject });
      this.#ask();
      this.#send({ kind: 'hash' });
    });
  }

  close(): void {
    this.#end(lostError('the simulation was closed'));
  }

  #send(command: Command, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(command, transfer);
  }

  #hear(answer: Answer): void {
    if (answer.kind === 'frame' || answer.kind === 'hash') this.#open--;
    if (this.#open > 0) this.#watchdog.watch(this.#timeout);
    else this.#watchdog.rest();
    switch (answer.kind) {
      case 'progress':
        this.#loading?.progress(answer.stage, answer.share);
        break;
      case 'loaded':
        this.#share(layOutFrame(answer.info).length);
        this.#loading?.resolve(answer.info);
        this.#loading = undefined;
        break;
      case 'frame': {
        const numbers = this.#shared ?? answer.numbers;
        if (!this.#shared) this.#numbers = answer.numbers;
        if (numbers) this.#listener.frame(answer.news, numbers);
        if (answer.news.fault) this.#listener.failed(unpackError(answer.news.fault));
        break;
      }
      case 'hash':
        this.#hashes.shift()?.resolve(answer.hash);
        break;
      case 'failed':
        this.#fail(answer.during, unpackError(answer.error));
        break;
    }
  }

  #share(length: number): void {
    if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer !== 'function') return;
    this.#shared = new Float32Array(new SharedArrayBuffer(4 * length));
    this.#send({ kind: 'share', numbers: this.#shared });
  }

  #fail(during: Command['kind'], error: Error): void {
    if (during === 'load') {
      this.#loading?.reject(error);
      this.#loading = undefined;
    } else if (during === 'hash') this.#hashes.shift()?.reject(error);
    // a picture that never comes would be waited for
    else if (during === 'advance') this.#lose(error.message);
    else this.#listener.failed(error);
  }

  #ask(): void {
    this.#open++;
    if (this.#open === 1) this.#watchdog.watch(this.#timeout);
  }

  #lose(why: string): void {
    if (!this.#worker) return;
    const error = lostError(why);
    const loading = this.#loading !== undefined;
    this.#end(error);
    if (!loading) this.#listener.lost(error);
  }

  #end(error: Error): void {
    this.#watchdog.rest();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#loading?.reject(error);
    this.#loading = undefined;
    for (const waiting of this.#hashes.splice(0)) waiting.reject(error);
  }
}

function lostError(why: string): TendonError {
  return new TendonError('E_THREAD', 'worker', why, 'the simulation stopped');
}
