/**
 * One step of plain projective dynamics in which bones are imitated by shape constraints of any weight, put together from
 * the parts of the projective solver: a world has one weight only (`bones: 'shape'`), Figure 7 needs several.
 */
import type { BodyDef } from '../../src/body/body-def.js';
import { buildModel, type Model } from '../../src/body/model.js';
import { compileKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import { resetQuaternions } from '../../src/kernels/tet-groups.js';
import { ThreadPool } from '../../src/kernels/thread-pool.js';
import { analyse, factor } from '../../src/linalg/cholesky.js';
import { SolvePlan } from '../../src/linalg/solve-plan.js';
import { withShapeBones } from '../../src/solvers/projective/compare/imitate-bones.js';
import { ShapeTargets } from '../../src/solvers/projective/compare/shape-targets.js';
import { FleshRows, partCountOf } from '../../src/solvers/projective/flesh-rows.js';
import { layOut } from '../../src/solvers/projective/layout.js';
import { planProjectiveState } from '../../src/solvers/projective/projective-state.js';
import { assembleSystem, diagonalEntry, setInertia } from '../../src/solvers/projective/system.js';

/**
 * Starts at rest, with inertia and forces aiming at `target` (x, y, z per vertex), and calls `watch` with the positions
 * after each iteration. `weight`: w h²/m of every vertex of a bone.
 */
export async function iterateShapes(
  body: BodyDef,
  weight: number,
  h: number,
  target: (model: Model) => Float64Array,
  iterations: number,
  watch: (model: Model, positions: Float64Array) => void,
): Promise<void> {
  const imitated = withShapeBones(body);
  const model = buildModel(imitated.body);
  const layout = layOut(model);
  const shapes = new ShapeTargets(
    model,
    imitated.shapes.map((vertices) => Int32Array.from(vertices)),
    weight,
  );
  const inertia = 1 / (h * h);
  const { matrix, ...rest } = assembleSystem(model, layout);
  setInertia({ matrix, ...rest }, inertia);
  shapes.addToMatrix(matrix.values, (vertex) => diagonalEntry(matrix, layout.fleshOfVertex[vertex]), inertia);
  const structure = analyse(matrix, { partCount: partCountOf(layout.tets.length) });
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const solve = new SolvePlan(plan, structure);
  const rows = new FleshRows(plan, model, layout, structure, solve);
  const make = planProjectiveState(plan, model, rows.quatCount);
  const kernels = threads.start(await compileKernels(false), plan.allocate());
  solve.pack(factor(structure, matrix).values, kernels, threads);
  rows.start(kernels, threads);
  const state = make();
  resetQuaternions(state.quats);
  const goal = target(model);
  const positions = new Float64Array(model.vertexCount * 3);
  for (const vertex of layout.fleshVertices) {
    const row = rows.rowOfVertex[vertex];
    rows.weights.view[row] = model.masses[vertex] * inertia;
    for (let k = 0; k < 3; k++) {
      rows.x.view[row * 4 + k] = model.positions[vertex * 3 + k];
      rows.target.view[row * 4 + k] = goal[vertex * 3 + k];
    }
  }
  solve.y.view.fill(0);
  rows.move();
  for (let iteration = 0; iteration < iterations; iteration++) {
    rows.localStep(state);
    rows.collectResidual();
    shapes.addForces(rows, solve.y.view);
    solve.forward();
    solve.backward();
    rows.move();
    for (const vertex of layout.fleshVertices) {
      for (let k = 0; k < 3; k++) positions[vertex * 3 + k] = rows.x.view[rows.rowOfVertex[vertex] * 4 + k];
    }
    watch(model, positions);
  }
  threads.stop();
}
