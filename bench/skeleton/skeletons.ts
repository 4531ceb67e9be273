/** Random skeletons with limits and motors of any gains, half of them in flesh: whether they stay finite, closed, and within their limits. */
import { Progress } from '../../cli/progress.js';
import { buildRandomFlesh } from '../../scenes/cast/random-flesh.js';
import { buildRandomSkeleton } from '../../scenes/cast/random-skeleton.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { machine } from '../stats.js';

/** Gap relative to the size, and excess [rad], above which a skeleton counts as broken. */
const MOST_GAP = 1e-9;
const MOST_EXCESS = 1e-6;

interface SkeletonOptions {
  readonly count: string;
  readonly steps: string;
  readonly first: string;
  readonly json?: boolean;
}

/** What became of one skeleton. */
export interface SkeletonRow {
  readonly seed: number;
  readonly flesh: boolean;
  readonly bones: number;
  readonly loops: number;
  /** Worst joint gap over the size of the body, worst excess of a limit [rad], steps that failed. */
  readonly gap: number;
  readonly excess: number;
  readonly faults: number;
  /** Steps that only went in parts, from rest or with weaker motors. */
  readonly rescued: number;
  readonly finite: boolean;
}

/** Runs skeletons and prints those that broke, and the worst of all. */
export async function benchSkeletons(options: SkeletonOptions): Promise<void> {
  const count = Math.round(requireInRange(Number(options.count), 1, 1e6, '--count'));
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e6, '--steps'));
  const first = Math.round(requireInRange(Number(options.first), 0, 1e9, '--first'));
  if (!options.json) console.log(`${machine()}; ${count} skeletons from ${first}, ${steps} steps each`);
  const progress = new Progress('skeletons', count);
  const rows: SkeletonRow[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const row = await runSkeleton(seed, steps);
    rows.push(row);
    if (options.json) console.log(JSON.stringify(row));
    else if (isBroken(row)) console.log(describeRow(row));
    progress.update(rows.length);
  }
  if (!options.json) for (const line of summary(rows)) console.log(line);
  if (rows.some(({ finite, faults }) => !finite || faults > 0)) process.exitCode = 1;
}

/** Every second seed has flesh. */
export async function runSkeleton(seed: number, steps: number): Promise<SkeletonRow> {
  const flesh = seed % 2 === 1;
  const { body, loops } = flesh ? { body: buildRandomFlesh(seed), loops: 0 } : buildRandomSkeleton(seed);
  const scene = { name: 'random', description: '', bodies: [{ body }] };
  const world = await createWorld(scene, { dt: 1 / 60, iterations: 10, contact: 'none' });
  const { certificate } = world;
  let [gap, excess, faults, rescued] = [0, 0, 0, 0];
  for (let n = 0; n < steps; n++) {
    if (!stepWorld(world)) faults++;
    else if (certificate.substeps > 1 || certificate.stilled || certificate.slipped.length > 0) rescued++;
    gap = Math.max(gap, certificate.jointGap / certificate.bodySize);
    excess = Math.max(excess, certificate.limitExcess);
  }
  const [{ model, state }] = world.bodies;
  const finite = state.positions.every(Number.isFinite);
  disposeWorld(world);
  return { seed, flesh, bones: model.bones.count, loops, gap, excess, faults, rescued, finite };
}

function isBroken({ gap, excess, faults, finite }: SkeletonRow): boolean {
  return !finite || faults > 0 || !(gap <= MOST_GAP) || !(excess <= MOST_EXCESS);
}

function describeRow({ seed, flesh, bones, loops, gap, excess, faults, rescued, finite }: SkeletonRow): string {
  const what = `${bones} bones${flesh ? ' in flesh' : ''}${loops > 0 ? `, ${loops} loops` : ''}`;
  const how = `gap ${gap.toExponential(1)}, limits by ${excess.toExponential(1)} rad, ${faults} failed steps, ${rescued} rescued`;
  return `seed ${seed}: ${what}: ${how}${finite ? '' : ', not finite'}`;
}

function summary(rows: readonly SkeletonRow[]): string[] {
  const kinds: [string, (row: SkeletonRow) => boolean][] = [
    ['rigid', ({ flesh, loops }) => !flesh && loops === 0],
    ['rigid with loops', ({ loops }) => loops > 0],
    ['in flesh', ({ flesh }) => flesh],
  ];
  return kinds.map(([name, is]) => {
    const all = rows.filter(is);
    const worst = (of: (row: SkeletonRow) => number) => Math.max(0, ...all.map(of)).toExponential(1);
    const broken = all.filter(isBroken).length;
    const rescued = all.reduce((sum, row) => sum + row.rescued, 0);
    return `${name}: ${all.length - broken} of ${all.length} held, ${rescued} steps rescued; worst gap ${worst(({ gap }) => gap)}, limits by ${worst(({ excess }) => excess)} rad`;
  });
}
