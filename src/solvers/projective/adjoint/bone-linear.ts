/**
 * The bones' side of the linearised step: what really resists their being turned (turn-blocks.ts), and the saddle-point system that the
 * preconditioner solves for them: the metric flesh leaves them, joints that stay closed, motors, limits that push as stiff springs.
 * Vectors have six numbers per bone from `first` on: turn and shift in its own axes.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { ROW_STRIDE } from '../../../body/joints/joint-rows.js';
import type { Model } from '../../../body/model.js';
import { BoneCurvature } from '../bones/bone-curvature.js';
import { BoneSystem } from '../bones/bone-system.js';
import { LimitSlopes } from './limit-slopes.js';
import { MotorSlopes } from './motor-slopes.js';
import type { TapedStep } from './taped-step.js';
import { TurnBlocks, turnedToWorld } from './turn-blocks.js';

/** How much stiffer than the bones a pushing limit is. */
const HARD = 1e6;

/** Moments from outside on each bone, and how much less they become as it turns; world axes, 3 and 9 per bone [N m, N m/rad]. */
export interface OutsideMoments {
  readonly moments: Float64Array;
  readonly turning: Float64Array;
}

/** Bones of one body at the end of a step. */
export class BoneLinear {
  readonly motors: MotorSlopes;
  readonly limits: LimitSlopes;
  readonly fixed: Uint8Array;
  readonly #model: Model;
  readonly #metric: Float64Array;
  readonly #first: number;
  readonly #blocks: TurnBlocks;
  readonly #curvature: BoneCurvature;
  readonly #system: BoneSystem;
  readonly #multipliers: Float64Array;
  readonly #k = new Float64Array(9);
  readonly #moment = new Float64Array(3);
  #poses!: BonePoses;

  constructor(model: Model, metric: Float64Array, first: number) {
    const { bones, joints, size } = model;
    this.#model = model;
    this.#metric = metric;
    this.#first = first;
    this.motors = new MotorSlopes(joints, bones.count);
    this.limits = new LimitSlopes(joints, bones.count);
    this.fixed = new Uint8Array(bones.count);
    this.#blocks = new TurnBlocks(joints, bones.count, size);
    this.#curvature = new BoneCurvature(bones.count, joints, size);
    this.#system = new BoneSystem(bones.count, joints, metric, this.fixed, size);
    this.#multipliers = new Float64Array(joints.rowStart[joints.count]);
  }

  /** First half of the preparation, which is enough to solve for the joints' forces: motors, limits, joints at these poses. */
  begin(start: TapedStep, end: TapedStep): void {
    this.#poses = end.poses;
    this.fixed.set(end.fixed);
    this.motors.prepare(end.motors, start.poses, end.poses, end.h);
    this.limits.prepare(end.poses, end.jointTorques, (pair) => this.motors.child(pair));
    this.#system.measureGap(end.poses);
    this.#curvature.values.fill(0);
    this.#factor();
  }

  /**
   * Second half, once those forces have been solved for: how they, the pull of flesh and inertia (12 per bone), and moments from outside bend the
   * problem.
   */
  finish(end: TapedStep, pull: Float64Array, { moments, turning }: OutsideMoments): void {
    this.#system.readMultipliers(this.#multipliers);
    this.#curvature.fill(end.poses.rotations, this.#multipliers, pull);
    this.#factor();
    this.#curvature.fill(end.poses.rotations, this.#multipliers, pull, false);
    this.#fillBlocks(end.jointTorques);
    for (let bone = 0; bone < this.fixed.length; bone++) this.#blocks.addMoment(end.poses, bone, moments, turning);
  }

  /** Adds the moments of motors and limits (6 per pair in `torques`, those of limits first) to a right-hand side. */
  addMoments(torques: Float64Array, right: Float64Array): void {
    const moment = this.#moment;
    for (let pair = 0; pair < this.motors.on.length; pair++) {
      for (let k = 0; k < 3; k++) moment[k] = this.motors.torque[pair * 3 + k] + torques[pair * 6 + k];
      this.#addMoment(right, this.motors.parent(pair), -1);
      this.#addMoment(right, this.motors.child(pair), 1);
    }
  }

  #addMoment(right: Float64Array, bone: number, sign: number): void {
    if (bone === this.fixed.length) return;
    this.#system.turnedColumn(right, this.#first + bone * 6, this.#poses.rotations, bone, this.#moment, 0, sign);
  }

  /** Factors the system with the positive part of the curvature in it. */
  #factor(): void {
    const poses = this.#poses;
    this.#system.assemble(poses, this.#curvature.values, 0);
    this.#eachSpring((a, b, k) => {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < i; j++) k[i * 3 + j] = k[j * 3 + i] = 0.5 * (k[i * 3 + j] + k[j * 3 + i]);
      }
      this.#system.addTurnSpring(poses, a, b, k);
    });
    this.#system.ldlt.factor();
    this.#system.ldlt.keep();
  }

  #fillBlocks(torques: Float64Array): void {
    const poses = this.#poses;
    const blocks = this.#blocks;
    const { motors, limits } = this;
    blocks.start(this.#curvature.values);
    blocks.addAngleRows(poses, this.#multipliers);
    const nothing = new Float64Array(9);
    for (let pair = 0; pair < motors.on.length; pair++) {
      const [a, b] = [motors.parent(pair), motors.child(pair)];
      blocks.addTorque(poses, pair, a, b, motors.torque, pair * 3, nothing, 0);
      blocks.addTorque(poses, pair, a, b, torques, pair * 6, nothing, 0);
    }
    for (let n = 0; n < limits.count; n++) {
      const pair = limits.pair[n];
      const [a, b] = [motors.parent(pair), motors.child(pair)];
      blocks.addTorque(poses, pair, a, b, nothing, 0, limits.stiffness, n * 9);
    }
    this.#eachSpring((a, b, k, pair) => blocks.addTorque(poses, pair, a, b, nothing, 0, k, 0));
  }

  /** Calls with the stiffness of every motor, and of every limit that pushes, world axes; the array may be changed. */
  #eachSpring(call: (a: number, b: number, k: Float64Array, pair: number) => void): void {
    const { motors, limits } = this;
    const k = this.#k;
    for (let pair = 0; pair < motors.on.length; pair++) {
      const a = motors.parent(pair);
      if (!motors.on[pair]) continue;
      turnedToWorld(k, this.#poses.rotations, a * 9, motors.stiffness, pair * 9);
      call(a, motors.child(pair), k, pair);
    }
    for (let n = 0; n < limits.count; n++) {
      const pair = limits.pair[n];
      const g = limits.direction;
      const hard = HARD * this.#turning(motors.child(pair));
      for (let i = 0; i < 9; i++) k[i] = hard * g[n * 3 + Math.floor(i / 3)] * g[n * 3 + (i % 3)];
      call(motors.parent(pair), motors.child(pair), k, pair);
    }
  }

  /** How hard a bone is to turn, about [N m/rad]. */
  #turning(bone: number): number {
    const stride = this.fixed.length * 4;
    let sum = 0;
    for (let p = bone * 4; p < bone * 4 + 3; p++) sum += this.#metric[p * stride + p];
    return sum;
  }

  /** out += the transpose of what resists turning, times v. */
  addTransposedProduct(v: Float64Array, out: Float64Array): void {
    this.#blocks.addTransposedProduct(v, this.#first, out);
    this.#clearFixed(out);
  }

  /** Solves for the bones' part of `right`, to `out`; takes out of `right` and `z` alike what joints hold against. */
  solve(right: Float64Array, z: Float64Array, out: Float64Array): void {
    const { unknowns, order, ldlt } = this.#system;
    unknowns.fill(0);
    for (let bone = 0; bone < this.fixed.length; bone++) {
      for (let k = 0; k < 6 && !this.fixed[bone]; k++) unknowns[order.start[bone] + k] = right[bone * 6 + k];
    }
    ldlt.solveKept(unknowns);
    this.#eachJointNumber((unknown, slope, at) => {
      z[at] -= unknowns[unknown] * slope;
    });
    this.#clearFixed(z);
    this.#read(out, 0);
  }

  /** Changes the bones of a vector as little as it takes to keep the joints closed: solutions of another step are a start only then. */
  closeJoints(v: Float64Array): void {
    const { unknowns, ldlt } = this.#system;
    unknowns.fill(0);
    this.#eachJointNumber((unknown, slope, at) => {
      unknowns[unknown] -= slope * v[at];
    });
    ldlt.solveKept(unknowns);
    this.#read(v, 1);
    this.#clearFixed(v);
  }

  #read(out: Float64Array, keep: number): void {
    const { unknowns, order } = this.#system;
    for (let bone = 0; bone < this.fixed.length; bone++) {
      for (let k = 0; k < 6; k++) {
        const at = this.#first + bone * 6 + k;
        out[at] = keep * out[at] + unknowns[order.start[bone] + k];
      }
    }
  }

  /** Calls with every number of the joints' rows: the unknown of its row, the number itself, and where its bone's is in vectors. */
  #eachJointNumber(call: (unknown: number, slope: number, at: number) => void): void {
    const { joints } = this.#model;
    const { jacobian, order } = this.#system;
    const count = this.fixed.length;
    for (let pair = 0; pair < joints.count; pair++) {
      for (let row = joints.rowStart[pair]; row < joints.rowStart[pair + 1]; row++) {
        const unknown = order.start[count + pair] + row - joints.rowStart[pair];
        for (let k = 0; k < 12; k++) {
          const bone = k < 6 ? joints.boneA[pair] : joints.boneB[pair];
          if (bone < count) call(unknown, jacobian[row * ROW_STRIDE + k], this.#first + bone * 6 + (k % 6));
        }
      }
    }
  }

  #clearFixed(v: Float64Array): void {
    for (let bone = 0; bone < this.fixed.length; bone++) {
      if (this.fixed[bone]) v.fill(0, this.#first + bone * 6, this.#first + bone * 6 + 6);
    }
  }
}
