/**
 * Leading a body's bones through poses by the motors of their joints, so that they follow a motion and still give way: one number, `strength`, says how
 * hard. A joint on which the inertia I hangs becomes a critically damped oscillator of that frequency f,
 *
 *     k = I ω²,  d = 2 I ω,  ω = 2π f · weight
 *
 * with the rate of the poses, with what is known in advance: the weight of what hangs on the joint, and I times the acceleration of the poses, and with
 * what the steps before taught about the rest, the resistance of the flesh before all (resistance.ts).
 *
 * Called once before each step. What it goes on from is part of the state, so snapshots know it: motors, what joints learnt, and where the root was sent last. Blends are not:
 * they belong to the program.
 */
import { clearMotor, MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import { buildSubtrees, type Subtrees } from '../../body/joints/subtrees.js';
import { requireFinite, requireInRange, TendonError } from '../../errors.js';
import { motorState } from '../joint-control.js';
import type { World, WorldBody } from '../world.js';
import { type BoneMode, BoneModes } from './bone-modes.js';
import { hangOn } from './chain-poses.js';
import { JointLeader } from './joint-leader.js';
import { RootLead } from './root-lead.js';

/** What holds the root of a tracked body: it goes where it is sent, it is led there by a force from outside, or nothing but its limbs. */
export type RootMode = 'kinematic' | 'assisted' | 'free';

/** How bones are led. */
export interface TrackOptions {
  /** How hard, as the frequency joints swing back with [Hz]; default 6. */
  readonly strength?: number;
  /** Largest torque of a joint, as a multiple of what holds what hangs on it level; default without bound. */
  readonly effort?: number;
  /** Bone that the tree of the skeleton starts from; default the first. */
  readonly root?: number;
  /** What holds that bone; default as it is: kinematic or free. */
  readonly rootMode?: RootMode;
}

const ROOT_MODES: readonly RootMode[] = ['kinematic', 'assisted', 'free'];
const DEFAULT_STRENGTH = 6;
const STRONGEST = 1000;
const TURN = 2 * Math.PI;
const POSE = 7;

/** Leads the bones of one body. Made once; `track` allocates nothing. */
export class BoneTracker {
  /** Root of the mean square of the angle between joints and where the last call sent them, over tracked joints [rad]. */
  error = 0;
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #tree: Subtrees;
  readonly #modes: BoneModes;
  readonly #joints: JointLeader;
  readonly #rootLead: RootLead;
  readonly #root: number;
  #rootMode: RootMode;
  #strength: number;
  /** For bodies without joints, whose motors cannot say it. */
  #wasLed = false;
  /** Strength of single bones [Hz]; NaN: that of all. */
  readonly #own: Float64Array;
  readonly #last: Float64Array;

  constructor(world: World, body: WorldBody, options: TrackOptions = {}) {
    motorState(body);
    const { count } = body.model.bones;
    if (count === 0) throw new TendonError('E_EMPTY', `bodies/${body.name}/bones`, 0, 'there are no bones to track');
    this.#world = world;
    this.#body = body;
    this.#root = options.root ?? 0;
    if (!(this.#root >= 0 && this.#root < count))
      throw new TendonError('E_INDEX', 'track/root', this.#root, `the body has ${count} bones`);
    this.#tree = buildSubtrees(body.model, this.#root);
    this.#modes = new BoneModes(world, body);
    this.#strength = requireInRange(options.strength ?? DEFAULT_STRENGTH, 0, STRONGEST, 'track/strength');
    const effort = options.effort ?? Number.POSITIVE_INFINITY;
    if (!(effort >= 0)) throw new TendonError('E_RANGE', 'track/effort', effort, 'a multiple of the weight, 0 or more');
    this.#joints = new JointLeader(world, body, this.#tree, effort);
    this.#rootLead = new RootLead(world, body, this.#root);
    this.#own = new Float64Array(count).fill(Number.NaN);
    this.#last = body.state.boneTargets.slice();
    this.#rootMode = this.#modes.mode(this.#root) === 'kinematic' ? 'kinematic' : 'free';
    if (options.rootMode !== undefined) this.setRoot(options.rootMode);
  }

  /** How hard joints are led [Hz]. */
  get strength(): number {
    return this.#strength;
  }

  set strength(value: number) {
    this.#strength = requireInRange(value, 0, STRONGEST, 'track/strength');
  }

  /** How hard the joint of one bone is led [Hz]; undefined: as all are. */
  setStrength(bone: number, value: number | undefined): void {
    if (!(bone in this.#own))
      throw new TendonError('E_INDEX', 'track/bone', bone, `the body has ${this.#own.length} bones`);
    this.#own[bone] = value === undefined ? Number.NaN : requireInRange(value, 0, STRONGEST, 'track/strength');
  }

  /**
   * Says what a bone does from the next call on; `weight` in [0, 1] softens a tracked one, down to limp. It goes from what it did before to what
   * it does now within `blend` [s].
   */
  setBone(bone: number, mode: BoneMode, weight = 1, blend = 0): void {
    this.#modes.set(bone, mode, weight, blend, this.#last);
    if (bone !== this.#root) return;
    if (mode === 'kinematic') this.#rootMode = 'kinematic';
    else if (this.#rootMode === 'kinematic') this.#rootMode = 'free';
  }

  /** What a bone does. */
  mode(bone: number): BoneMode {
    return this.#modes.mode(bone);
  }

  /** What holds the root from the next call on, arrived at after `blend` [s]. */
  setRoot(mode: RootMode, blend = 0): void {
    if (!ROOT_MODES.includes(mode))
      throw new TendonError('E_UNKNOWN', 'track/root', mode, `use ${ROOT_MODES.join(', ')}`);
    this.#modes.set(this.#root, mode === 'kinematic' ? 'kinematic' : 'tracked', 1, blend, this.#last);
    this.#rootMode = mode;
  }

  /** Moment [N m] and force [N] from outside on an assisted root in the last step, world axes; zero for others. */
  get assist(): Float64Array {
    return this.#rootLead.lead.wrench;
  }

  /**
   * Sends the bones towards poses, to be reached by the end of a step of `dt` [s] that ends at `time` [s]: 7 numbers per bone, quaternion and place
   * of the centre of mass [m], as clips give them. Places count for kinematic bones and an assisted root only.
   */
  track(poses: Float64Array, dt = this.#world.dt, time = this.#world.time + dt): void {
    const { count } = this.#body.model.bones;
    if (poses.length < count * POSE)
      throw new TendonError('E_RANGE', 'track/poses', poses.length, `${count * POSE} numbers are needed`);
    requireFinite(poses, 'track/poses');
    requireInRange(dt, 1e-7, 1, 'track/dt');
    this.#measureError();
    this.#joints.weight.measure();
    this.#send(poses, time);
    this.#leadRoot(poses, dt);
    for (let bone = 0; bone < count; bone++) if (this.#tree.pairOf[bone] >= 0) this.#lead(bone, poses, dt, time);
    for (let i = 0; i < this.#last.length; i++) this.#last[i] = poses[i];
  }

  /** Takes motors and lead away: all bones that are not kinematic hang. */
  release(): void {
    const { motors } = motorState(this.#body);
    for (const pair of this.#tree.pairOf) if (pair >= 0) clearMotor(motors, pair * MOTOR_STRIDE);
    this.#rootLead.release();
    this.#wasLed = false;
    this.error = 0;
  }

  /** Sends kinematic bones, from the root outwards: while one is on its way, those beyond it hang on it where their joint is. */
  #send(poses: Float64Array, time: number): void {
    const { order, parent, pairOf } = this.#tree;
    let blending = false;
    for (const bone of order) {
      if (this.#modes.mode(bone) !== 'kinematic') continue;
      this.#modes.send(bone, poses, time);
      blending ||= this.#modes.isOnWay(bone, time);
      const hangs = blending && parent[bone] >= 0 && this.#modes.mode(parent[bone]) === 'kinematic';
      if (hangs) hangOn(this.#body.model.joints, this.#body.state.boneTargets, pairOf[bone], bone, parent[bone]);
    }
  }

  /**
   * Where the root was sent last is kept among the targets of the state, which a bone that is not kinematic has no other use for: a world that goes on from
   * a snapshot then knows the root's rate. Motors that are on say that it was sent at all.
   */
  #leadRoot(poses: Float64Array, dt: number): void {
    const { boneTargets } = this.#body.state;
    const { motors } = motorState(this.#body);
    let known = this.#wasLed && motors.length === 0 && this.#world.stepCount > 0;
    for (let o = MOTOR.stiffness; o < motors.length; o += MOTOR_STRIDE) known ||= motors[o] > 0;
    if (this.#rootMode === 'assisted') this.#rootLead.follow(poses, this.#omega(this.#root), dt, boneTargets, known);
    else this.#rootLead.release();
    this.#wasLed = true;
    for (let k = this.#root * POSE; this.#rootMode !== 'kinematic' && k < (this.#root + 1) * POSE; k++)
      boneTargets[k] = poses[k];
  }

  #lead(bone: number, poses: Float64Array, dt: number, time: number): void {
    const weight = this.#modes.mode(bone) === 'kinematic' ? 1 : this.#modes.weight(bone, time);
    this.#joints.lead(bone, poses, weight * this.#omega(bone), weight, dt);
  }

  #omega(bone: number): number {
    const own = this.#own[bone];
    return TURN * (own >= 0 ? own : this.#strength);
  }

  #measureError(): void {
    let sum = 0;
    let joints = 0;
    for (let bone = 0; bone < this.#own.length; bone++) {
      const square = this.#modes.mode(bone) === 'tracked' ? this.#joints.squareError(bone) : -1;
      if (square < 0) continue;
      sum += square;
      joints++;
    }
    this.error = joints > 0 ? Math.sqrt(sum / joints) : 0;
  }
}
