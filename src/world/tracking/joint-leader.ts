/**
 * The motor that leads a joint through the poses of a motion: gains from a frequency and the inertia that hangs on the joint, with what is
 * known in advance: the rate of the poses, their acceleration, and the weight, and with what the last steps taught about the rest (resistance.ts).
 * Called by the tracker for each tracked bone before a step.
 */
import { JOINT_TYPES } from '../../body/joints/joint-table.js';
import { clearMotor, MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import type { Subtrees } from '../../body/joints/subtrees.js';
import { conjugateQuat, copyQuat, multiplyQuat } from '../../math/quat.js';
import { quatToRotationVector } from '../../math/rotation-vector.js';
import { motorState } from '../joint-control.js';
import type { World, WorldBody } from '../world.js';
import { HangingWeight } from './hanging-weight.js';
import { Resistance } from './resistance.js';

/** Poses that jump are not thrown after: the acceleration in advance is at most what so large an error would cause [rad]. */
const JUMP = 0.3;
const HINGE = JOINT_TYPES.indexOf('hinge');
const POSE = 7;

/** Leads the joints of one body. */
export class JointLeader {
  readonly weight: HangingWeight;
  readonly #body: WorldBody;
  readonly #tree: Subtrees;
  readonly #effort: number;
  readonly #resistance: Resistance;
  readonly #q = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #way = new Float64Array(3);

  /** `effort`: largest torque as a multiple of what holds what hangs on the joint level. */
  constructor(world: World, body: WorldBody, tree: Subtrees, effort: number) {
    this.weight = new HangingWeight(world, body, tree);
    this.#body = body;
    this.#tree = tree;
    this.#effort = effort;
    this.#resistance = new Resistance(body, tree);
  }

  /** Sets the motor between a bone and its parent in the tree; `omega` [rad/s], `share` of the weight is carried. */
  lead(bone: number, poses: Float64Array, omega: number, share: number, dt: number): void {
    const { joints } = this.#body.model;
    const { motors } = motorState(this.#body);
    const pair = this.#tree.pairOf[bone];
    const o = pair * MOTOR_STRIDE;
    if (omega === 0) {
      clearMotor(motors, o);
      return;
    }
    const wasOn = motors[o + MOTOR.stiffness] > 0;
    this.#relative(poses, POSE, pair, this.#q);
    conjugateQuat(this.#turn, 0, motors, o + MOTOR.target);
    multiplyQuat(this.#turn, 0, this.#q, 0, this.#turn, 0);
    quatToRotationVector(this.#way, 0, this.#turn, 0);
    const inertia = joints.types[pair] === HINGE ? this.#tree.axial[bone] : this.#tree.inertia[bone];
    this.#resistance.learn(bone, wasOn, share, inertia * omega * omega, omega, dt);
    this.weight.feed(bone, motors, o, share);
    this.#resistance.feed(bone, motors, o, share);
    const rising = wasOn ? inertia / dt : 0;
    const most = JUMP * inertia * omega * omega;
    for (let k = 0; k < 3; k++) {
      const rate = wasOn ? this.#way[k] / dt : 0;
      const push = rising * (rate - motors[o + MOTOR.rate + k]);
      motors[o + MOTOR.feed + k] += Math.max(-most, Math.min(most, push));
      motors[o + MOTOR.rate + k] = rate;
    }
    copyQuat(motors, o + MOTOR.target, this.#q, 0);
    motors[o + MOTOR.stiffness] = inertia * omega * omega;
    motors[o + MOTOR.damping] = 2 * inertia * omega;
    for (let k = 0; k < 3; k++) motors[o + MOTOR.cap + k] = this.#effort * this.weight.level[bone];
  }

  /** Square of the angle between the joint of a bone and where it was led last [rad²]; -1 where it was not. */
  squareError(bone: number): number {
    const { motors } = motorState(this.#body);
    const pair = this.#tree.pairOf[bone];
    if (pair < 0 || motors[pair * MOTOR_STRIDE + MOTOR.stiffness] === 0) return -1;
    this.#relative(this.#body.state.poses.quats, 4, pair, this.#q);
    conjugateQuat(this.#q, 0, this.#q, 0);
    multiplyQuat(this.#q, 0, motors, pair * MOTOR_STRIDE + MOTOR.target, this.#q, 0);
    quatToRotationVector(this.#way, 0, this.#q, 0);
    return this.#way[0] * this.#way[0] + this.#way[1] * this.#way[1] + this.#way[2] * this.#way[2];
  }

  /** Turn of a pair's second bone against its first in poses of `stride` numbers each. */
  #relative(poses: Float64Array, stride: number, pair: number, out: Float64Array): void {
    const { boneA, boneB } = this.#body.model.joints;
    conjugateQuat(this.#turn, 0, poses, boneA[pair] * stride);
    multiplyQuat(out, 0, this.#turn, 0, poses, boneB[pair] * stride);
  }
}
