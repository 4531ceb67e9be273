/** Large bodies: what it takes to build solid cubes of up to a million tets, the worst there is for a factor, and one step of them. */
import { Progress } from '../cli/progress.js';
import { createWorld, disposeWorld, stepWorld, TendonError } from '../src/index.js';
import { buildLattice } from '../src/mesh/tets/tet-lattice.js';
import { machine } from './stats.js';

/** Cells along each side: about 100, 250, 500 and 1,000 thousand tets. */
const SIDES = [27, 37, 47, 58];
/** Room for the factor of the largest [bytes]. */
const MEMORY = 4294901760;

interface LargeOptions {
  readonly json?: boolean;
  /** Only about this many thousand tets. */
  readonly thousands?: string;
  readonly threads: string;
}

/** Measures and prints a line per cube. */
export async function benchLarge(options: LargeOptions): Promise<void> {
  const wanted = options.thousands === undefined ? SIDES : SIDES.filter((n) => isAbout(n, Number(options.thousands)));
  if (wanted.length === 0) {
    const sizes = SIDES.map((n) => Math.round((5 * n * n * n) / 1000)).join(', ');
    throw new TendonError('E_UNKNOWN', '--thousands', options.thousands, `use about one of ${sizes}`);
  }
  if (!options.json) {
    console.log(`solid cubes; ${options.threads} thread(s); ${machine()}`);
    console.log('    tets   build [s]  processor [s]  memory [MB]  step [ms]');
  }
  for (const side of wanted) {
    const row = await measureCube(side, Number(options.threads));
    console.log(options.json ? JSON.stringify(row) : line(row));
  }
}

function isAbout(side: number, thousands: number): boolean {
  return Math.abs((5 * side * side * side) / 1000 - thousands) < 0.2 * thousands;
}

async function measureCube(side: number, threads: number) {
  const body = {
    name: `cube ${side}`,
    ...buildLattice({ cells: [side, side, side], cellSize: 1 / side }),
    materials: [{ model: 'corotated', youngModulus: 1e5, poissonRatio: 0.4, density: 1000 } as const],
  };
  const bar = new Progress(body.name, 1);
  const began = performance.now();
  const used = process.cpuUsage();
  const world = await createWorld(
    { name: 'large', description: '', bodies: [{ body }] },
    { threads, memoryLimit: MEMORY, progress: (_, share) => bar.update(share) },
  );
  const seconds = (performance.now() - began) / 1000;
  const processor = process.cpuUsage(used);
  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    if (!stepWorld(world)) throw world.fault;
    times.push(performance.now() - start);
  }
  disposeWorld(world);
  return {
    tets: world.bodies[0].model.tetCount,
    seconds,
    processorSeconds: (processor.user + processor.system) / 1e6,
    megabytes: process.memoryUsage().rss / 1e6,
    stepMs: Math.min(...times),
  };
}

function line(row: Awaited<ReturnType<typeof measureCube>>): string {
  const cells = [
    row.seconds.toFixed(1),
    row.processorSeconds.toFixed(1),
    row.megabytes.toFixed(0),
    row.stepMs.toFixed(0),
  ];
  const widths = [12, 15, 13, 11];
  return `${String(row.tets).padStart(8)}${cells.map((cell, i) => cell.padStart(widths[i])).join('')}`;
}
