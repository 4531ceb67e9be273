/**
 * What resists a joint that is led and is not known in advance: flesh that is bent around it, limbs that throw each other about, the ground. What the
 * spring and damper of the motor had to give in the last step, less what a limit took of it, is added to what is fed forward in the next (integral
 * action), so that the error of a slow resistance goes to nothing. It is a torque between two bones: momentum is kept.
 *
 *     b ← weight (b + γ (τ − feed + limit)),   γ = a h/(1 + a h),  a = 3 ω
 *
 * A bone that is softened by its weight forgets, so that it sags and gives way as it is meant to. What is learnt lies among the targets of the state,
 * which a bone that is not kinematic has no other use for: a step that is undone, a snapshot and a hash know it.
 */
import { MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import type { Subtrees } from '../../body/joints/subtrees.js';
import { unrotateVec3 } from '../../math/quat.js';
import { motorState } from '../joint-control.js';
import type { WorldBody } from '../world.js';

/** How fast it learns, as a multiple of the joint's own ω. Walk in the air at 8 Hz: 0.043 rad rms with 0, 0.012 with 1, 0.0094 with 3, 0.0089 with 5. */
const RATE = 3;
/** The most that is learnt, as the error at which the spring alone would push as much [rad]. */
const MOST = 0.5;
const POSE = 7;

/** Learns for the joints of one body. */
export class Resistance {
  readonly #body: WorldBody;
  readonly #tree: Subtrees;
  readonly #given = new Float64Array(3);
  readonly #limit = new Float64Array(3);

  constructor(body: WorldBody, tree: Subtrees) {
    this.#body = body;
    this.#tree = tree;
  }

  /** Learns from the last step, before its motor is changed; `known`: whether it was led in it. `stiffness` [N m/rad], `omega` [rad/s]. */
  learn(bone: number, known: boolean, weight: number, stiffness: number, omega: number, dt: number): void {
    const { motors, jointTorques, poses, boneTargets, kinematic } = motorState(this.#body);
    if (kinematic[bone]) return;
    const pair = this.#tree.pairOf[bone];
    const feed = pair * MOTOR_STRIDE + MOTOR.feed;
    const frame = this.#body.model.joints.boneA[pair] * 4;
    unrotateVec3(this.#limit, 0, poses.quats, frame, jointTorques, pair * 6);
    unrotateVec3(this.#given, 0, poses.quats, frame, jointTorques, pair * 6 + 3);
    const gamma = (RATE * omega * dt) / (1 + RATE * omega * dt);
    const most = MOST * stiffness;
    for (let k = 0; k < 3; k++) {
      const i = bone * POSE + k;
      const missing = this.#given[k] - motors[feed + k] + this.#limit[k];
      const learnt = known ? weight * (boneTargets[i] + gamma * missing) : 0;
      boneTargets[i] = Math.max(-most, Math.min(most, learnt));
    }
  }

  /** Adds what was learnt to what is fed forward. */
  feed(bone: number, motors: Float64Array, o: number, share: number): void {
    const { boneTargets, kinematic } = this.#body.state;
    for (let k = 0; k < 3 && !kinematic[bone]; k++) motors[o + MOTOR.feed + k] += share * boneTargets[bone * POSE + k];
  }
}
