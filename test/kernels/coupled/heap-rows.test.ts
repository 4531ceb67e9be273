/** The kernels `sweepRows` and `warmRows` against their specification: rows of every kind over random bodies and slots. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import {
  type RowMemory,
  relaxBlock,
  relaxContact,
  warmBlock,
  warmContact,
} from '../../../src/kernels/reference/heap-rows.js';
import { createRandom } from '../../../src/math/random.js';

const WHOLE = 1;
const BACK = 2;
const NEAR = 4;
const ROWS = 24;
const SLOTS = [5, 4];

/** Bodies, slots and rows with numbers drawn at random; rows in `order`, blocks odd. */
async function makeHeap(seed: number) {
  const plan = new MemoryPlan();
  const contacts = plan.f32(ROWS * 32);
  const blocks = plan.f32(3 * 44);
  const bodies = plan.f32(4 * 20);
  // a head and three spare ones beside the slots of each body
  const slots = plan.f32(2 * 9 * 4);
  const tables = plan.f32(5 * 8 + 4 * 4);
  const order = plan.i32(ROWS + 3);
  const near = plan.i32(ROWS + 3);
  const moved = plan.i32(ROWS + 3);
  const marks = plan.i32(16);
  const own = plan.i32(2);
  const still = plan.f64(1);
  const wasm = plan.allocate();
  const kernels = instantiateKernels(await compileKernels(false), wasm);
  const words = new Int32Array(wasm.buffer);
  const random = createRandom(seed);
  for (const { view } of [contacts, blocks, bodies, slots, tables]) {
    for (let i = 0; i < view.length; i++) view[i] = random.range(-1, 1);
  }
  for (let b = 0; b < 4; b++) {
    bodies.view[b * 20 + 3] = b === 3 ? 0 : 1;
    // the last lane of vectors is nothing
    for (const k of [7, 11, 15, 19]) bodies.view[b * 20 + k] = 0;
    // what nothing moves does not turn either
    if (b === 3) bodies.view.fill(0, b * 20 + 8, b * 20 + 20);
  }
  for (let i = 3; i < slots.view.length; i += 4) slots.view[i] = 0;
  // rows of the first table are filled up with nothing
  for (let i = 0; i < 5; i++) tables.view.fill(0, i * 8 + 5, i * 8 + 8);
  const firstSlot = [slots.address + 16, slots.address + 16 * 10];
  firstSlot.forEach((start, s) => {
    words[(start - 16) >> 2] = tables.address + s * 40 * 4;
    words[(start - 12) >> 2] = SLOTS[s];
  });
  const pick = (n: number) => Math.min(n - 1, Math.floor(random.range(0, n)));
  for (let r = 0; r < ROWS; r++) {
    const row = contacts.address + r * 128;
    const isOne = r % 3 === 0 ? 32 + 64 : 0;
    words.set([(r % 8) + isOne, bodies.address + pick(3) * 80, bodies.address + 3 * 80], row >> 2);
    for (let side = 0; side < 2; side++) {
      const s = pick(2);
      const corners = [pick(SLOTS[s]), pick(SLOTS[s]), pick(SLOTS[s])].map((slot) => firstSlot[s] + slot * 16);
      words.set([...corners, firstSlot[s]], (row >> 2) + 24 + 4 * side);
    }
    for (const k of [3, 21, 22, 23]) contacts.view[r * 32 + k] = random.range(0.1, 0.4);
    for (const k of [7, 11, 15, 19]) contacts.view[r * 32 + k] = 0;
    // some push already
    if (r % 2 === 0) contacts.view.fill(0, r * 32 + 16, r * 32 + 19);
    order.view[r] = row;
  }
  for (let i = 0; i < 3; i++) {
    const row = blocks.address + i * 176;
    words.set([[0, 8, 16][i], bodies.address + i * 80, bodies.address + ((i + 1) % 4) * 80], row >> 2);
    for (let k = 7; k < 44; k += 4) blocks.view[i * 44 + k] = 0;
    order.view[ROWS + i] = row + 1;
  }
  const lists = [order.address, near.address, moved.address];
  const sweep = (rows: number, way: number) => {
    kernels.sweepRows(0, rows, own.address, ...lists, marks.address, still.address, way);
  };
  return { kernels, wasm, contacts, order, near, moved, own, still, sweep, all: [contacts, blocks, bodies, slots] };
}

it.each([1, 2, 3])('sweepRows does what the specification does, forwards and backwards, seed %d', async (seed) => {
  const heap = await makeHeap(seed);
  const { kernels, wasm, order, sweep } = heap;
  const memory: RowMemory = {
    numbers: Float64Array.from(new Float32Array(wasm.buffer)),
    u32: new Uint32Array(wasm.buffer.slice(0)),
  };
  const rows = Array.from(order.view);
  const way = (n: number) => (n % 2 === 0 ? 0 : BACK);
  kernels.warmRows(0, rows.length, 0, order.address);
  for (const row of rows) {
    if (row & 1) warmBlock(memory, (row - 1) >> 2);
    else warmContact(memory, row >> 2);
  }
  for (let n = 0; n < 4; n++) {
    sweep(rows.length, WHOLE | way(n));
    for (const row of n % 2 === 0 ? rows : rows.toReversed()) {
      if (row & 1) relaxBlock(memory, (row - 1) >> 2);
      else relaxContact(memory, row >> 2);
    }
  }
  for (const { view, address } of heap.all) {
    // four sweeps of 27 rows in f32, whose numbers are of order one: some hundred roundings of 6e-8, which random rows hand on enlarged
    view.forEach((value, i) => {
      const word = (address >> 2) + i;
      expect(Math.abs(value - memory.numbers[word])).toBeLessThan(1e-3 * (1 + Math.abs(memory.numbers[word])));
    });
  }
});

it('sweepRows leaves out what is far from pushing until it is asked for all rows', async () => {
  const { contacts, order, near, own, sweep } = await makeHeap(4);
  // a contact that opens by 0.3 m/s more than it has to is far; the others are made to push
  for (let r = 0; r < ROWS; r++) contacts.view[r * 32 + 20] = r === 0 ? -1e6 : 1e6;
  sweep(ROWS, WHOLE);
  expect(own.view[0]).toBe(ROWS - 1);
  expect(Array.from(near.view.subarray(0, ROWS - 1))).toEqual(Array.from(order.view.subarray(1, ROWS)));
});

it('sweepRows leaves out what hardly changed until it is asked for all that push', async () => {
  const { wasm, contacts, order, near, moved, own, still, sweep } = await makeHeap(5);
  for (let r = 0; r < ROWS; r++) contacts.view[r * 32 + 20] = 1e6;
  still.view[0] = 1e30;
  sweep(ROWS, WHOLE);
  expect(Array.from(own.view.subarray(0, 2))).toEqual([ROWS, 0]);
  // nobody has changed by so much: a sweep over those who have does nothing
  const before = wasm.buffer.slice(0);
  sweep(ROWS, 0);
  expect(new Uint8Array(wasm.buffer)).toEqual(new Uint8Array(before));
  still.view[0] = 0;
  sweep(ROWS, NEAR | BACK);
  const changed = Array.from(moved.view.subarray(0, own.view[1]));
  expect(own.view[0]).toBe(ROWS);
  expect(changed.length).toBeGreaterThan(0);
  const after = new Float32Array(wasm.buffer);
  const was = new Float32Array(before);
  const differs = (row: number) => [16, 17, 18].some((k) => after[(row >> 2) + k] !== was[(row >> 2) + k]);
  expect(changed).toEqual(Array.from(near.view.subarray(0, ROWS)).filter(differs));
  expect(Array.from(near.view.subarray(0, ROWS))).toEqual(Array.from(order.view.subarray(0, ROWS)));
});
