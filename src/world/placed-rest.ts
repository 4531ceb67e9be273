/** Where bones of the rest shape are once the body was put into the scene. */
import { rotateVec3 } from '../math/quat.js';
import type { WorldBody } from './world.js';

/** Pose of a bone of the rest shape where the body was put: quaternion and centre of mass. */
export function placedRest({ model, placement }: WorldBody, bone: number): Float64Array {
  const pose = new Float64Array(7);
  for (let k = 0; k < 4; k++) pose[k] = placement.rotation[k];
  rotateVec3(pose, 4, placement.rotation, 0, model.bones.centre, bone * 3);
  for (let k = 0; k < 3; k++) pose[4 + k] += placement.position[k];
  return pose;
}
