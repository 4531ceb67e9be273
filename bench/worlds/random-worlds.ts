/** Random worlds into which nothing brings energy: whether any gains it all the same, opens a joint, or fails a step. */
import { Progress } from '../../cli/progress.js';
import { buildRandomWorld } from '../../scenes/cast/random-world.js';
import { BodyEnergy } from '../../src/debug/body-energy.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../src/index.js';
import { machine } from '../stats.js';

/** Gap relative to the size above which a joint counts as open, and share of its first energy above which what a world gains counts as doubled. */
const MOST_GAP = 1e-9;
const MOST_GAIN = 1;

interface WorldsOptions {
  readonly count: string;
  readonly steps: string;
  readonly first: string;
  readonly json?: boolean;
}

/** What became of one world. */
export interface WorldRow {
  readonly seed: number;
  readonly world: string;
  /** Most energy it had beyond the least it had before, as a share of what it began with. */
  readonly gain: number;
  /** Widest joint over the size of the largest body. */
  readonly gap: number;
  /** Deepest anything was inside anything, over the same. */
  readonly depth: number;
  /** Steps that failed, and what the first of them said. */
  readonly faults: number;
  readonly reason: string;
}

/** Runs worlds and prints those that broke, and the worst of all. */
export async function benchRandomWorlds(options: WorldsOptions): Promise<void> {
  const count = Math.round(requireInRange(Number(options.count), 1, 1e6, '--count'));
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e6, '--steps'));
  const first = Math.round(requireInRange(Number(options.first), 0, 1e9, '--first'));
  if (!options.json) console.log(`${machine()}; ${count} worlds from ${first}, ${steps} steps each`);
  const progress = new Progress('worlds', count);
  const rows: WorldRow[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const row = await runRandomWorld(seed, steps);
    rows.push(row);
    if (options.json) console.log(JSON.stringify(row));
    else if (isBroken(row)) console.log(describeRow(row));
    progress.update(rows.length);
  }
  const broken = rows.filter(isBroken).length;
  const worst = (pick: (row: WorldRow) => number) => Math.max(...rows.map(pick)).toExponential(1);
  if (!options.json) {
    console.log(`${broken} of ${count} broke; at worst: energy gained ${worst(({ gain }) => gain)} of the first, `);
    console.log(`joints open ${worst(({ gap }) => gap)}, ${worst(({ depth }) => depth)} deep, in sizes`);
  }
  if (broken > 0) process.exitCode = 1;
}

/** Runs the world of a seed. */
export async function runRandomWorld(seed: number, steps: number): Promise<WorldRow> {
  const scene = buildRandomWorld(seed);
  const world = await createWorld(scene, { threads: 1 });
  const meters = world.bodies.map(({ model }) => new BodyEnergy(model));
  const start = energyOf(world, meters);
  let [least, gain, gap, depth, faults, reason] = [start, 0, 0, 0, 0, ''];
  for (let n = 0; n < steps; n++) {
    if (!stepWorld(world)) {
      faults++;
      if (reason === '') reason = world.fault?.message ?? 'none';
    }
    const { certificate } = world;
    const energy = energyOf(world, meters);
    gain = Math.max(gain, (energy - least) / start);
    if (Number.isNaN(energy)) gain = Number.POSITIVE_INFINITY;
    least = Math.min(least, energy);
    gap = Math.max(gap, certificate.jointGap / certificate.bodySize);
    depth = Math.max(depth, certificate.penetration / certificate.bodySize);
  }
  disposeWorld(world);
  return { seed, world: scene.description, gain, gap, depth, faults, reason };
}

/** Elastic, kinetic and of height, counted from the origin [J]. */
function energyOf(world: World, meters: readonly BodyEnergy[]): number {
  let sum = 0;
  world.bodies.forEach(({ model, state }, i) => {
    sum += meters[i].measure(state.positions);
    for (let n = 0; n < model.vertexCount * 3; n++) {
      const mass = model.masses[Math.floor(n / 3)];
      const v = state.velocities[n];
      sum += mass * (0.5 * v * v - world.gravity[n % 3] * state.positions[n]);
    }
  });
  return sum;
}

function isBroken({ gain, gap, faults }: WorldRow): boolean {
  return !(gain <= MOST_GAIN) || !(gap <= MOST_GAP) || faults > 0;
}

function describeRow({ seed, world, gain, gap, depth, faults, reason }: WorldRow): string {
  const how = `gained ${gain.toExponential(1)}, gap ${gap.toExponential(1)}, ${depth.toExponential(1)} deep, ${faults} failed steps`;
  return `seed ${seed} (${world}): ${how}${faults > 0 ? ` (${reason})` : ''}`;
}
