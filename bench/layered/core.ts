/** The layered step without a world, its characters in a memory of their own so that the kernels do it. For benchmarks and tests. */
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { type ObstacleDef, ObstacleSet } from '../../src/collision/obstacles/obstacle.js';
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';
import { LayerKernels } from '../../src/solvers/layered/layer-kernels.js';
import { LayeredCore } from '../../src/solvers/layered/layered-core.js';
import { buildLayeredModel } from '../../src/solvers/layered/layered-model.js';
import { planLayeredPart } from '../../src/solvers/layered/layered-state.js';
import type { LayeredOptions } from '../../src/solvers/layered/options.js';

/** Step [s] and gravity [m/s²]. */
export const H = 1 / 60;
export const GRAVITY = [0, -9.81, 0] as const;

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

/** A character held by its root, its other bones led, and a step of it. */
export interface CoreStep {
  readonly core: LayeredCore;
  /** Takes a step, or throws. */
  step(): void;
}

/** One character on its own, every node able to touch. */
export async function makeCoreStep(def: LayerDef, obstacles: readonly ObstacleDef[]): Promise<CoreStep> {
  const bones = def.bones.map((bone, i) => ({ ...bone, kinematic: i === 0 ? true : ('tracked' as const) }));
  const core = await makeKernelCore({ ...def, bones, contactSpacing: 0 }, 1, obstacles, { selfContact: false });
  core.bodies[0].place([0, 0, 0], [0, 0, 0, 1]);
  const step = (): void => {
    core.obstacles.predict(H);
    if (!core.step(GRAVITY, H)) throw new Error(`a step of ${def.name} failed`);
    core.obstacles.commit();
  };
  return { core, step };
}
