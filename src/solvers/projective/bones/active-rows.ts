/**
 * Which limits and bounded motors push in a bone step, and how hard. The system is factored without them. Each row that may matter takes one
 * forward sweep, L⁻¹gᵀ; the torques are then a small problem that is solved exactly (box-quadratic.ts), and one backward sweep gives the step. Rows
 * that the solution would break join, cones get tangents where it would leave them, and the small problem is solved again.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { CONE_CUTS } from '../../../body/joints/joint-limits.js';
import type { Joints } from '../../../body/joints/joints.js';
import { BoxQuadratic } from '../../../linalg/box-quadratic.js';
import type { BoneSystem } from './bone-system.js';
import { BoundedRows } from './bounded-rows.js';
import type { Motors } from './motors.js';

/** Most rows that can push at the same time in one body. */
const MOST_ROWS = 160;
/** Times rows may join in one solve. */
const ROUNDS = 8;
/** Share by which a cone may be left in a solve before it gets another tangent there; the next solve starts from where it is. */
const CUT = 1e-3;
/** A row moves nothing where its bones move less than this share of what they would alone. */
const DEAD = 1e-9;
/** How much stiffer than the bones a pushing limit is to contacts. */
const HARD = 1e4;

/** The active set of one body. */
export class ActiveRows {
  readonly rows: BoundedRows;
  /** Torque of the limits and of the motor on the second bone of each pair, world axes, 3 each per pair [N m]; filled by `readTorques`. */
  readonly torques: Float64Array;
  readonly #motors: Motors;
  readonly #listed: Uint8Array;
  readonly #list: Int32Array;
  readonly #box: BoxQuadratic;
  readonly #columns: Float64Array;
  readonly #from: Int32Array;
  readonly #right: Float64Array;
  /** How far a unit of torque moves its own row, of rows that were listed last [rad/(N m)]. */
  readonly #own: Float64Array;
  readonly #k = new Float64Array(9);
  readonly #leans = new Float64Array(6);
  #count = 0;

  /** `size`: unknowns of the bones' system. */
  constructor(joints: Joints, world: number, motors: Motors, size: number) {
    this.rows = new BoundedRows(joints, world, motors);
    const capacity = Math.min(this.rows.count, MOST_ROWS);
    this.#motors = motors;
    this.torques = new Float64Array(joints.count * 6);
    this.#listed = new Uint8Array(this.rows.count);
    this.#own = new Float64Array(this.rows.count);
    this.#list = new Int32Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#box = new BoxQuadratic(capacity);
    this.#columns = new Float64Array(capacity * size);
    this.#right = new Float64Array(size);
  }

  /** Whether there is anything to do. */
  get any(): boolean {
    return this.rows.limitCount > 0 || this.#motors.any;
  }

  /** Torques keep their direction in space while bones turn: what that adds to the turning of both. */
  addCurvature(system: BoneSystem, poses: BonePoses): void {
    const { z, count } = this.rows;
    for (let row = 0; row < count; row++) {
      if (z[row] === 0) continue;
      const pair = this.rows.pairOf(row);
      const g = this.rows.direction(row);
      const square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
      if (square === 0) continue;
      const half = 0.5 * Math.abs(z[row]) * Math.sqrt(square);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) this.#k[i * 3 + j] = half * ((i === j ? 1 : 0) - (g[i] * g[j]) / square);
      }
      system.addTurnBlock(poses, this.#motors.parent(pair), this.#k);
      system.addTurnBlock(poses, this.#motors.child(pair), this.#k);
    }
  }

  /** Makes the limits that push stiff in the matrix, for what contacts can move. */
  addStiffness(system: BoneSystem, poses: BonePoses): void {
    const { z, limitCount } = this.rows;
    for (let row = 0; row < limitCount; row++) {
      if (z[row] === 0 || this.#own[row] === 0) continue;
      const pair = this.rows.pairOf(row);
      const g = this.rows.direction(row);
      const scale = HARD / this.#own[row];
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) this.#k[i * 3 + j] = scale * g[i] * g[j];
      system.addTurnSpring(poses, this.#motors.parent(pair), this.#motors.child(pair), this.#k);
    }
  }

  /**
   * Solves with the factor just made: system.unknowns holds the right-hand side and then the solution, with the torques of the rows in it.
   * `pulled`: motors count and torques are kept.
   */
  solve(system: BoneSystem, poses: BonePoses, pulled: boolean): void {
    const { ldlt, unknowns } = system;
    const { rows } = this;
    ldlt.forward(unknowns);
    this.#right.set(unknowns);
    this.#count = 0;
    this.#listed.fill(0);
    this.#dropTangents();
    for (let row = 0; row < rows.count; row++) if (rows.isNear(row, pulled)) this.#join(system, poses, row);
    for (let round = 0; ; round++) {
      this.#box.solve(this.#count);
      unknowns.set(this.#right);
      for (let n = 0; n < this.#count; n++) this.#addColumn(unknowns, n, this.#box.z[n]);
      ldlt.backward(unknowns);
      if (round === ROUNDS || !this.#joinViolated(system, poses, pulled)) break;
    }
    if (!pulled) return;
    rows.z.fill(0);
    // the torque of a whole move
    for (let n = 0; n < this.#count; n++)
      rows.z[this.#list[n]] = rows.kept[this.#list[n]] + this.#box.z[n] / rows.share;
  }

  /** Tangents that did not push in the last solve make room for others. */
  #dropTangents(): void {
    const { limits, limitCount, z, kept } = this.rows;
    for (let first = 0; first < limitCount; first++) {
      if (!limits.isCone(first)) continue;
      for (let row = first + 1; row < first + CONE_CUTS; row++) if (z[row] === 0 && kept[row] === 0) limits.uncut(row);
    }
  }

  /** Lists a row: its column, how it moves with those already there, its value and bounds. */
  #join(system: BoneSystem, poses: BonePoses, row: number): void {
    if (this.#count < this.#list.length) this.#enter(system, poses, row, this.#count++);
  }

  /** Makes a row number n of the list. */
  #enter(system: BoneSystem, poses: BonePoses, row: number, n: number): void {
    const { ldlt } = system;
    const { matrix, capacity, slope, low, high, z } = this.#box;
    const o = n * ldlt.size;
    this.#list[n] = row;
    this.#listed[row] = 1;
    const reach = this.#fillColumn(system, poses, row, n);
    const from = this.#from[n];
    ldlt.forward(this.#columns, o, from);
    for (let m = 0; m < this.#count; m++) {
      const w = ldlt.across(this.#columns, o, this.#columns, m * ldlt.size, Math.max(from, this.#from[m]));
      matrix[n * capacity + m] = matrix[m * capacity + n] = w;
    }
    const own = matrix[n * capacity + n];
    const dead = !(own > DEAD * reach);
    this.#own[row] = dead ? 0 : own;
    slope[n] = this.rows.value(row) + ldlt.across(this.#columns, o, this.#right, 0, from);
    z[n] = 0;
    low[n] = dead ? 0 : this.rows.lowest(row);
    high[n] = dead ? 0 : this.rows.highest(row);
    matrix[n * capacity + n] = dead ? 1 : own + this.rows.softness(row, own, slope[n]);
  }

  /** Writes gᵀ of a row to column n; returns how far a unit of its torque would turn its bones if they were alone. */
  #fillColumn(system: BoneSystem, poses: BonePoses, row: number, n: number): number {
    const { ldlt, order } = system;
    const o = n * ldlt.size;
    const pair = this.rows.pairOf(row);
    const g = this.rows.direction(row);
    this.#columns.fill(0, o, o + ldlt.size);
    this.#from[n] = ldlt.size;
    let reach = 0;
    for (let side = 0; side < 2; side++) {
      const bone = side === 0 ? this.#motors.parent(pair) : this.#motors.child(pair);
      if (!system.isMovable(bone)) continue;
      const start = order.start[bone];
      system.turnedColumn(this.#columns, o + start, poses.rotations, bone, g, 0, side === 0 ? -1 : 1);
      for (let k = start; k < start + 3; k++) {
        reach += (this.#columns[o + k] * this.#columns[o + k]) / ldlt.values[ldlt.origin[k] + k];
      }
      this.#from[n] = Math.min(this.#from[n], start);
    }
    return reach;
  }

  #addColumn(out: Float64Array, n: number, z: number): void {
    if (z === 0) return;
    const o = n * out.length;
    for (let k = this.#from[n]; k < out.length; k++) out[k] += z * this.#columns[o + k];
  }

  /** Lists limits that the solution would break; true where there were some. */
  #joinViolated(system: BoneSystem, poses: BonePoses, pulled: boolean): boolean {
    const before = this.#count;
    let recut = false;
    const { rows } = this;
    for (let row = 0; row < rows.limitCount; row++) {
      const moved = this.#listed[row] ? 0 : this.#moved(system, poses, rows.pairOf(row), rows.direction(row), 0);
      if (!this.#listed[row] && rows.value(row) + moved < 0) this.#join(system, poses, row);
      if (rows.limits.isCone(row) && this.#cutCone(system, poses, row, pulled)) recut = true;
    }
    return recut || this.#count > before;
  }

  /**
   * Gives the cone at `first` a tangent where the solution would leave it; true where it did. While joints are closed, tangents of the last pulled solve that
   * do not push any more make room.
   */
  #cutCone(system: BoneSystem, poses: BonePoses, first: number, pulled: boolean): boolean {
    const { limits } = this.rows;
    const pair = this.rows.pairOf(first);
    limits.readLeanSlopes(first, this.#leans);
    const d1 = this.#moved(system, poses, pair, this.#leans, 0);
    const d2 = this.#moved(system, poses, pair, this.#leans, 3);
    if (!limits.wouldLeave(first, d1, d2, CUT)) return false;
    for (let row = first + 1; row < first + CONE_CUTS; row++) {
      if (this.#listed[row]) continue;
      limits.cut(first, row, d1, d2);
      this.#join(system, poses, row);
      return true;
    }
    for (let n = 0; n < this.#count && !pulled; n++) {
      const row = this.#list[n];
      if (row <= first || row >= first + CONE_CUTS || this.#box.z[n] !== 0) continue;
      limits.cut(first, row, d1, d2);
      this.#enter(system, poses, row, n);
      return true;
    }
    return false;
  }

  /** How far the solution turns the bones of a pair against each other about a direction of the world. */
  #moved(system: BoneSystem, poses: BonePoses, pair: number, g: Float64Array, o: number): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const bone = side === 0 ? this.#motors.parent(pair) : this.#motors.child(pair);
      if (!system.isMovable(bone)) continue;
      const start = system.order.start[bone];
      const sign = side === 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) {
        const r = bone * 9 + k * 3;
        for (let c = 0; c < 3; c++) sum += sign * g[o + k] * poses.rotations[r + c] * system.unknowns[start + c];
      }
    }
    return sum;
  }

  /** Fills `torques` with what limits and motors do at these poses. */
  readTorques(poses: BonePoses): void {
    const { rows } = this;
    this.torques.fill(0);
    rows.measure(poses);
    for (let row = 0; row < rows.count; row++) {
      if (rows.z[row] === 0) continue;
      const g = rows.direction(row);
      const o = rows.pairOf(row) * 6 + (rows.isLimit(row) ? 0 : 3);
      for (let k = 0; k < 3; k++) this.torques[o + k] += rows.z[row] * g[k];
    }
    const { torque, bounded } = this.#motors;
    for (let i = 0; i < torque.length; i++) {
      const pair = Math.floor(i / 3);
      if (!bounded[pair]) this.torques[pair * 6 + 3 + (i % 3)] += torque[i];
    }
  }
}
