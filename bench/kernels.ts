/** Time of each kernel on a body, one thread. */
import type { BodyDef } from '../src/body/body-def.js';
import { buildModel } from '../src/body/model.js';
import { resetState } from '../src/body/state.js';
import { compileKernels } from '../src/kernels/load-kernels.js';
import { MemoryPlan } from '../src/kernels/memory.js';
import { resetQuaternions } from '../src/kernels/tet-groups.js';
import { ThreadPool } from '../src/kernels/thread-pool.js';
import { analyse, factor } from '../src/linalg/cholesky.js';
import { SolvePlan } from '../src/linalg/solve-plan.js';
import { createRandom } from '../src/math/random.js';
import { FleshRows, partCountOf } from '../src/solvers/projective/flesh-rows.js';
import { layOut } from '../src/solvers/projective/layout.js';
import { planProjectiveState, resetProjectiveState } from '../src/solvers/projective/projective-state.js';
import { assembleSystem, setInertia } from '../src/solvers/projective/system.js';
import { time } from './stats.js';

const RUNS = 40;
/** How far vertices are moved from rest, relative to the body: enough that every rotation has work to do. */
const NOISE = 2e-3;

/** Prints one block for a body without its bones. */
export async function benchKernels(body: BodyDef): Promise<void> {
  const model = buildModel({ ...body, bones: [], joints: [] });
  const layout = layOut(model);
  const system = assembleSystem(model, layout);
  setInertia(system, 1 / 0.033 ** 2);
  const structure = analyse(system.matrix, { partCount: partCountOf(layout.tets.length) });
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const solve = new SolvePlan(plan, structure);
  const rows = new FleshRows(plan, model, layout, structure, solve);
  const make = planProjectiveState(plan, model, rows.quatCount);
  const svdWork = plan.f64(64);
  const module = await compileKernels(false);
  const kernels = threads.start(module, plan.allocate());
  solve.pack(factor(structure, system.matrix).values, kernels, threads);
  rows.start(kernels, threads);
  const state = make();
  const origin = { rotation: [0, 0, 0, 1], position: [0, 0, 0], velocity: [0, 0, 0], angularVelocity: [0, 0, 0] };
  resetState(model, state, origin);
  resetProjectiveState(model, state);
  const random = createRandom(1);
  layout.fleshVertices.forEach((vertex) => {
    for (let k = 0; k < 3; k++) {
      const at = rows.rowOfVertex[vertex] * 4 + k;
      rows.x32.view[at] = model.positions[vertex * 3 + k] + NOISE * model.size * random.range(-1, 1);
    }
  });
  const y = solve.y.view;
  const results = {
    'local step, settled': time(() => void rows.localStep(state), RUNS),
    'local step, from rest': time(() => {
      resetQuaternions(state.quats);
      rows.localStep(state);
    }, RUNS),
    'collect residual': time(() => rows.collectResidual(), RUNS),
    'forward solve': time(() => {
      y.fill(1, 0, structure.size * 4);
      solve.forward();
    }, RUNS),
    'backward solve': time(() => {
      y.fill(1, 0, structure.size * 4);
      solve.backward();
    }, RUNS),
    'move rows': time(() => {
      y.fill(0);
      rows.move();
    }, RUNS),
    'full SVD, as many as tets': time(() => {
      for (let tet = 0; tet < model.tetCount; tet++) {
        svdWork.view.set(SAMPLE);
        kernels.svd3(svdWork.address);
      }
    }, 5),
  };
  console.log(`kernels ${body.name}: ${model.vertexCount} vertices, ${model.tetCount} tets, one thread`);
  for (const [label, { min, median }] of Object.entries(results)) {
    console.log(`  ${label.padEnd(26)} min ${min.toFixed(3).padStart(7)}  median ${median.toFixed(3).padStart(7)} ms`);
  }
  console.log();
}

const SAMPLE = [1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.05];
