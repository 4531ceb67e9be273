/** Helper joints: a motion made by skinning is given back, with the joints that made it unknown. */
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { fitWeights } from '../../../src/record/fit-weights.js';
import { type Frame, motionsOf } from '../../../src/record/formats/bone-frames.js';
import { fitHelpers } from '../../../src/record/helper-joints.js';
import { leftOf } from '../../../src/record/joint-motions.js';

const STATES = 12;
const REST: Frame = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** A joint that swings about z by up to so much [rad], from its place on the x axis. */
function swing(x: number, most: number): Frame[] {
  return Array.from({ length: STATES }, (_, n) => {
    const angle = most * Math.sin((2 * Math.PI * n) / STATES);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return Float64Array.of(c, -s, 0, x - c * x, s, c, 0, -s * x, 0, 0, 1, 0.1 * most * n);
  });
}

/** A bar along x, seams doubled, that follows joints at 0, 1, 2 … by how near they are. */
function bar(joints: readonly (readonly Frame[])[]): Float32Array[] {
  const random = createRandom(8);
  const places = Array.from({ length: 240 }, (_, v) => [
    ((v % 120) / 119) * (joints.length - 1),
    random.range(-0.2, 0.2),
    random.range(-0.2, 0.2),
  ]);
  const rest = Float32Array.from([...places, ...places.slice(0, 60)].flat());
  const bones = new Uint16Array((rest.length / 3) * 4);
  const weights = new Float32Array(bones.length);
  for (let v = 0; v < rest.length / 3; v++) {
    const low = Math.min(joints.length - 2, Math.floor(rest[3 * v]));
    bones.set([low, low + 1], 4 * v);
    weights.set([1 - (rest[3 * v] - low), rest[3 * v] - low], 4 * v);
  }
  const still = new Float32Array(rest.length);
  return Array.from({ length: STATES }, (_, n) => {
    return Float32Array.from(leftOf(rest, still, joints, { bones, weights }, n), (x) => -x);
  });
}

function worst(states: readonly Float32Array[], joints: readonly (readonly Frame[])[]): number {
  const weights = fitWeights(states[0], states, joints);
  return Math.max(...states.flatMap((state, n) => Array.from(leftOf(states[0], state, joints, weights, n), Math.abs)));
}

it('give back what four joints did to a bar of which one is known', () => {
  const joints = [swing(0, 0), swing(1, 0.4), swing(2, -0.5), swing(3, 0.7)];
  const states = bar(joints);
  const known = [joints[0]];
  const poses = fitHelpers(states, known, 6);
  expect(poses.length).toBeLessThanOrEqual(6);
  for (const pose of poses) expect(pose.length).toBe(7 * STATES);
  // the bone alone leaves half a metre of a bar of three; twice the joints that made the motion leave less than one per cent
  expect(worst(states, known)).toBeGreaterThan(0.5);
  expect(worst(states, [...known, ...poses.map(motionsOf)])).toBeLessThan(0.03);
});

it('are not planted where bones say it all, and stand in where there are none', () => {
  const states = bar([swing(0, 0), swing(1, 0.4)]);
  expect(fitHelpers(states, [swing(0, 0), swing(1, 0.4)], 8)).toEqual([]);
  const still = states.map(() => states[0]);
  expect(fitHelpers(still, [], 4).map(motionsOf)).toEqual([still.map(() => REST)]);
});
