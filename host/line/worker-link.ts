/**
 * A simulation in a worker. Where the page is isolated the worker writes pictures into shared memory; elsewhere one array of
 * numbers goes back and forth. A worker that no longer answers is given up.
 */
import { TendonError } from '../../src/errors.js';
import { unpackError } from './error-data.js';
import type { Link, LinkListener, Transport } from './link.js';
import type { AnyNews, Command, Answer as LineAnswer, Progress } from './protocol.js';
import { Watchdog } from './watchdog.js';

/** How long a worker may be silent before it is taken for dead [ms]. */
export interface Patience {
  /** While it owes an answer. */
  readonly answering: number;
  /** While it builds; for ever where this is not given. */
  readonly building?: number;
}

/** What is waited for unless told otherwise. */
export const PATIENCE: Patience = { answering: 10_000 };

interface Waiting<Value> {
  resolve(value: Value): void;
  reject(error: Error): void;
}

/** Talks to one worker until it is closed or lost. */
export class WorkerLink<Spec, Info, Action, News extends AnyNews> implements Link<Spec, Info, Action> {
  readonly #listener: LinkListener<News>;
  readonly #patience: Patience;
  #worker: Worker | undefined;
  #shared: Float32Array | undefined;
  #numbers: Float32Array | undefined;
  #loading: (Waiting<Info> & { progress: Progress }) | undefined;
  #questions: Waiting<unknown>[] = [];
  readonly #watchdog: Watchdog;
  /** Answers the worker owes. */
  #open = 0;

  constructor(listener: LinkListener<News>, start: () => Worker, patience = PATIENCE) {
    this.#listener = listener;
    this.#patience = patience;
    this.#watchdog = new Watchdog(() => this.#lose('the worker did not answer in time'));
    this.#worker = start();
    this.#worker.onmessage = ({ data }: MessageEvent<LineAnswer<Info, News>>) => this.#hear(data);
    this.#worker.onmessageerror = () => this.#lose('an answer of the worker cannot be read');
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message || 'the worker could not be started');
    };
  }

  get transport(): Transport {
    return this.#shared ? 'shared memory' : 'transfer';
  }

  load(spec: Spec, progress: Progress): Promise<Info> {
    return new Promise((resolve, reject) => {
      this.#loading?.reject(lostError('something else was asked for'));
      this.#loading = { resolve, reject, progress };
      this.#send({ kind: 'load', spec });
      this.#watch();
    });
  }

  act(action: Action): void {
    this.#send({ kind: 'act', action });
  }

  advance(steps: number, phase: number): void {
    const numbers = this.#numbers;
    this.#numbers = undefined;
    if (!numbers) this.#send({ kind: 'advance', steps, phase });
    else this.#send({ kind: 'advance', steps, phase, numbers }, [numbers.buffer as ArrayBuffer]);
    this.#open++;
    this.#watch();
  }

  ask(question: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#worker) return reject(lostError('the worker is gone'));
      this.#questions.push({ resolve, reject });
      this.#send({ kind: 'ask', question });
      this.#open++;
      this.#watch();
    });
  }

  close(): void {
    this.#end(lostError('the simulation was closed'));
  }

  #send(command: Command<Spec, Action>, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(command, transfer);
  }

  #hear(answer: LineAnswer<Info, News>): void {
    switch (answer.kind) {
      case 'progress':
        this.#loading?.progress(answer.stage, answer.share);
        break;
      case 'alive':
        break;
      case 'loaded':
        this.#numbers = undefined;
        this.#share(answer.length);
        this.#loading?.resolve(answer.info);
        this.#loading = undefined;
        break;
      case 'frame': {
        this.#open--;
        const numbers = answer.numbers ?? this.#shared;
        if (numbers) this.#listener.frame(answer.news, numbers);
        // shown: they can be overwritten
        this.#numbers = answer.numbers;
        break;
      }
      case 'answer':
        this.#open--;
        this.#questions.shift()?.resolve(answer.answer);
        break;
      case 'failed':
        this.#fail(answer.during, unpackError(answer.error));
        break;
    }
    this.#watch();
  }

  #share(length: number): void {
    this.#shared = undefined;
    if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer !== 'function') return;
    this.#shared = new Float32Array(new SharedArrayBuffer(4 * length));
    this.#send({ kind: 'share', numbers: this.#shared });
  }

  #fail(during: Command<Spec, Action>['kind'], error: Error): void {
    if (during === 'load') {
      this.#loading?.reject(error);
      this.#loading = undefined;
    } else if (during === 'ask') {
      this.#open--;
      this.#questions.shift()?.reject(error);
    }
    // a picture that never comes would be waited for
    else if (during === 'advance') this.#lose(error.message);
    else this.#listener.failed(error);
  }

  /** Every word counts as a sign of life. */
  #watch(): void {
    const { answering, building } = this.#patience;
    if (this.#loading && building !== undefined) this.#watchdog.watch(building);
    else if (!this.#loading && this.#open > 0) this.#watchdog.watch(answering);
    else this.#watchdog.rest();
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
    for (const waiting of this.#questions.splice(0)) waiting.reject(error);
  }
}

function lostError(why: string): TendonError {
  return new TendonError('E_THREAD', 'worker', why, 'the simulation stopped');
}
