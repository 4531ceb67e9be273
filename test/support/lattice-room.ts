/** A lattice body with its kernels started, outside of any world. */
import { existsSync } from 'node:fs';
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';
import { Descent } from '../../src/solvers/lattice/descent.js';
import type { LatticeBody } from '../../src/solvers/lattice/lattice-body.js';
import type { Vector } from '../../src/solvers/lattice/numbers/arithmetic.js';
import { KernelArithmetic } from '../../src/solvers/lattice/numbers/kernel-arithmetic.js';
import { PatchDescent } from '../../src/solvers/lattice/patch/patch-descent.js';

/** The classes a room is made of. */
interface LatticeClasses {
  readonly compileKernels: typeof compileKernels;
  readonly MemoryPlan: typeof MemoryPlan;
  readonly ThreadPool: typeof ThreadPool;
  readonly KernelArithmetic: typeof KernelArithmetic;
  readonly Descent: typeof Descent;
  readonly PatchDescent: typeof PatchDescent;
}

const SOURCES: LatticeClasses = { compileKernels, MemoryPlan, ThreadPool, KernelArithmetic, Descent, PatchDescent };

/** The same of the compiled library: Node cannot start a .ts file as a worker. */
export async function builtClasses(): Promise<LatticeClasses> {
  const library = new URL('../../dist/src/', import.meta.url);
  if (!existsSync(new URL('kernels/thread-worker.js', library))) throw new Error('run "npm run build" first');
  const paths = [
    'kernels/load-kernels',
    'kernels/memory',
    'kernels/thread-pool',
    'solvers/lattice/numbers/kernel-arithmetic',
    'solvers/lattice/patch/patch-descent',
  ];
  const modules = await Promise.all(
    [...paths, 'solvers/lattice/descent'].map((path) => import(/* @vite-ignore */ new URL(`${path}.js`, library).href)),
  );
  return Object.assign({}, ...modules) as LatticeClasses;
}

/** What a test needs to compute with kernels. */
export interface LatticeRoom {
  readonly arithmetic: KernelArithmetic;
  readonly descent: Descent;
  readonly x: Vector;
  readonly spare: readonly Vector[];
  readonly threads: ThreadPool;
  readonly bytes: number;
}

/** Starts kernels for a body, on one thread or more; `planMore` while memory is still planned. */
export async function openLatticeRoom(
  body: LatticeBody,
  threadCount = 1,
  classes: LatticeClasses = SOURCES,
  planMore: (arithmetic: KernelArithmetic, descent: Descent) => void = () => {},
): Promise<LatticeRoom> {
  const plan = new classes.MemoryPlan();
  const threads = new classes.ThreadPool(plan);
  const arithmetic = new classes.KernelArithmetic(plan, body);
  const descent = new classes.Descent(arithmetic, body);
  planMore(arithmetic, descent);
  const x = arithmetic.vector();
  const spare = [arithmetic.vector(), arithmetic.vector(), arithmetic.vector()];
  const shared = threadCount > 1;
  const module = await classes.compileKernels(shared);
  const memory = plan.allocate({ shared });
  const kernels = threads.start(module, memory);
  if (shared) await threads.startHelpers(threadCount, module, memory);
  arithmetic.start(kernels, threads);
  return { arithmetic, descent, x, spare, threads, bytes: plan.byteLength };
}
