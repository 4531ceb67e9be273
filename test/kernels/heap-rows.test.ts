/** The kernels `sweepRows` and `warmRows` against their specification: rows of every kind over random bodies and slots. */
import { expect, it } from 'vitest';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import {
  type RowMemory,
  relaxBlock,
  relaxContact,
  warmBlock,
  warmContact,
} from '../../src/kernels/reference/heap-rows.js';
import { createRandom } from '../../src/math/random.js';

const WHOLE = 1;
const BACK = 2;
const NEAR = 4;
const ROWS = 24;
const SLOTS = [5, 4];

/** Bodies, slots and rows with numbers drawn at random; rows in `order`, blocks odd. */
async function makeHeap(seed: number) {
  const plan = new MemoryPlan();
  const contacts = plan.f64(ROWS * 26);
  const blocks = plan.f64(3 * 33);
  const bodies = plan.f64(4 * 16);
  const slots = plan.f64(2 * 6 * 4);
  const tables = plan.f64(25 + 16);
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
    bodies.view[b * 16 + 6] = b === 3 ? 0 : 1;
    // what nothing moves does not turn either
    if (b === 3) bodies.view.fill(0, b * 16 + 7, b * 16 + 16);
  }
  const firstSlot = [slots.address + 32, slots.address + 32 * 7];
  firstSlot.forEach((start, s) => {
    words[(start - 16) >> 2] = tables.address + s * 25 * 8;
    words[(start - 12) >> 2] = SLOTS[s];
  });
  const pick = (n: number) => Math.min(n - 1, Math.floor(random.range(0, n)));
  for (let r = 0; r < ROWS; r++) {
    const row = contacts.address + r * 208;
    const flags = r % 8;
    words.set([flags, 0, bodies.address + pick(3) * 128, bodies.address + 3 * 128], row >> 2);
    for (let side = 0; side < 2; side++) {
      const s = pick(2);
      const corners = [pick(SLOTS[s]), pick(SLOTS[s]), pick(SLOTS[s])].map((slot) => firstSlot[s] + slot * 32);
      words.set([...corners, firstSlot[s], 0, r % 3 === 0 ? 1 : 0], (row >> 2) + 40 + 6 * side);
    }
    for (const k of [12, 13, 14, 15]) contacts.view[r * 26 + k] = random.range(0.1, 0.4);
    // some push already
    if (r % 2 === 0) contacts.view.fill(0, r * 26 + 17, r * 26 + 20);
    order.view[r] = row;
  }
  for (let i = 0; i < 3; i++) {
    const row = blocks.address + i * 264;
    words.set([[0, 8, 16][i], 0, bodies.address + i * 128, bodies.address + ((i + 1) % 4) * 128], row >> 2);
    // held points: nothing but the inverse counts
    if (i === 2) blocks.view.set([1, 0, 0, 0, 1, 0, 0, 0, 1], i * 33 + 24);
    if (i === 2) blocks.view[i * 33 + 11] = 0;
    order.view[ROWS + i] = row + 1;
  }
  const sweep = (rows: number, way: number) => {
    const lists = [order.address, near.address, moved.address];
    kernels.sweepRows(0, rows, own.address, ...lists, marks.address, still.address, way);
  };
  return { kernels, wasm, contacts, order, near, moved, own, still, sweep, all: [contacts, blocks, bodies, slots] };
}

it.each([1, 2, 3])('sweepRows does what the specification does, forwards and backwards, seed %d', async (seed) => {
  const heap = await makeHeap(seed);
  const { kernels, wasm, order, sweep } = heap;
  const copy = wasm.buffer.slice(0);
  const memory: RowMemory = { f64: new Float64Array(copy), u32: new Uint32Array(copy) };
  const rows = Array.from(order.view);
  const way = (n: number) => (n % 2 === 0 ? 0 : BACK);
  kernels.warmRows(0, rows.length, 0, order.address);
  for (const row of rows) {
    if (row & 1) warmBlock(memory, row - 1);
    else warmContact(memory, row);
  }
  for (let n = 0; n < 4; n++) {
    sweep(rows.length, WHOLE | way(n));
    for (const row of n % 2 === 0 ? rows : rows.toReversed()) {
      if (row & 1) relaxBlock(memory, row - 1);
      else relaxContact(memory, row);
    }
  }
  for (const { view, address } of heap.all) {
    const wanted = new Float64Array(copy, address, view.length);
    // four sweeps of 27 rows in f64, sums in another order
    view.forEach((value, i) => {
      expect(Math.abs(value - wanted[i])).toBeLessThan(1e-12 * (1 + Math.abs(wanted[i])));
    });
  }
});

it('sweepRows leaves out what is far from pushing until it is asked for all rows', async () => {
  const { contacts, order, near, own, sweep } = await makeHeap(4);
  // a contact that opens by 0.3 m/s more than it has to is far; the others are made to push
  for (let r = 0; r < ROWS; r++) contacts.view[r * 26 + 11] = r === 0 ? -1e6 : 1e6;
  sweep(ROWS, WHOLE);
  expect(own.view[0]).toBe(ROWS - 1);
  expect(Array.from(near.view.subarray(0, ROWS - 1))).toEqual(Array.from(order.view.subarray(1, ROWS)));
});

it('sweepRows leaves out what hardly changed until it is asked for all that push', async () => {
  const { wasm, contacts, order, near, moved, own, still, sweep } = await makeHeap(5);
  for (let r = 0; r < ROWS; r++) contacts.view[r * 26 + 11] = 1e6;
  still.view[0] = 1e30;
  sweep(ROWS, WHOLE);
  expect(Array.from(own.view)).toEqual([ROWS, 0]);
  // nobody has changed by so much: a sweep over those who have does nothing
  const before = wasm.buffer.slice(0);
  sweep(ROWS, 0);
  expect(new Uint8Array(wasm.buffer)).toEqual(new Uint8Array(before));
  still.view[0] = 0;
  sweep(ROWS, NEAR | BACK);
  const changed = Array.from(moved.view.subarray(0, own.view[1]));
  expect(own.view[0]).toBe(ROWS);
  expect(changed.length).toBeGreaterThan(0);
  const after = new Float64Array(wasm.buffer);
  const was = new Float64Array(before);
  const differs = (row: number) => [17, 18, 19].some((k) => after[(row >> 3) + k] !== was[(row >> 3) + k]);
  expect(changed).toEqual(Array.from(near.view.subarray(0, ROWS)).filter(differs));
  expect(Array.from(near.view.subarray(0, ROWS))).toEqual(Array.from(order.view.subarray(0, ROWS)));
});
