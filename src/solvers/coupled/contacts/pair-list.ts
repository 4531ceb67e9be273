/**
 * Pairs of bodies for the kernels of the narrow phase (assembly/pair-list.ts), all at once, in parts on as many threads as there are. How pairs are cut
 * into parts depends on their number alone; each part has room of its own for records, and a pair that finds none is looked at again by itself.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { JOB_RANGE, RANGE_ARGUMENTS, RANGE_KERNELS } from '../../../kernels/part-jobs.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { SearchMemory } from './search-memory.js';

/** f64 per record, f64 per pair, words per table. */
export const RECORD = 14;
const PAIR = 3;
const TABLE = 16;
/** Parts; and one more table, for pairs that found no room. */
const PARTS = 16;
/** Most records of samples between two bodies. */
const SAMPLES = 512;
/** Records a part has room for beyond the pair at hand, per pair that may be listed. */
const RECORDS_PER_PAIR = 0.5;
const NO_ROOM = -1;
const FIND = RANGE_KERNELS.indexOf('findPairs');
const REFRESH = RANGE_KERNELS.indexOf('refreshBodies');

/** Pairs to look at, and what was found. */
export class PairList {
  count = 0;
  readonly #memory: SearchMemory;
  readonly #softCount: number;
  readonly #pairs: Slot<Float64Array>;
  readonly #records: Slot<Float64Array>;
  readonly #tables: Slot<Int32Array>;
  readonly #kept: Slot<Int32Array>;
  readonly #group: Slot<Int32Array>;
  readonly #away: Slot<Float64Array>;
  readonly #bounds: Slot<Int32Array>;
  readonly #args: Slot<Int32Array>;
  /** Records of a pair at most, and of a part. */
  readonly #most: number;
  readonly #room: number;
  #words: Int32Array = new Int32Array(0);
  #pairWords: Int32Array = new Int32Array(0);
  #models = 0;
  #kernels: KernelTable | undefined;
  #threads: ThreadPool | undefined;

  constructor(plan: MemoryPlan, memory: SearchMemory, capacity: number, softCount: number) {
    this.#memory = memory;
    this.#softCount = softCount;
    this.#most = 2 * memory.mostVertices + SAMPLES;
    this.#room = this.#most + Math.ceil((RECORDS_PER_PAIR * capacity) / PARTS);
    this.#pairs = plan.f64(capacity * PAIR);
    this.#records = plan.f64((PARTS * this.#room + this.#most) * RECORD);
    this.#tables = plan.i32((PARTS + 1) * TABLE);
    this.#kept = plan.i32((PARTS + 1) * SAMPLES);
    this.#group = plan.i32((PARTS + 1) * SAMPLES);
    this.#away = plan.f64((PARTS + 1) * memory.mostClusters);
    this.#bounds = plan.i32(PARTS * 2);
    this.#args = plan.i32(4 + RANGE_ARGUMENTS);
  }

  /** Records of all parts; `recordOf` says which. */
  get records(): Float64Array {
    return this.#records.view;
  }

  /** The same as whole numbers, two each. */
  get words(): Int32Array {
    return this.#words;
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#kernels = kernels;
    this.#threads = threads;
    const { view, address } = this.#records;
    this.#words = new Int32Array(view.buffer, address, view.length * 2);
    this.#pairWords = new Int32Array(view.buffer, this.#pairs.address, this.#pairs.view.length * 2);
    const shared = this.#memory.addresses;
    this.#models = shared[4];
    for (let part = 0; part <= PARTS; part++) {
      const records = address + part * this.#room * RECORD * 8;
      const end = records + (part < PARTS ? this.#room : this.#most) * RECORD * 8;
      const scratch = [this.#kept.address + part * SAMPLES * 4, this.#group.address + part * SAMPLES * 4];
      const away = this.#away.address + part * this.#memory.mostClusters * 8;
      const own = [records, ...scratch, away, records, end, this.#most * RECORD * 8];
      this.#tables.view.set([...shared, ...own], part * TABLE);
    }
  }

  /** Puts a pair on the list, to be looked at as far ahead as margin[0]; its number there. There is room for as many pairs as the broad phase can find. */
  add(a: number, b: number, margin: Float64Array): number {
    const o = this.count * PAIR;
    this.#pairs.view[o] = margin[0];
    this.#pairWords[o * 2 + 2] = a;
    this.#pairWords[o * 2 + 3] = b;
    return this.count++;
  }

  /** Looks at all pairs of the list. */
  find(): void {
    if (this.count === 0) return;
    this.#run(REFRESH, this.#softCount, this.#models, 0, 0);
    this.#run(FIND, this.count, this.#pairs.address, this.#tables.address, TABLE * 4);
  }

  /** What was found of pair n: records of the first way, plus 65536 times those of both. */
  foundOf(n: number): number {
    const at = n * PAIR * 2 + 4;
    if (this.#pairWords[at] === NO_ROOM) {
      this.#kernels?.findPairs(n, n + 1, this.#tables.address + PARTS * TABLE * 4, this.#pairs.address);
    }
    return this.#pairWords[at];
  }

  /** Where the first record of pair n is in `records`. */
  recordOf(n: number): number {
    return (this.#pairWords[n * PAIR * 2 + 5] - this.#records.address) / 8;
  }

  /** Runs a kernel over `count` things, cut evenly. */
  #run(kernel: number, count: number, address: number, own: number, apart: number): void {
    const bounds = this.#bounds.view;
    for (let part = 0; part < PARTS; part++) {
      bounds[part * 2] = Math.floor((count * part) / PARTS);
      bounds[part * 2 + 1] = Math.floor((count * (part + 1)) / PARTS);
    }
    const args = this.#args.view;
    args[0] = this.#bounds.address;
    args[1] = kernel;
    args[2] = own;
    args[3] = apart;
    args[4] = address;
    this.#threads?.run(JOB_RANGE, this.#args.address, PARTS);
  }
}
