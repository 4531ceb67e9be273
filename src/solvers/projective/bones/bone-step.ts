/**
 * The bone problem of one global step: of all rigid, jointed poses, the one that costs least in a given metric,
 *
 *     min ½⟨δ, S δ⟩ − ⟨b, δ⟩ + motors     over  T + δ,  T_k ∈ SE(3),  joints closed and within their limits
 *
 * by Gauss-Newton steps on the six unknowns of each bone. With S the Schur complement of the flesh this is the exact
 * step; with S the mass of the bones it is the projection of [Li2019 §3.2, Alg. 1]. Called by the projective solver.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { pullLeft } from '../../../body/joints/bone-metric.js';
import type { Joints } from '../../../body/joints/joints.js';
import { JOINT_STEPS, JOINT_TOLERANCE, LIMIT_TOLERANCE, PULLED_BONE_STEPS } from '../../../constants.js';
import type { SkylineRoom } from '../../../linalg/skyline-ldlt.js';
import type { TurningRegions } from '../regions/turning-regions.js';
import { ActiveRows } from './active-rows.js';
import { BoneCurvature } from './bone-curvature.js';
import { BoneSystem } from './bone-system.js';
import { type BoneParts, factorBones } from './factor-bones.js';
import { LimitPatience } from './limit-patience.js';
import { Motors } from './motors.js';
import { TurnWork } from './turn-work.js';

/**
 * How much joint rows give way while only the joints are closed, relative to what they can move: at most, and per gap relative to the
 * body's size [Levenberg-Marquardt]. Rows that nearly repeat each other (a bone held at both ends by driven ones) have pivots so
 * small that without this the step flies off; it goes to zero with the gap, so that joints still close to the last digit.
 */
const MOST_GIVE = 1e-2;
const GIVE_PER_GAP = 0.1;

/** Owns the small saddle-point system of a body's bones. */
export class BoneStep {
  /** Change of the transforms since `begin`, four rows of three per bone. */
  readonly change: Float64Array;
  /** Multiplier of each joint row [N]; the force on bone A along the row is its negative. */
  readonly multipliers: Float64Array;
  /** Sum of squares of the force on the bones that neither joints nor flesh balance [N²], when the last solve began. */
  squareResidual = 0;
  /** Rows of the last system that were redundant. */
  redundantRows = 0;
  /** Whether the pull is a change of contact forces: the system is then that of `factorAt`, whose compliance the contact solver counts on. */
  answering = false;
  /** Regions of flesh that turn along in this problem. */
  regions: TurningRegions | undefined;
  /** Share of the full move that the pull was scaled to. */
  share = 1;
  readonly #noPull: Float64Array;
  readonly #boneCount: number;
  readonly #joints: Joints;
  readonly #size: number;
  readonly #system: BoneSystem;
  /** Motors of the joints, and what pushes beside them. */
  readonly motors: Motors;
  readonly #active: ActiveRows;
  /** What motors and limits do over a move. */
  readonly turnWork: TurnWork;
  readonly #patience = new LimitPatience();
  readonly #metric: Float64Array;
  readonly #fixed: Uint8Array;
  readonly #pull: Float64Array;
  readonly #start: Float64Array;
  readonly #now = new Float64Array(12);
  readonly #kept: Float64Array;
  readonly #curvature: BoneCurvature;
  readonly #parts: BoneParts;
  /** Whether anything has changed since `begin`: the product S δ is dense, and the first one is with nothing. */
  #moved = false;
  /** Largest gap at the poses the system is built for [m]. */
  #largestGap = 0;
  /** Whether the multipliers belong to this time step. */
  #multipliersKnown = false;

  /** `metric`: 4m x 4m, row major; `fixed`: 1 for bones that must not move now; `size`: of the body [m]; `room`: where the kernel can factor; `dense`, `all`: see BoneSystem. */
  constructor(
    boneCount: number,
    joints: Joints,
    metric: Float64Array,
    fixed: Uint8Array,
    size: number,
    room?: SkylineRoom,
    dense?: number,
    all?: boolean,
  ) {
    this.#boneCount = boneCount;
    this.#joints = joints;
    this.#size = size;
    this.#metric = metric;
    this.#fixed = fixed;
    this.#system = new BoneSystem(boneCount, joints, metric, fixed, size, room, dense, all);
    this.motors = new Motors(joints, boneCount);
    this.#active = new ActiveRows(joints, boneCount, this.motors, this.#system.ldlt.size);
    this.turnWork = new TurnWork(joints, boneCount, this.motors, this.#active.rows);
    const rows = joints.rowStart[joints.count];
    this.multipliers = new Float64Array(rows);
    this.#kept = new Float64Array(rows);
    this.#noPull = new Float64Array(boneCount * 12);
    this.#pull = new Float64Array(boneCount * 12);
    this.#start = new Float64Array(boneCount * 12);
    this.change = new Float64Array(boneCount * 12);
    this.#curvature = new BoneCurvature(boneCount, joints, size);
    this.#parts = { system: this.#system, curvature: this.#curvature, motors: this.motors, active: this.#active };
  }

  /** Gap of each joint row [m], at the poses of the last step's start. */
  get gaps(): Float64Array {
    return this.#system.gaps;
  }

  /** Torque of the limits and of the motor on the second bone of each pair, 3 each per pair, world axes [N m]. */
  get jointTorques(): Float64Array {
    return this.#active.torques;
  }

  /**
   * Forgets the multipliers of the step before, so that a step depends on nothing but the state it starts from: these poses, and the
   * motors (MOTOR_STRIDE numbers per pair) for a step of `h` [s].
   */
  restart(poses: BonePoses, motors: Float64Array | undefined, h: number): void {
    this.#multipliersKnown = false;
    this.motors.restart(motors, poses, h);
    this.#active.rows.restart(poses, h);
  }

  /** Remembers the poses that changes are counted from. */
  begin(poses: BonePoses): void {
    for (let bone = 0; bone < this.#boneCount; bone++) poses.writeAffine(bone, this.#start, bone * 12);
    this.change.fill(0);
    this.#moved = false;
    if (this.answering) {
      this.motors.keepBase(poses);
      this.#active.rows.kept.set(this.#active.rows.z);
    } else {
      this.motors.releaseBase();
      this.#active.rows.kept.fill(0);
    }
  }

  /** Remembers the multipliers, for a second problem whose multipliers come on top of them. */
  keepMultipliers(): void {
    this.#kept.set(this.multipliers);
  }

  /** Adds the multipliers that were kept to those of the problem just solved. */
  addKeptMultipliers(): void {
    for (let i = 0; i < this.#kept.length; i++) this.multipliers[i] += this.#kept[i];
  }

  /** One step towards the solution of the bone problem with right-hand side `b` (four rows of three per bone). */
  stepOnce(poses: BonePoses, b: Float64Array): void {
    if (!this.answering) {
      this.#solve(poses, b, true, true);
      return;
    }
    this.#system.measureGap(poses);
    this.#pullNow(b);
    this.#system.setRightSide(poses, this.#pull);
    this.#system.ldlt.solveKept(this.#system.unknowns);
    this.#system.readMultipliers(this.multipliers);
    this.#move(poses, true);
  }

  /**
   * Steps until every joint is closed and within its limits, at least `atLeast` times; after PULLED_BONE_STEPS pull and motors are dropped and
   * only joints and limits count, then the joints alone (limit-patience.ts). Returns the largest gap that is left [m].
   */
  stepUntilClosed(poses: BonePoses, b: Float64Array, atLeast: number): number {
    const tolerance = JOINT_TOLERANCE * this.#size;
    const limited = this.#patience;
    const hasLimits = this.#joints.limits.count > 0;
    limited.begin();
    let gap = this.measureGap(poses);
    let outside = hasLimits ? this.#outside(poses) : 0;
    for (let n = 0; n < limited.steps + JOINT_STEPS; n++) {
      const isOutside = n < limited.steps && outside > LIMIT_TOLERANCE;
      if (n >= atLeast && gap <= tolerance && !isOutside) break;
      this.#solve(poses, b, n < PULLED_BONE_STEPS, n < limited.steps);
      if (n === 0) this.squareResidual = this.#system.unbalanced(poses, this.#pull, this.multipliers);
      gap = this.measureGap(poses);
      if (!(gap < Number.POSITIVE_INFINITY)) break;
      if (hasLimits && n < limited.steps) outside = this.#outside(poses);
      if (hasLimits) limited.see(n, Math.max(gap / this.#size, outside));
    }
    return gap;
  }

  /** Largest angle by which limits are exceeded, beyond what is allowed [rad]. */
  #outside(poses: BonePoses): number {
    this.#active.rows.measure(poses);
    return this.#active.rows.excess(true);
  }

  /** Whether motors bring energy in. */
  get hasMotors(): boolean {
    return this.motors.any;
  }

  /** At the end of a step: fills `jointTorques`; returns by how much limits are exceeded, at most [rad]. */
  readTorques(poses: BonePoses): number {
    if (!this.#active.any) return 0;
    this.motors.releaseBase();
    this.#active.readTorques(poses);
    return this.#active.rows.excess(false);
  }

  /** Whether the step just ended outside a limit although it began within all of them. Call after `readTorques`. */
  get leavesLimits(): boolean {
    return this.#joints.limits.count > 0 && this.#active.rows.isLeft;
  }

  /** Gets ready for `respond` and for answers: the system at these poses, with the joints' forces and without any pull, `regions` turning along. */
  factorAt(poses: BonePoses, regions: TurningRegions | undefined): void {
    this.#system.measureGap(poses);
    this.#curvature.fill(poses.rotations, this.multipliers, this.#noPull);
    if (this.#active.any) this.#active.rows.measure(poses);
    factorBones(this.#parts, poses, regions, 0, 'motors and limits');
    this.#system.ldlt.keep();
  }

  /** How bones answer pushes on each other: see `BoneSystem.respond`. Call after `factorAt`. */
  respond(
    poses: BonePoses,
    pushed: number,
    bones: Int32Array,
    count: number,
    out: Float64Array,
    o: number,
    stride: number,
  ): void {
    this.#system.respond(poses, pushed, bones, count, out, o, stride);
  }

  /** Largest joint gap at these poses [m]. */
  measureGap(poses: BonePoses): number {
    return this.#system.measureGap(poses);
  }

  #solve(poses: BonePoses, b: Float64Array, pulled: boolean, limited: boolean): void {
    this.#largestGap = this.measureGap(poses);
    if (pulled) this.#pullNow(b);
    if (this.#active.any) this.#active.rows.measure(poses);
    // the curvature needs forces of the joints: in the first solve of a time step, those of a solve without it
    if (pulled && !this.#multipliersKnown && this.#joints.count > 0) {
      this.#curvature.values.fill(0);
      this.#solveLinear(poses, true, limited);
      this.#multipliersKnown = true;
    }
    if (pulled) this.#curvature.fill(poses.rotations, this.multipliers, this.answering ? this.#noPull : this.#pull);
    else this.#curvature.values.fill(0);
    this.#solveLinear(poses, pulled, limited);
    this.#move(poses, pulled);
  }

  /** Solves the saddle-point system at these poses; keeps the multipliers if the bones are pulled. */
  #solveLinear(poses: BonePoses, pulled: boolean, limited: boolean): void {
    const system = this.#system;
    const active = this.#active;
    const give = pulled ? 0 : Math.min(MOST_GIVE, (GIVE_PER_GAP * this.#largestGap) / this.#size);
    this.redundantRows = factorBones(this.#parts, poses, this.regions, give, pulled ? 'motors' : 'joints alone');
    system.setRightSide(poses, pulled ? this.#pull : undefined);
    if (pulled && active.any) this.motors.addTorques(system, poses, this.share);
    active.rows.share = pulled && !this.answering ? this.share : 1;
    if (limited && active.any) active.solve(system, poses, pulled);
    else system.ldlt.solve(system.unknowns);
    if (pulled) system.readMultipliers(this.multipliers);
  }

  /** Moves the bones by the unknowns just found. */
  #move(poses: BonePoses, pulled: boolean): void {
    const { start } = this.#system.order;
    const { unknowns } = this.#system;
    // forces alone may ask for any step: one that is too long for them must show as not finite
    if (!pulled || this.#fixed.includes(1)) this.#system.limitStep();
    for (let bone = 0; bone < this.#boneCount; bone++) {
      if (this.#fixed[bone]) continue;
      this.#moved = true;
      poses.move(bone, unknowns, start[bone]);
      poses.writeAffine(bone, this.#now, 0);
      for (let k = 0; k < 12; k++) this.change[bone * 12 + k] = this.#now[k] - this.#start[bone * 12 + k];
    }
  }

  /** What still pulls after the change so far. */
  #pullNow(b: Float64Array): void {
    if (this.#moved) pullLeft(this.#pull, b, this.#metric, this.change, this.#boneCount * 4);
    else this.#pull.set(b);
    if (this.#moved) this.regions?.easePull(this.#pull, this.change);
  }
}
