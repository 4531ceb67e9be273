/** Long runs: scenes for thousands of steps, and the worst that was seen in any of them. */
import { Progress } from '../cli/progress.js';
import { findScene, SCENES } from '../scenes/index.js';
import { requireInRange } from '../src/errors.js';
import { createWorld, disposeWorld, hashWorld, stepWorld } from '../src/index.js';
import { addFrame, noFrames, type WorstFrame } from './contact/worst-frame.js';
import { machine } from './stats.js';

/** What came of a long run. */
export interface SoakRow extends Readonly<WorstFrame> {
  readonly scene: string;
  /** Steps taken: fewer than asked for after a fault. */
  readonly steps: number;
  /** Steps that were taken again as shorter ones. */
  readonly substepped: number;
  /** What stopped it. */
  readonly fault?: string;
  /** Of the last state. */
  readonly hash: string;
  /** Milliseconds per step, on average. */
  readonly stepMs: number;
}

interface SoakOptions {
  readonly steps: string;
  readonly threads: string;
  readonly json?: boolean;
}

/** Runs the scenes named, or all, and prints a row for each. */
export async function benchSoak(names: readonly string[], options: SoakOptions): Promise<void> {
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e9, '--steps'));
  const threads = Number(options.threads);
  const scenes = names.length > 0 ? names : [...SCENES.keys()];
  for (const name of scenes) findScene(name);
  if (!options.json) console.log(`${machine()}; worst of ${steps} steps, lengths in % of the body\n${HEAD}`);
  for (const name of scenes) {
    const row = await soakScene(name, steps, threads);
    console.log(options.json ? JSON.stringify(row) : line(row));
    if (row.fault !== undefined) process.exitCode = 1;
  }
}

/** One scene, until it is through or a step fails. */
export async function soakScene(name: string, steps: number, threads = 1): Promise<SoakRow> {
  const { build } = findScene(name);
  const world = await createWorld(build(), { threads });
  const progress = new Progress(name, steps);
  const worst = noFrames();
  const began = performance.now();
  let substepped = 0;
  while (world.stepCount < steps) {
    if (!stepWorld(world)) break;
    addFrame(worst, world);
    if (world.certificate.substeps > 1) substepped++;
    progress.update(world.stepCount, `${(100 * worst.penetration).toFixed(2)} % deep`);
  }
  const taken = world.stepCount;
  const stepMs = (performance.now() - began) / Math.max(1, taken);
  const hash = hashWorld(world);
  const fault = world.fault?.message;
  disposeWorld(world);
  return { scene: name, steps: taken, ...worst, substepped, ...(fault === undefined ? {} : { fault }), hash, stepMs };
}

const HEAD = 'scene              steps  deep %  joint gap  inverted %  contacts  substepped  ms/step  hash';

function line(row: SoakRow): string {
  const columns = [
    row.scene.padEnd(17),
    String(row.steps).padStart(6),
    (100 * row.penetration).toFixed(3).padStart(7),
    row.jointGap.toExponential(1).padStart(10),
    (100 * row.inverted).toFixed(2).padStart(11),
    String(row.contacts).padStart(9),
    String(row.substepped).padStart(11),
    row.stepMs.toFixed(1).padStart(8),
    ` ${row.hash}`,
  ];
  const notes = [
    row.dropped > 0 ? `${row.dropped} contacts dropped` : '',
    row.unswept > 0 ? `${row.unswept} may have passed unseen` : '',
    row.fault === undefined ? '' : `fault: ${row.fault}`,
  ].filter((note) => note !== '');
  return [columns.join(' '), ...notes].join('; ');
}
