/** Activations that follow the motors of joints: a muscle works when the motor it stands for does. Called at the end of each step that stands. */

import { buildSubtrees, levelMoments } from '../../../body/joints/subtrees.js';
import type { Model } from '../../../body/model.js';
import { rotateVec3 } from '../../../math/quat.js';
import type { ProjectiveState } from '../projective-state.js';

/** Time in which an activation comes near to what its motor asks for [s]. */
const RISE = 0.04;
const GRAVITY = 9.81;

/** Muscles of one model that follow motors. */
export class MuscleFollower {
  readonly #model: Model;
  readonly #followers: readonly number[];
  /** Torque of full activation of each muscle [N m]. */
  readonly #full: Float64Array;
  readonly #about = new Float64Array(3);

  constructor(model: Model) {
    this.#model = model;
    const pairs = model.muscles?.followedPair ?? new Int32Array(0);
    this.#followers = [...pairs.keys()].filter((muscle) => pairs[muscle] >= 0);
    this.#full = model.muscles?.followedTorque.slice() ?? new Float64Array(0);
    const unsaid = this.#followers.filter((muscle) => this.#full[muscle] === 0);
    if (unsaid.length === 0) return;
    const tree = buildSubtrees(model);
    const level = levelMoments(model, tree, GRAVITY);
    for (const muscle of unsaid) {
      const bone = tree.pairOf.indexOf(pairs[muscle]);
      this.#full[muscle] = (bone < 0 ? 1 : level[bone]) || 1;
    }
  }

  /** Moves the activations towards what the motors did in a step of `h` [s]. */
  follow(state: ProjectiveState, h: number): void {
    const { muscles, joints, bones } = this.#model;
    if (!muscles) return;
    const share = h / (h + RISE);
    for (let n = 0; n < this.#followers.length; n++) {
      const muscle = this.#followers[n];
      const pair = muscles.followedPair[muscle];
      // a bone that is pinned turns against the world
      const first = joints.boneB[pair] === bones.count ? bones.count : joints.boneA[pair];
      rotateVec3(this.#about, 0, state.poses.quats, first * 4, muscles.followedAbout, muscle * 3);
      let torque = 0;
      for (let k = 0; k < 3; k++) torque += this.#about[k] * state.jointTorques[pair * 6 + 3 + k];
      const wanted = Math.max(0, Math.min(1, torque / this.#full[muscle]));
      state.activations[muscle] += share * (wanted - state.activations[muscle]);
    }
  }
}
