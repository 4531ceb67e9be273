/** The line between a page and its simulation, and the one without a worker: the simulation on the page's own thread. */
import type { AnyNews, Hosted, Progress } from './protocol.js';

/** What a link tells. */
export interface LinkListener<News> {
  /** The answer to `advance`; the numbers are only there until the listener returns. */
  frame(news: News, numbers: Float32Array): void;
  /** An action went wrong; the simulation goes on. */
  failed(error: Error): void;
  /** The simulation is gone for good. */
  lost(error: Error): void;
}

/** How a simulation is talked to. Commands are obeyed in the order they are given. */
export interface Link<Spec, Info, Action> {
  /** Where the simulation runs and how its numbers come. */
  readonly transport: Transport;
  /** Builds a simulation, in the place of the one there is; one that cannot be built leaves that one running. */
  load(spec: Spec, progress: Progress): Promise<Info>;
  act(action: Action): void;
  /** Takes steps and asks for a picture; one at a time. */
  advance(steps: number, phase: number): void;
  ask(question: string): Promise<unknown>;
  close(): void;
}

/** On the page's thread, or in a worker that shares memory with the page or sends its numbers. */
export type Transport = 'main thread' | 'shared memory' | 'transfer';

/** Runs the simulation on the caller's thread; every answer comes before the call returns. */
export class DirectLink<Spec, Info, Action, News extends AnyNews> implements Link<Spec, Info, Action> {
  readonly transport = 'main thread';
  readonly #listener: LinkListener<News>;
  readonly #create: (spec: Spec, progress: Progress) => Promise<Hosted<Info, Action, News>>;
  #hosted: Hosted<Info, Action, News> | undefined;
  #numbers = new Float32Array(0);

  constructor(
    listener: LinkListener<News>,
    create: (spec: Spec, progress: Progress) => Promise<Hosted<Info, Action, News>>,
  ) {
    this.#listener = listener;
    this.#create = create;
  }

  async load(spec: Spec, progress: Progress): Promise<Info> {
    const hosted = await this.#create(spec, progress);
    this.#hosted?.dispose();
    this.#hosted = hosted;
    this.#numbers = new Float32Array(hosted.length);
    return hosted.info;
  }

  act(action: Action): void {
    try {
      this.#hosted?.act(action);
    } catch (error) {
      this.#listener.failed(error as Error);
    }
  }

  advance(steps: number, phase: number): void {
    if (!this.#hosted) return;
    let news: News;
    try {
      news = this.#hosted.advance(steps, phase, this.#numbers);
    } catch (error) {
      this.#listener.lost(error as Error);
      return;
    }
    this.#listener.frame(news, this.#numbers);
  }

  async ask(question: string): Promise<unknown> {
    return this.#hosted?.answer(question);
  }

  close(): void {
    this.#hosted?.dispose();
    this.#hosted = undefined;
  }
}
