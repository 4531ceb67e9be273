/** Where motors lead: for every pair of bones the pose its second bone would have if its motor had its way, the first one being where it is. */
import { MOTOR, MOTOR_STRIDE } from '../../src/body/joints/motor-state.js';
import type { Model } from '../../src/body/model.js';
import type { BodyState } from '../../src/body/state.js';
import { multiplyQuat, rotateVec3 } from '../../src/math/quat.js';
import type { ProjectiveState } from '../../src/solvers/projective/projective-state.js';
import { POSE } from './frame-layout.js';

/** Bone that is led by the motor of each pair: the second one, or the one that is pinned to the world. */
export function ledBones({ joints, bones }: Model): Int32Array {
  return joints.boneB.map((b, pair) => (b === bones.count ? joints.boneA[pair] : b));
}

/** Writes `POSE` numbers per pair from `at` on; all zero where no motor leads anywhere. */
export function writeGhosts(model: Model, state: BodyState, out: Float32Array, at: number): void {
  const { joints, bones } = model;
  out.fill(0, at, at + joints.count * POSE);
  const { motors } = state as Partial<ProjectiveState>;
  const quat = new Float64Array(4);
  const arm = new Float64Array(3);
  for (let pair = 0; motors && pair < joints.count; pair++) {
    const o = pair * MOTOR_STRIDE;
    if (motors[o + MOTOR.stiffness] === 0) continue;
    const isPinned = joints.boneB[pair] === bones.count;
    const parent = isPinned ? bones.count : joints.boneA[pair];
    const [near, far] = isPinned ? [joints.anchorB, joints.anchorA] : [joints.anchorA, joints.anchorB];
    multiplyQuat(quat, 0, state.poses.quats, parent * 4, motors, o + MOTOR.target);
    out.set(quat, at + pair * POSE);
    for (const [anchor, turn, i, sign] of [
      [near, state.poses.quats, parent * 4, 1],
      [far, quat, 0, -1],
    ] as const) {
      rotateVec3(arm, 0, turn, i, anchor, pair * 3);
      for (let k = 0; k < 3; k++) out[at + pair * POSE + 4 + k] += sign * arm[k];
    }
    for (let k = 0; k < 3; k++) out[at + pair * POSE + 4 + k] += state.poses.translations[parent * 3 + k];
  }
}
