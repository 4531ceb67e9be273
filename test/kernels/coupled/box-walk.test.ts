/** The broad phase, plain and by its kernel, against every pair of boxes asked one by one. */
import { describe, expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { createRandom } from '../../../src/math/random.js';
import { BroadPhase } from '../../../src/solvers/coupled/contacts/broad-phase.js';

const COUNT = 400;

/** Boxes drawn at random, some without end, some that share a side; who can move and who has. */
function drawBoxes(seed: number) {
  const random = createRandom(seed);
  const boxes = new Float64Array(COUNT * 6);
  for (let b = 0; b < COUNT; b++) {
    for (let k = 0; k < 3; k++) {
      // on a grid, so that many boxes meet exactly
      const low = Math.round(random.range(0, 40)) / 8;
      boxes[b * 6 + k] = low;
      boxes[b * 6 + 3 + k] = low + Math.round(random.range(1, 6)) / 8;
    }
    if (b % 97 === 0) boxes.set([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], b * 6 + 2);
    if (b % 97 === 0) boxes[b * 6 + 5] = Number.POSITIVE_INFINITY;
  }
  const draw = (share: number) => Uint8Array.from({ length: COUNT }, () => (random.range(0, 1) < share ? 1 : 0));
  return { boxes, movable: draw(0.8), moved: draw(0.5) };
}

function overlap(boxes: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (boxes[a * 6 + k] > boxes[b * 6 + 3 + k] || boxes[b * 6 + k] > boxes[a * 6 + 3 + k]) return false;
  }
  return true;
}

async function withKernel(capacity: number): Promise<BroadPhase> {
  const broad = new BroadPhase(COUNT, capacity);
  const plan = new MemoryPlan();
  const start = broad.walk.plan(plan);
  start(instantiateKernels(await compileKernels(false), plan.allocate()));
  return broad;
}

describe('BroadPhase', () => {
  it.each([1, 2, 3])('finds all pairs that overlap, plain and by the kernel, seed %d', async (seed) => {
    const { boxes, movable, moved } = drawBoxes(seed);
    for (const broad of [new BroadPhase(COUNT, 1 << 16), await withKernel(1 << 16)]) {
      for (const who of [undefined, moved]) {
        broad.boxes.set(boxes);
        broad.search(movable, who);
        const wanted: number[] = [];
        for (let a = 0; a < COUNT; a++) {
          for (let b = a + 1; b < COUNT; b++) {
            const goes = (movable[a] | movable[b]) === 1 && (!who || (who[a] | who[b]) === 1);
            if (goes && overlap(boxes, a, b)) wanted.push(a * COUNT + b);
          }
        }
        expect(wanted.length).toBeGreaterThan(100);
        expect(Array.from(broad.pairs.subarray(0, broad.pairCount))).toEqual(wanted);
        expect(broad.missed).toBe(0);
      }
    }
  });

  it('says how many pairs found no room', async () => {
    const { boxes, movable } = drawBoxes(4);
    const roomy = new BroadPhase(COUNT, 1 << 16);
    roomy.boxes.set(boxes);
    roomy.search(movable);
    for (const tight of [new BroadPhase(COUNT, 50), await withKernel(50)]) {
      tight.boxes.set(boxes);
      tight.search(movable);
      expect([tight.pairCount, tight.missed]).toEqual([50, roomy.pairCount - 50]);
    }
  });
});
