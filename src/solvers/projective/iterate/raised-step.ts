/**
 * Whether a blow has raised a body: a step that ends higher than it would by staying where it began is none that inertia, flesh and contacts at rest can have made, because staying is allowed. Few
 * iterations leave such steps where a contact stops one corner of stiff flesh and the rest has not heard of it yet: the body had up to ten times its energy after one step. Taken
 * again in shorter parts the blow is spread. Asked at the end of doubtful steps by the projective solver, for free bodies that something touches.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import type { ContactResponse } from '../outside/contact-response.js';
import type { ProjectiveState } from '../projective-state.js';
import { goToStart, stepObjective } from './step-objective.js';

/** Error from which on a step is doubtful. */
const DOUBTFUL = 0.5;
/** How many times as high as its start a step may end. */
const MOST_GAIN = 1.2;
/** How many times the height of the start contacts that push a body out of where it was may add: a body wedged between two pushed itself up by 2.2 times its energy. */
const MOST_LENT = 1;

/** Looks at the steps of one body. */
export class RaisedStep {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #global: GlobalStep;
  /** The end of the step. */
  readonly #x: Float64Array;
  readonly #poses: BonePoses;
  readonly #quats: Float32Array;

  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, global: GlobalStep) {
    this.#model = model;
    this.#layout = layout;
    this.#rows = rows;
    this.#motion = motion;
    this.#global = global;
    this.#x = new Float64Array(rows.fleshCount * 4);
    this.#poses = new BonePoses(motion.count + 1);
    this.#quats = new Float32Array(rows.quatCount);
  }

  /** Whether a step with this error ends too high; `inertia` is one over a time squared [1/s²]. Everything is left as it was. */
  isRaised(state: ProjectiveState, inertia: number, touch: ContactResponse, error: number): boolean {
    // motors give what energy they please
    if (!(error > DOUBTFUL) || this.#global.bones.exact.hasMotors) return false;
    this.#x.set(this.#rows.x.view);
    this.#poses.copy(this.#motion.poses);
    this.#quats.set(state.quats);
    const end = this.#objective(state, inertia, touch);
    touch.sides.keepPositions();
    goToStart(this.#layout, this.#rows, this.#motion, state);
    const start = this.#objective(state, inertia, touch);
    // the way back from the end to the start: what contacts gave is minus this
    const taken = Math.max(touch.sides.workSinceKept(), -MOST_LENT * start);
    this.#rows.x.view.set(this.#x);
    this.#motion.poses.copy(this.#poses);
    this.#global.takePositions(state);
    touch.readPositions(this.#motion, state);
    state.quats.set(this.#quats);
    return !(end + taken <= MOST_GAIN * start);
  }

  #objective(state: ProjectiveState, inertia: number, touch: ContactResponse): number {
    this.#global.takePositions(state);
    touch.readPositions(this.#motion, state);
    this.#rows.localStep(state);
    return stepObjective(this.#model, this.#rows, this.#motion, inertia);
  }
}
