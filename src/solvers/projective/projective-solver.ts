/**
 * Projective dynamics with rigid bones and joints [Li2019], solved exactly: flesh is eliminated, the bones are moved in
 * the metric the flesh leaves them (its Schur complement S), and the flesh then follows the rigid bones.
 *
 *     A = [ A_ff A_fb ] = L Lᵀ      forward   z = L_ff⁻¹ r_f,   b' = r_b − L_bf z
 *         [ A_bf A_bb ]             bones     min ½⟨δ, S δ⟩ − ⟨b', δ⟩ over rigid, jointed T + δ
 *                                   backward  δ_f = L_ff⁻ᵀ (z − L_bfᵀ δ)
 * r is minus the gradient of the step's objective, so that every solve is for an increment and f32 is enough.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { BodySolver } from '../body-solver.js';
import type { BoneLead, Clock, HeldPoint, SolverSite } from '../solver.js';
import { clearWork, createReport, type StepReport } from '../step-report.js';
import { BodyPiece } from './body-piece.js';
import { BoneMotion, type InertiaWeights } from './bones/bone-motion.js';
import { BoneProblems } from './bones/bone-problems.js';
import { ShapeTargets } from './compare/shape-targets.js';
import { ConstantMatrix } from './constant-matrix.js';
import { StepFinish } from './finish.js';
import { FleshRows } from './flesh-rows.js';
import { GlobalStep } from './global-step.js';
import { Acceleration } from './iterate/acceleration.js';
import { Guard } from './iterate/guard.js';
import { RaisedStep } from './iterate/raised-step.js';
import { estimateStepError, LOST } from './iterate/step-error.js';
import { StepStart } from './iterate/step-start.js';
import { type Layout, layOut } from './layout.js';
import { isAccelerated, NO_PAST, PROJECTIVE_STAGES, type ProjectiveOptions, WeightCache } from './options.js';
import { type ContactResponse, SMALL_CHANGE } from './outside/contact-response.js';
import type { ProjectiveState } from './projective-state.js';
import { TurningRegions } from './regions/turning-regions.js';
import { isDivided, mayTurn } from './regions/when-they-turn.js';

/** Solves one body; what is precomputed per model and time step is shared with others of the model. */
export class ProjectiveSolver implements BodySolver {
  readonly report: StepReport = createReport(PROJECTIVE_STAGES);
  readonly options: ProjectiveOptions;
  readonly rows: FleshRows;
  readonly isRigid: boolean;
  readonly #model: Model;
  readonly layout: Layout;
  readonly matrix: ConstantMatrix;
  readonly #weights = new WeightCache();
  readonly motion: BoneMotion;
  readonly piece: BodyPiece;
  readonly #finish: StepFinish;
  readonly #start: StepStart;
  readonly #raised: RaisedStep;
  readonly #global: GlobalStep;
  readonly #guard: Guard | undefined;
  readonly #acceleration: Acceleration | undefined;
  readonly #shapes: ShapeTargets | undefined;
  readonly problems: BoneProblems;
  /** Set before `start` where there can be any. */
  contacts: ContactResponse | undefined;
  #state!: ProjectiveState;
  #gravity: ArrayLike<number> = [];
  h = 0;
  inertiaWeights!: InertiaWeights;
  /** Factorisation that rows, bones and held points were prepared for. */
  #matrixVersion = -1;
  readonly #quatsBefore: Slot<Float32Array>;
  readonly #clock: Clock;

  /** Factors for the time step of `site`; plans what `start` fills. `shapes`: flesh vertices drawn to a rigid copy of themselves, for `bones: 'shape'`; `twin`: the solver of another body of the model, whose factorisation serves both. */
  constructor(
    plan: MemoryPlan,
    model: Model,
    options: ProjectiveOptions,
    site: SolverSite,
    shapes: readonly Int32Array[] = [],
    twin?: ProjectiveSolver,
  ) {
    this.#shapes = shapes.length > 0 ? new ShapeTargets(model, shapes) : undefined;
    this.#model = model;
    this.options = options;
    const { dt, clock, progress } = site;
    this.#clock = clock;
    this.layout = twin?.layout ?? layOut(model);
    const inertia = 1 / this.#weights.get(options, dt, 0).acceleration;
    const told = progress && ((share: number) => progress(model.name, share));
    const settings = { shapes: this.#shapes, inertia, divided: isDivided(options, model.bones.count), told };
    this.matrix = twin?.matrix ?? new ConstantMatrix(plan, model, this.layout, settings);
    const { solve } = this.matrix;
    this.rows = new FleshRows(plan, model, this.layout, this.matrix.structure, solve, options.smoothed);
    this.isRigid = this.rows.fleshCount === 0;
    this.#quatsBefore = plan.f32(this.rows.quatCount);
    this.problems = new BoneProblems(plan, model, this.rows, this.matrix, options.bones);
    this.motion = new BoneMotion(model, this.layout);
    this.piece = new BodyPiece(model, this.layout, this.rows, this.motion, options.bones !== 'published');
    this.#finish = new StepFinish(model, this.layout, this.rows, this.motion, options);
    const { rows, motion, layout } = this;
    this.#global = new GlobalStep(rows, solve, motion, this.report, clock);
    this.#raised = new RaisedStep(model, layout, rows, motion, this.#global);
    const learns = options.bones !== 'published' && !this.isRigid;
    if (learns) this.#acceleration = new Acceleration(plan, rows, solve, motion, model);
    this.#global.acceleration = this.#acceleration;
    this.#start = new StepStart(model, layout, rows, solve, motion, this.#global, learns);
    if (this.matrix.regions.count > 0) this.#global.regions = new TurningRegions(plan, model, layout, this.matrix);
    if (rows.guarded) this.#guard = new Guard(model, layout, rows, solve, motion, this.#global);
  }

  /** Multiplier of each joint row in the last step [N]; the force on bone A along the row is its negative. */
  get jointMultipliers(): Float64Array {
    return this.#global.bones.exact.multipliers;
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.problems.room.kernels = kernels;
    this.rows.start(kernels, threads);
    this.#acceleration?.start(kernels, threads);
    this.matrix.start(kernels, threads);
    this.#global.regions?.start(kernels);
    this.#useMatrix();
  }

  hold(points: readonly HeldPoint[]): void {
    this.problems.hold(points);
  }

  lead(lead: BoneLead | undefined): void {
    this.problems.lead = lead;
  }

  /** Nothing of the state but the tets' rotations changes before `finish`. */
  begin(given: BodyState, gravity: ArrayLike<number>, h: number, ignoreHistory: boolean, plain = false): void {
    clearWork(this.report);
    const [state, began] = [given as ProjectiveState, this.#clock()];
    this.#state = state;
    this.#gravity = gravity;
    this.h = h;
    this.#quatsBefore.view.set(state.quats);
    const weights = this.#weights.get(this.options, h, ignoreHistory ? NO_PAST : Math.abs(state.clock[1]));
    this.inertiaWeights = weights;
    this.matrix.setInertia(1 / weights.acceleration);
    if (this.#matrixVersion !== this.matrix.version) this.#useMatrix();
    this.problems.begin(state, h);
    this.#global.take(this.problems);
    const { isHeld } = this.problems;
    this.piece.begin(this.#finish.isFree(state, isHeld), weights.acceleration, this.#touch);
    this.#start.take(state, weights, gravity, h, this.options.iterations === 0, isHeld, this.piece.isFree);
    this.#guard?.begin();
    const mixes = isAccelerated(this.options) && !plain;
    this.#global.beginRegions(mixes && mayTurn(this.options, this.#touch), this.#touch?.sides, state, this.#model);
    this.#acceleration?.begin(this.matrix.inertia * this.#model.totalMass, mixes, this.problems.attachments);
    this.#global.attachments?.begin(state, h);
    this.report.ms.predict = this.#clock() - began;
  }

  beginContacts(): void {
    const touch = this.#touch;
    if (!touch) return;
    this.#global.beginTouch(touch.sides.meetsBodies);
    const began = this.#clock();
    touch.begin(this.motion);
    this.report.ms.contact += this.#clock() - began;
  }

  startElsewhere(): void {
    this.#guard?.startElsewhere(this.#state, this.matrix.inertia, this.#touch);
    this.abandon();
  }

  readTurned = (out: Float64Array) => this.#global.mix(this.#state) ?? this.rows.readTurned(out);

  settle(isLastTry: boolean): boolean {
    const [state, touch, { inertia }] = [this.#state, this.#touch, this.matrix];
    if (this.options.iterations === 0) this.#global.closeJoints(state);
    const [{ report, problems }, finishing] = [this, this.#clock()];
    this.#global.mix(state);
    report.error = this.#estimateError();
    const guard = this.options.iterations > 0 ? this.#guard : undefined;
    let good = isLastTry || !touch || !this.piece.isFree || !this.#raised.isRaised(state, inertia, touch, report.error);
    good &&= guard?.settle(state, inertia, touch, this.#gravity, report.error, isLastTry) !== false;
    if (good) problems.finish(this.motion.poses, report);
    // shorter steps may keep limits that a whole one had to drop to close its joints
    good &&= isLastTry || !problems.current.exact.leavesLimits;
    good &&= this.#finish.isSound(state, report.jointGap);
    if (good) this.piece.restore(state);
    else this.abandon();
    report.ms.finish = this.#clock() - finishing;
    return good;
  }

  commit(): void {
    const began = this.#clock();
    const [state, sides] = [this.#state, this.#touch?.sides];
    this.#finish.commit(state, this.inertiaWeights, this.#gravity, this.h, this.piece.isFree, sides, this.report);
    this.problems.commit(state, this.h);
    this.report.ms.finish += this.#clock() - began;
  }

  #estimateError(): number {
    const factor = this.inertiaWeights.acceleration;
    return estimateStepError(this.#model, this.rows, this.motion, this.#gravity, factor, this.#acceleration);
  }

  abandon(): void {
    this.#state.quats.set(this.#quatsBefore.view);
  }

  get isBalanced(): boolean {
    if (this.options.tolerance === 0 || this.report.iterations === 0) return false;
    // how far the last move went down is known once it is mixed
    this.#global.mix(this.#state);
    return this.#estimateError() <= this.options.tolerance;
  }

  get isAlone(): boolean {
    const { tetCount, bones, joints } = this.#model;
    return tetCount === 0 && bones.count === 1 && joints.count === 0 && !this.problems.isHeld && !this.#touch;
  }

  isReleased(state: BodyState): boolean {
    return state.clock[1] < 0 && this.#finish.isFree(state, this.problems.isHeld);
  }

  get isLost(): boolean {
    return this.#guard?.isCutWhileDriven(this.#state) === true && this.#estimateError() > LOST;
  }

  get isStuck(): boolean {
    return this.#guard?.isStuck === true;
  }

  get hasOvershot(): boolean {
    this.#global.mix(this.#state);
    // moves that went uphill are taken back where they are guarded
    return !this.#guard && (this.problems.isHeld || !this.#touch) && this.#acceleration?.hasOvershot === true;
  }

  get turnsRegions(): boolean {
    return this.#global.turning !== undefined;
  }

  get isSettled(): boolean {
    return !this.#touch?.sides.hasChanged(SMALL_CHANGE);
  }

  iterate(last: boolean): void {
    const { rows, report } = this;
    const [state, touch, began] = [this.#state, this.#touch, this.#clock()];
    report.iterations++;
    this.#global.mix(state);
    const left = this.options.tolerance > 0 || this.#guard ? 0 : this.options.iterations - report.iterations;
    this.#acceleration?.beginIteration(last, left);
    this.#global.isOnlySolve = touch === undefined;
    report.repairedRotations += rows.localStep(state);
    rows.collectResidual();
    this.#shapes?.addForces(rows, this.matrix.solve.y.view);
    const local = this.#clock();
    this.motion.gatherPull(rows, this.matrix.inertia);
    if (this.#guard?.watch(state, touch) === false) this.#acceleration?.restart();
    touch?.addForces(touch.sides.force, this.motion);
    if (last) this.#global.measureFlesh();
    if (this.#guard) this.#global.shorten(this.#guard.scale);
    this.#global.attachments?.measure(this.motion, this.#guard?.scale ?? 1);
    report.ms.local += local - began;
    report.ms.bones += this.#clock() - local;
    this.#global.run(state, last);
    // a shortened step takes only part of the momentum that gravity and contacts give a body, and the contacts would push on until the rest is there too
    if (this.#guard && this.#guard.scale !== 1 && touch && this.piece.isFree) {
      this.piece.restoreMomentum();
      this.#global.takePositions(state);
    }
  }

  prepareContacts(): void {
    this.#touch?.prepare(this.motion, this.#global.bones.exact, this.#global.turning);
  }

  placeContacts(): void {
    this.#touch?.readPositions(this.motion, this.#state);
  }

  /** Moves flesh and bones as the change of the contact forces wants; small changes can be left to the next iteration. */
  answerContacts(last: boolean): void {
    const touch = this.#touch;
    if (touch?.sides.hasChanged(last ? 0 : SMALL_CHANGE)) this.#global.answer(touch, this.#state, last);
  }

  /** What answers contacts, where there are any in this step. */
  get #touch(): ContactResponse | undefined {
    return this.contacts && this.contacts.sides.count > 0 ? this.contacts : undefined;
  }

  /** What depends on the matrix: the rows' weights, the bones' metric, contacts and held points. */
  #useMatrix(): void {
    this.rows.setInertia(this.matrix.inertia);
    this.problems.useMatrix();
    this.#global.metric = this.matrix.metric;
    this.#global.bones = this.problems.current;
    this.contacts?.useMatrix(this.matrix);
    this.#matrixVersion = this.matrix.version;
  }
}
