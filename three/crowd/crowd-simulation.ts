/** The page's end of a crowd: real time in, bones and dents out. `step` never waits; while a picture is under way no other is asked for. */

import { EventDispatcher } from 'three';
import { type Answer, openAnswer } from '../../host/line/answer.js';
import { unpackError } from '../../host/line/error-data.js';
import { FixedClock, MAX_STEPS } from '../../host/line/fixed-clock.js';
import { DirectLink, type Link, type LinkListener, type Transport } from '../../host/line/link.js';
import { PATIENCE, WorkerLink } from '../../host/line/worker-link.js';
import { TendonError } from '../../src/errors.js';
import type { SimulationOptions } from '../open-link.js';
import type { CrowdAction, CrowdInfo, CrowdNews, CrowdSpec } from './crowd-protocol.js';

/** What a crowd tells. */
export interface CrowdEvents {
  /** A picture has arrived. */
  frame: { readonly news: CrowdNews };
  /** Something went wrong. `lost`: the worker is gone. */
  error: { readonly error: Error; readonly lost: boolean };
}

type CrowdLink = Link<CrowdSpec, CrowdInfo, CrowdAction>;

/** A crowd that runs in a worker or on the page. */
export class CrowdSimulation extends EventDispatcher<CrowdEvents> {
  /** How fast time runs; 1 is real time, 0 stands still. */
  speed = 1;
  readonly info: CrowdInfo;
  readonly #link: CrowdLink;
  readonly #clock: FixedClock;
  #show: (numbers: Float32Array, news: CrowdNews) => void = () => {};
  #news: CrowdNews | undefined;
  #isOver = false;
  /** Resolves when the picture that was asked for is there. */
  #answer: Answer | undefined;

  /** Builds a crowd and waits until it can be stepped. */
  static async start(spec: CrowdSpec, options: SimulationOptions): Promise<CrowdSimulation> {
    const heard: { simulation?: CrowdSimulation } = {};
    const link = openCrowdLink(options, {
      frame: (news, numbers) => heard.simulation?.receive(news, numbers),
      failed: (error) => heard.simulation?.dispatchEvent({ type: 'error', error, lost: false }),
      lost: (error) => heard.simulation?.lose(error),
    });
    try {
      heard.simulation = new CrowdSimulation(link, await link.load(spec, options.onProgress ?? (() => {})));
      options.signal?.throwIfAborted();
      return heard.simulation;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  private constructor(link: CrowdLink, info: CrowdInfo) {
    super();
    this.#link = link;
    this.info = info;
    this.#clock = new FixedClock(info.dt);
  }

  /** Where it runs and how its pictures come. */
  get transport(): Transport {
    return this.#link.transport;
  }

  /** What came with the last picture; undefined before the first. */
  get news(): CrowdNews | undefined {
    return this.#news;
  }

  /** Takes every picture from now on. */
  onPicture(show: (numbers: Float32Array, news: CrowdNews) => void): void {
    this.#show = show;
  }

  /** Lets `delta` seconds pass: call it once per picture with the time since the last one. */
  step(delta: number): void {
    if (this.#isOver) return;
    this.#clock.add(delta * this.speed);
    if (!this.#answer) this.#ask(this.#clock.take(this.#news?.stepMs), this.#clock.phase);
  }

  /** Takes exactly that many steps, whatever the clock says, and shows the state after them. */
  async advance(steps: number): Promise<void> {
    let left = steps;
    do {
      while (this.#answer) await this.#answer.promise;
      if (this.#isOver) throw new TendonError('E_THREAD', 'crowd', 'over', 'the simulation does not run');
      const taken = Math.min(left, MAX_STEPS);
      left -= taken;
      await this.#ask(taken, 1);
    } while (left > 0);
  }

  act(action: CrowdAction): void {
    if (!this.#isOver) this.#link.act(action);
  }

  /** 'hash' or 'positions', see `CrowdCore.answer`. */
  ask(question: string): Promise<unknown> {
    return this.#link.ask(question);
  }

  /** Ends the worker and frees the memory; nothing works afterwards. */
  dispose(): void {
    this.#end(new Error('the crowd was disposed of'));
  }

  /** For the link: a picture has come. */
  receive(news: CrowdNews, numbers: Float32Array): void {
    this.#news = news;
    const answer = this.#answer;
    this.#answer = undefined;
    this.#show(numbers, news);
    this.dispatchEvent({ type: 'frame', news });
    if (news.fault) this.dispatchEvent({ type: 'error', error: unpackError(news.fault), lost: false });
    answer?.resolve();
  }

  /** For the link: the simulation is gone. */
  lose(error: Error): void {
    this.#end(error);
    this.dispatchEvent({ type: 'error', error, lost: true });
  }

  #ask(steps: number, phase: number): Promise<void> {
    const answer = openAnswer();
    // it may be given at once
    this.#answer = answer;
    this.#link.advance(steps, phase);
    return answer.promise;
  }

  #end(error: Error): void {
    this.#isOver = true;
    this.#link.close();
    this.#answer?.reject(error);
    this.#answer = undefined;
  }
}

/** Opens the line to a crowd; where there are no workers it runs on the caller's thread. */
function openCrowdLink(
  { worker = true, workerTimeout }: SimulationOptions,
  listener: LinkListener<CrowdNews>,
): CrowdLink {
  const possible = typeof worker === 'function' || typeof Worker === 'function';
  if (worker === false || !possible) {
    return new DirectLink(listener, async (spec: CrowdSpec, progress) => {
      // pages that use a worker need none of it
      const { CrowdCore } = await import('../crowd-core.js');
      return CrowdCore.create(spec, progress);
    });
  }
  const patience = workerTimeout === undefined ? PATIENCE : { answering: workerTimeout * 1000 };
  return new WorkerLink(listener, typeof worker === 'function' ? worker : startWorker, patience);
}

/** Starts the worker beside this folder; bundlers know this form. */
function startWorker(): Worker {
  return new Worker(new URL('../crowd-worker.js', import.meta.url), { type: 'module' });
}
