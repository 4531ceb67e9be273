/** The kernel `boneFronts` against the plain class of src/linalg, which is tested against dense systems: the same bits. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { BoneFronts } from '../../src/linalg/bone-fronts.js';
import { BONE_NUMBERS, BoneRoom, boneWholeNumbers } from '../../src/linalg/bone-room.js';
import { addRigidPacked6, PACKED6 } from '../../src/linalg/packed6.js';
import { createRandom } from '../../src/math/random.js';

/** Random trees: a chain, a star, and one of both; joints of every kind. */
const TREES = [[-1], [-1, 0, 1, 2, 3, 4, 5, 6, 7], [-1, 0, 0, 0, 0, 0], [-1, 0, 1, 0, 3, 3, 2, 6]];

function fill(fronts: BoneFronts, seed: number, held: boolean): void {
  const random = createRandom(seed);
  const r = () => random.range(-1, 1);
  for (let bone = 0; bone < fronts.count; bone++) {
    for (let k = 0; k < 3; k++) fronts.reference[3 * bone + k] = r();
    fronts.axisCount[bone] = bone % 4;
    fronts.axes.set([1, 0, 0, 0, 0.6, 0.8, 0, -0.8, 0.6], 9 * bone);
    for (let k = 3 * bone; k < 3 * bone + 3; k++) {
      fronts.damping[k] = random.range(0, 0.3);
      fronts.push[k] = r();
    }
    for (let k = 6 * bone; k < 6 * bone + 6; k++) fronts.momentum[k] = r();
    const inertia = Float64Array.of(0.3, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.4);
    addRigidPacked6(fronts.inertia, PACKED6 * bone, random.range(0.5, 2), r(), r(), r(), inertia, 0);
  }
  fronts.held[0] = held ? 1 : 0;
  if (held) for (let k = 0; k < 6; k++) fronts.velocity[k] = r();
}

/** Trees in a memory, and what runs the kernel on all of them. */
async function plannedTrees(trees: readonly (readonly number[])[]) {
  const plan = new MemoryPlan();
  const slots = trees.map(({ length }) => ({
    numbers: plan.f64(BONE_NUMBERS * length),
    whole: plan.i32(boneWholeNumbers(length)),
  }));
  const table = plan.i32(8 * trees.length);
  const done = plan.i32(trees.length);
  const room = plan.f64(32);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  const fronts = trees.map((parents, i) => {
    const { numbers, whole } = slots[i];
    table.view.set([parents.length, numbers.address, whole.address], 8 * i);
    return new BoneFronts(parents, new BoneRoom(parents.length, numbers.view, whole.view));
  });
  const run = () => kernels.boneFronts(0, trees.length, room.address, table.address, done.address);
  return { fronts, done: done.view, run };
}

it.each([false, true])(
  'boneFronts finds the velocities of the plain class bit for bit, root held: %s',
  async (held) => {
    const { fronts, done, run } = await plannedTrees(TREES);
    const plain = TREES.map((parents) => new BoneFronts(parents));
    for (let i = 0; i < TREES.length; i++) {
      fill(fronts[i], 7 + i, held);
      fill(plain[i], 7 + i, held);
      expect(plain[i].factor()).toBe(true);
      plain[i].solve();
    }
    run();
    expect([...done]).toEqual([1, 1, 1, 1]);
    fronts.forEach(({ velocity, pull, inversePivot, inertia, momentum }, i) => {
      expect(velocity.some((v) => v !== 0)).toBe(true);
      expect([...velocity]).toEqual([...plain[i].velocity]);
      expect([...pull]).toEqual([...plain[i].pull]);
      expect([...inversePivot]).toEqual([...plain[i].inversePivot]);
      expect([...inertia]).toEqual([...plain[i].inertia]);
      expect([...momentum]).toEqual([...plain[i].momentum]);
    });
  },
);

it('boneFronts says which tree cannot be factored, and does the others', async () => {
  const { fronts, done, run } = await plannedTrees(TREES);
  fronts.forEach((tree, i) => {
    fill(tree, i, false);
  });
  // a bone without inertia
  fronts[1].inertia.fill(0);
  fronts[1].damping.fill(0);
  run();
  expect([...done]).toEqual([1, 0, 1, 1]);
});
