/**
 * Rows of the bone problem that hold only within bounds: limits of joints (a torque that pushes one way) and motors at their largest torque. A row
 * is a direction g about which its two bones turn against each other, a value v, a softness s and bounds for its torque z:
 *
 *     v + g·Δ + s z = 0 where z lies between its bounds,     ≥ 0 at the lower one, ≤ 0 at the upper one
 *
 * The system is factored without them. Each row that may matter takes one forward sweep, L⁻¹gᵀ; which of them push, and how hard, is a small problem
 * that is solved exactly (box-quadratic.ts); one backward sweep then gives the step. Called by the bone step.
 */
import type { BonePoses } from '../../body/bone-poses.js';
import { JOINT_TABLE, JOINT_TYPES } from '../../body/joint-table.js';
import type { Joints } from '../../body/joints.js';
import { LimitRows } from '../../body/limit-rows.js';
import { BoxQuadratic } from '../../linalg/box-quadratic.js';
import type { BoneSystem } from './bone-system.js';
import type { Motors } from './motors.js';

/** A limit counts from the start of a solve when it is this near [rad]. */
const NEAR = 0.1;
/** Most rows that can push at the same time in one body. */
const MOST_ROWS = 128;
/** Times rows found to be violated by a solution may join. */
const ROUNDS = 4;
/** Rows give way by this share of what they can move, so that rows that repeat each other have an answer; far outside by more. */
const GIVE = 1e-9;
const GIVE_OUTSIDE = 0.01;
/** A row moves nothing where its bones move less than this share of what they would alone. */
const DEAD = 1e-9;
/** How fast a joint that starts outside its limit is led back [rad/s]. */
const LEAD_BACK = 2;
/** How much stiffer than the bones a pushing limit is to contacts. */
const HARD = 1e4;

/** Limit rows and bounded motors of one body. Rows are numbered limits first, then three per pair for its motor. */
export class ActiveRows {
  readonly limits: LimitRows;
  /** Torque of each row along its direction [N m]. */
  readonly z: Float64Array;
  /** Torque of the limits and of the motor on the second bone of each pair, world axes, 3 each per pair [N m]; filled by `readTorques`. */
  readonly torques: Float64Array;
  readonly #joints: Joints;
  readonly #motors: Motors;
  readonly #limitCount: number;
  /** By how much each limit was exceeded when the step began, less what it must have come back by its end [rad]. */
  readonly #allowed: Float64Array;
  /** z that counts as given while contacts are answered. */
  readonly #kept: Float64Array;
  readonly #listed: Uint8Array;
  readonly #list: Int32Array;
  readonly #box: BoxQuadratic;
  readonly #columns: Float64Array;
  readonly #from: Int32Array;
  readonly #right: Float64Array;
  readonly #value: Float64Array;
  /** How far a unit of torque moves its own row, of rows that were listed last [rad/(N m)]. */
  readonly #own: Float64Array;
  readonly #direction = new Float64Array(3);
  readonly #k = new Float64Array(9);
  #count = 0;

  constructor(joints: Joints, world: number, motors: Motors, size: number) {
    const rows = joints.limits.count + 3 * joints.count;
    const capacity = Math.min(rows, MOST_ROWS);
    this.#joints = joints;
    this.#motors = motors;
    this.#limitCount = joints.limits.count;
    this.limits = new LimitRows(joints, world);
    this.z = new Float64Array(rows);
    this.torques = new Float64Array(joints.count * 6);
    this.#allowed = new Float64Array(this.#limitCount);
    this.#kept = new Float64Array(rows);
    this.#listed = new Uint8Array(rows);
    this.#own = new Float64Array(rows);
    this.#list = new Int32Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#value = new Float64Array(capacity);
    this.#box = new BoxQuadratic(capacity);
    this.#columns = new Float64Array(capacity * size);
    this.#right = new Float64Array(size);
  }

  /** Whether there is anything to do. */
  get any(): boolean {
    return this.#limitCount > 0 || this.#motors.any;
  }

  /** Starts a step of `h` [s] from these poses: no torques yet, and what starts outside is led back. */
  restart(poses: BonePoses, h: number): void {
    this.z.fill(0);
    this.#kept.fill(0);
    this.torques.fill(0);
    if (this.#limitCount === 0) return;
    this.limits.measure(poses);
    for (let row = 0; row < this.#limitCount; row++) {
      this.#allowed[row] = Math.max(0, this.#outside(row) - LEAD_BACK * h);
    }
  }

  /** Torques as they are now stay, and what is found comes on top of them. */
  keep(): void {
    this.#kept.set(this.z);
  }

  release(): void {
    this.#kept.fill(0);
  }

  /** Fills limits and motors for these poses. */
  measure(poses: BonePoses): void {
    if (this.#limitCount > 0) this.limits.measure(poses);
    this.#motors.measure(poses);
  }

  /** Largest angle by which a limit is exceeded at the poses last measured [rad], beyond what is allowed where `led`. */
  excess(led: boolean): number {
    let worst = 0;
    for (let row = 0; row < this.#limitCount; row++) {
      worst = Math.max(worst, this.#outside(row) - (led ? this.#allowed[row] : 0));
    }
    return worst;
  }

  #outside(row: number): number {
    const value = this.limits.value[row];
    return this.#joints.limits.locked[row] ? Math.abs(value) : -value;
  }

  /** Torques keep their direction in space while bones turn: what that adds to the turning of both, and cones to sliding along them. */
  addCurvature(system: BoneSystem, poses: BonePoses): void {
    for (let row = 0; row < this.z.length; row++) {
      const z = this.z[row];
      if (z === 0) continue;
      const pair = this.#pairOf(row);
      const g = this.#setDirection(row);
      const square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
      if (square === 0) continue;
      const half = 0.5 * Math.abs(z) * Math.sqrt(square);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) this.#k[i * 3 + j] = half * ((i === j ? 1 : 0) - (g[i] * g[j]) / square);
      }
      system.addTurnBlock(poses, this.#motors.parent(pair), this.#k, 1);
      system.addTurnBlock(poses, this.#motors.child(pair), this.#k, 1);
      if (row < this.#limitCount && this.limits.bend[row] > 0) {
        this.#addAlong(system, poses, pair, this.limits.slide, row * 3, Math.abs(z) * this.limits.bend[row]);
      }
    }
  }

  /** Makes the limits that push stiff in the matrix, for what contacts can move. */
  addStiffness(system: BoneSystem, poses: BonePoses): void {
    for (let row = 0; row < this.#limitCount; row++) {
      if (this.z[row] === 0 || this.#own[row] === 0) continue;
      this.#addAlong(system, poses, this.#pairOf(row), this.limits.slope, row * 3, HARD / this.#own[row]);
    }
  }

  /** scale g gᵀ between the bones of a pair. */
  #addAlong(system: BoneSystem, poses: BonePoses, pair: number, g: Float64Array, o: number, scale: number): void {
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) this.#k[i * 3 + j] = scale * g[o + i] * g[o + j];
    system.addTurnSpring(poses, this.#motors.parent(pair), this.#motors.child(pair), this.#k);
  }

  /**
   * Solves with the factor just made: system.unknowns holds the right-hand side and then the solution, with the torques of the rows in it.
   * `pulled`: motors count and torques are kept.
   */
  solve(system: BoneSystem, poses: BonePoses, pulled: boolean): void {
    const { ldlt, unknowns } = system;
    ldlt.forward(unknowns);
    this.#right.set(unknowns);
    this.#count = 0;
    this.#listed.fill(0);
    for (let row = 0; row < this.z.length; row++) if (this.#isNear(row, pulled)) this.#join(system, poses, row);
    for (let round = 0; ; round++) {
      this.#findTorques();
      unknowns.set(this.#right);
      for (let n = 0; n < this.#count; n++) this.#addColumn(unknowns, n, this.#box.z[n]);
      ldlt.backward(unknowns);
      if (round === ROUNDS || !this.#joinViolated(system, poses)) break;
    }
    if (!pulled) return;
    this.z.fill(0);
    for (let n = 0; n < this.#count; n++) this.z[this.#list[n]] = this.#kept[this.#list[n]] + this.#box.z[n];
  }

  #isNear(row: number, pulled: boolean): boolean {
    if (row >= this.#limitCount) return pulled && this.#isMotorRow(row);
    return this.#joints.limits.locked[row] === 1 || this.z[row] > 0 || this.#rowValue(row) < NEAR;
  }

  #isMotorRow(row: number): boolean {
    const pair = this.#pairOf(row);
    if (this.#motors.bounded[pair] === 0) return false;
    return JOINT_TABLE[JOINT_TYPES[this.#joints.types[pair]]].motor.includes((row - this.#limitCount) % 3);
  }

  #pairOf(row: number): number {
    return row < this.#limitCount ? this.#joints.limits.pair[row] : Math.floor((row - this.#limitCount) / 3);
  }

  /** How far a row may go, what starts outside granted; for a motor, how far its stiffness would turn it. */
  #rowValue(row: number): number {
    if (row >= this.#limitCount) {
      const pair = this.#pairOf(row);
      const g = this.#setDirection(row);
      const { torque, stiffness } = this.#motors;
      const wanted = g[0] * torque[pair * 3] + g[1] * torque[pair * 3 + 1] + g[2] * torque[pair * 3 + 2];
      return (this.#kept[row] - wanted) / stiffness[pair];
    }
    const value = this.limits.value[row];
    const allowed = this.#allowed[row];
    if (this.#joints.limits.locked[row] && value > 0) return Math.max(0, value - allowed);
    return this.#joints.limits.locked[row] ? Math.min(0, value + allowed) : value + allowed;
  }

  #setDirection(row: number): Float64Array {
    const limit = row < this.#limitCount;
    const from = limit ? this.limits.slope : this.#motors.axes;
    const o = limit ? row * 3 : (row - this.#limitCount) * 3;
    for (let k = 0; k < 3; k++) this.#direction[k] = from[o + k];
    return this.#direction;
  }

  /** Lists a row: its column, how it moves with those already there, its value and bounds. */
  #join(system: BoneSystem, poses: BonePoses, row: number): void {
    if (this.#count === this.#list.length) return;
    const n = this.#count++;
    const { ldlt, order } = system;
    const { matrix, capacity, low, high, z } = this.#box;
    const o = n * ldlt.size;
    const pair = this.#pairOf(row);
    const g = this.#setDirection(row);
    this.#list[n] = row;
    this.#listed[row] = 1;
    this.#columns.fill(0, o, o + ldlt.size);
    let from = ldlt.size;
    let reach = 0;
    for (let side = 0; side < 2; side++) {
      const bone = side === 0 ? this.#motors.parent(pair) : this.#motors.child(pair);
      if (!system.isMovable(bone)) continue;
      const start = order.start[bone];
      system.turnedColumn(this.#columns, o + start, poses.rotations, bone, g, 0, side === 0 ? -1 : 1);
      for (let k = start; k < start + 3; k++) {
        reach += (this.#columns[o + k] * this.#columns[o + k]) / ldlt.values[ldlt.origin[k] + k];
      }
      from = Math.min(from, start);
    }
    this.#from[n] = from;
    ldlt.forward(this.#columns, o, from);
    for (let m = 0; m <= n; m++) {
      const w = ldlt.across(this.#columns, o, this.#columns, m * ldlt.size, Math.max(from, this.#from[m]));
      matrix[n * capacity + m] = matrix[m * capacity + n] = w;
    }
    const own = matrix[n * capacity + n];
    this.#own[row] = own;
    this.#value[n] = this.#rowValue(row) + ldlt.across(this.#columns, o, this.#right, 0, from);
    const dead = !(own > DEAD * reach);
    z[n] = 0;
    low[n] = dead ? 0 : this.#lowest(row);
    high[n] = dead ? 0 : this.#highest(row);
    if (dead) matrix[n * capacity + n] = 1;
    else matrix[n * capacity + n] = own + this.#softness(row, own, this.#value[n]);
  }

  #lowest(row: number): number {
    if (row >= this.#limitCount)
      return -this.#motors.cap(this.#pairOf(row), (row - this.#limitCount) % 3) - this.#kept[row];
    return this.#joints.limits.locked[row] ? Number.NEGATIVE_INFINITY : -this.#kept[row];
  }

  #highest(row: number): number {
    if (row < this.#limitCount) return Number.POSITIVE_INFINITY;
    return this.#motors.cap(this.#pairOf(row), (row - this.#limitCount) % 3) - this.#kept[row];
  }

  #softness(row: number, own: number, value: number): number {
    if (row >= this.#limitCount) return 1 / this.#motors.stiffness[this.#pairOf(row)];
    const outside = Math.min(1, Math.max(0, this.#outside(row)));
    return own * (GIVE + (GIVE_OUTSIDE * outside) / Math.max(1, Math.abs(value)));
  }

  #findTorques(): void {
    for (let n = 0; n < this.#count; n++) this.#box.slope[n] = this.#value[n];
    this.#box.solve(this.#count);
  }

  #addColumn(out: Float64Array, n: number, z: number): void {
    if (z === 0) return;
    const o = n * out.length;
    for (let k = this.#from[n]; k < out.length; k++) out[k] += z * this.#columns[o + k];
  }

  /** Lists limits that the solution would break; true where there were some. */
  #joinViolated(system: BoneSystem, poses: BonePoses): boolean {
    let joined = false;
    for (let row = 0; row < this.#limitCount; row++) {
      if (this.#listed[row] || this.#count === this.#list.length) continue;
      if (this.#rowValue(row) + this.#moved(system, poses, row) >= 0) continue;
      this.#join(system, poses, row);
      joined = true;
    }
    return joined;
  }

  /** g·Δ of the solution. */
  #moved(system: BoneSystem, poses: BonePoses, row: number): number {
    const pair = this.#pairOf(row);
    const g = this.#setDirection(row);
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const bone = side === 0 ? this.#motors.parent(pair) : this.#motors.child(pair);
      if (!system.isMovable(bone)) continue;
      const start = system.order.start[bone];
      const sign = side === 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) {
        const r = bone * 9 + k * 3;
        for (let c = 0; c < 3; c++) sum += sign * g[k] * poses.rotations[r + c] * system.unknowns[start + c];
      }
    }
    return sum;
  }

  /** Fills `torques` with what limits and motors do at these poses. */
  readTorques(poses: BonePoses): void {
    this.torques.fill(0);
    this.measure(poses);
    for (let row = 0; row < this.z.length; row++) {
      if (this.z[row] === 0) continue;
      const g = this.#setDirection(row);
      const o = this.#pairOf(row) * 6 + (row < this.#limitCount ? 0 : 3);
      for (let k = 0; k < 3; k++) this.torques[o + k] += this.z[row] * g[k];
    }
    const { torque, bounded } = this.#motors;
    for (let i = 0; i < torque.length; i++) {
      const pair = Math.floor(i / 3);
      if (!bounded[pair]) this.torques[pair * 6 + 3 + (i % 3)] += torque[i];
    }
  }
}
