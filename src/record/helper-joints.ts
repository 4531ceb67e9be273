/**
 * Helper joints for soft surfaces, so that what was soft plays in any program: joints are planted where the skin is farthest from where it
 * went, then weights and motions are found in turn, each for the other as it is (after [Le2012 §4]).
 */
import { mat3ToQuat } from '../math/quat.js';
import { type FittedWeights, fitWeights, sampleStates } from './fit-weights.js';
import { type Frame, motionsOf, rigidPoses } from './formats/bone-frames.js';
import { leftOf, moveJoints, usersOf } from './joint-motions.js';
import { POSE } from './take.js';

/** How much work is spent: times that joints are planted, and rounds of weights and motions once all are; without rounds joints stay as planted. */
export interface HelperEffort {
  readonly batches: number;
  readonly rounds: number;
}
/** Where joints are all there is. */
const WHOLE: HelperEffort = { batches: 8, rounds: 4 };
/** Where morph targets do the rest: far less time, and a tenth more targets. */
export const ROUGH: HelperEffort = { batches: 8, rounds: 0 };

/** Vertices around a place that say how a joint planted there is turned. */
const NEIGHBOURS = 8;
/** Nothing is planted where the skin is off by less than this part of its size. */
const NEGLIGIBLE = 1e-4;

/** Joints and how a skin hangs on them. */
interface Binding {
  readonly joints: readonly Frame[][];
  readonly weights: FittedWeights;
}

/**
 * Poses of each helper joint, 7 per state; the first state is at rest. `bones[bone][state]`: how the bones moved that the skin hangs on as well.
 */
export function fitHelpers(
  states: readonly Float32Array[],
  bones: readonly (readonly Frame[])[],
  count: number,
  effort: HelperEffort = WHOLE,
): Float32Array[] {
  const all = distinct(states);
  const helpers = bones.length > 0 || count < 1 ? [] : [motionsOf(rigidPoses(all))];
  const { joints, weights } = bind(all, bones.map(copyOf), helpers, count, effort);
  const users = usersOf(all[0], joints.length, weights);
  return joints.flatMap((frames, joint) =>
    joint < bones.length || users[joint].vertices.length === 0 ? [] : [posesOf(frames, users[joint].middle)],
  );
}

/** Bones, and as many joints as are wanted. */
function bind(
  states: readonly Float32Array[],
  bones: readonly Frame[][],
  helpers: readonly Frame[][],
  count: number,
  { batches, rounds }: HelperEffort,
): Binding {
  const joints = [...bones, ...helpers];
  const [rest] = states;
  const batch = Math.ceil(count / batches);
  let weights = fitWeights(rest, states, joints);
  const settle = () => {
    moveJoints(rest, states, joints, weights, bones.length);
    weights = fitWeights(rest, states, joints);
  };
  while (joints.length < bones.length + count) {
    const planted = plant(states, { joints, weights }, Math.min(batch, bones.length + count - joints.length));
    if (planted.length === 0) break;
    joints.push(...planted);
    weights = fitWeights(rest, states, joints);
    if (rounds > 0) settle();
  }
  if (rounds === 0) return { joints, weights };
  // rounds make the mean smaller, and mostly the worst
  let best: Binding = { joints: joints.map(copyOf), weights };
  let least = farthest(states, best);
  for (let round = 0; round < rounds; round++) {
    settle();
    const worst = farthest(states, { joints, weights });
    if (worst < least) [least, best] = [worst, { joints: joints.map(copyOf), weights }];
  }
  return best;
}

/** New joints at the vertices that are farthest off: turned as what is around them, and exactly where they are. */
function plant(states: readonly Float32Array[], binding: Binding, count: number): Frame[][] {
  const [rest] = states;
  const off = offBy(states, binding);
  const size = rest.reduce((most, x, i) => Math.max(most, Math.abs(x - rest[i % 3])), 0);
  const order = Array.from(off, (_, v) => v).filter((v) => Math.sqrt(off[v]) > NEGLIGIBLE * size);
  order.sort((a, b) => off[b] - off[a] || a - b);
  const taken = new Set<number>();
  const planted: Frame[][] = [];
  for (const v of order) {
    if (planted.length === count) break;
    if (taken.has(v)) continue;
    const around = nearestTo(rest, v);
    for (const one of around) taken.add(one);
    const frames = motionsOf(rigidPoses(states.map((state) => gather(state, around))));
    frames.forEach((frame, n) => {
      for (let i = 0; i < 3; i++) {
        const o = 4 * i;
        const turned = frame[o] * rest[3 * v] + frame[o + 1] * rest[3 * v + 1] + frame[o + 2] * rest[3 * v + 2];
        frame[o + 3] = states[n][3 * v + i] - turned;
      }
    });
    planted.push(frames);
  }
  return planted;
}

/** How far each vertex is from where it was, squared, in the state where it is farthest [m²]. */
function offBy(states: readonly Float32Array[], { joints, weights }: Binding): Float64Array {
  const most = new Float64Array(states[0].length / 3);
  states.forEach((positions, state) => {
    const left = leftOf(states[0], positions, joints, weights, state);
    for (let v = 0; v < most.length; v++) {
      const o = 3 * v;
      most[v] = Math.max(most[v], left[o] * left[o] + left[o + 1] * left[o + 1] + left[o + 2] * left[o + 2]);
    }
  });
  return most;
}

/** How far the vertex is that is farthest from where it was, squared [m²]. */
function farthest(states: readonly Float32Array[], binding: Binding): number {
  return offBy(states, binding).reduce((most, off) => Math.max(most, off), 0);
}

/** A vertex and those nearest to it at rest, nearest first. */
function nearestTo(rest: Float32Array, v: number): number[] {
  const nearest: number[] = [];
  const away: number[] = [];
  for (let other = 0; other < rest.length / 3; other++) {
    const x = rest[3 * other] - rest[3 * v];
    const y = rest[3 * other + 1] - rest[3 * v + 1];
    const z = rest[3 * other + 2] - rest[3 * v + 2];
    const square = x * x + y * y + z * z;
    if (nearest.length === NEIGHBOURS && square >= away[NEIGHBOURS - 1]) continue;
    let at = Math.min(nearest.length, NEIGHBOURS - 1);
    for (; at > 0 && away[at - 1] > square; at--) {
      away[at] = away[at - 1];
      nearest[at] = nearest[at - 1];
    }
    away[at] = square;
    nearest[at] = other;
  }
  return nearest;
}

/** The vertices without those that are at the same places all the time: seams would count for more than they are. */
function distinct(states: readonly Float32Array[]): Float32Array[] {
  const seen = new Set<string>();
  const kept: number[] = [];
  const known = sampleStates(states);
  for (let v = 0; v < states[0].length / 3; v++) {
    const places = known.map((n) => states[n].subarray(3 * v, 3 * v + 3).join(' ')).join(' ');
    if (!seen.has(places)) kept.push(v);
    seen.add(places);
  }
  return states.map((state) => gather(state, kept));
}

/** Poses of a joint that lies at a place at rest. */
function posesOf(frames: readonly Frame[], middle: Float64Array): Float32Array {
  const poses = new Float32Array(frames.length * POSE);
  frames.forEach((f, state) => {
    mat3ToQuat(poses, state * POSE, [f[0], f[1], f[2], f[4], f[5], f[6], f[8], f[9], f[10]], 0);
    for (let i = 0; i < 3; i++) {
      const o = 4 * i;
      poses[state * POSE + 4 + i] = f[o] * middle[0] + f[o + 1] * middle[1] + f[o + 2] * middle[2] + f[o + 3];
    }
  });
  return poses;
}

function copyOf(frames: readonly Frame[]): Frame[] {
  return frames.map((frame) => frame.slice());
}

function gather(state: Float32Array, members: readonly number[]): Float32Array {
  const out = new Float32Array(3 * members.length);
  members.forEach((v, i) => {
    for (let k = 0; k < 3; k++) out[3 * i + k] = state[3 * v + k];
  });
  return out;
}
