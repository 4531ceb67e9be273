/**
 * What keeps flesh that is not of the projective form from blowing up, in the order of a step: every iteration whose move went uphill
 * is taken back and shortened (descent.ts), a step that gets nowhere that way starts elsewhere (corotated-start.ts), the last move is shortened until it
 * goes downhill, and a step in which that was needed has to end no higher than it began. Called by the projective solver for such bodies only.
 */
import type { Model } from '../../../body/model.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import type { ContactResponse } from '../outside/contact-response.js';
import type { ProjectiveState } from '../projective-state.js';
import { CorotatedStart } from './corotated-start.js';
import { Descent } from './descent.js';
import { isHurled } from './step-error.js';
import { goToStart, stepObjective } from './step-objective.js';

/** Times the last move of a step is cut at most where it goes uphill. */
const MOST_CUTS = 8;
/**
 * How much higher than at its start a step's objective may end; and in the shortest parts that are tried, after which nothing is left but to fail: hard flesh of
 * a few centimetres that lies on the ground jitters by a third of what its weight does in a step.
 */
const MOST_GAIN = 1.01;
const MOST_LAST_GAIN = 2;

/** Guards the steps of one body. */
export class Guard {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #global: GlobalStep;
  readonly #descent: Descent;
  readonly #start: CorotatedStart;

  constructor(model: Model, layout: Layout, rows: FleshRows, solve: SolvePlan, motion: BoneMotion, global: GlobalStep) {
    this.#model = model;
    this.#layout = layout;
    this.#rows = rows;
    this.#motion = motion;
    this.#global = global;
    this.#descent = new Descent(rows, solve, motion, model.joints.rowStart[model.joints.count], model.size);
    this.#start = new CorotatedStart(model, layout, rows, motion, global);
  }

  /** Share of the full move that is taken. */
  get scale(): number {
    return this.#descent.scale;
  }

  /** Whether a move of this step was cut under driven bones. */
  isCutWhileDriven(state: ProjectiveState): boolean {
    return this.#descent.wasCut && this.#isDriven(state);
  }

  /** Whether moves of this step were cut and flesh is drawn out: it would fly on as it did. */
  get isStuck(): boolean {
    return this.#descent.wasCut && this.#start.isNeeded;
  }

  begin(): void {
    this.#descent.begin();
  }

  /** Finds another place to start from for a step in which flesh was stuck. Call when the step has begun anew, contacts included. */
  startElsewhere(state: ProjectiveState, inertia: number, touch: ContactResponse | undefined): void {
    this.#start.run(state, inertia, touch);
    // it has to end no higher than it began, as if it had been cut
    this.#descent.wasCut = true;
  }

  /**
   * Goes back to where the last iteration began where it went uphill. Call when right-hand side and pull hold the residuals without
   * contacts; they then do so for the positions that are kept. False where moves are shortened.
   */
  watch(state: ProjectiveState, touch: ContactResponse | undefined): boolean {
    const descent = this.#descent;
    const { bones, attachments } = this.#global;
    if (this.#wentDown(state, touch)) {
      touch?.sides.keepPositions();
      descent.keep(bones.exact, attachments);
      return descent.scale === 1;
    }
    descent.goBack();
    this.#global.takePositions(state);
    descent.restoreResiduals();
    return false;
  }

  /**
   * Whether the step can stand: shortens its last move until it goes downhill; `inertia` is one over a time squared [1/s²]; `error`: how far
   * the step is from its end.
   */
  settle(
    state: ProjectiveState,
    inertia: number,
    touch: ContactResponse | undefined,
    gravity: ArrayLike<number>,
    error: number,
    isLastTry: boolean,
  ): boolean {
    const hurled = isHurled(this.#model, this.#rows, this.#motion, gravity, 1 / inertia, error, isLastTry);
    for (let n = 0; n < MOST_CUTS; n++) {
      this.#rows.localStep(state);
      this.#rows.collectResidual();
      this.#motion.gatherPull(this.#rows, inertia);
      if (this.#wentDown(state, touch)) break;
      this.#descent.shorten();
      this.#global.takePositions(state);
      if (this.#model.joints.count > 0) this.#global.closeJoints(state);
    }
    if (!this.#descent.wasCut) return true;
    // from rest nothing is hurled: flesh that is led only part of the way is behind, and comes after
    if (this.#isDriven(state)) return this.#stays(state) && (!hurled || state.clock[1] === 0);
    return !this.#gainsEnergy(state, inertia, touch, isLastTry ? MOST_LAST_GAIN : MOST_GAIN);
  }

  /** Whether no vertex goes farther than the body is long, beside what bones are led by. */
  #stays({ positions, poses }: ProjectiveState): boolean {
    const { fleshVertices } = this.#layout;
    const { translations } = this.#motion.poses;
    const x = this.#rows.x.view;
    let most = 0;
    for (let k = 0; k < this.#motion.count * 3; k++)
      most = Math.max(most, Math.abs(translations[k] - poses.translations[k]));
    most += this.#model.size;
    for (let i = 0; i < fleshVertices.length; i++) {
      const v = fleshVertices[i];
      const row = this.#rows.rowOfVertex[v] * 4;
      for (let k = 0; k < 3; k++) if (!(Math.abs(x[row + k] - positions[v * 3 + k]) <= most)) return false;
    }
    return true;
  }

  #wentDown(state: ProjectiveState, touch: ContactResponse | undefined): boolean {
    touch?.readPositions(this.#motion, state);
    const { bones, attachments } = this.#global;
    return this.#descent.accept(bones.exact, attachments, touch?.sides.workSinceKept() ?? 0);
  }

  /** Bones that are led and motors give whatever energy they please: nothing says how high a step may end. Bones that are only held give none. */
  #isDriven({ kinematic, poses }: ProjectiveState): boolean {
    if (this.#global.bones.exact.hasMotors) return true;
    const { quats, translations } = this.#motion.poses;
    for (let bone = 0; bone < kinematic.length; bone++) {
      if (kinematic[bone] === 0) continue;
      for (let k = bone * 4; k < bone * 4 + 4; k++) if (quats[k] !== poses.quats[k]) return true;
      for (let k = bone * 3; k < bone * 3 + 3; k++) if (translations[k] !== poses.translations[k]) return true;
    }
    return false;
  }

  /**
   * Whether the step ends clearly higher than it would by staying where it began: then it has not come down far enough from where
   * inertia led, and the body has gained energy from nowhere.
   */
  #gainsEnergy(state: ProjectiveState, inertia: number, touch: ContactResponse | undefined, most: number): boolean {
    const descent = this.#descent;
    const { bones, attachments } = this.#global;
    const end = this.#objective(inertia);
    descent.keep(bones.exact, attachments);
    touch?.sides.keepPositions();
    goToStart(this.#layout, this.#rows, this.#motion, state);
    this.#global.takePositions(state);
    this.#rows.localStep(state);
    touch?.readPositions(this.#motion, state);
    const start = this.#objective(inertia);
    // the way back from the end to the start: what contacts gave is minus this
    const taken = touch?.sides.workSinceKept() ?? 0;
    descent.goBack();
    this.#global.takePositions(state);
    return !(end + taken <= most * start);
  }

  /** The objective at the present positions, springs of held points included, once a local step has been taken there [J]. */
  #objective(inertia: number): number {
    const springs = this.#global.attachments?.springEnergy(this.#motion) ?? 0;
    return stepObjective(this.#model, this.#rows, this.#motion, inertia) + springs;
  }
}
