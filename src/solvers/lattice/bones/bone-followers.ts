/**
 * Where the bones of a lattice go in a step: kinematic ones to their targets, all others along with the bone they are joined to, as
 * if the joint were stiff. So a skeleton of which only some bones are driven stays in one piece. First stage of a body's step.
 */
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import { conjugateQuat, multiplyQuat, normaliseQuat, rotateVec3 } from '../../../math/quat.js';

/** Moves the bones of one body; allocates nothing. */
export class BoneFollowers {
  readonly #model: Model;
  readonly #quats: Float64Array;
  readonly #places: Float64Array;
  readonly #done: Uint8Array;
  readonly #turn = new Float64Array(4);
  readonly #arm = new Float64Array(3);

  constructor(model: Model) {
    this.#model = model;
    const { count } = model.bones;
    this.#quats = new Float64Array(4 * count);
    this.#places = new Float64Array(3 * count);
    this.#done = new Uint8Array(count);
  }

  move({ poses, boneTargets, kinematic }: BodyState): void {
    const { joints, bones } = this.#model;
    for (let i = 0; i < this.#quats.length; i++) this.#quats[i] = poses.quats[i];
    for (let i = 0; i < this.#places.length; i++) this.#places[i] = poses.translations[i];
    this.#done.fill(0);
    for (let bone = 0; bone < bones.count; bone++) {
      if (!kinematic[bone]) continue;
      for (let k = 0; k < 4; k++) poses.quats[4 * bone + k] = boneTargets[7 * bone + k];
      for (let k = 0; k < 3; k++) poses.translations[3 * bone + k] = boneTargets[7 * bone + 4 + k];
      poses.updateRotation(bone);
      this.#done[bone] = 1;
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (let pair = 0; pair < joints.count; pair++) {
        const [a, b] = [joints.boneA[pair], joints.boneB[pair]];
        if (a >= bones.count || b >= bones.count || this.#done[a] === this.#done[b]) continue;
        if (this.#done[a]) this.#follow(poses, b, a);
        else this.#follow(poses, a, b);
        changed = true;
      }
    }
  }

  /** Moves a bone as another one has just moved. */
  #follow(poses: BodyState['poses'], bone: number, leader: number): void {
    this.#done[bone] = 1;
    if (!this.#hasMoved(poses, leader)) return;
    const turn = this.#turn;
    const arm = this.#arm;
    conjugateQuat(turn, 0, this.#quats, 4 * leader);
    multiplyQuat(turn, 0, poses.quats, 4 * leader, turn, 0);
    multiplyQuat(poses.quats, 4 * bone, turn, 0, this.#quats, 4 * bone);
    normaliseQuat(poses.quats, 4 * bone, poses.quats, 4 * bone);
    for (let k = 0; k < 3; k++) arm[k] = this.#places[3 * bone + k] - this.#places[3 * leader + k];
    rotateVec3(arm, 0, turn, 0, arm, 0);
    for (let k = 0; k < 3; k++) poses.translations[3 * bone + k] = poses.translations[3 * leader + k] + arm[k];
    poses.updateRotation(bone);
  }

  #hasMoved({ quats, translations }: BodyState['poses'], bone: number): boolean {
    for (let k = 0; k < 4; k++) if (quats[4 * bone + k] !== this.#quats[4 * bone + k]) return true;
    for (let k = 0; k < 3; k++) if (translations[3 * bone + k] !== this.#places[3 * bone + k]) return true;
    return false;
  }
}
