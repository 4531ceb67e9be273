/** Driving bones and reading what joints carry. */
import { requireNumbers, TendonError } from '../errors.js';
import type { WorldBody } from './world.js';

/** Where a bone is or is to go. */
export interface BonePose {
  /** Place of the bone's centre of mass [m]. */
  readonly position: ArrayLike<number>;
  /** Quaternion x, y, z, w that turns the rest shape. */
  readonly rotation: ArrayLike<number>;
}

/** Number of the bone of that name. */
export function findBone(body: WorldBody, name: string): number {
  const bone = body.model.bones.names.indexOf(name);
  if (bone < 0) {
    const known = body.model.bones.names.join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', `bodies/${body.name}/bones`, name, `the body's bones are: ${known}`);
  }
  return bone;
}

/**
 * Makes a bone kinematic (it goes where it is sent) or dynamic again; 'tracked', in bodies of kind `layer`: turned there by its joint, it
 * gives way to what it touches. It keeps its pose and its velocity.
 */
export function setBoneKinematic(body: WorldBody, bone: number, kinematic: boolean | 'tracked'): void {
  requireBone(body, bone);
  const { state } = body;
  if (kinematic === 'tracked' && body.model.kind !== 'layer') {
    const advice = 'bones are tracked in bodies of kind layer';
    throw new TendonError('E_UNKNOWN', `bodies/${body.name}/bones/${bone}`, body.model.kind, advice);
  }
  state.kinematic[bone] = kinematic === 'tracked' ? 2 : kinematic ? 1 : 0;
  state.boneTargets.set(state.poses.quats.subarray(bone * 4, bone * 4 + 4), bone * 7);
  state.boneTargets.set(state.poses.translations.subarray(bone * 3, bone * 3 + 3), bone * 7 + 4);
}

/**
 * Sends a kinematic bone to a pose, to be reached by the end of the next step. A move of more than a quarter of the body's
 * size or half a radian in one step is cut short and counted in `certificate.clampedBones`.
 *
 * @example
 * const hand = findBone(body, 'hand');
 * setBoneKinematic(body, hand, true);
 * setBoneTarget(body, hand, { position: [0, 1, 0.2], rotation: [0, 0, 0, 1] });
 */
export function setBoneTarget(body: WorldBody, bone: number, pose: BonePose): void {
  requireBone(body, bone);
  const place = `bodies/${body.name}/bones/${bone}`;
  requireNumbers(pose.position, 3, `${place}/position`);
  requireNumbers(pose.rotation, 4, `${place}/rotation`);
  const [x, y, z, w] = Array.from(pose.rotation);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 1e-6)) throw new TendonError('E_RANGE', `${place}/rotation`, length, 'a quaternion needs a length');
  for (let k = 0; k < 4; k++) body.state.boneTargets[bone * 7 + k] = pose.rotation[k] / length;
  for (let k = 0; k < 3; k++) body.state.boneTargets[bone * 7 + 4 + k] = pose.position[k];
}

/** Where a bone is now. */
export function readBonePose(body: WorldBody, bone: number): BonePose {
  requireBone(body, bone);
  const { quats, translations } = body.state.poses;
  return {
    position: translations.slice(bone * 3, bone * 3 + 3),
    rotation: quats.slice(bone * 4, bone * 4 + 4),
  };
}

/**
 * Force with which a joint acted on its first bone in the last step [N], in the world's frame, summed over the joint's
 * pairs. The other bones feel the opposite.
 */
export function readJointForce(body: WorldBody, jointName: string): Float64Array {
  const { joints } = body.model;
  const joint = joints.names.indexOf(jointName);
  if (joint < 0) {
    const known = joints.names.join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', `bodies/${body.name}/joints`, jointName, `the body's joints are: ${known}`);
  }
  const force = new Float64Array(3);
  for (let pair = 0; pair < joints.count; pair++) {
    if (joints.ofPair[pair] !== joint) continue;
    for (let k = 0; k < 3; k++) force[k] -= body.jointMultipliers[joints.rowStart[pair] + k];
  }
  return force;
}

function requireBone(body: WorldBody, bone: number): void {
  if (!Number.isInteger(bone) || bone < 0 || bone >= body.model.bones.count) {
    const advice = `the body has ${body.model.bones.count} bones`;
    throw new TendonError('E_INDEX', `bodies/${body.name}/bones`, bone, advice);
  }
}
