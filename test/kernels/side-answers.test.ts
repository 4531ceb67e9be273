/** The kernel `answerSide` against its specification, `BoneResponse.solve` without kernels, to the last bit. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { createRandom } from '../../src/math/random.js';
import { BoneResponse } from '../../src/solvers/projective/outside/bone-response.js';

const BONES = 4;
const SIDES = 5;

it('bones answer forces on sides by the kernel as they do without it', async () => {
  const plan = new MemoryPlan();
  const pair = [new BoneResponse(plan, SIDES, BONES), new BoneResponse(plan, SIDES, BONES)];
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const [byKernel, plain] = pair.map((response, i) => {
    const random = createRandom(7);
    response.start(i === 0 ? kernels : undefined);
    response.clear(SIDES);
    for (let side = 0; side < SIDES; side++) {
      response.beginSide(side);
      // the first side feels no bone
      for (let n = 0; n < side; n++) {
        const entry = Float64Array.from({ length: 4 }, () => random.range(-1, 1));
        response.addEntry((side + n) % BONES, entry);
      }
      response.endSide(side);
    }
    for (let i = 0; i < response.inverse.length; i++) response.inverse[i] = random.range(-1, 1);
    for (let side = 0; side < SIDES; side++) response.solve(side);
    for (let side = 0; side < SIDES; side++) response.push(side, Float64Array.of(0.3, -0.7, 0.9), 1);
    return response.motion;
  });
  expect(plain.some((value) => value !== 0)).toBe(true);
  expect(byKernel).toEqual(plain);
});
