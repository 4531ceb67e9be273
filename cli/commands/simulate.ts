/** `tendon simulate SCENE`: runs a scene in the terminal and says what happened. */
import type { Command } from 'commander';
import { buildScene, SCENES } from '../../scenes/index.js';
import { characterScene } from '../../src/character-index.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  hashWorld,
  stepWorld,
  TendonError,
  type World,
} from '../../src/index.js';
import { loadAsCharacter, loadInput } from '../load-input.js';
import { Progress } from '../progress.js';
import { applySettings } from '../settings.js';
import { writeOutput } from '../write-file.js';

interface SimulateOptions {
  readonly seconds: string;
  readonly dt?: string;
  readonly threads: string;
  readonly set: string[];
  readonly stats?: string;
  readonly hang?: string;
}

/** One line of the statistics file. */
interface StepRecord {
  time: number;
  jointGap: number;
  rigidity: number;
  momentumDrift: number;
  residual: number;
  inverted: number;
  contacts: number;
  penetration: number;
  droppedContacts: number;
  unswept: number;
  ms: Record<string, number>;
}

/** Adds the command. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description(`run a scene in the terminal (${[...SCENES.keys()].join(', ')})`)
    .argument('<scene>', 'name of a scene, or a character file or model (hung by its root bone)')
    .option('--hang <bone>', 'for files: the bone it hangs by')
    .option('--seconds <s>', 'simulated time', '3')
    .option('--dt <s>', "time step (default: the scene's)")
    .option('--threads <n>', 'threads', '1')
    .option('--set <path=value>', 'change a setting; may be given several times', collect, [])
    .option('--stats <file>', 'write a JSON file with one record per step')
    .action(simulate);
}

async function simulate(name: string, options: SimulateOptions): Promise<void> {
  const seconds = positive(options.seconds, '--seconds');
  const dt = options.dt === undefined ? undefined : positive(options.dt, '--dt');
  const building = performance.now();
  const { scene, options: worldOptions } = applySettings(
    await findScene(name, options.hang),
    { dt, threads: positive(options.threads, '--threads') },
    options.set,
  );
  const world = await createWorld(scene, worldOptions);
  describe(world, scene.description, performance.now() - building);

  const steps = Math.max(1, Math.round(seconds / world.dt));
  const progress = new Progress(scene.name, steps);
  const records: StepRecord[] = [];
  const times: number[] = [];
  for (let i = 0; i < steps; i++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    times.push(performance.now() - began);
    records.push(record(world));
    progress.update(i + 1, `${world.time.toFixed(2)} s, ${times[i].toFixed(1)} ms/step`);
  }
  const hash = hashWorld(world);
  if (options.stats !== undefined) {
    const { bodySize } = world.certificate;
    writeOutput(options.stats, `${JSON.stringify({ scene: scene.name, bodySize, hash, steps: records })}\n`);
  }
  summarise(world, records, times, hash);
  disposeWorld(world);
}

/** A scene by name; anything that looks like a file is loaded, and built into a character where it is none yet. */
async function findScene(name: string, hang: string | undefined): Promise<AnySceneDef> {
  if (SCENES.has(name) || !/[./\\]/.test(name)) return buildScene(name);
  const loaded = await loadInput(name);
  const character = loaded.kind === 'character' ? loaded.character : await loadAsCharacter(name, {});
  return characterScene(character, hang);
}

function describe(world: World, description: string, ms: number): void {
  console.log(`${world.name}: ${description}`);
  for (const { name, model } of world.bodies) {
    const parts = `${model.vertexCount} vertices, ${model.tetCount} tets, ${model.bones.count} bones, ${model.joints.count} joints`;
    console.log(`  ${name}: ${parts}, ${model.totalMass.toFixed(1)} kg`);
  }
  console.log(`  built and factored in ${ms.toFixed(0)} ms, ${world.threads.threads} thread(s)`);
}

function record(world: World): StepRecord {
  const { jointGap, rigidity, momentumDrift, residual, inverted, ms } = world.certificate;
  const { contacts, penetration, droppedContacts, unswept } = world.certificate;
  const errors = { jointGap, rigidity, momentumDrift, residual, inverted };
  return { time: world.time, ...errors, contacts, penetration, droppedContacts, unswept, ms: { ...ms } };
}

function summarise(world: World, records: readonly StepRecord[], times: readonly number[], hash: string): void {
  const worst = (key: 'jointGap' | 'rigidity' | 'momentumDrift' | 'inverted' | 'contacts' | 'penetration') =>
    Math.max(...records.map((one) => one[key]));
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  console.log(
    `${records.length} steps, ${world.time.toFixed(2)} s simulated, ${world.options.iterations} iterations each`,
  );
  console.log(
    `  per step: median ${median.toFixed(2)} ms, min ${sorted[0].toFixed(2)} ms (${(world.dt * 1000).toFixed(1)} ms is real time)`,
  );
  console.log(
    `  worst joint gap ${worst('jointGap').toExponential(1)} m of a body of ${world.certificate.bodySize.toFixed(2)} m`,
  );
  console.log(
    `  worst bone rigidity error ${worst('rigidity').toExponential(1)}, momentum drift ${worst('momentumDrift').toExponential(1)} kg m/s`,
  );
  console.log(
    `  most inverted tets ${worst('inverted')}, last residual ${records[records.length - 1].residual.toExponential(2)} N`,
  );
  if (worst('contacts') > 0) {
    const depth = worst('penetration').toExponential(1);
    console.log(`  most contacts ${worst('contacts')}, deepest penetration ${depth} m`);
  }
  console.log(`  state ${hash}`);
}

function positive(text: string, place: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Number.POSITIVE_INFINITY) {
    throw new TendonError('E_RANGE', place, text, 'expected a positive number');
  }
  return value;
}

function collect(value: string, all: string[]): string[] {
  return [...all, value];
}
