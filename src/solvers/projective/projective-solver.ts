/**
 * Projective dynamics with rigid bones and joints [Li2019], solved exactly: flesh is eliminated, the bones are moved in
 * the metric the flesh leaves them (its Schur complement S), and the flesh then follows the rigid bones.
 *
 *     A = [ A_ff A_fb ] = L Lᵀ      forward   z = L_ff⁻¹ r_f,   b' = r_b − L_bf z
 *         [ A_bf A_bb ]             bones     min ½⟨δ, S δ⟩ − ⟨b', δ⟩ over rigid, jointed T + δ
 *                                   backward  δ_f = L_ff⁻ᵀ (z − L_bfᵀ δ)
 *
 * r is minus the gradient of the step's objective at the current positions, so that every solve is for an increment and
 * f32 is enough. `bones: 'printed'` projects as the paper does, for comparison.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import type { ContactBuffer } from '../../collision/contacts.js';
import { TendonError } from '../../errors.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import { SkylineRoom } from '../../linalg/skyline-ldlt.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import { createReport, type Solver, type StepReport } from '../solver.js';
import { Attachments, type HeldPoint } from './attachments.js';
import { BoneMotion } from './bone-motion.js';
import { BoneStep } from './bone-step.js';
import { ConstantMatrix } from './constant-matrix.js';
import { ContactResponse } from './contact-response.js';
import { Descent } from './descent.js';
import { StepFinish } from './finish.js';
import { FleshRows } from './flesh-rows.js';
import { type Layout, layOut } from './layout.js';
import { type ProjectiveOptions, WeightCache } from './options.js';
import { predictFlesh } from './predict.js';
import { PrintedBones } from './printed-bones.js';
import { ShapeTargets } from './shape-targets.js';

/** Milliseconds from any fixed moment; the step itself never looks at a clock. */
export type Clock = () => number;

/** Contact forces change from one iteration to the next and do work: only a rise like this means that steps overshoot. */
const CONTACT_SLACK = 1;

/** The bone step for one metric; `printed` is there where that projection was asked for. */
interface BoneProblem {
  readonly exact: BoneStep;
  readonly printed: PrintedBones | undefined;
}

/** Solves bodies of one model; precomputes once per model and time step. */
export class ProjectiveSolver implements Solver {
  readonly report: StepReport = createReport();
  readonly options: ProjectiveOptions;
  readonly rows: FleshRows;
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #matrix: ConstantMatrix;
  readonly #solve: SolvePlan;
  readonly #weights = new WeightCache();
  readonly #motion: BoneMotion;
  readonly #finish: StepFinish;
  readonly #descent: Descent | undefined;
  readonly #shapes: ShapeTargets | undefined;
  #response: ContactResponse | undefined;
  /** Contacts of the body being stepped; undefined where there are none. */
  #contacts: ContactBuffer | undefined;
  readonly #fixed: Uint8Array;
  readonly #quatsBefore: Slot<Float32Array>;
  readonly #room: SkylineRoom;
  readonly #clock: Clock;
  #squareResidual = 0;
  /** How the bones move when nothing is held, and held points of each body with a bone step that knows of them. */
  #free!: BoneProblem;
  readonly #held = new Map<BodyState, { attachments: Attachments; points: readonly HeldPoint[]; bones: BoneProblem }>();
  /** What applies to the body being stepped. */
  #bones!: BoneProblem;
  #attachments: Attachments | undefined;

  /**
   * Analyses and factors for time step `h` [s]; arrays are planned in `plan` and filled by `start`. `shapes`: flesh vertices
   * that are drawn to a rigid copy of themselves, for `bones: 'shape'`.
   */
  constructor(
    plan: MemoryPlan,
    model: Model,
    options: ProjectiveOptions,
    h: number,
    clock: Clock,
    shapes: readonly Int32Array[] = [],
  ) {
    this.#shapes = shapes.length > 0 ? new ShapeTargets(model, shapes) : undefined;
    this.#model = model;
    this.options = options;
    this.#clock = clock;
    this.#layout = layOut(model);
    const inertia = 1 / this.#weights.get(options, h, 0).acceleration;
    this.#matrix = new ConstantMatrix(plan, model, this.#layout, this.#shapes, inertia);
    this.#solve = this.#matrix.solve;
    this.#fixed = new Uint8Array(model.bones.count);
    this.rows = new FleshRows(plan, model, this.#layout, this.#matrix.structure, this.#solve);
    this.#quatsBefore = plan.f32(this.quatCount);
    this.#room = new SkylineRoom(plan, model.bones.count * 6 + model.joints.rowStart[model.joints.count]);
    this.#motion = new BoneMotion(model, this.#layout);
    this.#finish = new StepFinish(model, this.#layout);
    this.#descent = this.rows.guarded ? new Descent(model, this.rows, this.#motion) : undefined;
  }

  /** f32 numbers a body's tet rotations take. */
  get quatCount(): number {
    return this.rows.groupCount * 16;
  }

  /** Entries of the factor, explicit zeros not counted. */
  get factorEntries(): number {
    return this.#matrix.structure.entries;
  }

  /** Multiplier of each joint row in the last step [N]; the force on bone A along the row is its negative. */
  get jointMultipliers(): Float64Array {
    return this.#bones.exact.multipliers;
  }

  /** Fills the memory once it exists. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#room.kernels = kernels;
    this.rows.start(kernels, threads);
    this.#matrix.start(kernels, threads);
    this.#useMatrix();
  }

  /** Gets ready for up to `capacity` contacts of these vertices; call before `start`. */
  enableContacts(surface: Int32Array, capacity: number): void {
    this.#response ??= new ContactResponse(this.#model, this.rows, this.#solve, surface, capacity);
  }

  /** Takes hold of these points of a body, and of no others, from the next step on. */
  hold(state: BodyState, points: readonly HeldPoint[]): void {
    this.#held.delete(state);
    if (points.length === 0) return;
    const attachments = new Attachments(this.#model, this.rows, this.#solve);
    attachments.hold(points, this.#matrix.metric);
    this.#held.set(state, { attachments, points, bones: this.#poseProblem(attachments.metric) });
  }

  step(state: BodyState, gravity: ArrayLike<number>, h: number, contacts?: ContactBuffer): boolean {
    this.#contacts = contacts && contacts.count > 0 ? contacts : undefined;
    this.#quatsBefore.view.set(state.quats);
    try {
      return this.#attempt(state, gravity, h);
    } catch (error) {
      // A helper thread died in the middle. Nothing is committed yet: take the step again on the caller's thread alone.
      if (!(error instanceof TendonError) || error.code !== 'E_THREAD') throw error;
      state.quats.set(this.#quatsBefore.view);
      if (this.#contacts) this.#response?.restore(this.#contacts);
      return this.#attempt(state, gravity, h);
    }
  }

  #attempt(state: BodyState, gravity: ArrayLike<number>, h: number): boolean {
    const { ms } = this.report;
    ms.predict = ms.local = ms.global = ms.bones = ms.contact = ms.finish = 0;
    this.report.repairedRotations = 0;
    const began = this.#clock();
    const weights = this.#weights.get(this.options, h, state.clock[1]);
    if (this.#matrix.setInertia(1 / weights.acceleration)) this.#useMatrix();
    const held = this.#held.get(state);
    this.#attachments = held?.attachments;
    this.#bones = held?.bones ?? this.#free;
    this.#bones.exact.restart();
    this.#fixed.set(state.kinematic);
    const pushed = this.options.iterations === 0;
    predictFlesh(this.#model, this.#layout, this.rows, state, weights, gravity, pushed);
    this.#motion.predict(state, weights, gravity, pushed);
    const predicted = this.#clock();
    if (this.#contacts) this.#response?.begin(this.#contacts);
    ms.contact = this.#clock() - predicted;
    this.#solve.y.view.fill(0);
    this.rows.clear();
    this.rows.move();
    this.#motion.carryVertices(this.rows, state);
    ms.predict = this.#clock() - began - ms.contact;

    this.#descent?.begin();
    this.#attachments?.begin(this.#motion);
    const { iterations } = this.options;
    this.report.iterations = 0;
    for (let last = false; this.report.iterations < iterations && !last; ) {
      last = ++this.report.iterations === iterations || this.#isBalanced();
      this.#iterate(state, last);
    }
    if (iterations === 0) this.#closeJoints(state);

    const finishing = this.#clock();
    const good = this.#finish.commit(
      this.rows,
      this.#motion,
      state,
      weights,
      gravity,
      h,
      held !== undefined || this.#contacts !== undefined,
      this.report,
    );
    if (!good) state.quats.set(this.#quatsBefore.view);
    ms.finish = this.#clock() - finishing;
    return good;
  }

  /** True when the iteration before found less force unbalanced than the tolerance. */
  #isBalanced(): boolean {
    const { tolerance } = this.options;
    return tolerance > 0 && this.report.iterations > 1 && this.#squareResidual <= tolerance * tolerance;
  }

  /** One local/global iteration; in the last one the bones go on until every joint is closed. */
  #iterate(state: BodyState, last: boolean): void {
    const { ms } = this.report;
    const { rows } = this;
    const began = this.#clock();
    this.report.repairedRotations += rows.localStep(state);
    if (this.#descent) this.#watch(this.#descent, state);
    rows.collectResidual();
    this.#shapes?.addForces(rows, this.#solve.y.view);
    const local = this.#clock();
    this.#motion.gatherPull(rows, this.#matrix.inertia);
    if (this.#contacts) this.#response?.addForces(this.#contacts, this.#motion);
    if (last || this.options.tolerance > 0) this.#squareResidual = this.#measureFlesh();
    if (this.#descent) this.#shorten(this.#descent.scale);
    this.#attachments?.measure(this.#motion, this.#descent?.scale ?? 1);
    const gathered = this.#clock();
    ms.local += local - began;
    ms.bones += gathered - local;
    this.#solveGlobally(state, last);
    if (!this.#contacts) return;
    // the contacts' second solve counts as theirs, not as the first one's
    const { global, bones } = ms;
    const solved = this.#clock();
    this.#answerContacts(this.#contacts, state, last);
    ms.contact += this.#clock() - solved;
    ms.global = global;
    ms.bones = bones;
  }

  /** Forward, bones, backward for the right-hand sides as they are; then everything moves. */
  #solveGlobally(state: BodyState, last: boolean): void {
    const { ms } = this.report;
    const began = this.#clock();
    this.#clearBoneRows();
    this.#solve.forward();
    const eliminated = this.#clock();
    const change = this.#moveBones(last);
    this.#writeBoneRows(change);
    const moved = this.#clock();
    this.#solve.backward();
    this.#attachments?.addResponse(change);
    this.rows.move();
    const substituted = this.#clock();
    this.#motion.carryVertices(this.rows, state);
    ms.global += eliminated - began + substituted - moved;
    ms.bones += moved - eliminated + this.#clock() - substituted;
  }

  /** Corrects the contact forces and moves flesh and bones accordingly. */
  #answerContacts(contacts: ContactBuffer, state: BodyState, last: boolean): void {
    if (!this.#response?.correct(contacts, this.#motion, last)) return;
    const { exact } = this.#bones;
    exact.keepMultipliers();
    // held points pull no further here: their springs only give way to the correction
    this.#attachments?.measure(this.#motion, 0);
    this.#solveGlobally(state, last);
    exact.addKeptMultipliers();
  }

  /** Goes back to the best positions so far where the last iteration went uphill. */
  #watch(descent: Descent, state: BodyState): void {
    const springs = this.#attachments?.springEnergy(this.#motion) ?? 0;
    if (descent.accept(this.#matrix.inertia, springs, this.#contacts ? CONTACT_SLACK : 0)) return;
    this.rows.clear();
    this.#solve.y.view.fill(0);
    this.rows.move();
    this.#motion.carryVertices(this.rows, state);
    this.rows.localStep(state);
  }

  /** Scales the right-hand side, and with it the step. */
  #shorten(scale: number): void {
    if (scale === 1) return;
    const y = this.#solve.y.view;
    for (let i = 0; i < this.rows.fleshCount * 4; i++) y[i] *= scale;
    const { pull } = this.#motion;
    for (let i = 0; i < pull.length; i++) pull[i] *= scale;
  }

  /** Solves the bone problem for the pull that is left after the forward sweep; returns the change the flesh follows. */
  #moveBones(last: boolean): Float64Array {
    const { count, pull, poses } = this.#motion;
    const y = this.#solve.y.view;
    const first = this.rows.fleshCount * 4;
    for (let i = 0; i < count * 4; i++) {
      for (let k = 0; k < 3; k++) pull[i * 3 + k] += y[first + i * 4 + k];
    }
    this.#attachments?.addPull(pull);
    const { exact, printed } = this.#bones;
    if (printed) {
      const change = printed.project(this.#motion, pull);
      this.report.jointGap = printed.gap;
      this.report.residual = Math.sqrt(this.#squareResidual);
      return change;
    }
    exact.begin(poses);
    if (last) {
      this.report.jointGap = exact.stepUntilClosed(poses, pull, 1);
      this.report.redundantRows = exact.redundantRows;
      this.report.residual = Math.sqrt(this.#squareResidual + exact.squareResidual);
    } else exact.stepOnce(poses, pull);
    return exact.change;
  }

  /** Without iterations nothing but the joints is solved for. */
  #closeJoints(state: BodyState): void {
    this.#motion.pull.fill(0);
    const { exact } = this.#bones;
    exact.begin(this.#motion.poses);
    this.report.jointGap = exact.stepUntilClosed(this.#motion.poses, this.#motion.pull, 0);
    this.#motion.carryVertices(this.rows, state);
  }

  /** Sum of squares of the unbalanced force on flesh [N²]. */
  #measureFlesh(): number {
    const y = this.#solve.y.view;
    let sum = 0;
    for (let i = 0; i < this.rows.fleshCount * 4; i++) sum += y[i] * y[i];
    return sum + (this.#attachments?.correctResidual() ?? 0);
  }

  #clearBoneRows(): void {
    const first = this.rows.fleshCount * 4;
    this.#solve.y.view.fill(0, first, first + this.#motion.count * 16);
  }

  #writeBoneRows(change: Float64Array): void {
    const y = this.#solve.y.view;
    const first = this.rows.fleshCount * 4;
    for (let i = 0; i < this.#motion.count * 4; i++) {
      for (let k = 0; k < 3; k++) y[first + i * 4 + k] = change[i * 3 + k];
    }
  }

  /** What depends on the matrix: the rows' weights, the bones' metric, contacts and held points. */
  #useMatrix(): void {
    const { metric, inertia } = this.#matrix;
    const { view } = this.rows.weights;
    this.#layout.fleshVertices.forEach((vertex) => {
      view[this.rows.rowOfVertex[vertex]] = this.#model.masses[vertex] * inertia;
    });
    this.#free = this.#poseProblem(metric);
    this.#bones = this.#free;
    this.#response?.compliance.useMetric(metric);
    for (const [state, { points }] of [...this.#held]) this.hold(state, points);
  }

  #poseProblem(metric: Float64Array): BoneProblem {
    const { bones, joints, size } = this.#model;
    const exact = new BoneStep(bones.count, joints, metric, this.#fixed, size, this.#room);
    if (this.options.bones !== 'printed') return { exact, printed: undefined };
    return { exact, printed: new PrintedBones(this.#model, metric, this.#fixed, this.#matrix.inertia) };
  }
}
