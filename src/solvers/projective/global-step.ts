/**
 * The global part of an iteration: forward through the flesh, the bones in the metric that leaves them, and back. All for
 * increments: right-hand sides in, positions and poses moved.
 */
import type { Model } from '../../body/model.js';
import type { SideList } from '../../contact/side-list.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { Clock } from '../solver.js';
import type { StepReport } from '../step-report.js';
import type { BoneMotion } from './bones/bone-motion.js';
import { DENSE_BONES } from './bones/bone-order.js';
import type { BoneProblem, BoneProblems } from './bones/bone-problems.js';
import type { FleshRows } from './flesh-rows.js';
import type { Acceleration } from './iterate/acceleration.js';
import type { Attachments } from './outside/attachments.js';
import type { ContactResponse } from './outside/contact-response.js';
import type { ProjectiveState } from './projective-state.js';
import type { TurningRegions } from './regions/turning-regions.js';

/** Solves for one body. */
export class GlobalStep {
  /** What applies to the body being stepped: how its bones move, and where it is held. */
  bones!: BoneProblem;
  attachments: Attachments | undefined;
  /** Where moves are accelerated, and whether each iteration takes one solve, so that the mix goes into its move. */
  acceleration: Acceleration | undefined;
  isOnlySolve = false;
  /** Regions of flesh that turn as one, where there are any. */
  regions: TurningRegions | undefined;
  /** Schur complement of the flesh, without held points. */
  metric!: Float64Array;
  /** Sum of squares of the unbalanced force on flesh when it was last measured [N²]. */
  squareResidual = 0;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #motion: BoneMotion;
  readonly #report: StepReport;
  readonly #clock: Clock;
  readonly #held: Float64Array;
  #isLast = false;
  #regionsMayTurn = false;

  constructor(rows: FleshRows, solve: SolvePlan, motion: BoneMotion, report: StepReport, clock: Clock) {
    this.#rows = rows;
    this.#solve = solve;
    this.#motion = motion;
    this.#held = new Float64Array(motion.count * 12);
    this.#report = report;
    this.#clock = clock;
  }

  /** A step of this body begins: its bones as they are held. */
  take({ current, attachments }: BoneProblems): void {
    this.bones = current;
    this.attachments = attachments;
  }

  /** A step begins, with poses predicted: whether regions of flesh may turn in it, and where it is touched. */
  beginRegions(mayTurn: boolean, touched: SideList | undefined, { positions }: ProjectiveState, { bones }: Model) {
    // contacts reckon with regions through bones that all feel each other; of bones that push each other through their joint regions take too much off
    const isHeld = touched && (this.#motion.count > DENSE_BONES || touched.hasPair(bones.ofVertex));
    this.#regionsMayTurn = mayTurn && !isHeld;
    if (this.#regionsMayTurn) this.regions?.begin(positions, this.#motion.poses.rotations);
  }

  /** Something may touch the body in this step, other bodies where it `meetsBodies`. */
  beginTouch(meetsBodies: boolean): void {
    // bodies that push each other converge together or not at all: what one of them has shown says too little
    if (meetsBodies) this.stayPlain();
    if (this.acceleration) this.acceleration.isWary = true;
  }

  /** The iterations to come are plain after all. */
  stayPlain(): void {
    this.#regionsMayTurn = false;
    if (this.acceleration) this.acceleration.mixes = false;
  }

  /** Forward, bones, backward for the right-hand sides as they are; then everything moves. The last time joints are closed. */
  run(state: ProjectiveState, last: boolean): void {
    const { ms } = this.#report;
    const began = this.#clock();
    this.#isLast = last;
    this.#rows.clearLast();
    this.acceleration?.addForces();
    this.#solve.forward();
    const eliminated = this.#clock();
    const change = this.#moveBones(last);
    this.#turnRegions(change);
    this.acceleration?.addBoneForces(this.metric, change, this.#otherForces(change));
    if (!this.bones.exact.answering) this.acceleration?.addPulls(this.bones.exact.share);
    this.#writeLast(change);
    const moved = this.#clock();
    this.#solve.backward();
    this.attachments?.addResponse(change);
    if (this.isOnlySolve) this.acceleration?.mix(false);
    else this.acceleration?.addMove();
    this.#rows.move();
    const substituted = this.#clock();
    this.#motion.carryVertices(this.#rows, state);
    ms.global += eliminated - began + substituted - moved;
    ms.bones += moved - eliminated + this.#clock() - substituted;
  }

  /**
   * Moves everything as the change of the contact forces wants, by a second solve in the same iteration. Leaving every change to the
   * next iteration instead saves that solve, and oscillates: flesh under a heavy bone never came to rest.
   */
  answer(touch: ContactResponse, state: ProjectiveState, last: boolean): void {
    const { ms } = this.#report;
    // the contacts' second solve counts as theirs, not as the first one's
    const { global, bones } = ms;
    const began = this.#clock();
    const { exact } = this.bones;
    this.#solve.y.view.fill(0);
    this.#motion.pull.fill(0);
    touch.addForces(touch.sides.change, this.#motion);
    exact.keepMultipliers();
    // held points pull no further here: their springs only give way to the correction
    this.attachments?.measure(this.#motion, 0);
    exact.answering = true;
    this.run(state, last);
    exact.answering = false;
    exact.addKeptMultipliers();
    ms.global = global;
    ms.bones = bones;
    ms.contact += this.#clock() - began;
  }

  /** Mixes moves that were made before; everything moves by what comes on top. */
  mix(state: ProjectiveState): void {
    if (!this.acceleration?.mix(true)) return;
    this.#rows.move();
    this.#motion.carryVertices(this.#rows, state);
  }

  /** Makes everything else agree with positions and poses that were changed from outside a solve. */
  takePositions(state: ProjectiveState): void {
    this.#rows.clear();
    this.#solve.y.view.fill(0);
    this.#rows.move();
    this.#motion.carryVertices(this.#rows, state);
  }

  /** Without iterations nothing but the joints is solved for. */
  closeJoints(state: ProjectiveState): void {
    this.#motion.pull.fill(0);
    const { exact } = this.bones;
    exact.begin(this.#motion.poses);
    this.#report.jointGap = exact.stepUntilClosed(this.#motion.poses, this.#motion.pull, 0);
    this.#motion.carryVertices(this.#rows, state);
  }

  /** Measures the unbalanced force on flesh. */
  measureFlesh(): void {
    const y = this.#solve.y.view;
    let sum = 0;
    for (let i = 0; i < this.#rows.fleshCount * 4; i++) sum += y[i] * y[i];
    this.squareResidual = sum + (this.attachments?.correctResidual() ?? 0);
  }

  /** Scales the right-hand side, and with it the step. */
  shorten(scale: number): void {
    this.bones.exact.share = scale;
    if (scale === 1) return;
    const y = this.#solve.y.view;
    for (let i = 0; i < this.#rows.fleshCount * 4; i++) y[i] *= scale;
    const { pull } = this.#motion;
    for (let i = 0; i < pull.length; i++) pull[i] *= scale;
  }

  /** Solves the bone problem for the pull that is left after the forward sweep; returns the change the flesh follows. */
  #moveBones(last: boolean): Float64Array {
    const { count, pull, poses } = this.#motion;
    const report = this.#report;
    const y = this.#solve.y.view;
    const first = this.#rows.fleshCount * 4;
    for (let i = 0; i < count * 4; i++) {
      for (let k = 0; k < 3; k++) pull[i * 3 + k] += y[first + i * 4 + k];
    }
    this.attachments?.addPull(pull);
    const { exact, published } = this.bones;
    if (published) {
      const change = published.project(this.#motion, pull);
      report.jointGap = published.gap;
      report.residual = Math.sqrt(this.squareResidual);
      return change;
    }
    const eases = this.#regionsTurn && count > 0 && count <= DENSE_BONES;
    exact.regions = eases ? this.regions : undefined;
    exact.regions?.takeTurns(pull, y, this.#rows.fleshCount);
    exact.begin(poses);
    if (last) {
      report.jointGap = exact.stepUntilClosed(poses, pull, 1);
      report.redundantRows = exact.redundantRows;
      report.residual = Math.sqrt(this.squareResidual + exact.squareResidual);
    } else exact.stepOnce(poses, pull);
    return exact.change;
  }

  /** The regions that turn in this step. None where points are held: their compliance is that of regions that do not. */
  get turning(): TurningRegions | undefined {
    return this.#regionsMayTurn && !this.attachments ? this.regions : undefined;
  }

  /** Whether regions turn in this solve: not in the last iteration, which is plain, but while contacts are answered, who reckon with it. */
  get #regionsTurn(): boolean {
    return this.turning !== undefined && (!this.#isLast || this.bones.exact.answering);
  }

  /** Regions of flesh turn as they want to once the bones have changed. */
  #turnRegions(change: Float64Array): void {
    if (this.#regionsTurn) this.regions?.solve(this.#solve.y.view, this.#rows.fleshCount, change);
    else this.regions?.hold();
  }

  /** What held points and turning regions pull the bones with through the flesh, once the bones have changed; nothing where there are none. */
  #otherForces(change: Float64Array): Float64Array | undefined {
    if (!this.attachments && !this.#regionsTurn) return undefined;
    this.#held.fill(0);
    this.attachments?.addPull(this.#held, change);
    if (this.#regionsTurn) this.regions?.addPush(this.#held);
    return this.#held;
  }

  #writeLast(change: Float64Array): void {
    const y = this.#solve.y.view;
    const first = this.#rows.fleshCount * 4;
    for (let i = 0; i < this.#motion.count * 4; i++) {
      for (let k = 0; k < 3; k++) y[first + i * 4 + k] = change[i * 3 + k];
    }
    if (!this.regions) return;
    const turned = this.regions.change;
    const from = first + this.#motion.count * 16;
    for (let i = 0; i * 3 < turned.length; i++) {
      for (let k = 0; k < 3; k++) y[from + i * 4 + k] = turned[i * 3 + k];
    }
  }
}
