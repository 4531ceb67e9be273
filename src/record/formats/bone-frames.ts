/** Where bones took the space around them, and what is left of a surface's motion without that. Used by exporters. */
import { invertMat3 } from '../../math/mat3-inverse.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import { mat3ToQuat, quatToMat3 } from '../../math/quat.js';
import type { FittedWeights } from '../fit-weights.js';
import { POSE } from '../take.js';

/** Rows of a 3x4 matrix. */
export type Frame = Float64Array;

/** For each state the motion from the first one, as a 3x4 matrix: x' = R x + t. */
export function motionsOf(poses: Float32Array): Frame[] {
  const first = new Float64Array(9);
  const turned = new Float64Array(9);
  quatToMat3(first, 0, poses, 0);
  return Array.from({ length: poses.length / POSE }, (_, state) => {
    const o = state * POSE;
    quatToMat3(turned, 0, poses, o);
    const frame = new Float64Array(12);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        // R = turned first^T
        for (let k = 0; k < 3; k++) frame[4 * i + j] += turned[3 * i + k] * first[3 * j + k];
      }
      frame[4 * i + 3] = poses[o + 4 + i];
      for (let j = 0; j < 3; j++) frame[4 * i + 3] -= frame[4 * i + j] * poses[4 + j];
    }
    return frame;
  });
}

/** Poses of the rigid body that is nearest to a surface in every state: for bodies without bones. */
export function rigidPoses(states: readonly Float32Array[]): Float32Array {
  const poses = new Float32Array(states.length * POSE);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  const rotation = new Float64Array(9);
  const first = states[0];
  const middle = middleOf(first);
  states.forEach((state, n) => {
    const centre = middleOf(state);
    const covariance = new Float64Array(9);
    for (let v = 0; v < state.length; v += 3) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) covariance[3 * i + j] += (state[v + i] - centre[i]) * (first[v + j] - middle[j]);
      }
    }
    polarRotation(rotation, 0, covariance, 0, scratch, 0);
    mat3ToQuat(poses, n * POSE, rotation, 0);
    poses.set(centre, n * POSE + 4);
  });
  return poses;
}

/**
 * What a skeleton leaves of a motion, in the space of the first state: added to that state before the bones move it, it gives
 * the state back. One array per state for places, and one for normals.
 */
export function leftOver(
  states: readonly Float32Array[],
  normals: readonly Float32Array[],
  { bones, weights }: FittedWeights,
  motions: readonly (readonly Frame[])[],
): { offsets: Float32Array[]; normalOffsets: Float32Array[] } {
  const rest = states[0];
  const linear = new Float64Array(9);
  const inverse = new Float64Array(9);
  const away = [0, 0, 0];
  const offsets = states.map(() => new Float32Array(rest.length));
  const normalOffsets = normals.map(() => new Float32Array(rest.length));
  states.forEach((state, n) => {
    for (let v = 0; v < rest.length; v += 3) {
      linear.fill(0);
      for (let k = 0; k < 3; k++) away[k] = state[v + k];
      for (let k = (4 * v) / 3; k < (4 * v) / 3 + 4; k++) {
        if (weights[k] === 0) continue;
        const frame = motions[bones[k]][n];
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) linear[3 * i + j] += weights[k] * frame[4 * i + j];
          away[i] -= weights[k] * frame[4 * i + 3];
        }
      }
      // two bones turned against each other by half a turn flatten what lies between them: nothing can be added there
      if (!invertMat3(inverse, 0, linear, 0)) continue;
      for (let i = 0; i < 3; i++) {
        const back = inverse[3 * i] * away[0] + inverse[3 * i + 1] * away[1] + inverse[3 * i + 2] * away[2];
        offsets[n][v + i] = back - rest[v + i];
      }
      const normal = normals[n];
      for (let i = 0; i < 3; i++) {
        // normals go by the inverse transposed, so back by the transposed
        const back = linear[i] * normal[v] + linear[3 + i] * normal[v + 1] + linear[6 + i] * normal[v + 2];
        normalOffsets[n][v + i] = back - normals[0][v + i];
      }
    }
  });
  return { offsets, normalOffsets };
}

function middleOf(positions: Float32Array): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += positions[i];
  return sum.map((x) => (3 * x) / positions.length) as [number, number, number];
}
