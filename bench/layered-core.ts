/** The layered step without a world, its characters in a memory of their own so that the kernels do it. For benchmarks and tests. */
import type { LayerDef } from '../src/body/kinds/layer-def.js';
import { type ObstacleDef, ObstacleSet } from '../src/collision/obstacles/obstacle.js';
import { compileKernels } from '../src/kernels/load-kernels.js';
import { MemoryPlan } from '../src/kernels/memory.js';
import { ThreadPool } from '../src/kernels/thread-pool.js';
import { LayerKernels } from '../src/solvers/layered/layer-kernels.js';
import { LayeredCore } from '../src/solvers/layered/layered-core.js';
import { buildLayeredModel } from '../src/solvers/layered/layered-model.js';
import { planLayeredPart } from '../src/solvers/layered/layered-state.js';
import type { LayeredOptions } from '../src/solvers/layered/options.js';

/** So many of a character with obstacles, stepped by kernels on one thread. */
export async function makeKernelCore(
  def: LayerDef,
  count: number,
  obstacles: readonly ObstacleDef[],
  options: Partial<LayeredOptions> = {},
): Promise<LayeredCore> {
  const model = buildLayeredModel(def, 'body');
  const models = Array.from({ length: count }, () => model);
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const planned = models.map((one) => planLayeredPart(plan, one));
  const kernels = new LayerKernels(
    plan,
    models.map(({ layer }) => layer),
  );
  const table = threads.start(await compileKernels(false), plan.allocate());
  const bodies = planned.map((make) => make().body);
  kernels.start(table, threads, bodies);
  return new LayeredCore(bodies, new ObstacleSet(obstacles), options, kernels);
}
