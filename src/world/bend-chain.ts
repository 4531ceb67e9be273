/** Driving a chain of kinematic bones by the angles of its joints. */
import { TendonError } from '../errors.js';
import { multiplyQuat, rotateVec3 } from '../math/quat.js';
import { axisAngleQuat } from '../math/rotation.js';
import type { WorldBody } from './world.js';

/** A bone that is turned to its target by its joint, and gives way to what it touches. */
const TRACKED = 2;

/** How far a joint is bent from its rest shape, about its axis [rad]. */
export interface JointBend {
  readonly joint: string;
  readonly angle: number;
}

/**
 * Sends the outer bone of each joint where the bone before it, which stays, and the angles put it: first the joint at the
 * root, then outwards. A tracked bone does not stay but goes to its target. Joints with two bones only.
 */
export function bendChain(body: WorldBody, bends: readonly JointBend[]): void {
  const { joints } = body.model;
  const { poses, boneTargets, kinematic } = body.state;
  const turn = new Float64Array(4);
  const arm = new Float64Array(3);
  bends.forEach(({ joint, angle }, n) => {
    const pair = joints.ofPair.indexOf(joints.names.indexOf(joint));
    if (pair < 0) throw new TendonError('E_UNKNOWN', `bodies/${body.name}/joints`, joint, 'the body has no such joint');
    const inner = joints.boneA[pair] * 7;
    const outer = joints.boneB[pair] * 7;
    if (n === 0 && kinematic[joints.boneA[pair]] !== TRACKED) {
      boneTargets.set(poses.quats.subarray(joints.boneA[pair] * 4, joints.boneA[pair] * 4 + 4), inner);
      boneTargets.set(poses.translations.subarray(joints.boneA[pair] * 3, joints.boneA[pair] * 3 + 3), inner + 4);
    }
    axisAngleQuat(turn, 0, joints.frame, pair * 9, angle);
    multiplyQuat(boneTargets, outer, boneTargets, inner, turn, 0);
    boneTargets.copyWithin(outer + 4, inner + 4, inner + 7);
    rotateVec3(arm, 0, boneTargets, inner, joints.anchorA, pair * 3);
    for (let k = 0; k < 3; k++) boneTargets[outer + 4 + k] += arm[k];
    rotateVec3(arm, 0, boneTargets, outer, joints.anchorB, pair * 3);
    for (let k = 0; k < 3; k++) boneTargets[outer + 4 + k] -= arm[k];
  });
}
