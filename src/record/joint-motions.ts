/**
 * How joints must move so that a skin bound to them comes nearest to where it went: joint by joint and state by state the rigid motion
 * that leaves least of what the other joints leave (the joint step of [Le2012 §4.2]). Used by exporters.
 */
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../math/polar3.js';
import type { FittedWeights } from './fit-weights.js';
import type { Frame } from './formats/bone-frames.js';

const INFLUENCES = 4;
/** Part of what says how a joint is turned that its present turn counts for: a few vertices in a line do not say it all. */
const INERTIA = 1e-3;

/** What hangs on one joint. */
interface Users {
  readonly vertices: readonly number[];
  readonly weights: readonly number[];
  /** Mean of the vertices at rest, by the squares of their weights. */
  readonly middle: Float64Array;
  /** Sum of these squares. */
  readonly sum: number;
}

/** What hangs on each joint; the middle of those on which nothing does is not a number. */
export function usersOf(rest: Float32Array, joints: number, { bones, weights }: FittedWeights): Users[] {
  const lists = Array.from({ length: joints }, () => ({ vertices: [] as number[], weights: [] as number[] }));
  for (let k = 0; k < weights.length; k++) {
    if (!(weights[k] > 0)) continue;
    lists[bones[k]].vertices.push(Math.floor(k / INFLUENCES));
    lists[bones[k]].weights.push(weights[k]);
  }
  return lists.map((list) => {
    const middle = new Float64Array(3);
    let sum = 0;
    list.vertices.forEach((v, n) => {
      const square = list.weights[n] * list.weights[n];
      sum += square;
      for (let i = 0; i < 3; i++) middle[i] += square * rest[3 * v + i];
    });
    for (let i = 0; i < 3; i++) middle[i] /= sum;
    return { ...list, middle, sum };
  });
}

/** Moves joints from number `first` on to where they leave least, one after the other, in all states but the first; `joints[joint][state]` is changed. */
export function moveJoints(
  rest: Float32Array,
  states: readonly Float32Array[],
  joints: readonly Frame[][],
  weights: FittedWeights,
  first: number,
): void {
  const users = usersOf(rest, joints.length, weights);
  for (let state = 1; state < states.length; state++) {
    const left = leftOf(rest, states[state], joints, weights, state);
    for (let joint = first; joint < joints.length; joint++) {
      if (users[joint].vertices.length > 0) moveJoint(rest, left, joints[joint][state], users[joint]);
    }
  }
}

/** What a skin leaves of one state, x,y,z per vertex. */
export function leftOf(
  rest: Float32Array,
  positions: Float32Array,
  joints: readonly (readonly Frame[])[],
  { bones, weights }: FittedWeights,
  state: number,
): Float64Array {
  const left = Float64Array.from(positions);
  for (let k = 0; k < weights.length; k++) {
    if (weights[k] > 0) addMoved(left, rest, Math.floor(k / INFLUENCES), joints[bones[k]][state], -weights[k]);
  }
  return left;
}

const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
const rotation = new Float64Array(9);
const covariance = new Float64Array(9);

/** The rigid motion of one joint for which least is left; `left` follows. */
function moveJoint(rest: Float32Array, left: Float64Array, frame: Frame, users: Users): void {
  const { vertices, weights, middle, sum } = users;
  const mean = [0, 0, 0];
  for (let n = 0; n < vertices.length; n++) {
    addMoved(left, rest, vertices[n], frame, weights[n]);
    for (let i = 0; i < 3; i++) mean[i] += (weights[n] * left[3 * vertices[n] + i]) / sum;
  }
  covariance.fill(0);
  for (let n = 0; n < vertices.length; n++) {
    const o = 3 * vertices[n];
    for (let i = 0; i < 3; i++) {
      const pull = weights[n] * (left[o + i] - weights[n] * mean[i]);
      for (let j = 0; j < 3; j++) covariance[3 * i + j] += pull * (rest[o + j] - middle[j]);
    }
  }
  const size = Math.sqrt(covariance.reduce((total, x) => total + x * x, 0));
  for (let i = 0; i < 9; i++) covariance[i] += INERTIA * size * frame[4 * Math.floor(i / 3) + (i % 3)];
  if (size > 0 && polarRotation(rotation, 0, covariance, 0, scratch, 0)) {
    for (let i = 0; i < 9; i++) frame[4 * Math.floor(i / 3) + (i % 3)] = rotation[i];
  }
  for (let i = 0; i < 3; i++) {
    const o = 4 * i;
    frame[o + 3] = mean[i] - frame[o] * middle[0] - frame[o + 1] * middle[1] - frame[o + 2] * middle[2];
  }
  for (let n = 0; n < vertices.length; n++) addMoved(left, rest, vertices[n], frame, -weights[n]);
}

/** out at vertex v += weight times where a motion takes that vertex. */
function addMoved(out: Float64Array, rest: Float32Array, v: number, frame: Frame, weight: number): void {
  const x = rest[3 * v];
  const y = rest[3 * v + 1];
  const z = rest[3 * v + 2];
  out[3 * v] += weight * (frame[0] * x + frame[1] * y + frame[2] * z + frame[3]);
  out[3 * v + 1] += weight * (frame[4] * x + frame[5] * y + frame[6] * z + frame[7]);
  out[3 * v + 2] += weight * (frame[8] * x + frame[9] * y + frame[10] * z + frame[11]);
}
