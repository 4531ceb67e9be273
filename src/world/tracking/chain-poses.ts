/** Poses of a whole skeleton from the turns of its joints, from the root outwards: how tracked motions are described as data. */
import type { Joints } from '../../body/joints/joints.js';
import type { Subtrees } from '../../body/joints/subtrees.js';
import type { Model } from '../../body/model.js';
import { conjugateQuat, copyQuat, multiplyQuat, rotateVec3 } from '../../math/quat.js';
import { copyVec3 } from '../../math/vec3.js';

const POSE = 7;

/** Puts a bone, turned as it is, where its joint with another one is: poses of 7 numbers per bone. */
export function hangOn(joints: Joints, poses: Float64Array, pair: number, bone: number, on: number): void {
  const [own, other] =
    joints.boneA[pair] === bone ? [joints.anchorA, joints.anchorB] : [joints.anchorB, joints.anchorA];
  addAnchor(poses, bone, poses, on, other, pair * 3, 1);
  addAnchor(poses, bone, poses, bone, own, pair * 3, -1);
}

const arm = new Float64Array(3);

/** Place of `bone` = that of `of` plus its anchor, or its own minus it. */
function addAnchor(
  out: Float64Array,
  bone: number,
  poses: Float64Array,
  of: number,
  anchor: Float64Array,
  i: number,
  sign: number,
): void {
  if (of !== bone) copyVec3(out, bone * POSE + 4, poses, of * POSE + 4);
  rotateVec3(arm, 0, poses, of * POSE, anchor, i);
  for (let k = 0; k < 3; k++) out[bone * POSE + 4 + k] += sign * arm[k];
}

/** Poses of one body; owns the array. */
export class ChainPoses {
  /** Quaternion and centre of mass of each bone. Fill in the root's, then `spread`. */
  readonly poses: Float64Array;
  /** Turn of each pair's second bone against the first, from the rest pose: quaternions. */
  readonly turns: Float64Array;
  readonly #model: Model;
  readonly #tree: Subtrees;
  readonly #q = new Float64Array(4);

  constructor(model: Model, tree: Subtrees) {
    this.#model = model;
    this.#tree = tree;
    this.poses = new Float64Array(model.bones.count * POSE);
    this.turns = new Float64Array(model.joints.count * 4);
    for (let i = 3; i < this.turns.length; i += 4) this.turns[i] = 1;
  }

  /** Works out the poses of all bones beyond the root. */
  spread(): void {
    const { joints } = this.#model;
    const { order, parent, pairOf } = this.#tree;
    for (const bone of order) {
      const [from, pair] = [parent[bone], pairOf[bone]];
      if (from < 0) continue;
      if (joints.boneB[pair] === bone) copyQuat(this.#q, 0, this.turns, pair * 4);
      else conjugateQuat(this.#q, 0, this.turns, pair * 4);
      multiplyQuat(this.poses, bone * POSE, this.poses, from * POSE, this.#q, 0);
      hangOn(joints, this.poses, pair, bone, from);
    }
  }
}
