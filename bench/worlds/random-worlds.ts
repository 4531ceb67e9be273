/** Random worlds into which nothing brings energy: whether any gains it all the same, opens a joint, or fails a step. */
import { Progress } from '../../cli/progress.js';
import { buildRandomWorld } from '../../scenes/cast/random-world.js';
import { BodyEnergy } from '../../src/debug/body-energy.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld, type World, type WorldOptions } from '../../src/index.js';
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

/** Depths that are counted, over the size. */
const DEEP = [0.01, 0.1];
/** Share of its volume below which flesh is crushed: it cannot carry itself, and whatever it is pressed flat on, it is in itself. */
const CRUSHED = 0.5;
/** So many of the deepest are named. */
const NAMED = 5;

/** What something is in. */
type DeepIn = 'nothing' | 'itself' | 'body' | 'obstacle';

/** What became of one world. */
export interface WorldRow {
  readonly seed: number;
  readonly world: string;
  /** Most energy it had beyond the least it had before, as a share of what it began with. */
  readonly gain: number;
  /** Widest joint over the size of the largest body. */
  readonly gap: number;
  /** Deepest anything was inside anything, over the same; what it was in, and the least share of its volume that flesh had had by then. */
  readonly depth: number;
  readonly deepIn: DeepIn;
  readonly volume: number;
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
    for (const text of describeDepths(rows)) console.log(text);
  }
  if (broken > 0) process.exitCode = 1;
}

/** Runs the world of a seed. */
export async function runRandomWorld(seed: number, steps: number, options: WorldOptions = {}): Promise<WorldRow> {
  const scene = buildRandomWorld(seed);
  const world = await createWorld(scene, { threads: 1, ...options });
  const meters = world.bodies.map(({ model }) => new BodyEnergy(model));
  const start = energyOf(world, meters);
  let [least, gain, gap, faults, reason] = [start, 0, 0, 0, ''];
  let volume = 1;
  let deepest: Pick<WorldRow, 'depth' | 'deepIn' | 'volume'> = { depth: 0, deepIn: 'nothing', volume: 1 };
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
    volume = Math.min(volume, certificate.volume);
    const depth = certificate.penetration / certificate.bodySize;
    if (depth > deepest.depth) deepest = { depth, deepIn: deepestIn(world), volume };
  }
  disposeWorld(world);
  return { seed, world: scene.description, gain, gap, ...deepest, faults, reason };
}

/** What the deepest thing is in: where no contact is as deep as the certificate says, it is in a crease of its own. */
function deepestIn({ contacts, certificate: { penetration } }: World): DeepIn {
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.isKept[c] === 1 || -contacts.gap[c] < 0.999 * penetration) continue;
    if (contacts.body[c * 2 + 1] < 0) return 'obstacle';
    return contacts.body[c * 2] === contacts.body[c * 2 + 1] ? 'itself' : 'body';
  }
  return 'itself';
}

/** How many worlds were deep, and the deepest of them. */
function describeDepths(rows: readonly WorldRow[]): string[] {
  const counts = DEEP.map((most) => {
    const deep = rows.filter(({ depth }) => depth > most);
    const crushed = deep.filter(({ volume }) => volume < CRUSHED).length;
    return `${deep.length} deeper than ${100 * most} % (in ${crushed} flesh had been crushed to less than ${100 * CRUSHED} % of its volume)`;
  });
  const deepest = rows.toSorted((a, b) => b.depth - a.depth).slice(0, NAMED);
  const named = deepest.map(
    ({ seed, depth, deepIn, volume }) =>
      `  seed ${seed}: ${(100 * depth).toFixed(1)} % in ${deepIn === 'body' ? 'another body' : deepIn}, volume down to ${(100 * volume).toFixed(0)} %`,
  );
  return [counts.join(', '), ...named];
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
