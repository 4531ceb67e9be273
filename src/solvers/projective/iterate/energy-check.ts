/**
 * Whether a step of few iterations has given its body energy from nowhere. Iterations start where inertia alone leads; a stiff body that spins is stretched
 * there, and what few of them leave of that stretch adds up from step to step. A step that starts from the shape of before, moved on as one piece, cannot
 * gain: its plain iterations only go down from there. Called by the projective solver where a step is far from its end.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import type { ContactResponse } from '../outside/contact-response.js';
import type { ProjectiveState } from '../projective-state.js';
import { RigidAdvance } from './rigid-advance.js';
import { stepObjective } from './step-objective.js';

/** Iterations of a step up to which it may leave stretch that adds up. */
export const FEW_ITERATIONS = 5;
/** How much higher than at its start a step's objective may end. */
const MOST_GAIN = 1.01;

/** Checks the steps of one body. */
export class EnergyCheck {
  readonly #start: RigidAdvance;
  #hasGained = false;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #global: GlobalStep;
  readonly #x: Float64Array;
  readonly #poses: BonePoses;
  readonly #quats: Float32Array;

  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, global: GlobalStep) {
    this.#model = model;
    this.#start = new RigidAdvance(model, layout, rows, motion);
    this.#rows = rows;
    this.#motion = motion;
    this.#global = global;
    this.#x = new Float64Array(rows.fleshCount * 4);
    this.#poses = new BonePoses(motion.count + 1);
    this.#quats = new Float32Array(rows.quatCount);
  }

  /** A step of length `h` [s] begins; true where it is taken again because it gained: flesh and bones are then put to where it starts. */
  begin(state: ProjectiveState, h: number): boolean {
    const again = this.#hasGained;
    if (again) this.#start.go(state, h);
    this.#hasGained = false;
    return again;
  }

  /** Whether the step gained energy that nothing gave; arguments as below. Bones that are led and motors may give any. */
  check(state: ProjectiveState, h: number, inertia: number, touch: ContactResponse | undefined): boolean {
    const isGiven = state.kinematic.includes(1) || this.#global.bones.exact.hasMotors;
    this.#hasGained = !isGiven && this.#gains(state, h, inertia, touch);
    return this.#hasGained;
  }

  /** Whether a step of length `h` [s] as it stands ends clearly higher than moving on as one piece; `inertia` is one over a time squared [1/s²]. */
  #gains(state: ProjectiveState, h: number, inertia: number, touch: ContactResponse | undefined): boolean {
    const [rows, motion] = [this.#rows, this.#motion];
    this.#x.set(rows.x.view);
    this.#poses.copy(motion.poses);
    this.#quats.set(state.quats);
    const end = this.#objective(state, inertia, touch);
    touch?.sides.keepPositions();
    this.#start.go(state, h);
    this.#global.takePositions(state);
    const start = this.#objective(state, inertia, touch);
    // the way back from the end to the start: what contacts gave is minus this
    const taken = touch?.sides.workSinceKept() ?? 0;
    rows.x.view.set(this.#x);
    motion.poses.copy(this.#poses);
    state.quats.set(this.#quats);
    this.#global.takePositions(state);
    return !(end + taken <= MOST_GAIN * start);
  }

  #objective(state: ProjectiveState, inertia: number, touch: ContactResponse | undefined): number {
    this.#rows.localStep(state);
    touch?.readPositions(this.#motion, state);
    return stepObjective(this.#model, this.#rows, this.#motion, inertia);
  }
}
