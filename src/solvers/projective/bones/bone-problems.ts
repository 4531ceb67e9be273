/**
 * How the bones of one body move: in the metric the flesh leaves them, and, where points of the body are held, in that metric with the
 * springs of the held points in it. Made anew when the matrix changes. Called by the projective solver.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import { SkylineRoom } from '../../../linalg/skyline-ldlt.js';
import { lengthVec3 } from '../../../math/vec3.js';
import type { BoneLead, HeldPoint } from '../../solver.js';
import type { StepReport } from '../../step-report.js';
import { PublishedBones } from '../compare/published-bones.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import type { FleshRows } from '../flesh-rows.js';
import type { BoneMethod } from '../options.js';
import { Attachments } from '../outside/attachments.js';
import type { ProjectiveState } from '../projective-state.js';
import { Assist } from './assist.js';
import { COUPLED_BONES, DENSE_BONES } from './bone-order.js';
import { BoneStep } from './bone-step.js';
import { LineMuscles } from './line-muscles.js';
import { MuscleFollower } from './muscle-follower.js';

/** The bone step for one metric; `published` is there where that projection was asked for. */
export interface BoneProblem {
  readonly exact: BoneStep;
  readonly published: PublishedBones | undefined;
}

/** The bone problem of one body, held or not. */
export class BoneProblems {
  /** 1 for bones that must not move now. */
  readonly fixed: Uint8Array;
  /** Where the factor of the bones' system is made. */
  readonly room: SkylineRoom;
  /** Held points, and the problem that goes with them; none where nothing is held. */
  attachments: Attachments | undefined;
  /** What leads a bone through space; nothing where none is led. */
  lead: BoneLead | undefined;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #matrix: ConstantMatrix;
  readonly #method: BoneMethod;
  readonly #assist = new Assist();
  readonly #lines: LineMuscles;
  readonly #follower: MuscleFollower;
  #points: readonly HeldPoint[] = [];
  #free!: BoneProblem;
  /** The same with far bones left out of the matrix, for steps in which nothing leads a bone. */
  #loose!: BoneProblem;
  #held: BoneProblem | undefined;
  #isLoose = false;

  constructor(plan: MemoryPlan, model: Model, rows: FleshRows, matrix: ConstantMatrix, method: BoneMethod) {
    this.#model = model;
    this.#rows = rows;
    this.#matrix = matrix;
    this.#method = method;
    this.#lines = new LineMuscles(model.muscles?.lines ?? []);
    this.#follower = new MuscleFollower(model);
    this.fixed = new Uint8Array(model.bones.count);
    this.room = new SkylineRoom(plan, model.bones.count * 6 + model.joints.rowStart[model.joints.count]);
  }

  /** The one that applies. */
  get current(): BoneProblem {
    return this.#held ?? (this.#isLoose ? this.#loose : this.#free);
  }

  /** Whether points are held, or a bone is led: an outside force that keeps no momentum. */
  get isHeld(): boolean {
    return this.attachments !== undefined || this.lead !== undefined;
  }

  /** Starts a step of `h` [s]. */
  begin(state: ProjectiveState, h: number): void {
    this.#assist.restart(this.lead, state.poses, h);
    this.#lines.restart(state.activations, state.poses, h);
    if (this.#rows.fibres) this.#rows.fibres.activations = state.activations;
    this.fixed.set(state.kinematic);
    this.#isLoose = this.lead === undefined && !this.fixed.includes(1);
    this.current.exact.restart(state.poses, state.motors, h);
  }

  /** Says what limits, motors and the lead did, at the end of a step. */
  finish(poses: BonePoses, report: StepReport): void {
    const { exact } = this.current;
    report.limitExcess = exact.readTorques(poses);
    report.trackingError = exact.motors.error(poses);
    this.lead?.wrench.set(this.#assist.wrench);
    report.assistForce = this.lead ? lengthVec3(this.lead.wrench, 3) : 0;
  }

  /** Writes to the state what joints and muscles did in a step of `h` [s] that stands. */
  commit(state: ProjectiveState, h: number): void {
    state.jointTorques.set(this.current.exact.jointTorques);
    this.#lines.readTensions(state.tensions);
    this.#follower.follow(state, h);
  }

  /** Takes the metric of the matrix as it is by now. */
  useMatrix(): void {
    this.#free = this.#make(this.#matrix.metric, DENSE_BONES);
    // contacts reckon with regions that turn through bones that all feel each other
    const mayLeaveOut = this.#matrix.regions.count === 0 && this.#model.bones.count > COUPLED_BONES;
    this.#loose = mayLeaveOut ? this.#make(this.#matrix.metric, COUPLED_BONES) : this.#free;
    this.hold(this.#points);
  }

  /** Takes hold of these points and of no others. */
  hold(points: readonly HeldPoint[]): void {
    this.#points = points;
    this.attachments = undefined;
    this.#held = undefined;
    if (points.length === 0) return;
    this.attachments = new Attachments(this.#model, this.#rows, this.#matrix.solve);
    this.attachments.hold(points, this.#matrix.metric);
    // what pulls at one bone with all might must reach the others at once
    this.#held = this.#make(this.attachments.metric, DENSE_BONES);
  }

  /** `dense`: bones up to which every pair is coupled. */
  #make(metric: Float64Array, dense: number): BoneProblem {
    const { bones, joints, size } = this.#model;
    // a region of flesh that turns couples bones that feel nothing of each other by themselves: left out, it takes more off their metric than there is
    const all = this.#matrix.regions.count > 0;
    const exact = new BoneStep(bones.count, joints, metric, this.fixed, size, this.room, dense, all);
    exact.motors.others.push(this.#assist, this.#lines);
    if (this.#method !== 'published') return { exact, published: undefined };
    return { exact, published: new PublishedBones(this.#model, metric, this.fixed, this.#matrix.inertia) };
  }
}
