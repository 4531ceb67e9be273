/** `tendon bench lattice`: what a cycle, an iteration and a frame of the lattice solver cost, beside what the paper reports. */
import { LATTICE_SCENES } from '../scenes/index.js';
import { createWorld, disposeWorld, resetWorld, stepWorld, type World } from '../src/index.js';
import { compileKernels } from '../src/kernels/load-kernels.js';
import { MemoryPlan } from '../src/kernels/memory.js';
import { ThreadPool } from '../src/kernels/thread-pool.js';
import { boxLattice } from '../src/mesh/hexes/hex-lattice.js';
import { KernelPaperCycle } from '../src/solvers/lattice/compare/kernel-paper-cycle.js';
import { buildLatticeBody } from '../src/solvers/lattice/lattice-body.js';
import type { LatticeSolver } from '../src/solvers/lattice/lattice-solver.js';
import { insideOf } from '../src/world/world.js';
import { only } from './only.js';
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
  /** A frame, median, mean and worst [ms], the processor time it takes on all threads together, median [ms], and its iterations, mean. */
  readonly frameMs: number;
  readonly frameMeanMs: number;
  readonly frameWorstMs: number;
  readonly frameCpuMs: number;
  readonly iterations: number;
  readonly inverted: number;
  /** Largest move of a frame's last iteration, in cells: median and worst; at most 0.01 where it is converged. */
  readonly lastMove: number;
  readonly worstMove: number;
  /** The same frames without a limit on iterations: how many they take, mean and most, and how much processor time, median and worst [ms]. Only where asked for. */
  readonly convergedIterations?: number;
  readonly convergedMost?: number;
  readonly convergedCpuMs?: number;
  readonly convergedWorstCpuMs?: number;
  /** The paper's own cycle by our kernels: ten sweeps per transfer on levels of n, n/2, … 4 cells a side, least time [ms]; only for its cubes. */
  readonly ownPaperCycleMs?: number;
  readonly paperCycleMs: number | null;
  readonly paperFrameMs: number | null;
}

interface LatticeBench {
  readonly json?: boolean;
  readonly case?: string;
  readonly threads: string;
  readonly frames: string;
  readonly converged?: boolean;
}

/** Measures and prints. */
export async function benchLattice(options: LatticeBench): Promise<void> {
  const names = only(LATTICE_SCENES.keys(), options.case, '--case');
  if (!options.json) console.log(`${machine()}\n`);
  for (const name of names) {
    for (const threads of options.threads.split(',')) {
      const line = await measureCase(name, Number(threads), Number(options.frames), options.converged);
      if (options.json) console.log(JSON.stringify(line));
      else print(line);
    }
  }
}

/** Most iterations of a frame that is to converge. */
const UNLIMITED = 300;

interface Frames {
  readonly ms: readonly number[];
  readonly cpu: readonly number[];
  readonly perIteration: readonly number[];
  readonly iterations: readonly number[];
  readonly moves: readonly number[];
  readonly inverted: number;
}

/** Steps a world through its first frames. */
function runFrames(world: World, frames: number): Frames {
  const [ms, cpu, perIteration, iterations, moves]: number[][] = [[], [], [], [], []];
  let inverted = 0;
  for (let frame = 0; frame < frames; frame++) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    if (!stepWorld(world)) throw world.fault;
    ms.push(performance.now() - began);
    cpu.push(cpuSince(used));
    const { certificate } = world;
    iterations.push(certificate.iterations);
    perIteration.push(certificate.ms.flesh / certificate.iterations);
    moves.push(certificate.cells?.lastMove ?? 0);
    inverted = Math.max(inverted, certificate.inverted);
  }
  return { ms, cpu, perIteration, iterations, moves, inverted };
}

/** Processor time since then [ms]. */
function cpuSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then);
  return (user + system) / 1000;
}

/** Runs one case. */
export async function measureCase(
  name: string,
  threads: number,
  frames: number,
  converged = false,
): Promise<LatticeLine> {
  const scene = LATTICE_SCENES.get(name)!.build() as Parameters<typeof createWorld>[0];
  const world = await createWorld(scene, { threads });
  const solver = insideOf(world).solver as LatticeSolver;
  const [part] = solver.parts;
  const cells = part.shared.body.lattice.cells.length / 3;
  // once untimed: what the engine has not compiled yet, on any of the threads, is no time of a frame
  runFrames(world, frames);
  resetWorld(world);
  const { ms, cpu, perIteration, iterations, moves, inverted } = runFrames(world, frames);
  const cycle = time(() => part.runCycle(), 5, 1);
  const line: LatticeLine = {
    case: name,
    cells,
    threads: world.threads.threads,
    bytesPerCell: Math.round(memoryOf(world) / cells),
    cycleMs: round(cycle.min),
    iterationMs: round(spread(perIteration).min),
    frameMs: round(spread(ms).median),
    frameMeanMs: round(mean(ms)),
    frameWorstMs: round(Math.max(...ms)),
    frameCpuMs: round(spread(cpu).median),
    iterations: round(mean(iterations)),
    inverted,
    lastMove: round(spread(moves).median),
    worstMove: round(Math.max(...moves)),
    ...(CUBES[name] && { ownPaperCycleMs: round(await timePaperCycle(CUBES[name], threads)) }),
    ...(converged && (await measureConverged(scene, threads, frames))),
    paperCycleMs: PAPER[name]?.cycle ?? null,
    paperFrameMs: PAPER[name]?.frame ?? null,
  };
  disposeWorld(world);
  return line;
}

/** Sides of the paper's cubes, in cells. */
const CUBES: Readonly<Record<string, number>> = { 'cube-32': 32, 'cube-64': 64 };

/** Least time of the paper's own cycle on a cube of n cells a side, two faces clamped [ms]. */
async function timePaperCycle(n: number, wanted: number): Promise<number> {
  const lattice = boxLattice(n, n, n, 1 / n);
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(n * n * n).fill(0.385),
    lambda: new Float64Array(n * n * n).fill(0.577),
    held: Uint8Array.from({ length: lattice.nodes.length / 3 }, (_, node) =>
      lattice.nodes[3 * node] % n === 0 ? 1 : 0,
    ),
    kappa: 1,
  });
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const cycle = new KernelPaperCycle(plan, body, Math.log2(n) - 1);
  const shared = wanted > 1;
  const module = await compileKernels(shared);
  const memory = plan.allocate({ shared });
  const kernels = threads.start(module, memory);
  if (shared) await threads.startHelpers(wanted, module, memory);
  cycle.start(kernels, threads);
  const { b } = cycle.finest;
  for (let i = 0; i < b.length; i++) b.view[i] = ((i * 7919) % 101) / 50 - 1;
  let least = Infinity;
  for (let n = 0; n < 8; n++) {
    const used = process.cpuUsage();
    const began = performance.now();
    cycle.run(10);
    // on one thread what others take of the processor does not count
    least = Math.min(least, shared ? performance.now() - began : cpuSince(used));
  }
  threads.stop();
  return least;
}

/** The frames without a limit. */
async function measureConverged(scene: Parameters<typeof createWorld>[0], threads: number, frames: number) {
  const world = await createWorld(scene, { threads, iterations: UNLIMITED });
  const { cpu, iterations } = runFrames(world, frames);
  disposeWorld(world);
  return {
    convergedIterations: round(mean(iterations)),
    convergedMost: Math.max(...iterations),
    convergedCpuMs: round(spread(cpu).median),
    convergedWorstCpuMs: round(Math.max(...cpu)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function memoryOf(world: World): number {
  return insideOf(world).memory.buffer.byteLength;
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

function print(line: LatticeLine): void {
  const paper = line.paperFrameMs ?? line.paperCycleMs;
  const converged =
    line.convergedCpuMs === undefined
      ? ''
      : `  converged ${line.convergedCpuMs} ms of processor, worst ${line.convergedWorstCpuMs} (${line.convergedIterations} iterations, most ${line.convergedMost})`;
  const own = line.ownPaperCycleMs === undefined ? '' : `  paper's cycle ${line.ownPaperCycleMs} ms`;
  console.log(
    `${line.case.padEnd(13)} ${String(line.cells).padStart(7)} cells  ${line.threads} threads  ${line.bytesPerCell} bytes each  cycle ${line.cycleMs} ms  ` +
      `iteration ${line.iterationMs} ms  frame ${line.frameMs} ms (mean ${line.frameMeanMs}, worst ${line.frameWorstMs}), processor ${line.frameCpuMs} (${line.iterations} iterations, last move ${line.lastMove} cells, worst ${line.worstMove})${converged}${own}` +
      `${paper === null ? '' : `  paper ${paper} ms a ${line.paperFrameMs === null ? 'cycle' : 'frame'}`}`,
  );
}
