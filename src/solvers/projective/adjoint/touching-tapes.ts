/** Tapes of bodies that are in touch go back over a step together: one solve for all of them. Called by the tape of the first. */
import { MetricGmres } from '../../../linalg/metric-gmres.js';
import type { BodySlopes } from '../../step-slopes.js';
import { pullFaceBack } from './face-slopes.js';
import type { ProjectiveTape } from './projective-tape.js';
import { TouchingSystem } from './touching-system.js';

/** Iterations of a solve, at most; without flesh there is nothing to save. */
const ITERATIONS = 24;
const RIGID_TOLERANCE = 1e-10;

/** A set of bodies. */
export class TouchingTapes {
  readonly #tapes: readonly ProjectiveTape[];
  readonly #system: TouchingSystem;
  readonly #gmres: MetricGmres;
  readonly #right: Float64Array;
  readonly #solution: Float64Array;

  constructor(tapes: readonly ProjectiveTape[]) {
    this.#tapes = tapes;
    this.#system = new TouchingSystem(
      tapes.map(({ system }) => system),
      tapes.every(({ isRigid }) => isRigid),
    );
    this.#gmres = new MetricGmres(this.#system.size, ITERATIONS);
    this.#right = new Float64Array(this.#system.size);
    this.#solution = new Float64Array(this.#system.size);
  }

  /** As `StepTape.back`; `slopes` one per body. */
  back(step: number, slopes: readonly BodySlopes[], tolerance: number): void {
    const tapes = this.#tapes;
    const system = this.#system;
    const left = tapes.every(({ isRigid }) => isRigid) ? RIGID_TOLERANCE : tolerance;
    const count = slopes[0].states.length;
    const goesOn = tapes.map((tape) => tape.ready(step, count));
    const steps = tapes.map((tape) => tape.step(step));
    system.prepare(
      steps.map(([start]) => start),
      steps.map(([, end]) => end),
    );
    const solution = this.#solution;
    for (let i = 0; i < count; i++) {
      tapes.forEach((tape, b) => {
        tape.fillRight(step, slopes[b].states[i], system.part(b, this.#right));
        if (goesOn[b]) extrapolate(tape.solutions[i], tape.past[i]);
        system.part(b, solution).set(tape.solutions[i]);
      });
      system.close(solution);
      this.#gmres.solve(system, this.#right, solution, left);
      system.leave(solution, this.#right);
      const mu = system.lean(solution);
      tapes.forEach((tape, b) => {
        tape.solutions[i].set(system.part(b, solution));
        tape.finish(step, system.part(b, mu), slopes[b].states[i], slopes[b].controls[i], system.subspace, mu);
      });
      for (const row of system.faces) {
        pullFaceBack(row, system.keptBy(row), mu, ({ body }) => {
          const b = tapes.findIndex((tape) => tape.body === body);
          return { before: steps[b][0].positions, slopes: slopes[b].states[i] };
        });
      }
    }
  }
}

/** Puts the solution first among those of the past, and where the polynomial through them leads in its place. */
function extrapolate(now: Float64Array, past: Float64Array[]): void {
  const oldest = past.length === WAYS.length ? past.pop() : undefined;
  const kept = oldest ?? new Float64Array(now.length);
  kept.set(now);
  past.unshift(kept);
  const way = WAYS[past.length - 1];
  for (let i = 0; i < now.length; i++) {
    let value = 0;
    for (let n = 0; n < way.length; n++) value += way[n] * past[n][i];
    now[i] = value;
  }
}

/**
 * Where the polynomial through 1, 2, 3 or 4 values leads. Real-time human, 60 steps, iterations of a solve held by its torso and free: 12.0 and 10.2 with
 * two values, 10.2 and 8.7 with three, 9.8 and 8.8 with four, whose error is a tenth; five are worse.
 */
const WAYS = [[1], [2, -1], [3, -3, 1], [4, -6, 4, -1]] as const;
