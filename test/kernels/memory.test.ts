/** Planning a memory: where arrays lie, and what happens when it is too much. */
import { describe, expect, it } from 'vitest';
import { TendonError, type TendonErrorCode } from '../../src/errors.js';
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { DEFAULT_MEMORY_LIMIT, MemoryPlan } from '../../src/kernels/memory.js';
import { JOB_SUM } from '../../src/kernels/part-jobs.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';

function codeOf(action: () => unknown): TendonErrorCode | undefined {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(TendonError);
    return (error as TendonError).code;
  }
  return undefined;
}

describe('MemoryPlan', () => {
  it('starts every array on a cache line, above the static data, without overlap', () => {
    const plan = new MemoryPlan();
    const slots = [];
    for (const length of [1, 0, 3, 17, 64, 5]) slots.push(plan.f32(length), plan.f64(length), plan.i32(length));
    const memory = plan.allocate();
    let end = 4096;
    for (const slot of slots) {
      expect(slot.address % 64).toBe(0);
      expect(slot.address).toBeGreaterThanOrEqual(end);
      expect(slot.view.length).toBe(slot.length);
      expect(slot.view.byteOffset).toBe(slot.address);
      expect(slot.view.buffer).toBe(memory.buffer);
      end = slot.address + slot.view.byteLength;
    }
    expect(memory.buffer.byteLength).toBe(plan.byteLength);
    expect(plan.byteLength).toBeGreaterThanOrEqual(end);
    expect(slots.every((slot) => slot.view.every((value) => value === 0))).toBe(true);
  });

  it('makes whole pages, exactly as many as are needed, plain or shared', () => {
    const plan = new MemoryPlan();
    plan.f32((65536 - 4096) / 4);
    expect(plan.byteLength).toBe(65536);
    plan.f32(1);
    expect(plan.byteLength).toBe(2 * 65536);
    expect(plan.allocate().buffer).toBeInstanceOf(ArrayBuffer);
    expect(plan.allocate({ shared: true }).buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('refuses more than the limit, and takes exactly the limit', () => {
    const plan = new MemoryPlan();
    plan.f64(100_000);
    expect(codeOf(() => plan.allocate({ limit: plan.byteLength - 1 }))).toBe('E_MEM_LIMIT');
    expect(codeOf(() => plan.allocate({ limit: plan.byteLength }))).toBe(undefined);
    const large = new MemoryPlan();
    large.f64(DEFAULT_MEMORY_LIMIT / 8);
    expect(codeOf(() => large.allocate())).toBe('E_MEM_LIMIT');
  });

  it('with a limit of its own refuses the first array that goes beyond it', () => {
    const plan = new MemoryPlan(1_000_000);
    plan.f64(100_000);
    expect(codeOf(() => plan.f64(100_000))).toBe('E_MEM_LIMIT');
  });

  it('refuses what no 32-bit memory can hold, whatever the limit', () => {
    for (const length of [2 ** 30, 2 ** 40, 2 ** 50]) {
      const plan = new MemoryPlan();
      plan.f64(length);
      expect(codeOf(() => plan.allocate({ limit: Number.POSITIVE_INFINITY }))).toBe('E_MEM_LIMIT');
    }
  });

  it('reports a memory that the engine refuses', () => {
    const original = WebAssembly.Memory;
    WebAssembly.Memory = class {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    } as unknown as typeof WebAssembly.Memory;
    try {
      const plan = new MemoryPlan();
      plan.f64(10);
      expect(codeOf(() => plan.allocate())).toBe('E_MEM_LIMIT');
    } finally {
      WebAssembly.Memory = original;
    }
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses the length %s', (length) => {
    const plan = new MemoryPlan();
    expect(codeOf(() => plan.f32(length))).toBe('E_RANGE');
    expect(codeOf(() => plan.f64(length))).toBe('E_RANGE');
    expect(codeOf(() => plan.i32(length))).toBe('E_RANGE');
  });

  it('works with arrays beyond 2 GiB, where an address is negative as an i32', async () => {
    const plan = new MemoryPlan();
    // Address space only: the engine gives pages when they are touched.
    plan.f64(2 ** 28);
    const threads = new ThreadPool(plan);
    const out = plan.f32(8);
    const copies = plan.f32(16);
    const bounds = plan.i32(2);
    const args = plan.i32(8);
    const memory = plan.allocate({ limit: 2 ** 32 });
    expect(args.address).toBeGreaterThan(2 ** 31);
    threads.start(await compileKernels(false), memory);
    copies.view.forEach((_, at) => {
      copies.view[at] = at;
    });
    bounds.view.set([0, 2]);
    args.view.set([bounds.address, out.address, copies.address, 2, 32, 0]);
    expect(threads.run(JOB_SUM, args.address, 1)).toBe(0);
    expect(Array.from(out.view)).toEqual([8, 10, 12, 14, 16, 18, 20, 22]);
  });
});
