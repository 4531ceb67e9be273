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
  const frames = newFrames(poses.length / POSE);
  frames.forEach((frame, state) => {
    const o = state * POSE;
    quatToMat3(turned, 0, poses, o);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        // R = turned first^T
        for (let k = 0; k < 3; k++) frame[4 * i + j] += turned[3 * i + k] * first[3 * j + k];
      }
      frame[4 * i + 3] = poses[o + 4 + i];
      for (let j = 0; j < 3; j++) frame[4 * i + 3] -= frame[4 * i + j] * poses[4 + j];
    }
  });
  return frames;
}

/** Frames of so many states, all in one piece of memory: thousands of small ones take longer to make than to fill. */
export function newFrames(count: number): Frame[] {
  const memory = new Float64Array(12 * count);
  return Array.from({ length: count }, (_, state) => memory.subarray(12 * state, 12 * (state + 1)));
}

/** Poses of the rigid body that is nearest to a surface in every state: for bodies without bones. */
export function rigidPoses(states: readonly Float32Array[]): Float32Array {
  const poses = new Float32Array(states.length * POSE);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  const rotation = new Float64Array(9);
  const covariance = new Float64Array(9);
  const first = states[0];
  const middle = middleOf(first);
  states.forEach((state, n) => {
    const centre = middleOf(state);
    covariance.fill(0);
    for (let v = 0; v < state.length; v += 3) {
      const x = first[v] - middle[0];
      const y = first[v + 1] - middle[1];
      const z = first[v + 2] - middle[2];
      for (let i = 0; i < 3; i++) {
        const moved = state[v + i] - centre[i];
        covariance[3 * i] += moved * x;
        covariance[3 * i + 1] += moved * y;
        covariance[3 * i + 2] += moved * z;
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
  weights: FittedWeights,
  motions: readonly (readonly Frame[])[],
): { offsets: Float32Array[]; normalOffsets: Float32Array[] } {
  const rest = states[0];
  const linear = new Float64Array(9);
  const offsets = states.map(() => new Float32Array(rest.length));
  const normalOffsets = normals.map(() => new Float32Array(rest.length));
  const firstNormals = normals[0];
  for (let n = 0; n < states.length; n++) {
    const normal = normals[n];
    const out = normalOffsets[n];
    for (let v = 0; v < rest.length; v += 3) {
      if (!takeBack(offsets[n], v, linear, states[n], rest, weights, motions, n)) continue;
      for (let i = 0; i < 3; i++) {
        // normals go by the inverse transposed, so back by the transposed
        const back = linear[i] * normal[v] + linear[3 + i] * normal[v + 1] + linear[6 + i] * normal[v + 2];
        out[v + i] = back - firstNormals[v + i];
      }
    }
  }
  return { offsets, normalOffsets };
}

/** Whether a skeleton leaves more than so much of a motion, at any vertex of any state [m]. */
export function leavesMore(
  states: readonly Float32Array[],
  weights: FittedWeights,
  motions: readonly (readonly Frame[])[],
  most: number,
): boolean {
  const rest = states[0];
  const linear = new Float64Array(9);
  const offset = new Float32Array(rest.length);
  for (let n = 0; n < states.length; n++) {
    for (let v = 0; v < rest.length; v += 3) {
      if (!takeBack(offset, v, linear, states[n], rest, weights, motions, n)) continue;
      const sq = offset[v] * offset[v] + offset[v + 1] * offset[v + 1] + offset[v + 2] * offset[v + 2];
      if (Math.sqrt(sq) > most) return true;
    }
  }
  return false;
}

const inverse = new Float64Array(9);

/** One vertex of one state without what its bones did; `linear` is how they turned it. False where that cannot be undone. */
function takeBack(
  out: Float32Array,
  v: number,
  linear: Float64Array,
  state: Float32Array,
  rest: Float32Array,
  { bones, weights }: FittedWeights,
  motions: readonly (readonly Frame[])[],
  n: number,
): boolean {
  linear.fill(0);
  let x = state[v];
  let y = state[v + 1];
  let z = state[v + 2];
  const first = (4 * v) / 3;
  for (let k = first; k < first + 4; k++) {
    const weight = weights[k];
    if (weight === 0) continue;
    const frame = motions[bones[k]][n];
    for (let i = 0; i < 3; i++) {
      linear[3 * i] += weight * frame[4 * i];
      linear[3 * i + 1] += weight * frame[4 * i + 1];
      linear[3 * i + 2] += weight * frame[4 * i + 2];
    }
    x -= weight * frame[3];
    y -= weight * frame[7];
    z -= weight * frame[11];
  }
  // two bones turned against each other by half a turn flatten what lies between them: nothing can be added there
  if (!invertMat3(inverse, 0, linear, 0)) return false;
  for (let i = 0; i < 3; i++) {
    out[v + i] = inverse[3 * i] * x + inverse[3 * i + 1] * y + inverse[3 * i + 2] * z - rest[v + i];
  }
  return true;
}

function middleOf(positions: Float32Array): [number, number, number] {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 0; i < positions.length; i += 3) {
    x += positions[i];
    y += positions[i + 1];
    z += positions[i + 2];
  }
  return [(3 * x) / positions.length, (3 * y) / positions.length, (3 * z) / positions.length];
}
