/** Learning in a world that is looked at: the search of `optimiseControls`, a little for every picture, on the thread of the simulation. */
import type { HostedWorld } from '../../../host/world/hosted-world.js';
import { type BodyDef, type ControlSearch, type OptimisedControls, searchControls } from '../../../src/index.js';
import { writeLearned } from './learned-setting.js';
import type { Lesson } from './lessons.js';

/** Time spent on the search for one picture [ms]: ten pictures a second are enough to see that it goes on. */
const SLICE = 100;

/** How far a lesson is. */
export interface LearningNews {
  /** Rollouts that were begun. */
  readonly rollouts: number;
  /** What is left to the goal, after each rollout: the best cost so far. */
  readonly costs: readonly number[];
  /** The best numbers so far, as a setting; undefined before the end of the first rollout. */
  readonly best: string | undefined;
  /** Nothing better was found: it is over. */
  readonly done: boolean;
}

/** Practises in one world, whose motors nothing else moves. */
export class Learner {
  readonly #hosted: HostedWorld;
  readonly #search: Generator<ControlSearch, OptimisedControls>;
  readonly #costs: number[] = [];
  #rollouts = 0;
  #best: string | undefined;
  #done = false;

  constructor(hosted: HostedWorld, body: BodyDef, { task }: Lesson) {
    const { controls, goal, start } = task(body);
    this.#hosted = hosted;
    this.#search = searchControls(hosted.world, controls, goal, { start });
  }

  /** Goes on for a while; leaves the world somewhere in a rollout, ready to be drawn. */
  practise(alive?: () => void): void {
    const began = performance.now();
    while (!this.#done && performance.now() - began < SLICE) {
      const next = this.#search.next();
      if (next.done) this.#done = true;
      else this.#hear(next.value);
      alive?.();
    }
    this.#hosted.remember();
  }

  get news(): LearningNews {
    return { rollouts: this.#rollouts, costs: this.#costs, best: this.#best, done: this.#done };
  }

  /** Keeps what a rollout led to, once the next one begins. */
  #hear({ rollouts, cost, values }: ControlSearch): void {
    if (rollouts === this.#rollouts) return;
    this.#rollouts = rollouts;
    if (!Number.isFinite(cost)) return;
    this.#costs.push(cost);
    this.#best = writeLearned(values);
  }
}
