/**
 * Slopes of what is left to a goal by every number of the controls, by going back over a rollout that was taped: one pass back per number of the goal,
 * however many numbers the controls have. Called by optimise-controls.ts where every step of the rollout can be traced.
 */
import { type BodySlopes, ControlSlopes, type StepTape } from '../../solvers/step-slopes.js';
import { isTimed } from '../drives.js';
import { insideOf, type World } from '../world.js';
import type { Control } from './controls.js';
import { missSlopes } from './miss-slopes.js';

/** The steps of a rollout in all bodies of a world. */
export class RolloutTape {
  /** Why the rollout cannot be traced; undefined as long as it can. */
  reason: string | undefined;
  readonly #world: World;
  readonly #tapes: readonly (StepTape | undefined)[];
  /** Time at the end of each step [s], since the start of the rollout. */
  #times: number[] = [];
  #from = 0;

  constructor(world: World) {
    this.#world = world;
    const { solver } = insideOf(world);
    this.#tapes = world.bodies.map(({ index }) => solver.tape?.(index));
  }

  /** A rollout begins. */
  start(): void {
    this.reason = undefined;
    if (!this.#tapes.every((tape) => tape)) this.reason = 'the solver of this world traces no steps';
    else if (!insideOf(this.#world).drives.every(isTimed)) this.reason = 'a drive acts by more than the time';
    this.#times = [];
    this.#from = this.#world.time;
    for (const tape of this.#tapes) tape?.start();
  }

  /** Remembers the step just taken. */
  record(): void {
    if (this.reason) return;
    const { certificate, time } = this.#world;
    if (certificate.substeps !== 1 || certificate.stilled) this.reason = 'a step had to be taken in parts';
    for (const tape of this.#tapes) this.reason ??= tape?.record();
    this.#times.push(time - this.#from);
  }

  /** Slopes of the goal by the controls' numbers, row by row of `miss`, at the end of the taped rollout, where the world is; `tolerance` as for tapes. */
  slopes(
    controls: readonly Control[],
    values: ArrayLike<number>,
    miss: (world: World) => ArrayLike<number>,
    tolerance: number,
  ): Float64Array {
    const { bodies } = this.#world;
    const size = controls.reduce((sum, control) => sum + control.size, 0);
    const states = missSlopes(this.#world, miss);
    const rows = states.map((_, row) => row);
    const acting = states.map(() => bodies.map(({ model }) => new ControlSlopes(model)));
    const out = new Float64Array(states.length * size);
    for (let step = this.#times.length - 1; step >= 0; step--) {
      for (const [first, ...others] of this.#inTouch(step)) {
        const slopesOf = (b: number): BodySlopes => ({
          states: rows.map((row) => states[row][b]),
          controls: rows.map((row) => acting[row][b]),
        });
        const along = others.map((b) => [this.#tapes[b]!, slopesOf(b)] as const);
        this.#tapes[first]?.back(step, slopesOf(first), along, tolerance);
      }
      for (const row of rows) {
        let o = 0;
        for (const control of controls) {
          const { body } = control;
          control.addSlopes(
            values,
            o,
            this.#times[step],
            step === 0,
            states[row][body],
            acting[row][body],
            out,
            row * size,
          );
          o += control.size;
        }
      }
    }
    return out;
  }

  /** Sets of bodies that pushed each other in a step, by their numbers; most are of one. */
  #inTouch(step: number): number[][] {
    const setOf = this.#tapes.map((_, b) => [b]);
    this.#tapes.forEach((tape, b) => {
      for (const other of tape?.touched(step) ?? []) {
        if (setOf[other] === setOf[b]) continue;
        const both = [...setOf[b], ...setOf[other]].sort((i, j) => i - j);
        for (const one of both) setOf[one] = both;
      }
    });
    return [...new Set(setOf)];
  }
}
