/** The kernel `laySlots` where a body has no room for a table of its slots: velocities are laid down, answers are not, and nothing else is written to. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';

const SLOTS = 3;

/** Lays three slots of one body down, whose table of f32 is at the place given, or nowhere; returns what was written where. */
async function layOne(hasTable: boolean) {
  const plan = new MemoryPlan();
  const job = plan.i32(53);
  const body = plan.i32(8);
  const velocity = plan.f64(SLOTS * 3);
  const vertex = plan.i32(SLOTS);
  const count = plan.i32(1);
  const answers = plan.f64(SLOTS * SLOTS);
  const slots = plan.f32((SLOTS + 4) * 4);
  const table = plan.f32(SLOTS * 4);
  const memory = plan.allocate();
  const kernels = instantiateKernels(await compileKernels(false), memory);
  velocity.view.set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  vertex.view.set([0, 1, 2]);
  count.view[0] = SLOTS;
  answers.view.fill(0.5);
  body.view.set([0, SLOTS, answers.address, 0, hasTable ? table.address : 0]);
  for (const [word, { address }] of [
    [22, vertex],
    [23, velocity],
    [25, count],
    [26, body],
    [30, slots],
  ] as const) {
    job.view[word] = address;
  }
  const before = new Uint8Array(memory.buffer).slice();
  kernels.laySlots(0, 1, 0, job.address);
  const after = new Uint8Array(memory.buffer);
  const first = after.findIndex((byte, i) => byte !== before[i]);
  const last = after.findLastIndex((byte, i) => byte !== before[i]);
  return { slots, table, first, last };
}

it('lays slots and answers down', async () => {
  const { slots, table } = await layOne(true);
  expect([...slots.view.slice(4, 16)]).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
  expect([...table.view]).toEqual([0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0]);
});

it('without a table writes to its slots alone', async () => {
  const { slots, first, last } = await layOne(false);
  expect([...slots.view.slice(4, 16)]).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
  expect(first).toBeGreaterThanOrEqual(slots.address);
  expect(last).toBeLessThan(slots.address + slots.view.length * 4);
});
