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
  /** Largest move of a frame's last iteration, in cells: median and worst; at most 0.01 where it is converged. */
  readonly lastMove: number;
  readonly worstMove: number;
  /** The same frames without a limit on iterations: how many they take, mean and most, and how long, median and worst [ms]. Only where asked for. */
  readonly convergedIterations?: number;
  readonly convergedMost?: number;
  readonly convergedMs?: number;
  readonly convergedWorstMs?: number;
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
  if (!options.json) console.log(`${machine()}\n`);
  for (const name of LATTICE_SCENES.keys()) {
    if (options.case !== undefined && options.case !== name) continue;
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
  readonly perIteration: readonly number[];
  readonly iterations: readonly number[];
  readonly moves: readonly number[];
  readonly inverted: number;
}

/** Steps a world through its first frames. */
function runFrames(world: World, frames: number): Frames {
  const [ms, perIteration, iterations, moves]: number[][] = [[], [], [], []];
  let inverted = 0;
  for (let frame = 0; frame < frames; frame++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    ms.push(performance.now() - began);
    const { certificate } = world;
    iterations.push(certificate.iterations);
    perIteration.push(certificate.ms.flesh / certificate.iterations);
    moves.push(certificate.cells?.lastMove ?? 0);
    inverted = Math.max(inverted, certificate.inverted);
  }
  return { ms, perIteration, iterations, moves, inverted };
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
  const { ms, perIteration, iterations, moves, inverted } = runFrames(world, frames);
  const cycle = time(() => part.runCycle(), 5, 1);
  const line: LatticeLine = {
    case: name,
    cells,
    threads: world.threads.threads,
    bytesPerCell: Math.round(memoryOf(world) / cells),
    cycleMs: round(cycle.min),
    iterationMs: round(spread(perIteration).min),
    frameMs: round(spread(ms).median),
    iterations: round(mean(iterations)),
    inverted,
    lastMove: round(spread(moves).median),
    worstMove: round(Math.max(...moves)),
    ...(converged && (await measureConverged(scene, threads, frames))),
    paperCycleMs: PAPER[name]?.cycle ?? null,
    paperFrameMs: PAPER[name]?.frame ?? null,
  };
  disposeWorld(world);
  return line;
}

/** The frames without a limit. */
async function measureConverged(scene: Parameters<typeof createWorld>[0], threads: number, frames: number) {
  const world = await createWorld(scene, { threads, iterations: UNLIMITED });
  const { ms, iterations } = runFrames(world, frames);
  disposeWorld(world);
  return {
    convergedIterations: round(mean(iterations)),
    convergedMost: Math.max(...iterations),
    convergedMs: round(spread(ms).median),
    convergedWorstMs: round(Math.max(...ms)),
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
    line.convergedMs === undefined
      ? ''
      : `  converged ${line.convergedMs} ms, worst ${line.convergedWorstMs} (${line.convergedIterations} iterations, most ${line.convergedMost})`;
  console.log(
    `${line.case.padEnd(13)} ${String(line.cells).padStart(7)} cells  ${line.threads} threads  ${line.bytesPerCell} bytes each  cycle ${line.cycleMs} ms  ` +
      `iteration ${line.iterationMs} ms  frame ${line.frameMs} ms (${line.iterations} iterations, last move ${line.lastMove} cells, worst ${line.worstMove})${converged}` +
      `${paper === null ? '' : `  paper ${paper} ms a ${line.paperFrameMs === null ? 'cycle' : 'frame'}`}`,
  );
}
