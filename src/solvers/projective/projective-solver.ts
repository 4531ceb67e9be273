/**
 * Projective dynamics with rigid bones and joints [Li2019], solved exactly: flesh is eliminated, the bones are moved in
 * the metric the flesh leaves them (its Schur complement S), and the flesh then follows the rigid bones.
 *
 *     A = [ A_ff A_fb ] = L Lᵀ      forward   z = L_ff⁻¹ r_f,   b' = r_b − L_bf z
 *         [ A_bf A_bb ]             bones     min ½⟨δ, S δ⟩ − ⟨b', δ⟩ over rigid, jointed T + δ
 *                                   backward  δ_f = L_ff⁻ᵀ (z − L_bfᵀ δ)
 *
 * r is minus the gradient of the step's objective at the current positions, so that every solve is for an increment and
 * f32 is enough. `bones: 'published'` projects as the paper does, for comparison.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import type { SideList } from '../../contact/side-list.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import { SkylineRoom } from '../../linalg/skyline-ldlt.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import { dotVec3 } from '../../math/vec3.js';
import type { BodySolver } from '../side-by-side.js';
import type { Clock, HeldPoint } from '../solver.js';
import { createReport, type StepReport } from '../step-report.js';
import { BoneMotion, type InertiaWeights } from './bones/bone-motion.js';
import { BoneStep } from './bones/bone-step.js';
import { PublishedBones } from './compare/published-bones.js';
import { ShapeTargets } from './compare/shape-targets.js';
import { ConstantMatrix } from './constant-matrix.js';
import { StepFinish } from './finish.js';
import { FleshRows } from './flesh-rows.js';
import { type BoneProblem, GlobalStep } from './global-step.js';
import { Acceleration } from './iterate/acceleration.js';
import { Guard } from './iterate/guard.js';
import { inertialEnergy } from './iterate/step-objective.js';
import { type Layout, layOut } from './layout.js';
import { NO_PAST, PROJECTIVE_STAGES, type ProjectiveOptions, WeightCache } from './options.js';
import { Attachments } from './outside/attachments.js';
import type { ContactCompliance } from './outside/contact-compliance.js';
import { ContactResponse } from './outside/contact-response.js';
import { predictFlesh } from './predict.js';
import type { ProjectiveState } from './projective-state.js';

/** Change of contact forces, as a share of the largest one, that can wait for the next iteration's solve. */
const SMALL_CHANGE = 1e-3;

/** Solves one body; what is precomputed per model and time step is shared with others of the model. */
export class ProjectiveSolver implements BodySolver {
  readonly report: StepReport = createReport(PROJECTIVE_STAGES);
  readonly options: ProjectiveOptions;
  readonly rows: FleshRows;
  readonly #model: Model;
  readonly layout: Layout;
  /** Shared by all bodies of the model. */
  readonly matrix: ConstantMatrix;
  readonly #solve: SolvePlan;
  readonly #weights = new WeightCache();
  readonly #motion: BoneMotion;
  readonly #finish: StepFinish;
  readonly #global: GlobalStep;
  readonly #guard: Guard | undefined;
  readonly #acceleration: Acceleration | undefined;
  readonly #shapes: ShapeTargets | undefined;
  /** Where contacts touch the body in this step; set by `enableContacts`. */
  sides: SideList | undefined;
  #response: ContactResponse | undefined;
  /** Sum of the contact forces, for the balance of momentum [N]. */
  readonly #outside = new Float64Array(3);
  /** The step in progress. */
  #state!: ProjectiveState;
  #gravity: ArrayLike<number> = [];
  #h = 0;
  #inertiaWeights!: InertiaWeights;
  /** Factorisation that rows, bones and held points were prepared for. */
  #matrixVersion = -1;
  readonly #fixed: Uint8Array;
  readonly #quatsBefore: Slot<Float32Array>;
  readonly #room: SkylineRoom;
  readonly #clock: Clock;
  /** How the bones move when nothing is held, and held points of each body with a bone step that knows of them. */
  #free!: BoneProblem;
  readonly #held = new Map<BodyState, { attachments: Attachments; points: readonly HeldPoint[]; bones: BoneProblem }>();

  /**
   * Analyses and factors for time step `h` [s]; arrays are planned in `plan` and filled by `start`. `shapes`: flesh vertices
   * that are drawn to a rigid copy of themselves, for `bones: 'shape'`; `twin`: the solver of another body of the same
   * model, whose factorisation serves both.
   */
  constructor(
    plan: MemoryPlan,
    model: Model,
    options: ProjectiveOptions,
    h: number,
    clock: Clock,
    shapes: readonly Int32Array[] = [],
    twin?: ProjectiveSolver,
  ) {
    this.#shapes = shapes.length > 0 ? new ShapeTargets(model, shapes) : undefined;
    this.#model = model;
    this.options = options;
    this.#clock = clock;
    this.layout = twin?.layout ?? layOut(model);
    const inertia = 1 / this.#weights.get(options, h, 0).acceleration;
    this.matrix = twin?.matrix ?? new ConstantMatrix(plan, model, this.layout, this.#shapes, inertia);
    this.#solve = this.matrix.solve;
    this.#fixed = new Uint8Array(model.bones.count);
    this.rows = new FleshRows(plan, model, this.layout, this.matrix.structure, this.#solve);
    this.#quatsBefore = plan.f32(this.quatCount);
    this.#room = new SkylineRoom(plan, model.bones.count * 6 + model.joints.rowStart[model.joints.count]);
    this.#motion = new BoneMotion(model, this.layout);
    this.#finish = new StepFinish(model, this.layout, options.bones !== 'published');
    this.#global = new GlobalStep(this.rows, this.#solve, this.#motion, this.report, clock);
    if (options.bones !== 'published' && this.rows.fleshCount > 0) {
      this.#acceleration = new Acceleration(plan, this.rows, this.#solve, this.#motion, model.size);
      this.#global.acceleration = this.#acceleration;
    }
    if (this.rows.guarded) {
      this.#guard = new Guard(model, this.layout, this.rows, this.#solve, this.#motion, this.#global);
    }
  }

  /** f32 numbers a body's tet rotations take. */
  get quatCount(): number {
    return this.rows.groupCount * 16;
  }

  /** Entries of the factor, explicit zeros not counted. */
  get factorEntries(): number {
    return this.matrix.structure.entries;
  }

  /** Multiplier of each joint row in the last step [N]; the force on bone A along the row is its negative. */
  get jointMultipliers(): Float64Array {
    return this.#global.bones.exact.multipliers;
  }

  /** Fills the memory once it exists. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#room.kernels = kernels;
    this.rows.start(kernels, threads);
    this.#acceleration?.start(kernels, threads);
    this.matrix.start(kernels, threads);
    this.#useMatrix();
  }

  /** Gets ready for contacts; call before `start`. `compliance`: shared by the bodies of a model. */
  enableContacts(sides: SideList, compliance: ContactCompliance, surfaceOf: Int32Array): void {
    this.sides = sides;
    const { rows } = this;
    this.#response = new ContactResponse(this.#model, rows, this.#solve, compliance, surfaceOf, sides.capacity);
  }

  /** Takes hold of these points of a body, and of no others, from the next step on. */
  hold(state: BodyState, points: readonly HeldPoint[]): void {
    this.#held.delete(state);
    if (points.length === 0) return;
    const attachments = new Attachments(this.#model, this.rows, this.#solve);
    attachments.hold(points, this.matrix.metric);
    this.#held.set(state, { attachments, points, bones: this.#poseProblem(attachments.metric) });
  }

  /** Starts a step of length `h` [s]; nothing of the state but the tets' rotations changes before `finish`. */
  begin(given: BodyState, gravity: ArrayLike<number>, h: number, ignoreHistory: boolean): void {
    const { ms } = this.report;
    ms.predict = ms.local = ms.global = ms.bones = ms.contact = ms.finish = 0;
    this.report.repairedRotations = 0;
    this.report.iterations = 0;
    const began = this.#clock();
    const state = given as ProjectiveState;
    this.#state = state;
    this.#gravity = gravity;
    this.#h = h;
    this.#quatsBefore.view.set(state.quats);
    const weights = this.#weights.get(this.options, h, ignoreHistory ? NO_PAST : state.clock[1]);
    this.#inertiaWeights = weights;
    this.matrix.setInertia(1 / weights.acceleration);
    if (this.#matrixVersion !== this.matrix.version) this.#useMatrix();
    const held = this.#held.get(state);
    this.#global.attachments = held?.attachments;
    this.#global.bones = held?.bones ?? this.#free;
    this.#global.bones.exact.restart(state.poses, state.motors, h);
    this.#fixed.set(state.kinematic);
    const pushed = this.options.iterations === 0;
    predictFlesh(this.#model, this.layout, this.rows, state, weights, gravity, pushed);
    this.#motion.predict(state, weights, gravity, pushed);
    this.#solve.y.view.fill(0);
    this.rows.clear();
    this.rows.move();
    this.#motion.carryVertices(this.rows, state);
    this.#guard?.begin();
    this.#acceleration?.begin(this.matrix.inertia * this.#model.totalMass);
    // held points pull with forces that the inner product does not know of
    if (this.#acceleration)
      this.#acceleration.mixes = this.options.accelerated && this.options.bones === 'exact' && !held;
    this.#global.attachments?.begin(state, h);
    ms.predict = this.#clock() - began;
  }

  /** Gets ready to answer the contacts in `sides`, once all bodies have begun. */
  beginContacts(): void {
    if (!this.sides || this.sides.count === 0) return;
    // bodies that push each other converge together or not at all: what one of them has shown says too little
    if (this.sides.meetsBodies && this.#acceleration) this.#acceleration.mixes = false;
    const began = this.#clock();
    this.#response?.begin(this.sides, this.#motion);
    this.report.ms.contact += this.#clock() - began;
  }

  /** Ends the step: writes the result to the state. False, with the state untouched, where something is not finite. */
  finish(): boolean {
    const state = this.#state;
    if (this.options.iterations === 0) this.#global.closeJoints(state);
    const finishing = this.#clock();
    this.#global.mix(state);
    this.report.error = this.#estimateError();
    if (this.#guard && this.options.iterations > 0) {
      if (!this.#guard.settle(state, this.matrix.inertia, this.#touches, this.#response)) {
        this.abandon();
        return false;
      }
    }
    const held = this.#held.has(state);
    this.#sumContactForces();
    const { rows, report } = this;
    const { exact } = this.#global.bones;
    report.limitExcess = exact.readTorques(this.#motion.poses);
    const weights = this.#inertiaWeights;
    const good = this.#finish.commit(
      rows,
      this.#motion,
      state,
      weights,
      this.#gravity,
      this.#h,
      held,
      this.#outside,
      this.#touches?.hasForce ?? false,
      report,
    );
    if (good) state.jointTorques.set(exact.jointTorques);
    else this.abandon();
    report.ms.finish = this.#clock() - finishing;
    return good;
  }

  /**
   * Estimate of the distance from the converged step as a share of the correction |x − y| that was needed, in the masses. The energy left to
   * fall bounds the distance: the stiffness is at least that of inertia. In free fall nothing is needed: what gravity does in a step counts
   * at least. Bodies without flesh have nothing to converge to but their joints.
   */
  #estimateError(): number {
    if (!this.#acceleration) return this.rows.fleshCount > 0 ? 1 : 0;
    const { left } = this.#acceleration.convergence;
    const square = dotVec3(this.#gravity, 0, this.#gravity, 0);
    const falling = 0.5 * this.#model.totalMass * this.#inertiaWeights.acceleration * square;
    const needed = Math.max(falling, inertialEnergy(this.#model, this.rows, this.#motion, this.matrix.inertia));
    return left < needed ? Math.sqrt(left / needed) : left > 0 ? 1 : 0;
  }

  /** Leaves a step that was begun, as if it had not been. */
  abandon(): void {
    this.#state.quats.set(this.#quatsBefore.view);
  }

  /** True where the step is taken to be as near to its converged end as the tolerance asks. */
  get isBalanced(): boolean {
    const { tolerance } = this.options;
    return tolerance > 0 && this.report.iterations > 0 && this.#estimateError() <= tolerance;
  }

  /** One local/global iteration; in the last one the bones go on until every joint is closed. */
  iterate(last: boolean): void {
    const { ms } = this.report;
    const { rows } = this;
    const state = this.#state;
    const began = this.#clock();
    this.report.iterations++;
    this.#global.mix(state);
    this.#acceleration?.beginIteration(last);
    this.#global.isOnlySolve = this.#touches === undefined;
    this.report.repairedRotations += rows.localStep(state);
    rows.collectResidual();
    this.#shapes?.addForces(rows, this.#solve.y.view);
    const local = this.#clock();
    this.#motion.gatherPull(rows, this.matrix.inertia);
    if (this.#guard?.watch(state, this.#touches, this.#response) === false) this.#acceleration?.restart();
    if (this.#touches) this.#response?.addForces(this.#touches, this.#touches.force, this.#motion);
    if (last) this.#global.measureFlesh();
    if (this.#guard) this.#global.shorten(this.#guard.scale);
    this.#global.attachments?.measure(this.#motion, this.#guard?.scale ?? 1);
    const gathered = this.#clock();
    ms.local += local - began;
    ms.bones += gathered - local;
    this.#global.run(state, last);
    if (this.#guard && this.#guard.scale !== 1 && this.#touches) this.#balanceShortened();
  }

  /**
   * A shortened step takes only part of the momentum that gravity and contacts give a body, and the contacts would push on until
   * the rest is there too: the rest is given here, as a common shift.
   */
  #balanceShortened(): void {
    const state = this.#state;
    if (!this.#finish.isFree(state, this.#held.has(state))) return;
    this.#sumContactForces();
    this.#finish.restoreMomentum(this.rows, this.#motion, this.#inertiaWeights.acceleration, this.#outside);
    this.#global.takePositions(state);
  }

  #sumContactForces(): void {
    this.#outside.fill(0);
    this.#touches?.addForces(this.#outside);
  }

  /** Makes the compliance of the contact sides that are wanted. */
  prepareContacts(): void {
    const sides = this.#touches;
    if (!sides || sides.wantedCount === sides.preparedCount) return;
    this.#response?.prepare(sides, this.#motion, this.#global.bones.exact);
  }

  /** Where the sides of the contacts are now, for the contact solver. */
  placeContacts(): void {
    if (this.#touches) this.#response?.readPlaces(this.#touches, this.#motion, this.#state);
  }

  /**
   * Moves flesh and bones as the change of the contact forces wants, by a second solve in the same iteration. Leaving every
   * change to the next iteration instead saves that solve, and oscillates: flesh under a heavy bone never came to rest. Small
   * ones can be left.
   */
  answerContacts(last: boolean): void {
    if (!this.#touches || !this.#response || !this.#touches.hasChanged(last ? 0 : SMALL_CHANGE)) return;
    const { ms } = this.report;
    // the contacts' second solve counts as theirs, not as the first one's
    const { global, bones } = ms;
    const began = this.#clock();
    const { exact } = this.#global.bones;
    this.#solve.y.view.fill(0);
    this.#motion.pull.fill(0);
    this.#response.addForces(this.#touches, this.#touches.change, this.#motion);
    exact.keepMultipliers();
    // held points pull no further here: their springs only give way to the correction
    this.#global.attachments?.measure(this.#motion, 0);
    exact.answering = true;
    this.#global.run(this.#state, last);
    exact.answering = false;
    exact.addKeptMultipliers();
    ms.global = global;
    ms.bones = bones;
    ms.contact += this.#clock() - began;
  }

  /** The sides of the contacts where there are any. */
  get #touches(): SideList | undefined {
    return this.sides && this.sides.count > 0 ? this.sides : undefined;
  }

  /** What depends on the matrix: the rows' weights, the bones' metric, contacts and held points. */
  #useMatrix(): void {
    const { metric, inertia } = this.matrix;
    const { view } = this.rows.weights;
    this.layout.fleshVertices.forEach((vertex) => {
      view[this.rows.rowOfVertex[vertex]] = this.#model.masses[vertex] * inertia;
    });
    this.#free = this.#poseProblem(metric);
    this.#global.metric = metric;
    this.#global.bones = this.#free;
    this.#response?.compliance.useMatrix(this.matrix);
    this.#matrixVersion = this.matrix.version;
    for (const [state, { points }] of [...this.#held]) this.hold(state, points);
  }

  #poseProblem(metric: Float64Array): BoneProblem {
    const { bones, joints, size } = this.#model;
    const exact = new BoneStep(bones.count, joints, metric, this.#fixed, size, this.#room);
    if (this.options.bones !== 'published') return { exact, published: undefined };
    return { exact, published: new PublishedBones(this.#model, metric, this.#fixed, this.matrix.inertia) };
  }
}
