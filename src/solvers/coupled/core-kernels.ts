/** Kernels of a coupled world: sweeps over heaps, the search between pairs, the prediction of flesh. */

import type { SampledShape } from '../../collision/rigid/sampled-shape.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { ContactSearch } from './contacts/contact-search.js';
import { PairKernels } from './contacts/pair-kernels.js';
import type { CoupledOptions } from './options.js';
import { ChainKernel } from './rigid/chain-kernel.js';
import type { JointCloser } from './rigid/joint-closer.js';
import { HeapRows } from './rows/heap-rows.js';
import type { IslandSolver } from './rows/island-solver.js';
import { RowJob } from './rows/row-job.js';
import type { RowSystem } from './rows/row-system.js';
import { SoftKernels } from './soft/soft-kernels.js';

/** Starts planned kernels, once the memory exists. */
export type StartKernels = (kernels: KernelTable, threads: ThreadPool) => void;

/** Plans them; without them all is done in plain code. */
export function planKernels(
  plan: MemoryPlan,
  rows: RowSystem,
  solver: IslandSolver,
  closer: JointCloser,
  search: ContactSearch,
  options: CoupledOptions,
  shapes: readonly SampledShape[],
): StartKernels {
  const { rigid, soft: sides } = rows;
  const { bodies } = sides;
  const job = new RowJob(plan, rows, options);
  const heaps = new HeapRows(plan, rows, job);
  const chains = new ChainKernel(plan, rows.joints, job);
  const pairs = new PairKernels(plan, rigid, bodies, sides, shapes, search.broad.pairs.length);
  const startWalk = search.broad.walk.plan(plan);
  solver.heaps = heaps;
  search.kernels = pairs;
  if (bodies.count > 0 && bodies.isCorotated) bodies.kernels = new SoftKernels(plan, bodies.models, bodies.firstVertex);
  return (kernels, threads) => {
    heaps.start(kernels, threads);
    rows.job = job;
    chains.start(threads);
    closer.chains.kernel = chains;
    solver.chains.kernel = chains;
    pairs.start(kernels, threads);
    startWalk(kernels);
    bodies.kernels?.start(threads);
  };
}
