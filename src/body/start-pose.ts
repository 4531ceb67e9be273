/**
 * Where a bone starts when its body starts in another shape than at rest. Bones do not deform: of all rigid places the one that
 * is nearest, by mass, to where the start positions put its vertices. Called when a world is built or reset.
 */
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../math/polar3.js';
import { identityQuat, mat3ToQuat } from '../math/quat.js';
import { betweenDirectionsQuat } from '../math/rotation.js';
import type { Model } from './model.js';

/**
 * Writes the rotation (quaternion) and the place of the centre of mass [m] of one bone, before the body is placed in the world.
 * `start`: 3 per vertex [m]. False, and nothing written, where the bone starts at rest.
 */
export function fitStartPose(
  { bones, masses, positions }: Model,
  start: Float64Array,
  bone: number,
  rotation: Float64Array,
  centre: Float64Array,
): boolean {
  const vertices = bones.vertices.subarray(bones.vertexStart[bone], bones.vertexStart[bone + 1]);
  const rest = bones.centre.subarray(bone * 3, bone * 3 + 3);
  if (vertices.every((v) => isAtRest(positions, start, v))) return false;
  identityQuat(rotation, 0);
  centre.fill(0);
  for (const v of vertices) {
    for (let k = 0; k < 3; k++) centre[k] += (masses[v] / bones.mass[bone]) * start[v * 3 + k];
  }
  // Σ m (x − c)(X − C)ᵀ, whose polar rotation is the best one; and the vertex farthest from the middle, for straight bones
  const covariance = new Float64Array(9);
  let [farthest, reach] = [vertices[0], 0];
  for (const v of vertices) {
    let armSq = 0;
    for (let j = 0; j < 3; j++) {
      const arm = positions[v * 3 + j] - rest[j];
      armSq += arm * arm;
      for (let i = 0; i < 3; i++) covariance[i * 3 + j] += masses[v] * (start[v * 3 + i] - centre[i]) * arm;
    }
    if (armSq > reach) [farthest, reach] = [v, armSq];
  }
  if (bones.rank[bone] >= 2) {
    const matrix = new Float64Array(9);
    polarRotation(matrix, 0, covariance, 0, new Float64Array(POLAR_SCRATCH_LENGTH), 0);
    mat3ToQuat(rotation, 0, matrix, 0);
  } else if (bones.rank[bone] === 1) {
    // nothing says how a straight bone is turned about itself: as little as possible
    const from = positions.slice(farthest * 3, farthest * 3 + 3).map((x, k) => x - rest[k]);
    const to = start.slice(farthest * 3, farthest * 3 + 3).map((x, k) => x - centre[k]);
    betweenDirectionsQuat(rotation, 0, from, 0, to, 0);
  }
  return true;
}

function isAtRest(rest: Float64Array, start: Float64Array, v: number): boolean {
  for (let k = v * 3; k < v * 3 + 3; k++) if (rest[k] !== start[k]) return false;
  return true;
}
