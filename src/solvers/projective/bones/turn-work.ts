/**
 * What motors and limits have done over a move of the bones, for the question whether it went downhill (descent.ts): with the torques at its start and with
 * those at its end, all in the axes of each joint's first bone, which turns as well. A motor of 1e5 N m/rad that presses a joint against its limit does some hundred joules while the limit
 * takes back as many, so both have to be right to the curvature of the way: with the limit's direction at one end of it alone, or torques in the axes of the world,
 * a thirtieth was left over, more than flesh and inertia do, and every move counted as uphill. Called by BoneStep.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Joints } from '../../../body/joints/joints.js';
import { conjugateQuat, multiplyQuat, rotateVec3 } from '../../../math/quat.js';
import { quatToRotationVector } from '../../../math/rotation-vector.js';
import { dotVec3 } from '../../../math/vec3.js';
import type { BoundedRows } from './bounded-rows.js';
import type { Motors } from './motors.js';

/** Work with the torques that were there when a move began, and with those at its end [J]. */
export interface Work {
  before: number;
  after: number;
}

/** Watches the joints of one body. */
export class TurnWork {
  readonly #joints: Joints;
  readonly #motors: Motors;
  readonly #rows: BoundedRows;
  readonly #kept: BonePoses;
  /** Torque of each motor when the move began, axes of the pair's first bone, 3 per pair [N m]. */
  readonly #torque: Float64Array;
  /** Turn of each pair over the move, same axes, 3 per pair [rad]. */
  readonly #way: Float64Array;
  readonly #work: Work = { before: 0, after: 0 };
  readonly #from = new Float64Array(4);
  readonly #to = new Float64Array(4);
  readonly #back = new Float64Array(4);
  readonly #local = new Float64Array(3);

  constructor(joints: Joints, boneCount: number, motors: Motors, rows: BoundedRows) {
    this.#joints = joints;
    this.#motors = motors;
    this.#rows = rows;
    this.#kept = new BonePoses(boneCount + 1);
    this.#torque = new Float64Array(joints.count * 3);
    this.#way = new Float64Array(joints.count * 3);
  }

  /** Remembers poses and torques: a move begins here. */
  keep(poses: BonePoses): void {
    this.#kept.copy(poses);
    if (!this.#motors.any) return;
    this.#motors.measure(poses);
    for (const other of this.#motors.others) other.keep(poses);
    for (let pair = 0; pair < this.#joints.count; pair++) {
      this.#toFirst(poses, pair, this.#motors.torque, pair * 3);
      this.#torque.set(this.#local, pair * 3);
    }
  }

  /** What motors, limits and whatever pushes beside them have done since `keep`; valid until the next call. */
  sinceKept(poses: BonePoses): Work {
    const work = this.#work;
    work.before = work.after = 0;
    for (let pair = 0; pair < this.#joints.count; pair++) this.#measureWay(poses, pair);
    if (this.#motors.any) this.#addMotors(poses, work);
    if (this.#rows.limitCount === 0) return work;
    // tangents of cones may be new since the move began: their directions there are measured now
    this.#rows.limits.measure(this.#kept);
    work.before += this.#limitWork(this.#kept);
    this.#rows.limits.measure(poses);
    work.after += this.#limitWork(poses);
    return work;
  }

  #addMotors(poses: BonePoses, work: Work): void {
    const motors = this.#motors;
    motors.measure(poses);
    for (const other of motors.others) other.addWork(poses, work);
    for (let pair = 0; pair < this.#joints.count; pair++) {
      if (!motors.isOn(pair)) continue;
      work.before += this.#motorWork(this.#torque, pair * 3, pair);
      this.#toFirst(poses, pair, motors.torque, pair * 3);
      work.after += this.#motorWork(this.#local, 0, pair);
    }
  }

  /** Work of a motor's torque over the way [J]; a bounded one gives no more than it can. */
  #motorWork(torque: Float64Array, o: number, pair: number): number {
    const motors = this.#motors;
    if (!motors.bounded[pair]) return dotVec3(torque, o, this.#way, pair * 3);
    const { frame } = this.#joints;
    let work = 0;
    for (const axis of motors.motorAxes(pair)) {
      const f = pair * 9 + axis * 3;
      const cap = motors.cap(pair, axis);
      const along = Math.max(-cap, Math.min(cap, dotVec3(torque, o, frame, f)));
      work += along * dotVec3(this.#way, pair * 3, frame, f);
    }
    return work;
  }

  /** Work of the limits' torques, with their directions at poses that were measured. */
  #limitWork(poses: BonePoses): number {
    const { z, limitCount, limits } = this.#rows;
    let work = 0;
    for (let row = 0; row < limitCount; row++) {
      if (z[row] === 0) continue;
      const pair = this.#rows.pairOf(row);
      this.#toFirst(poses, pair, limits.slope, row * 3);
      work += z[row] * dotVec3(this.#local, 0, this.#way, pair * 3);
    }
    return work;
  }

  /** How far the second bone of a pair has turned against the first since `keep`. */
  #measureWay(poses: BonePoses, pair: number): void {
    this.#motors.readTurn(this.#kept, pair, this.#from, 0);
    this.#motors.readTurn(poses, pair, this.#to, 0);
    conjugateQuat(this.#back, 0, this.#from, 0);
    multiplyQuat(this.#back, 0, this.#to, 0, this.#back, 0);
    quatToRotationVector(this.#way, pair * 3, this.#back, 0);
  }

  /** local = a vector of the world in the axes of a pair's first bone. */
  #toFirst({ quats }: BonePoses, pair: number, v: Float64Array, o: number): void {
    conjugateQuat(this.#back, 0, quats, this.#motors.parent(pair) * 4);
    rotateVec3(this.#local, 0, this.#back, 0, v, o);
  }
}
