/** Chains for the kernel that solves them at once (assembly/chain-solve.ts), in parts on as many threads as there are. */
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { type MovingCut, RangeRunner } from '../../../kernels/range-runner.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { Islands } from '../rows/islands.js';
import type { RowJob } from '../rows/row-job.js';
import type { JointBlocks } from './joint-blocks.js';

/** Words per chain; parts, and how many chains one has at least; f64 that a part works in. */
const CHAIN = 3;
const PARTS = 8;
const LEAST = 16;
const OWN = 5364;

/** Lists chains and has them solved. */
export class ChainKernel {
  count = 0;
  readonly #job: RowJob;
  readonly #chains: Slot<Int32Array>;
  readonly #blocks: Slot<Int32Array>;
  readonly #own: Slot<Float64Array>;
  readonly #runner: RangeRunner;
  readonly #cut: MovingCut;
  #blockCount = 0;

  constructor(plan: MemoryPlan, joints: JointBlocks, job: RowJob) {
    this.#job = job;
    this.#chains = plan.i32(joints.count * CHAIN);
    this.#blocks = plan.i32(joints.count);
    this.#own = plan.f64(joints.count > 0 ? PARTS * OWN : 0);
    this.#runner = new RangeRunner(plan);
    this.#cut = this.#runner.cutLater(PARTS);
  }

  start(threads: ThreadPool): void {
    this.#runner.start(threads);
  }

  begin(): void {
    this.count = 0;
    this.#blockCount = 0;
  }

  /** Puts an island on the list; its number there. */
  add({ block, blockStart }: Islands, island: number): number {
    const chain = this.count * CHAIN;
    this.#chains.view[chain] = this.#blockCount;
    for (let n = blockStart[island]; n < blockStart[island + 1]; n++) this.#blocks.view[this.#blockCount++] = block[n];
    this.#chains.view[chain + 1] = this.#blockCount;
    return this.count++;
  }

  /** Solves all chains of the list: impulses of a track, and velocities. */
  solve(push: Float64Array): void {
    if (this.count === 0) return;
    this.#job.useJointPush(push);
    this.#runner.cutAgain(this.#cut, this.count, LEAST);
    const own = this.#own.address;
    const blocks = this.#blocks.address;
    this.#runner.run('solveChains', this.#cut, own, OWN * 8, this.#job.address, this.#chains.address, blocks);
  }

  /** Whether a chain of the list was solved; not where its joints say the same thing twice. */
  isSolved(n: number): boolean {
    return this.#chains.view[n * CHAIN + 2] === 1;
  }
}
