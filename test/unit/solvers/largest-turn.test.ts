/** How far bones turn, as contacts ask it: a bone that is a line does not turn about itself, nor a point at all; any other turns as its turn says. */
import { expect, it } from 'vitest';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { BoneResponse } from '../../../src/solvers/projective/outside/bone-response.js';

/** One bone of this rank with a side on an arm along x, turned by `turn`. */
function turnOf(rank: number, turn: readonly [number, number, number]): number {
  const plan = new MemoryPlan();
  const bones = new BoneResponse(plan, 1, 1, [rank]);
  plan.allocate();
  bones.start();
  bones.clear(1);
  bones.beginSide(0);
  bones.addEntry(0, Float64Array.of(0.3, 0, 0, 1));
  bones.endSide(0);
  bones.motion.set(turn);
  return bones.largestTurn();
}

it.each([
  [3, [12, 0, 0], 12],
  [3, [0, 0.2, 0.4], 0.4],
  [2, [12, 0, 0], 12],
  // about itself, and about both axes across it: by 3-4-5
  [1, [12, 0, 0], 0],
  [1, [12, 0.3, 0.4], 0.5],
  [0, [12, 12, 12], 0],
] as const)('of rank %d and turn %j is %d', (rank, turn, expected) => {
  expect(turnOf(rank, turn)).toBeCloseTo(expected, 12);
});
