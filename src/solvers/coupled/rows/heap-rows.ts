/**
 * Sweeps over the rows of a heap by a kernel (assembly/heap-rows.ts), in three parts: two halves that know nothing of each other, on as many threads as there are,
 * then the rows between them.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { JOB_RANGE, RANGE_ARGUMENTS, RANGE_KERNELS } from '../../../kernels/part-jobs.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { LIMIT } from '../rigid/joint-blocks.js';
import { HeapMemory } from './heap-memory.js';
import type { Islands } from './islands.js';
import type { RowJob } from './row-job.js';
import { PARTS, type RowOrder } from './row-order.js';
import type { RowSystem } from './row-system.js';

/** Ways of a sweep: over all rows, from the last to the first. */
const WHOLE = 1;
const BACK = 2;
const NEAR = 4;
/** Every so many sweeps over many rows all that push are looked at, in those between only what has changed in the last of these. */
const LOOK = 8;
/** Changes of a row's velocity that others need not be told of before that [m/s], in a heap whose bodies are this fast on the whole [m/s]; less in slower ones. */
const STILL = 0.05;
const FLOWING = 0.5;
/** Changes of all rows of a small island that end its sweeps: where f32 ends [m/s], for bodies that are this fast on the whole; more for faster ones. */
const SETTLED = 1e-6;
/** Parts that do not wait for each other. */
const HALVES = 2;
/** Bytes between what parts note for themselves. */
const OWN = 64;
/** So many rows are swept by one thread, and all of them that push in every sweep. */
const FEW = 400;

/** Sweeps heaps. */
export class HeapRows {
  readonly #memory: HeapMemory;
  readonly #near: Slot<Int32Array>;
  readonly #moved: Slot<Int32Array>;
  readonly #still: Slot<Float64Array>;
  readonly #marks: Slot<Int32Array>;
  /** Rows that are near, of each part, on lines of their own. */
  readonly #own: Slot<Int32Array>;
  readonly #args: Slot<Int32Array>;
  readonly #system: RowSystem;
  #kernels: KernelTable | undefined;
  #threads: ThreadPool | undefined;

  constructor(plan: MemoryPlan, system: RowSystem, job: RowJob) {
    this.#system = system;
    this.#memory = new HeapMemory(plan, system, job);
    const rows = system.contacts.capacity + system.joints.count;
    this.#near = plan.i32(rows);
    this.#moved = plan.i32(rows);
    this.#still = plan.f64(1);
    this.#marks = plan.i32(Math.ceil(rows / 4) + 16);
    this.#own = plan.i32(PARTS * 16);
    this.#args = plan.i32(4 + RANGE_ARGUMENTS);
  }

  /** Once the memory exists. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#kernels = kernels;
    this.#threads = threads;
    this.#memory.start(threads);
  }

  /** A track begins. */
  begin(): void {
    this.#memory.begin();
  }

  /** Whether an island can be swept here: limits and capped motors are left to the sweeps elsewhere, and bodies without a table of slots. */
  takes({ block, blockStart, body, bodyStart }: Islands, island: number): boolean {
    const { joints, rigid, soft } = this.#system;
    if (!this.#kernels) return false;
    for (let n = blockStart[island]; n < blockStart[island + 1]; n++) {
      if (joints.role[block[n]] === LIMIT || joints.most[block[n]] < Number.POSITIVE_INFINITY) return false;
    }
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) {
      if (body[n] >= rigid.count && soft.tableStart[body[n] - rigid.count] < 0) return false;
    }
    return true;
  }

  /**
   * Sweeps the rows of an island, which `order` lists, upwards and downwards by turns, from the impulses that they have. What is far from touching is looked at in
   * the first, the middle and the last alone, in large heaps what hardly changes in every eighth. Small islands are swept until they are settled.
   */
  sweep(islands: Islands, island: number, order: RowOrder, sweeps: number, squareSpeed: Float64Array): void {
    this.#still.view[0] =
      order.count > FEW
        ? STILL * Math.min(1, squareSpeed[0] / (FLOWING * FLOWING))
        : SETTLED * Math.sqrt(Math.max(1, squareSpeed[0]));
    this.#memory.pack(islands, island, order);
    const args = this.#args.view;
    args[0] = this.#memory.bounds.address;
    args[2] = this.#own.address;
    args[3] = OWN;
    args[4] = this.#memory.order.address;
    args[5] = this.#near.address;
    args[6] = this.#moved.address;
    args[7] = this.#marks.address;
    args[8] = this.#still.address;
    this.#run('warmRows', order.count);
    if (order.count > FEW) this.#sweepMany(order.count, sweeps);
    else this.#kernels?.sweepFew(args[0], args[2], OWN, args[4], args[5], args[6], args[7], args[8], sweeps);
    args[4] = this.#memory.job.address;
    for (let blocks = 0; blocks < 2; blocks++) {
      args[5] = blocks;
      this.#run('takeRows', order.count);
    }
    if (this.#kernels) this.#memory.unpack(islands, island, this.#kernels);
  }

  #sweepMany(rows: number, sweeps: number): void {
    for (let n = 0; n < sweeps; n++) {
      const isWhole = n === 0 || n === sweeps >> 1 || n === sweeps - 1;
      this.#args.view[9] = (isWhole ? WHOLE : n % LOOK === 0 ? NEAR : 0) | (n % 2 === 0 ? 0 : BACK);
      this.#run('sweepRows', rows);
    }
  }

  /** Runs a kernel over both halves, then over what is between them. Few rows are not worth telling another thread of. */
  #run(kernel: 'warmRows' | 'sweepRows' | 'takeRows', rows: number): void {
    const args = this.#args.view;
    const bounds = this.#memory.bounds.view;
    args[1] = RANGE_KERNELS.indexOf(kernel);
    if (rows > FEW) this.#threads?.run(JOB_RANGE, this.#args.address, HALVES);
    for (let part = rows > FEW ? HALVES : 0; part < PARTS; part++) {
      const first = bounds[part * 2];
      const last = bounds[part * 2 + 1];
      const own = args[2] + part * OWN;
      if (first >= last) continue;
      this.#kernels?.[kernel](first, last, own, args[4], args[5], args[6], args[7], args[8], args[9]);
    }
  }
}
