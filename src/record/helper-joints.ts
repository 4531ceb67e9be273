/**
 * Helper joints for soft surfaces, so that what was soft plays in any program: joints are planted where the skin is farthest from where it
 * went, then weights and motions are found in turn, each for the other as it is (after [Le2012 §4]).
 */
import { mat3ToQuat } from '../math/quat.js';
import { type FittedWeights, sampleStates, WeightFit } from './fit-weights.js';
import { type Frame, motionsOf, newFrames, rigidPoses } from './formats/bone-frames.js';
import { moveJoints, usersOf } from './joint-motions.js';
import { POSE } from './take.js';

/** How much work is spent: times that joints are planted, and rounds of weights and motions once all are; without rounds joints stay as planted. */
export interface HelperEffort {
  readonly batches: number;
  readonly rounds: number;
}
/** Where joints are all there is. */
const WHOLE: HelperEffort = { batches: 8, rounds: 4 };
/** Where morph targets do the rest: less time than all rounds. Without any, four seconds of the ragdoll were 2.0 mm off in the mean of squares; with one 0.57, with four 0.55. */
export const ROUGH: HelperEffort = { batches: 8, rounds: 1 };

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
  const all = Array.from({ length: rest.length / 3 }, (_, v) => v);
  const off = new Float64Array(all.length);
  let weights = new WeightFit(rest, states);
  let changed = weights.add(joints);
  const settle = () => {
    moveJoints(rest, states, joints, weights, bones.length);
    weights = new WeightFit(rest, states);
    weights.add(joints);
    changed = all;
  };
  while (joints.length < bones.length + count) {
    for (const v of changed) off[v] = offBy(states, { joints, weights }, v);
    const planted = plant(states, off, Math.min(batch, bones.length + count - joints.length));
    if (planted.length === 0) break;
    joints.push(...planted);
    changed = weights.add(planted);
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

/** New joints at the vertices that are farthest off (`off`, squared): turned as what is around them, and exactly where they are. */
function plant(states: readonly Float32Array[], off: Float64Array, count: number): Frame[][] {
  const [rest] = states;
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
    const frames = motionsOf(rigidPoses(gather(states, around)));
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

/** How far a vertex is from where it was, squared, in the state where it is farthest [m²]. */
function offBy(states: readonly Float32Array[], { joints, weights: { bones, weights } }: Binding, v: number): number {
  const [rest] = states;
  const x = rest[3 * v];
  const y = rest[3 * v + 1];
  const z = rest[3 * v + 2];
  let most = 0;
  for (let n = 0; n < states.length; n++) {
    const state = states[n];
    let dx = state[3 * v];
    let dy = state[3 * v + 1];
    let dz = state[3 * v + 2];
    for (let k = 4 * v; k < 4 * v + 4; k++) {
      const weight = weights[k];
      if (!(weight > 0)) continue;
      const m = joints[bones[k]][n];
      dx -= weight * (m[0] * x + m[1] * y + m[2] * z + m[3]);
      dy -= weight * (m[4] * x + m[5] * y + m[6] * z + m[7]);
      dz -= weight * (m[8] * x + m[9] * y + m[10] * z + m[11]);
    }
    most = Math.max(most, dx * dx + dy * dy + dz * dz);
  }
  return most;
}

/** How far the vertex is that is farthest from where it was, squared [m²]. */
function farthest(states: readonly Float32Array[], binding: Binding): number {
  let most = 0;
  for (let v = 0; v < states[0].length / 3; v++) most = Math.max(most, offBy(states, binding, v));
  return most;
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
  const seen = new Map<number, number[]>();
  const kept: number[] = [];
  const known = sampleStates(states).map((n) => states[n]);
  const [first] = known;
  for (let v = 0; v < first.length / 3; v++) {
    // those that might be at the same places have one number in common
    const alike = seen.get(first[3 * v]);
    if (alike?.some((other) => goTogether(known, v, other))) continue;
    kept.push(v);
    if (alike) alike.push(v);
    else seen.set(first[3 * v], [v]);
  }
  return gather(states, kept);
}

function goTogether(states: readonly Float32Array[], a: number, b: number): boolean {
  for (const state of states) for (let i = 0; i < 3; i++) if (state[3 * a + i] !== state[3 * b + i]) return false;
  return true;
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
  const copies = newFrames(frames.length);
  frames.forEach((frame, n) => {
    copies[n].set(frame);
  });
  return copies;
}

/** Some vertices of every state. */
function gather(states: readonly Float32Array[], members: readonly number[]): Float32Array[] {
  const width = 3 * members.length;
  const memory = new Float32Array(width * states.length);
  return states.map((state, n) => {
    for (let i = 0; i < members.length; i++) {
      for (let k = 0; k < 3; k++) memory[width * n + 3 * i + k] = state[3 * members[i] + k];
    }
    return memory.subarray(width * n, width * (n + 1));
  });
}
