/** `tendon bench lattice`: what a cycle, an iteration and a frame of the lattice solver cost, beside what the paper reports. */
import { LATTICE_SCENES } from '../scenes/index.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../src/index.js';
import type { LatticeSolver } from '../src/solvers/lattice/lattice-solver.js';
import { insideOf } from '../src/world/world.js';
import { machine, spread, time } from './stats.js';

/** What [McAdams2011] reports on eight cores: a linear cycle with ten sweeps, and a frame [ms]. */
const PAPER: Readonly<Record<string, { readonly cycle?: number; readonly frame?: number }>> = {
  'cube-32': { cycle: 100 },
  'cube-64': { cycle: 560 },
  torso: { frame: 5480 },
  'curling-hand': { frame: 12_600 },
};

/** One line of the result. */
export interface LatticeLine {
  readonly case: string;
  readonly cells: number;
  readonly threads: number;
  readonly bytesPerCell: number;
  /** One V(1,1) cycle of the Laplacian, and one iteration with everything in it, least of the frames [ms]. */
  readonly cycleMs: number;
  readonly iterationMs: number;
  /** A frame, median [ms], and its iterations, mean. */
  readonly frameMs: number;
  readonly iterations: number;
  readonly inverted: number;
  readonly paperCycleMs: number | null;
  readonly paperFrameMs: number | null;
}

interface LatticeBench {
  readonly json?: boolean;
  readonly case?: string;
  readonly threads: string;
  readonly frames: string;
}

/** Measures and prints. */
export async function benchLattice(options: LatticeBench): Promise<void> {
  if (!options.json) console.log(`${machine()}\n`);
  for (const name of LATTICE_SCENES.keys()) {
    if (options.case !== undefined && options.case !== name) continue;
    const line = await measureCase(name, Number(options.threads), Number(options.frames));
    if (options.json) console.log(JSON.stringify(line));
    else print(line);
  }
}

/** Runs one case. */
export async function measureCase(name: string, threads: number, frames: number): Promise<LatticeLine> {
  const scene = LATTICE_SCENES.get(name)!.build();
  const world = await createWorld(scene as Parameters<typeof createWorld>[0], { threads });
  const solver = insideOf(world).solver as LatticeSolver;
  const [part] = solver.parts;
  const cells = part.shared.body.lattice.cells.length / 3;
  const frameTimes: number[] = [];
  const perIteration: number[] = [];
  let [iterations, inverted] = [0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    const ms = performance.now() - began;
    const taken = world.certificate.iterations;
    iterations += taken / frames;
    inverted = Math.max(inverted, world.certificate.inverted);
    frameTimes.push(ms);
    perIteration.push(world.certificate.ms.flesh / taken);
  }
  const cycle = time(() => part.runCycle(), 5, 1);
  const line: LatticeLine = {
    case: name,
    cells,
    threads: world.threads.threads,
    bytesPerCell: Math.round(memoryOf(world) / cells),
    cycleMs: round(cycle.min),
    iterationMs: round(spread(perIteration).min),
    frameMs: round(spread(frameTimes).median),
    iterations: round(iterations),
    inverted,
    paperCycleMs: PAPER[name]?.cycle ?? null,
    paperFrameMs: PAPER[name]?.frame ?? null,
  };
  disposeWorld(world);
  return line;
}

function memoryOf(world: World): number {
  return insideOf(world).memory.buffer.byteLength;
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

function print(line: LatticeLine): void {
  const paper = line.paperFrameMs ?? line.paperCycleMs;
  console.log(
    `${line.case.padEnd(13)} ${String(line.cells).padStart(7)} cells  ${line.bytesPerCell} bytes each  cycle ${line.cycleMs} ms  ` +
      `iteration ${line.iterationMs} ms  frame ${line.frameMs} ms (${line.iterations} iterations)` +
      `${paper === null ? '' : `  paper ${paper} ms a ${line.paperFrameMs === null ? 'cycle' : 'frame'}`}`,
  );
}
