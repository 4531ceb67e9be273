/**
 * The page's end of a simulation: real time in, pictures and events out. `step` never waits: in a worker the picture it asks
 * for arrives a little later, and while one is under way no other is asked for.
 */

import { EventDispatcher } from 'three';
import { type Answer, openAnswer } from '../host/line/answer.js';
import { unpackError } from '../host/line/error-data.js';
import { FixedClock, MAX_STEPS } from '../host/line/fixed-clock.js';
import type { LinkListener, Transport } from '../host/line/link.js';
import { TendonError } from '../src/errors.js';
import type { Certificate } from '../src/world/world.js';
import { openLink, type SimulationEvents, type SimulationOptions, type SoftLink } from './open-link.js';
import type { Action, FrameNews, SimulationInfo, SimulationSpec } from './protocol.js';

/** Takes the numbers of a picture. */
export type ShowFrame = (numbers: Float32Array, news: FrameNews) => void;

/** A simulation that runs in a worker or on the page. Points and directions are in its own space. */
export class SoftSimulation extends EventDispatcher<SimulationEvents> {
  /** How fast time runs; 1 is real time, 0 stands still. */
  speed = 1;
  readonly #spec: SimulationSpec;
  readonly #options: SimulationOptions;
  readonly #show: ShowFrame;
  #info!: SimulationInfo;
  #clock!: FixedClock;
  #link: SoftLink | undefined;
  /** A link whose simulation is still being built. */
  #starting: SoftLink | undefined;
  #news: FrameNews | undefined;
  /** Resolves when the picture that was asked for is there. */
  #answer: Answer | undefined;
  #disposed = false;

  /** Builds a simulation and waits until it can be stepped. `show` is called with every picture. */
  static async start(spec: SimulationSpec, options: SimulationOptions, show: ShowFrame): Promise<SoftSimulation> {
    const simulation = new SoftSimulation(spec, options, show);
    const { signal } = options;
    const giveUp = (): void => simulation.dispose();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', giveUp);
    try {
      await simulation.restart();
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
    return simulation;
  }

  private constructor(spec: SimulationSpec, options: SimulationOptions, show: ShowFrame) {
    super();
    this.#spec = spec;
    this.#options = options;
    this.#show = show;
  }

  /** What does not change while it runs. */
  get info(): SimulationInfo {
    return this.#info;
  }

  /** 'lost': the worker is gone; `restart` starts another one. */
  get state(): 'running' | 'lost' | 'disposed' {
    if (this.#disposed) return 'disposed';
    return this.#link ? 'running' : 'lost';
  }

  /** Where the simulation runs and how its pictures come; undefined while it does not. */
  get transport(): Transport | undefined {
    return this.#link?.transport;
  }

  /** Steps taken since the start, as of the last picture. */
  get stepCount(): number {
    return this.#news?.stepCount ?? 0;
  }

  /** Simulated time, as of the last picture [s]. */
  get time(): number {
    return this.#news?.time ?? 0;
  }

  /** Steps that were due but left out to keep up. */
  get droppedSteps(): number {
    return this.#clock.dropped;
  }

  /** How exact the last step was, as of the last picture. */
  get certificate(): Certificate | undefined {
    return this.#news?.certificate;
  }

  /** Milliseconds per step in the last picture. */
  get stepMs(): number {
    return this.#news?.stepMs ?? 0;
  }

  /**
   * Lets `delta` seconds pass: call it once per picture with the time since the last one. Takes whole steps of `info.dt`, at
   * most four and no more than a picture has time for; what is due beyond that is dropped and counted. What is shown lies between the last two states.
   */
  step(delta: number): void {
    if (!this.#link) return;
    this.#clock.add(delta * this.speed);
    if (this.#answer) return;
    const steps = this.#clock.take(this.stepMs);
    this.#ask(steps, this.#clock.phase);
  }

  /** Takes exactly that many steps, whatever the clock says, and shows the state after them. */
  async advance(steps: number): Promise<void> {
    let left = steps;
    do {
      while (this.#answer) await this.#answer.promise;
      if (!this.#link) throw new TendonError('E_THREAD', 'simulation', this.state, 'the simulation does not run');
      const taken = Math.min(left, MAX_STEPS);
      left -= taken;
      await this.#ask(taken, 1);
    } while (left > 0);
  }

  /** Does something to the simulation before its next step. */
  act(action: Action): void {
    this.#link?.act(action);
  }

  /** Back to the start: nothing held, no clip, the first positions. */
  reset(): void {
    this.#clock.reset();
    this.act({ kind: 'reset' });
  }

  /** Fingerprint of the state after all that was asked for, 16 hexadecimal digits. */
  async hash(): Promise<string> {
    if (!this.#link) throw new TendonError('E_THREAD', 'simulation', this.state, 'the simulation does not run');
    return (await this.#link.ask('hash')) as string;
  }

  /** Starts anew, from the first positions and with nothing held, in a worker of its own: after one was lost. */
  async restart(): Promise<void> {
    if (this.#disposed) throw new TendonError('E_THREAD', 'simulation', 'disposed', 'the simulation was disposed of');
    this.#close(new Error('the simulation was started anew'));
    const link = this.#makeLink();
    this.#starting = link;
    const info = await link.load(this.#spec, this.#options.onProgress ?? (() => {})).catch((error: unknown) => {
      link.close();
      throw error;
    });
    // another start, or the end, may have come meanwhile
    if (this.#starting !== link) {
      link.close();
      throw new TendonError('E_THREAD', 'simulation', this.state, 'the start was given up');
    }
    this.#starting = undefined;
    this.#info = info;
    this.#clock = new FixedClock(info.dt);
    this.#news = undefined;
    this.#link = link;
  }

  /** Ends the worker and frees the memory; nothing works afterwards. */
  dispose(): void {
    this.#disposed = true;
    this.#close(new Error('the simulation was disposed of'));
  }

  #makeLink(): SoftLink {
    const heard: { link?: SoftLink } = {};
    // a link that was replaced may still have something to say
    const current = (): boolean => heard.link === this.#link;
    const listener: LinkListener<FrameNews> = {
      frame: (news, numbers) => {
        if (current()) this.#receive(news, numbers);
      },
      failed: (error) => {
        if (current()) this.dispatchEvent({ type: 'error', error, lost: false });
      },
      lost: (error) => {
        if (!current()) return;
        this.#close(error);
        this.dispatchEvent({ type: 'error', error, lost: true });
      },
    };
    heard.link = openLink(this.#options, listener);
    return heard.link;
  }

  #ask(steps: number, phase: number): Promise<void> {
    const answer = openAnswer();
    // it may be given at once
    this.#answer = answer;
    this.#link?.advance(steps, phase);
    return answer.promise;
  }

  #receive(news: FrameNews, numbers: Float32Array): void {
    this.#news = news;
    const answer = this.#answer;
    this.#answer = undefined;
    this.#show(numbers, news);
    for (const contact of news.contacts) this.dispatchEvent({ type: 'contact', ...contact });
    this.dispatchEvent({ type: 'frame', news });
    if (news.fault) this.dispatchEvent({ type: 'error', error: unpackError(news.fault), lost: false });
    answer?.resolve();
  }

  #close(error: Error): void {
    this.#starting?.close();
    this.#starting = undefined;
    this.#link?.close();
    this.#link = undefined;
    this.#answer?.reject(error);
    this.#answer = undefined;
  }
}
