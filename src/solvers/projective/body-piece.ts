/** A body as one piece: what is put right, once its iterations are over, by shifting and turning all of it. */
import type { Model } from '../../body/model.js';
import type { GroupMember } from '../../contact/free-groups.js';
import type { WholeBody } from '../../contact/whole-bodies.js';
import type { WholeTurn } from '../../contact/whole-turn.js';
import type { WholePiece } from '../body-solver.js';
import type { StepReport } from '../step-report.js';
import type { BoneMotion } from './bones/bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';
import { MomentumBalance } from './momentum-balance.js';
import type { ContactResponse } from './outside/contact-response.js';
import type { ProjectiveState } from './projective-state.js';

/** One body of the projective solver. */
export class BodyPiece implements WholePiece {
  readonly #balance: MomentumBalance;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #turns: boolean;
  readonly #isOneBone: boolean;
  readonly #outside = new Float64Array(3);
  /** What is known of it in this step, once it was asked for. */
  #whole: WholeBody | undefined;
  /** Whether nothing but gravity, contacts and the user's forces acts on it in this step. */
  isFree = false;
  #touch: ContactResponse | undefined;
  /** A time squared [s²]. */
  #acceleration = 0;

  /** `turns`: whether angular momentum is put right as well; what moment the published projection leaves unexplained is what comparisons show. */
  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, turns: boolean) {
    this.#balance = new MomentumBalance(model, layout);
    this.#rows = rows;
    this.#motion = motion;
    this.#turns = turns;
    this.#isOneBone = layout.fleshVertices.length === 0 && model.bones.count === 1;
  }

  /** Starts a step: whether nothing holds the body, and what answers contacts, nothing where none is near. */
  begin(isFree: boolean, acceleration: number, touch: ContactResponse | undefined): void {
    this.isFree = isFree;
    this.#acceleration = acceleration;
    this.#touch = touch;
  }

  weigh(whole: WholeBody): void {
    this.#whole = whole;
    whole.isFree = this.isFree && this.#turns && this.#touch !== undefined;
    // an iteration has the moments of a single bone right
    whole.isLeft = whole.isFree && !this.#isOneBone && this.#touch?.sides.hasForce === true;
    if (whole.isFree) this.#balance.weigh(this.#rows, this.#motion, this.#acceleration, whole);
  }

  /** Puts both momenta of a free body right. */
  restore(state: ProjectiveState): void {
    if (!this.isFree) return;
    if (this.#mayTurn(state)) {
      this.#balance.turn(this.#rows, this.#motion, this.#acceleration, this.#touch?.sides);
    }
    this.restoreMomentum();
  }

  /** Shifts a free body so that its momentum is what gravity and the contact forces make it. */
  restoreMomentum(): void {
    this.#outside.fill(0);
    this.#touch?.sides.addForces(this.#outside);
    this.#balance.shift(this.#rows, this.#motion, this.#acceleration, this.#outside);
  }

  join(member: GroupMember): void {
    this.#balance.join(this.#rows, this.#motion, this.#acceleration, member);
  }

  turn(turn: WholeTurn): void {
    this.#balance.apply(turn, this.#rows, this.#motion);
  }

  measureMoment(report: StepReport): void {
    report.angularDrift = 0;
    if (this.isFree) this.#balance.measure(this.#rows, this.#motion, this.#acceleration, this.#touch?.sides, report);
  }

  /** Whether the body can be turned: what pushes it was told that it will be. Sides are then where it is. */
  #mayTurn(state: ProjectiveState): boolean {
    const touch = this.#touch;
    if (!this.#turns || !touch?.sides.hasForce) return this.#turns;
    if (this.#whole?.isBalanced !== true) return false;
    touch.readPositions(this.#motion, state);
    return true;
  }
}
