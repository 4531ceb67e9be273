/**
 * Where the iterations of a step begin: where inertia leads (predict.ts), unless the body spins freely (turned-start.ts), and with flesh that is caught inside out
 * on its way to come loose (mending.ts). Called by the projective solver.
 */
import type { Model } from '../../../body/model.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { BoneMotion, InertiaWeights } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import { predictFlesh } from '../predict.js';
import type { ProjectiveState } from '../projective-state.js';
import { Mending } from './mending.js';
import { TurnedStart } from './turned-start.js';

/** Begins the steps of one body. */
export class StepStart {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #global: GlobalStep;
  readonly #turned: TurnedStart;
  readonly #mending: Mending | undefined;

  /** `mends`: whether flesh that is caught comes loose. */
  constructor(
    model: Model,
    layout: Layout,
    rows: FleshRows,
    solve: SolvePlan,
    motion: BoneMotion,
    global: GlobalStep,
    mends: boolean,
  ) {
    this.#model = model;
    this.#layout = layout;
    this.#rows = rows;
    this.#motion = motion;
    this.#global = global;
    this.#turned = new TurnedStart(model, layout);
    if (mends) this.#mending = new Mending(model, layout, rows, solve, motion);
  }

  /**
   * Sets targets, and puts flesh and bones where the iterations of a step of length `h` [s] begin. `pushed`: no iterations follow, it starts, and ends, where inertia and
   * forces lead; `held`: whether somebody holds the body; `free`: whether nothing does.
   */
  take(
    state: ProjectiveState,
    weights: InertiaWeights,
    gravity: ArrayLike<number>,
    h: number,
    pushed: boolean,
    held: boolean,
    free: boolean,
  ): void {
    const rows = this.#rows;
    const motion = this.#motion;
    predictFlesh(this.#model, this.#layout, rows, state, weights, gravity, pushed);
    motion.predict(state, weights, gravity, pushed);
    if (free && !pushed && rows.fleshCount > 0) this.#turned.apply(rows, motion, state, weights, h);
    this.#global.takePositions(state);
    if (!pushed && !held) this.#mending?.run(this.#global, state, 1 / weights.acceleration);
  }
}
