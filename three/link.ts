/** The line between a page and its simulation, and the one without a worker: the simulation on the page's own thread. */
import type { Progress } from './build-simulation.js';
import { unpackError } from './error-data.js';
import type { Action, FrameNews, SimulationInfo, SimulationSpec } from './protocol.js';
import type { SimulationCore } from './simulation-core.js';

/** What a link tells. */
export interface LinkListener {
  /** The answer to `advance`; the numbers are only there until the listener returns. */
  frame(news: FrameNews, numbers: Float32Array): void;
  /** An action or a step went wrong; the simulation goes on. */
  failed(error: Error): void;
  /** The simulation is gone for good. */
  lost(error: Error): void;
}

/** How a simulation is talked to. Commands are obeyed in the order they are given. */
export interface Link {
  /** Where the simulation runs and how its numbers come. */
  readonly transport: Transport;
  load(spec: SimulationSpec, progress: Progress): Promise<SimulationInfo>;
  act(action: Action): void;
  /** Takes steps and asks for a picture; one at a time. */
  advance(steps: number, phase: number): void;
  hash(): Promise<string>;
  close(): void;
}

/** On the page's thread, or in a worker that shares memory with the page or sends its numbers. */
export type Transport = 'main thread' | 'shared memory' | 'transfer';

/** Runs the simulation on the caller's thread; every answer comes before the call returns. */
export class DirectLink implements Link {
  readonly transport = 'main thread';
  readonly #listener: LinkListener;
  #core: SimulationCore | undefined;
  #numbers = new Float32Array(0);

  constructor(listener: LinkListener) {
    this.#listener = listener;
  }

  async load(spec: SimulationSpec, progress: Progress): Promise<SimulationInfo> {
    // pages that use a worker need none of it
    const { SimulationCore } = await import('./simulation-core.js');
    const core = await SimulationCore.create(spec, progress);
    this.#core = core;
    this.#numbers = new Float32Array(core.layout.length);
    return core.info;
  }

  act(action: Action): void {
    try {
      this.#core?.act(action);
    } catch (error) {
      this.#listener.failed(error as Error);
    }
  }

  advance(steps: number, phase: number): void {
    if (!this.#core) return;
    let news: FrameNews;
    try {
      news = this.#core.advance(steps, phase, this.#numbers);
    } catch (error) {
      this.#listener.lost(error as Error);
      return;
    }
    this.#listener.frame(news, this.#numbers);
    if (news.fault) this.#listener.failed(unpackError(news.fault));
  }

  async hash(): Promise<string> {
    return this.#core?.hash() ?? '';
  }

  close(): void {
    this.#core?.dispose();
    this.#core = undefined;
  }
}
