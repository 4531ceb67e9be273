/**
 * Leading a body's bones through poses by the motors of their joints, so that they follow a motion and still give way: one number, `strength`, says how
 * hard. A joint on which the inertia I hangs becomes a critically damped oscillator of that frequency f,
 *
 *     k = I ω²,  d = 2 I ω,  ω = 2π f · weight
 *
 * with the rate of the poses, and with what is known in advance: the weight of what hangs on the joint, and I times the acceleration of the poses.
 *
 * Called once before each step; what it writes is the motors of the state, so snapshots know all of it.
 */
import { JOINT_TYPES } from '../body/joint-table.js';
import { clearMotor, MOTOR, MOTOR_STRIDE } from '../body/motor-state.js';
import { buildSubtrees, type Subtrees } from '../body/subtrees.js';
import { requireFinite, requireInRange, TendonError } from '../errors.js';
import { conjugateQuat, copyQuat, multiplyQuat, unrotateVec3 } from '../math/quat.js';
import { quatToRotationVector } from '../math/rotation-vector.js';
import { setBoneKinematic } from './bone-control.js';
import { motorState } from './joint-control.js';
import type { World, WorldBody } from './world.js';

/** What a bone does: goes exactly where it is sent, is led there, or hangs. */
export type BoneMode = 'kinematic' | 'tracked' | 'limp';

/** How bones are led. */
export interface TrackOptions {
  /** How hard, as the frequency joints swing back with [Hz]; default 6. */
  readonly strength?: number;
  /** Largest torque of a joint, as a multiple of what holds what hangs on it level; default without bound. */
  readonly effort?: number;
  /** Bone that the tree of the skeleton starts from; default the first. */
  readonly root?: number;
}

const MODES: readonly BoneMode[] = ['kinematic', 'tracked', 'limp'];
const DEFAULT_STRENGTH = 6;
const TURN = 2 * Math.PI;
const POSE = 7;
/** Poses that jump are not thrown after: the acceleration in advance is at most what so large an error would cause [rad]. */
const JUMP = 0.3;
const HINGE = JOINT_TYPES.indexOf('hinge');

/** Leads the bones of one body. Made once; `track` allocates nothing. */
export class BoneTracker {
  /** Root of the mean square of the angle between joints and where the last call sent them, over tracked joints [rad]. */
  error = 0;
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #tree: Subtrees;
  readonly #modes: BoneMode[];
  readonly #weights: Float64Array;
  readonly #level: Float64Array;
  #strength: number;
  readonly #effort: number;
  readonly #q = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #way = new Float64Array(3);
  readonly #moment = new Float64Array(3);
  readonly #arm = new Float64Array(3);
  /** Moment of weight about the world's origin, weight times place, and mass, of everything from each bone outwards. */
  readonly #hanging: Float64Array;

  constructor(world: World, body: WorldBody, options: TrackOptions = {}) {
    motorState(body);
    this.#world = world;
    this.#body = body;
    this.#tree = buildSubtrees(body.model, options.root ?? 0);
    const { count } = body.model.bones;
    this.#modes = Array.from({ length: count }, (_, bone) => (body.state.kinematic[bone] ? 'kinematic' : 'tracked'));
    this.#weights = new Float64Array(count).fill(1);
    this.#hanging = new Float64Array(count * 4);
    this.#strength = requireInRange(options.strength ?? DEFAULT_STRENGTH, 0, 1000, 'track/strength');
    this.#effort = options.effort ?? Number.POSITIVE_INFINITY;
    if (!(this.#effort >= 0))
      throw new TendonError('E_RANGE', 'track/effort', this.#effort, 'a multiple of the weight, 0 or more');
    this.#level = this.#levelMoments();
  }

  /** How hard joints are led [Hz]. */
  get strength(): number {
    return this.#strength;
  }

  set strength(value: number) {
    this.#strength = requireInRange(value, 0, 1000, 'track/strength');
  }

  /** Says what a bone does from the next call on; `weight` in [0, 1] softens a tracked one, down to limp, without a jump. */
  setBone(bone: number, mode: BoneMode, weight = 1): void {
    const { bones } = this.#body.model;
    if (!(bone in this.#modes))
      throw new TendonError('E_INDEX', 'track/bone', bone, `the body has ${bones.count} bones`);
    if (!MODES.includes(mode)) throw new TendonError('E_UNKNOWN', 'track/mode', mode, `use ${MODES.join(', ')}`);
    this.#weights[bone] = requireInRange(weight, 0, 1, 'track/weight');
    const was = this.#modes[bone] === 'kinematic';
    this.#modes[bone] = mode;
    if (was !== (mode === 'kinematic')) setBoneKinematic(this.#body, bone, mode === 'kinematic');
  }

  /**
   * Sends the bones towards poses, to be reached by the end of a step of `dt` [s]: 7 numbers per bone, quaternion and place of the centre of mass
   * [m], as clips give them. Places count for kinematic bones only.
   */
  track(poses: Float64Array, dt = this.#world.dt): void {
    const { count } = this.#body.model.bones;
    if (poses.length < count * POSE)
      throw new TendonError('E_RANGE', 'track/poses', poses.length, `${count * POSE} numbers are needed`);
    requireFinite(poses, 'track/poses');
    requireInRange(dt, 1e-7, 1, 'track/dt');
    this.#measureError();
    this.#hang();
    const { state } = this.#body;
    for (let bone = 0; bone < count; bone++) {
      if (this.#modes[bone] !== 'kinematic') continue;
      for (let k = 0; k < POSE; k++) state.boneTargets[bone * POSE + k] = poses[bone * POSE + k];
    }
    for (let bone = 0; bone < count; bone++) if (this.#tree.pairOf[bone] >= 0) this.#lead(bone, poses, dt);
  }

  /** Sets the motor between a bone and its parent in the tree. */
  #lead(bone: number, poses: Float64Array, dt: number): void {
    const { joints } = this.#body.model;
    const { motors } = motorState(this.#body);
    const pair = this.#tree.pairOf[bone];
    const o = pair * MOTOR_STRIDE;
    const omega = TURN * this.#strength * this.#weights[bone];
    if (this.#modes[bone] === 'limp' || omega === 0) {
      clearMotor(motors, o);
      return;
    }
    const wasOn = motors[o + MOTOR.stiffness] > 0;
    this.#relative(poses, POSE, pair, this.#q);
    conjugateQuat(this.#turn, 0, motors, o + MOTOR.target);
    multiplyQuat(this.#turn, 0, this.#q, 0, this.#turn, 0);
    quatToRotationVector(this.#way, 0, this.#turn, 0);
    const inertia = joints.types[pair] === HINGE ? this.#tree.axial[bone] : this.#tree.inertia[bone];
    this.#feedWeight(bone, pair, o, this.#weights[bone]);
    const rising = motors[o + MOTOR.stiffness] > 0 ? inertia / dt : 0;
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
    for (let k = 0; k < 3; k++) motors[o + MOTOR.cap + k] = this.#effort * this.#level[bone];
  }

  /** Turn of a pair's second bone against its first in poses of `stride` numbers each. */
  #relative(poses: Float64Array, stride: number, pair: number, out: Float64Array): void {
    const { boneA, boneB } = this.#body.model.joints;
    conjugateQuat(this.#turn, 0, poses, boneA[pair] * stride);
    multiplyQuat(out, 0, this.#turn, 0, poses, boneB[pair] * stride);
  }

  /** The torque that carries what hangs on the joint, in the axes of its first bone. */
  #feedWeight(bone: number, pair: number, o: number, share: number): void {
    const { joints } = this.#body.model;
    const { motors } = motorState(this.#body);
    const { gravity } = this.#world;
    const { rotations, translations, quats } = this.#body.state.poses;
    const a = joints.boneA[pair];
    const arm = this.#arm;
    const mass = this.#hanging[bone * 4 + 3];
    for (let k = 0; k < 3; k++) {
      let anchor = translations[a * 3 + k];
      for (let p = 0; p < 3; p++) anchor += rotations[a * 9 + k * 3 + p] * joints.anchorA[pair * 3 + p];
      arm[k] = this.#hanging[bone * 4 + k] - mass * anchor;
    }
    // minus the moment of the weight, on the part that hangs; motors count what they do to the second bone
    const sign = joints.boneB[pair] === bone ? -share : share;
    this.#moment[0] = sign * (arm[1] * gravity[2] - arm[2] * gravity[1]);
    this.#moment[1] = sign * (arm[2] * gravity[0] - arm[0] * gravity[2]);
    this.#moment[2] = sign * (arm[0] * gravity[1] - arm[1] * gravity[0]);
    unrotateVec3(motors, o + MOTOR.feed, quats, a * 4, this.#moment, 0);
  }

  /** Mass and mass times place of everything from each bone outwards, as it is now. */
  #hang(): void {
    const { order, parent, mass, centre } = this.#tree;
    const { bones } = this.#body.model;
    const { rotations, translations } = this.#body.state.poses;
    const hanging = this.#hanging;
    for (let bone = 0; bone < bones.count; bone++) {
      for (let k = 0; k < 3; k++) {
        let at = translations[bone * 3 + k];
        for (let p = 0; p < 3; p++)
          at += rotations[bone * 9 + k * 3 + p] * (centre[bone * 3 + p] - bones.centre[bone * 3 + p]);
        hanging[bone * 4 + k] = mass[bone] * at;
      }
      hanging[bone * 4 + 3] = mass[bone];
    }
    for (let n = order.length - 1; n >= 0; n--) {
      const bone = order[n];
      for (let k = 0; parent[bone] >= 0 && k < 4; k++) hanging[parent[bone] * 4 + k] += hanging[bone * 4 + k];
    }
  }

  /** What holds level what hangs on each bone's joint, at rest [N m]. */
  #levelMoments(): Float64Array {
    const { order, parent, mass, centre, pairOf } = this.#tree;
    const { joints, bones } = this.#body.model;
    const level = new Float64Array(bones.count);
    const g = Math.sqrt(this.#world.gravity.reduce((sum, x) => sum + x * x, 0)) || 9.81;
    for (const bone of order) {
      for (let joint = bone; joint >= 0 && pairOf[joint] >= 0; joint = parent[joint]) {
        const a = joints.boneA[pairOf[joint]];
        let square = 0;
        for (let k = 0; k < 3; k++) {
          const arm = centre[bone * 3 + k] - joints.anchorA[pairOf[joint] * 3 + k] - bones.centre[a * 3 + k];
          square += arm * arm;
        }
        level[joint] += mass[bone] * g * Math.sqrt(square);
      }
    }
    return level;
  }

  #measureError(): void {
    const { count } = this.#body.model.bones;
    const { motors } = motorState(this.#body);
    let sum = 0;
    let joints = 0;
    for (let bone = 0; bone < count; bone++) {
      const pair = this.#tree.pairOf[bone];
      if (pair < 0 || this.#modes[bone] !== 'tracked' || motors[pair * MOTOR_STRIDE + MOTOR.stiffness] === 0) continue;
      this.#relative(this.#body.state.poses.quats, 4, pair, this.#q);
      conjugateQuat(this.#q, 0, this.#q, 0);
      multiplyQuat(this.#q, 0, motors, pair * MOTOR_STRIDE + MOTOR.target, this.#q, 0);
      quatToRotationVector(this.#way, 0, this.#q, 0);
      for (let k = 0; k < 3; k++) sum += this.#way[k] * this.#way[k];
      joints++;
    }
    this.error = joints > 0 ? Math.sqrt(sum / joints) : 0;
  }
}
