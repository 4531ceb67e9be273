/**
 * Finding controls that reach a goal over a rollout: the sum of squares of what is left to the goal, made as small as it gets by damped Gauss-Newton
 * steps [Levenberg-Marquardt]. Slopes come from rollouts with one number changed at a time, from the same snapshot: exact to the difference, one
 * rollout per number. Contacts and limits are taken as they come; where they switch on and off the slopes say little, and the damping rises.
 */
import { requireInRange, TendonError } from '../../errors.js';
import { SkylineLdlt } from '../../linalg/skyline-ldlt.js';
import { restoreSnapshot, takeSnapshot } from '../snapshot.js';
import { stepWorld } from '../step.js';
import type { World } from '../world.js';
import { type Control, type ControlDef, makeControls } from './controls.js';
import { RolloutTape } from './rollout-slopes.js';

/** What is to be reached. */
export interface ControlGoal {
  /** Steps of the rollout. */
  readonly steps: number;
  /** What is left to the goal once the rollout is over, in units that weigh alike: all zero where it is reached. Same length each time. */
  readonly miss: (world: World) => ArrayLike<number>;
  /** How much a number of the controls costs beside: keeps what the goal does not ask for small; default 1e-4. */
  readonly effort?: number;
}

/** How long to look. */
export interface OptimiseOptions {
  /** Most Gauss-Newton steps; default 12. */
  readonly rounds?: number;
  /** Share of the cost below which a step's gain ends the search; default 1e-3. */
  readonly tolerance?: number;
  /** Where to start; default all zero. */
  readonly start?: ArrayLike<number>;
  /** Where slopes come from; default the adjoint wherever it applies and is cheaper. */
  readonly slopes?: SlopeMethod;
}

/** What was found. The world is left at the end of the best rollout. */
export interface OptimisedControls {
  /** Numbers of all controls, one after the other. */
  readonly values: Float64Array;
  /** ½ |miss|² + ½ effort |values|², at the start and after each step that was taken. */
  readonly costs: readonly number[];
  readonly rollouts: number;
  /** Where the slopes came from: going back over the rollouts, or one more rollout per number where they cannot be traced or numbers are few. */
  readonly slopes: SlopeMethod;
  /** Why they could not be traced, where they could not. */
  readonly untraced?: string;
}

/** How far a search is. */
export interface ControlSearch {
  /** Rollouts that were begun. */
  readonly rollouts: number;
  /** Best cost so far; infinite before the end of the first rollout. */
  readonly cost: number;
  /** The numbers it was had with; they change as the search goes on. */
  readonly values: Float64Array;
}

/** How slopes are found: by the adjoint of the step, or by differences of rollouts. */
export type SlopeMethod = 'adjoint' | 'differences';

/** Change of a number for its slope, as a share of its range. */
const NUDGE = 3e-4;
/** Error of the solves behind slopes: of those that are asked for, and of those a search takes its next step by. */
const FINE = 5e-4;
const ROUGH = 1e-2;
/** Rollouts that a pass back over one takes as long as; it takes one pass per number of the goal. Measured: 3 to 6. */
const PASS = 4;
const LEAST_DAMPING = 1e-6;
const MOST_DAMPING = 1e6;

/** Finds numbers for the controls that bring the world, from where it is now, as near to the goal as they can. */
export function optimiseControls(
  world: World,
  controls: readonly ControlDef[],
  goal: ControlGoal,
  options: OptimiseOptions = {},
): OptimisedControls {
  return finish(searchControls(world, controls, goal, options));
}

/**
 * The same search a step of a rollout at a time, for programs that draw, report or may stop meanwhile: whoever stops it finds the best numbers in what came last,
 * and the world in the middle of a rollout.
 *
 * @example
 * for (const { rollouts, cost } of searchControls(world, controls, goal)) if (cost < 1e-4 || rollouts > 100) break;
 */
export function* searchControls(
  world: World,
  controls: readonly ControlDef[],
  goal: ControlGoal,
  options: OptimiseOptions = {},
): Generator<ControlSearch, OptimisedControls> {
  return yield* new Search(world, makeControls(world, controls), goal, options.slopes).run(options);
}

/** Lets a search go on until its end. */
function finish<Value>(search: Generator<unknown, Value>): Value {
  let next = search.next();
  while (!next.done) next = search.next();
  return next.value;
}

/** Slopes of what is left to the goal by every number of the controls, row by row of `miss`; for checks, and for other searches. */
export function goalSlopes(
  world: World,
  controls: readonly ControlDef[],
  goal: ControlGoal,
  values: ArrayLike<number>,
  method: SlopeMethod = 'adjoint',
): Float64Array {
  const search = new Search(world, makeControls(world, controls), goal, method);
  finish(search.rollOut(values, true));
  return finish(search.slopes(Float64Array.from(values), FINE));
}

class Search implements ControlSearch {
  readonly #world: World;
  readonly #controls: readonly Control[];
  readonly #goal: ControlGoal;
  readonly #start: Uint8Array;
  readonly #size: number;
  readonly #effort: number;
  #miss = new Float64Array(0);
  rollouts = 0;
  cost = Number.POSITIVE_INFINITY;
  readonly values: Float64Array;
  readonly #method: SlopeMethod | undefined;
  readonly #tape: RolloutTape | undefined;

  constructor(world: World, controls: readonly Control[], goal: ControlGoal, method: SlopeMethod | undefined) {
    this.#method = method;
    this.#tape = method === 'differences' ? undefined : new RolloutTape(world);
    requireInRange(goal.steps, 1, 1e6, 'goal/steps');
    this.#world = world;
    this.#controls = controls;
    this.#goal = goal;
    this.#effort = requireInRange(goal.effort ?? 1e-4, 0, 1e6, 'goal/effort');
    this.#start = takeSnapshot(world);
    this.#size = controls.reduce((sum, { size }) => sum + size, 0);
    this.values = new Float64Array(this.#size);
    if (this.#size === 0) throw new TendonError('E_EMPTY', 'controls', 0, 'there is nothing to change');
  }

  *run({ rounds = 12, tolerance = 1e-3, start }: OptimiseOptions): Generator<ControlSearch, OptimisedControls> {
    const { values } = this;
    if (start) values.set(Array.from(start).slice(0, this.#size));
    this.#clamp(values);
    this.cost = yield* this.rollOut(values, true);
    const costs = [this.cost];
    let damping = 1e-2;
    for (let round = 0; round < rounds; round++) {
      const slopes = yield* this.slopes(values, ROUGH);
      const miss = this.#miss.slice();
      const before = this.cost;
      let gained = false;
      for (; !gained && damping < MOST_DAMPING; damping *= gained ? 0.2 : 6) {
        const trial = this.#step(values, slopes, miss, damping);
        const next = yield* this.rollOut(trial, true);
        gained = next < before;
        if (!gained) continue;
        costs.push(next);
        values.set(trial);
        this.cost = next;
      }
      damping = Math.max(LEAST_DAMPING, damping);
      if (!gained || before - this.cost < tolerance * before) break;
    }
    yield* this.rollOut(values, false);
    const untraced = this.#tape?.reason;
    const slopes = this.#traces ? 'adjoint' : 'differences';
    return { values, costs, rollouts: this.rollouts, slopes, ...(untraced === undefined ? {} : { untraced }) };
  }

  /** Plays the rollout from the start; returns its cost, infinite where a step failed. `taped`: slopes at these values may be asked for next. */
  *rollOut(values: ArrayLike<number>, taped: boolean): Generator<ControlSearch, number> {
    const world = this.#world;
    restoreSnapshot(world, this.#start);
    if (taped) this.#tape?.start();
    const from = world.time;
    this.rollouts++;
    for (let n = 0; n < this.#goal.steps; n++) {
      let o = 0;
      for (const control of this.#controls) {
        control.apply(values, o, world.time + world.dt - from, n === 0);
        o += control.size;
      }
      if (!stepWorld(world)) return Number.POSITIVE_INFINITY;
      if (taped) this.#tape?.record();
      yield this;
    }
    this.#miss = Float64Array.from(this.#goal.miss(world));
    let sum = 0;
    for (const value of this.#miss) sum += value * value;
    for (let i = 0; i < values.length; i++) sum += this.#effort * values[i] * values[i];
    return sum / 2;
  }

  /** Slopes of the miss, row by row, at the values of the last taped rollout, where the world is; `#miss` stays that of the values themselves. */
  *slopes(values: Float64Array, tolerance: number): Generator<ControlSearch, Float64Array> {
    if (!this.#tape || !this.#traces) return yield* this.#differences(values);
    return this.#tape.slopes(this.#controls, values, this.#goal.miss, tolerance);
  }

  /** Whether slopes come from going back: where that can be done, and was asked for or is cheaper. */
  get #traces(): boolean {
    if (!this.#tape || this.#tape.reason) return false;
    return this.#method === 'adjoint' || this.#size > PASS * this.#miss.length;
  }

  /** By nudging one number after the other. */
  *#differences(values: Float64Array): Generator<ControlSearch, Float64Array> {
    const base = this.#miss.slice();
    const slopes = new Float64Array(base.length * this.#size);
    const nudged = values.slice();
    let i = 0;
    for (const { size, low, high } of this.#controls) {
      for (let n = 0; n < size; n++, i++) {
        const nudge = NUDGE * (high - low) * (values[i] + NUDGE * (high - low) > high ? -1 : 1);
        nudged[i] = values[i] + nudge;
        yield* this.rollOut(nudged, false);
        for (let r = 0; r < base.length; r++) slopes[r * this.#size + i] = (this.#miss[r] - base[r]) / nudge;
        nudged[i] = values[i];
      }
    }
    this.#miss = base;
    return slopes;
  }

  /** values − (JᵀJ + effort + damping diag)⁻¹ (Jᵀ miss + effort values), within bounds. */
  #step(values: Float64Array, slopes: Float64Array, miss: Float64Array, damping: number): Float64Array {
    const n = this.#size;
    const ldlt = new SkylineLdlt(new Int32Array(n));
    const right = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      right[i] = -this.#effort * values[i];
      for (let r = 0; r < miss.length; r++) right[i] -= slopes[r * n + i] * miss[r];
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? this.#effort : 0;
        for (let r = 0; r < miss.length; r++) sum += slopes[r * n + i] * slopes[r * n + j];
        ldlt.values[ldlt.origin[i] + j] = i === j ? sum * (1 + damping) + 1e-12 : sum;
      }
    }
    ldlt.factor();
    ldlt.solve(right);
    const next = values.map((value, i) => value + right[i]);
    this.#clamp(next);
    return next;
  }

  #clamp(values: Float64Array): void {
    let i = 0;
    for (const { size, low, high } of this.#controls) {
      for (let n = 0; n < size; n++, i++) values[i] = Math.max(low, Math.min(high, values[i]));
    }
  }
}
