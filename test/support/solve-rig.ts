/** A factored matrix, packed for the solve kernels, and matrices to try them on. */
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { PART_JOBS } from '../../src/kernels/part-jobs.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';
import { analyse, type CholeskyFactor, factor } from '../../src/linalg/cholesky.js';
import { SolvePlan } from '../../src/linalg/solve-plan.js';
import { type SparseMatrix, sparseFromTriplets } from '../../src/linalg/sparse.js';
import { createRandom } from '../../src/math/random.js';

export interface SolveRig {
  readonly factor: CholeskyFactor;
  readonly plan: SolvePlan;
  /** Rows of four f32: the unknowns in elimination order, then the spare row, then the parts' copies. */
  readonly y: Float32Array;
}

export interface SolveRigOptions {
  readonly last?: ArrayLike<number>;
  readonly partCount?: number;
  /** The order in which the parts run; ascending by default. */
  readonly order?: (parts: number) => number[];
}

/** Factors a matrix and packs it. */
export async function makeSolveRig(matrix: SparseMatrix, options: SolveRigOptions = {}): Promise<SolveRig> {
  const structure = analyse(matrix, { last: options.last, partCount: options.partCount });
  const factored = factor(structure, matrix, { stopAtLast: (options.last?.length ?? 0) > 0 });
  const memoryPlan = new MemoryPlan();
  const pool = new ThreadPool(memoryPlan);
  const plan = new SolvePlan(memoryPlan, structure);
  const memory = memoryPlan.allocate();
  const kernels = pool.start(await compileKernels(false), memory);
  if (options.order !== undefined) {
    const words = new Int32Array(memory.buffer);
    const order = options.order;
    pool.run = (job, args, parts) => {
      for (const part of order(parts)) PART_JOBS[job](kernels, words, args >>> 2, part);
      return 0;
    };
  }
  plan.pack(factored.values, kernels, pool);
  return { factor: factored, plan, y: plan.y.view };
}

/** A random symmetric, strictly diagonally dominant (so positive definite) matrix with about `degree` entries a row. */
export function randomSpd(size: number, degree: number, seed: number): SparseMatrix {
  const random = createRandom(seed);
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const diagonal = new Float64Array(size);
  for (let k = 0; k < (size * degree) / 2; k++) {
    const i = random.integer(size);
    const j = random.integer(size);
    if (i === j) continue;
    const value = random.range(-1, 1);
    rows.push(i, j);
    columns.push(j, i);
    values.push(value, value);
    diagonal[i] += Math.abs(value);
    diagonal[j] += Math.abs(value);
  }
  for (let i = 0; i < size; i++) {
    rows.push(i);
    columns.push(i);
    values.push(diagonal[i] * 1.05 + random.range(0.01, 0.1));
  }
  return sparseFromTriplets(size, rows, columns, values);
}
