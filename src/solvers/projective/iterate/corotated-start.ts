/**
 * Where a step starts again in which neo-Hookean flesh was stuck. A tet drawn to λ times its length resists a change of its volume λ² times as much as at rest: whole moves
 * by the constant matrix then overshoot, all of them are cut (descent.ts), for the whole body, and flesh flies on as inertia leads it, step after step. Corotated flesh never
 * stiffens, and the constant matrix always leads it down: for some iterations the flesh is corotated, as stiff at rest, which draws
 * it together; from there the step goes on with its own objective. Called by guard.ts.
 */
import type { Model } from '../../../body/model.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import type { ContactResponse } from '../outside/contact-response.js';
import type { ProjectiveState } from '../projective-state.js';

/** Iterations in which the flesh is corotated. */
const ITERATIONS = 10;
/** Times its length that a tet must be drawn to. */
const DRAWN_OUT = 3;

/** Finds other starts for the steps of one body. */
export class CorotatedStart {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #global: GlobalStep;

  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, global: GlobalStep) {
    this.#model = model;
    this.#layout = layout;
    this.#rows = rows;
    this.#motion = motion;
    this.#global = global;
  }

  /** Whether a tet is drawn out at the positions of the step in progress. */
  get isNeeded(): boolean {
    const { tets } = this.#layout;
    for (let n = 0; n < tets.length; n++) if (!(this.#square(tets[n]) <= DRAWN_OUT * DRAWN_OUT)) return true;
    return false;
  }

  /** Moves flesh and bones of a step that has begun to where its own iterations are to start; `inertia`: one over a time squared [1/s²]. */
  run(state: ProjectiveState, inertia: number, touch: ContactResponse | undefined): void {
    const [rows, motion, global] = [this.#rows, this.#motion, this.#global];
    global.shorten(1);
    global.stayPlain();
    rows.setCorotated(true);
    for (let n = 0; n < ITERATIONS; n++) {
      // the iterations of the step itself come after these
      global.acceleration?.beginIteration(false, ITERATIONS);
      rows.localStep(state);
      rows.collectResidual();
      motion.gatherPull(rows, inertia);
      touch?.addForces(touch.sides.force, motion);
      global.attachments?.measure(motion, 1);
      global.run(state, false);
    }
    rows.setCorotated(false);
    global.acceleration?.restart();
  }

  /** |F|² − 2 of a tet: the square of the length it is drawn to where it is drawn in one direction and keeps its volume. */
  #square(tet: number): number {
    const { tets, inverseRest } = this.#model;
    const { rowOfVertex } = this.#rows;
    const x = this.#rows.x32.view;
    const o = rowOfVertex[tets[tet * 4]] * 4;
    const a = rowOfVertex[tets[tet * 4 + 1]] * 4;
    const b = rowOfVertex[tets[tet * 4 + 2]] * 4;
    const c = rowOfVertex[tets[tet * 4 + 3]] * 4;
    let sum = -2;
    for (let i = 0; i < 3; i++) {
      for (let j = tet * 9; j < tet * 9 + 3; j++) {
        const f =
          (x[a + i] - x[o + i]) * inverseRest[j] +
          (x[b + i] - x[o + i]) * inverseRest[j + 3] +
          (x[c + i] - x[o + i]) * inverseRest[j + 6];
        sum += f * f;
      }
    }
    return sum;
  }
}
