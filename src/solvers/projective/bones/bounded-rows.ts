/**
 * Rows of the bone problem that hold only within bounds: limits of joints (a torque that pushes one way) and motors at their largest torque. A row
 * is a direction g about which its two bones turn against each other, a value v, a softness s and bounds for its torque z:
 *
 *     v + g·Δ + s z = 0 where z lies between its bounds,     ≥ 0 at the lower one, ≤ 0 at the upper one
 *
 * Here is what the rows say; which of them push, and how hard, is found in active-rows.ts.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { JOINT_TABLE, JOINT_TYPES } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { LimitRows } from '../../../body/joints/limit-rows.js';
import { LIMIT_TOLERANCE } from '../../../constants.js';
import type { Motors } from './motors.js';

/** A limit counts from the start of a solve when it is this near [rad]. */
const NEAR = 0.03;
/** Rows give way by this share of what they can move, so that rows that repeat each other have an answer; far outside by more. */
const GIVE = 1e-9;
const GIVE_OUTSIDE = 0.01;
/** How fast a joint that starts outside its limit is led back [rad/s]. */
const LEAD_BACK = 2;

/** Angle from which on a limit counts as left [rad]: what is promised. */
const LEFT = 10 * LIMIT_TOLERANCE;

/** Limits first, then three rows per pair for its motor. */
export class BoundedRows {
  readonly limits: LimitRows;
  readonly count: number;
  readonly limitCount: number;
  /** Torque of each row along its direction [N m]. */
  readonly z: Float64Array;
  /** The part of it that counts as given while contacts are answered. */
  readonly kept: Float64Array;
  /** Share of the full move that the next solve takes: a motor at its largest torque pushes by as much less. */
  share = 1;
  readonly #joints: Joints;
  readonly #motors: Motors;
  /** By how much each limit was exceeded when the step began, less what it must have come back by its end [rad]. */
  readonly #allowed: Float64Array;
  /** Whether every limit was kept when the step began. */
  #startedWithin = true;
  readonly #direction = new Float64Array(3);

  constructor(joints: Joints, world: number, motors: Motors) {
    this.#joints = joints;
    this.#motors = motors;
    this.limits = new LimitRows(joints, world);
    this.limitCount = joints.limits.count;
    this.count = this.limitCount + 3 * joints.count;
    this.z = new Float64Array(this.count);
    this.kept = new Float64Array(this.count);
    this.#allowed = new Float64Array(this.limitCount);
  }

  /** Starts a step of `h` [s] from these poses: no torques yet, and what starts outside is led back. */
  restart(poses: BonePoses, h: number): void {
    this.z.fill(0);
    this.kept.fill(0);
    if (this.limitCount === 0) return;
    this.limits.clearCuts();
    this.limits.measure(poses);
    for (let row = 0; row < this.limitCount; row++) {
      this.#allowed[row] = Math.max(0, this.#outside(row) - LEAD_BACK * h);
    }
    this.#startedWithin = this.excess(false) <= LEFT;
  }

  /** Fills limits and motors for these poses. */
  measure(poses: BonePoses): void {
    if (this.limitCount > 0) this.limits.measure(poses);
    this.#motors.measure(poses);
  }

  /** Largest angle by which a limit is exceeded at the poses last measured [rad], beyond what is allowed where `led`. */
  excess(led: boolean): number {
    let worst = 0;
    for (let row = 0; row < this.limitCount; row++) {
      worst = Math.max(worst, this.#outside(row) - (led ? this.#allowed[row] : 0));
    }
    return worst;
  }

  /** Whether the step that ends at the poses last measured has left a limit, although it began within all of them. */
  get isLeft(): boolean {
    return this.#startedWithin && this.excess(false) > LEFT;
  }

  #outside(row: number): number {
    const value = this.limits.value[row];
    return this.#joints.limits.locked[row] ? Math.abs(value) : -value;
  }

  isLimit(row: number): boolean {
    return row < this.limitCount;
  }

  pairOf(row: number): number {
    return this.isLimit(row) ? this.#joints.limits.pair[row] : Math.floor((row - this.limitCount) / 3);
  }

  /** g of a row, world axes; valid until the next call. */
  direction(row: number): Float64Array {
    const isLimit = this.isLimit(row);
    const from = isLimit ? this.limits.slope : this.#motors.axes;
    const o = (isLimit ? row : row - this.limitCount) * 3;
    for (let k = 0; k < 3; k++) this.#direction[k] = from[o + k];
    return this.#direction;
  }

  /** Whether a row may push in a solve; motors only in one that is `pulled`. */
  isNear(row: number, pulled: boolean): boolean {
    if (!this.isLimit(row)) return pulled && this.#isMotorRow(row);
    return this.#joints.limits.locked[row] === 1 || this.z[row] > 0 || this.value(row) < NEAR;
  }

  #isMotorRow(row: number): boolean {
    const pair = this.pairOf(row);
    if (this.#motors.bounded[pair] === 0) return false;
    return JOINT_TABLE[JOINT_TYPES[this.#joints.types[pair]]].motor.includes(this.#axisOf(row));
  }

  #axisOf(row: number): number {
    return (row - this.limitCount) % 3;
  }

  /** v of a row: how far it may go, what starts outside granted; for a motor, how far its stiffness would turn it. */
  value(row: number): number {
    if (!this.isLimit(row)) {
      const pair = this.pairOf(row);
      const g = this.direction(row);
      const { torque, stiffness } = this.#motors;
      const wanted = g[0] * torque[pair * 3] + g[1] * torque[pair * 3 + 1] + g[2] * torque[pair * 3 + 2];
      return (this.share * (this.kept[row] - wanted)) / stiffness[pair];
    }
    const value = this.limits.value[row];
    const allowed = this.#allowed[row];
    if (!this.#joints.limits.locked[row]) return value + allowed;
    return value > 0 ? Math.max(0, value - allowed) : Math.min(0, value + allowed);
  }

  lowest(row: number): number {
    if (!this.isLimit(row))
      return this.share * (-this.#motors.cap(this.pairOf(row), this.#axisOf(row)) - this.kept[row]);
    return this.#joints.limits.locked[row] ? Number.NEGATIVE_INFINITY : -this.kept[row];
  }

  highest(row: number): number {
    if (this.isLimit(row)) return Number.POSITIVE_INFINITY;
    return this.share * (this.#motors.cap(this.pairOf(row), this.#axisOf(row)) - this.kept[row]);
  }

  /** s of a row that moves by `own` per unit of torque and stands at `value` without any. */
  softness(row: number, own: number, value: number): number {
    if (!this.isLimit(row)) return 1 / this.#motors.stiffness[this.pairOf(row)];
    const outside = Math.min(1, Math.max(0, this.#outside(row)));
    return own * (GIVE + (GIVE_OUTSIDE * outside) / Math.max(1, Math.abs(value)));
  }
}
