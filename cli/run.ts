/** A simulation in the terminal: step after step, with a progress bar, baked as it goes, and stopped by Ctrl-C without a loss. */
import type { Character } from '../src/character/character.js';
import { stepWorld, type World } from '../src/index.js';
import { type BakeOptions, Baker } from './baker.js';
import { Progress } from './progress.js';

/** Exit code of a run that was interrupted: 128 and the signal's number. */
export const INTERRUPTED = 130;

/** What is known of a step. */
export interface StepRecord {
  time: number;
  jointGap: number;
  rigidity: number;
  momentumDrift: number;
  /** Left out where it is not measured. */
  angularDrift?: number;
  residual: number;
  inverted: number;
  volume: number;
  contacts: number;
  penetration: number;
  droppedContacts: number;
  unswept: number;
  ms: Record<string, number>;
}

/** One run of a world, from where it is to a time. */
export class Run {
  readonly records: StepRecord[] = [];
  /** Milliseconds of each step. */
  readonly times: number[] = [];
  /** Files that were written. */
  files: readonly string[] = [];
  readonly #world: World;
  readonly #steps: number;
  readonly #every: number;
  readonly #baker: Baker | undefined;

  /** `seconds`: time at the end [s]; nothing is baked where there are no outputs. */
  constructor(
    world: World,
    seconds: number,
    fps: number,
    outputs: readonly string[],
    character?: Character,
    options?: BakeOptions,
  ) {
    this.#world = world;
    this.#steps = Math.max(1, Math.round(seconds / world.dt));
    this.#every = Math.max(1, Math.round(1 / (fps * world.dt)));
    const first = Math.ceil(world.stepCount / this.#every);
    if (outputs.length > 0) this.#baker = new Baker(world, outputs, fps, first, character, options);
  }

  /** Runs to the end; false where it was interrupted before. Throws the world's fault, with no file left behind. */
  async go(): Promise<boolean> {
    let isStopped = false;
    const stop = () => {
      isStopped = true;
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    try {
      this.#bake();
      const progress = new Progress(this.#world.name, this.#steps);
      while (this.#world.stepCount < this.#steps && !isStopped) {
        this.#step();
        this.#bake();
        progress.update(this.#world.stepCount, this.#note());
        // signals are only heard between turns of the event loop
        await new Promise(setImmediate);
      }
      this.files = (await this.#baker?.finish()) ?? [];
      return !isStopped;
    } catch (error) {
      this.#baker?.abandon();
      throw error;
    } finally {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
    }
  }

  #step(): void {
    const began = performance.now();
    if (!stepWorld(this.#world)) throw this.#world.fault;
    this.times.push(performance.now() - began);
    this.records.push(record(this.#world));
  }

  #bake(): void {
    if (this.#world.stepCount % this.#every === 0) this.#baker?.add();
  }

  #note(): string {
    const { time, dt, certificate } = this.#world;
    const ms = this.times[this.times.length - 1];
    const pace = ((1000 * dt) / ms).toFixed(1);
    return `${time.toFixed(2)} s, ${ms.toFixed(1)} ms/step (${pace}x real time), residual ${certificate.residual.toExponential(0)} N`;
  }
}

function record(world: World): StepRecord {
  const { jointGap, rigidity, momentumDrift, angularDrift, residual, inverted, volume, ms } = world.certificate;
  const { contacts, penetration, droppedContacts, unswept } = world.certificate;
  const errors = {
    jointGap,
    rigidity,
    momentumDrift,
    ...(angularDrift !== undefined && { angularDrift }),
    residual,
    inverted,
    volume,
  };
  return { time: world.time, ...errors, contacts, penetration, droppedContacts, unswept, ms: { ...ms } };
}
