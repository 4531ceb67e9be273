/** Twenty local/global iterations of a body without bones, one and two threads, against a native comparator. */
import type { BodyDef } from '../src/body/body-def.js';
import { createWorld, disposeWorld, stepWorld } from '../src/index.js';
import type { ProjectiveSolver } from '../src/solvers/projective/projective-solver.js';
import type { SideBySide } from '../src/solvers/side-by-side.js';
import { insideOf } from '../src/world/world.js';
import { runNative } from './native.js';
import { type Spread, time } from './stats.js';

const FRAMES = 30;

/** Prints one block; `run` is the comparator's executable. */
export async function benchLoop(body: BodyDef, run: string | undefined): Promise<void> {
  const native = run === undefined ? undefined : runNative(body, run);
  const one = await timeLoop(body, 1);
  const two = await timeLoop(body, 2);
  console.log(`20 iterations without bones, ${body.name}: ${one.vertices} vertices, ${one.tets} tets`);
  console.log(`  one thread   min ${one.ms.min.toFixed(1)}  median ${one.ms.median.toFixed(1)} ms`);
  console.log(
    `  two threads  min ${two.ms.min.toFixed(1)}  median ${two.ms.median.toFixed(1)} ms  (${(one.ms.min / two.ms.min).toFixed(2)}x, by minimum)`,
  );
  if (native === undefined) {
    console.log('  no native comparator given\n');
    return;
  }
  const { optimisedMs, textbookMs, amdNnz } = native;
  console.log(`  native optimised ${optimisedMs} ms: ours takes ${(one.ms.min / optimisedMs).toFixed(2)}x`);
  console.log(`  native textbook ${textbookMs} ms: ours is ${(textbookMs / one.ms.min).toFixed(1)}x faster`);
  console.log(`  nnz(L) ${one.entries}, CHOLMOD's AMD ${amdNnz}: ${(one.entries / amdNnz).toFixed(3)}x\n`);
}

/** The material of the comparator: shear stiffness alone. */
function plainBody(body: BodyDef): BodyDef {
  const materials = [{ model: 'arap', youngModulus: 1e5 / 1.3, poissonRatio: 0, density: 1000 } as const];
  return { ...body, bones: [], joints: [], materials, regions: undefined };
}

async function timeLoop(body: BodyDef, threads: number) {
  const scene = { name: 'loop', description: '', bodies: [{ body: plainBody(body) }], dt: 0.033, iterations: 20 };
  const world = await createWorld(scene, { threads });
  const ms: Spread = time(() => void stepWorld(world), FRAMES, 5);
  const [{ model }] = world.bodies;
  const { parts } = insideOf(world).solver as SideBySide;
  const solver = parts[0].solver as ProjectiveSolver;
  disposeWorld(world);
  return { ms, vertices: model.vertexCount, tets: model.tetCount, entries: solver.matrix.structure.entries };
}
