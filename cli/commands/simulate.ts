/** `tendon simulate SCENE`: runs a scene in the terminal and says what happened. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { sceneNames } from '../../scenes/index.js';
import type { Character } from '../../src/character-index.js';
import { DEFAULT_DT } from '../../src/constants.js';
import {
  type AnySceneDef,
  addDrive,
  createWorld,
  type Drive,
  disposeWorld,
  hashWorld,
  restoreSnapshot,
  TendonError,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { BAKE_FORMATS } from '../../src/record/formats/formats.js';
import { clipDrive } from '../../src/world/clip-drive.js';
import type { BakeOptions } from '../baker.js';
import { collect } from '../collect.js';
import { findScene, isSceneFile } from '../files/find-scene.js';
import { readBytes } from '../files/read-input.js';
import { readQuality } from '../files/read-quality.js';
import { writeOutput } from '../files/write-file.js';
import { FILM_ENDINGS } from '../film/film.js';
import { INTERRUPTED, Run, type StepRecord } from '../run.js';
import { applySettings } from '../settings.js';

interface SimulateOptions {
  readonly seconds: string;
  readonly dt?: string;
  readonly threads: string;
  readonly set: string[];
  readonly stats?: string;
  readonly hang?: string;
  readonly solver?: string;
  readonly clip?: string;
  readonly quality?: string;
  readonly fps: string;
  readonly output: string[];
  readonly bake: string;
  readonly helpers: string;
  readonly size: string;
  readonly snapshot?: string;
  readonly resume?: string;
}

const ENDINGS = [...Object.keys(BAKE_FORMATS), ...FILM_ENDINGS].map((ending) => `.${ending}`);
const EXAMPLE = `
Examples:
  tendon simulate ragdoll --seconds 5
  tendon simulate Fox.glb --clip Walk --seconds 4 --fps 24 -o fox-soft.glb -o fox.csv
  tendon simulate Fox.glb --clip Run --bake helpers -o fox-game.glb
  tendon simulate washing-machine --seconds 4 -o washing.mp4 --size 960x540
  tendon simulate bar --set iterations=20 --set material.youngModulus=2e5 --stats bar.json
  tendon simulate ragdoll --set obstacles.floor.friction=0.1 --set bodies.human.position=0,2,0
Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted (what was baked so far is complete, and a snapshot lies beside it).`;

/** Adds the command. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description(`run a scene in the terminal (${sceneNames().join(', ')})`)
    .argument('<scene>', 'name of a scene, a scene file (.json), or a character file or model (hung by its root bone)')
    .option('--hang <bone>', 'for files: the bone it hangs by')
    .option('--clip <name>', 'for files: play this clip; the bones are driven and the flesh follows')
    .option(
      '--quality <q>',
      'for models: full, auto (tets and iterations for steps of 8 ms here), or milliseconds a step',
    )
    .option('--solver <name>', "solver instead of the scene's")
    .option('--seconds <s>', 'simulated time', '3')
    .option('--dt <s>', "time step (default: the scene's)")
    .option('--threads <n>', 'threads', '1')
    .option('--set <path=value>', 'change a setting; may be given several times', collect, [])
    .option('--stats <file>', 'write a JSON file with one record per step')
    .option('--fps <n>', 'frames per second of what is baked', '30')
    .option(
      '-o, --output <file>',
      `bake to ${ENDINGS.join(', ')}, by the file's ending; may be given several times`,
      collect,
      [],
    )
    .option(
      '--bake <how>',
      'flesh in a .glb: as morph "targets", or as "helpers", joints that any engine plays',
      'targets',
    )
    .option('--helpers <n>', 'how many helper joints', '64')
    .option('--size <WxH>', 'of pictures and films, in pixels', '1280x720')
    .option('--snapshot <file>', 'write the state at the end, to go on from')
    .option('--resume <file>', 'go on from such a state; the bits are those of one long run')
    .addHelpText('after', EXAMPLE)
    .action(simulate);
}

async function simulate(name: string, options: SimulateOptions): Promise<void> {
  checkOutputs(options);
  const seconds = positive(options.seconds, '--seconds');
  const fps = positive(options.fps, '--fps');
  const wholeOptions = bakeOptions(options);
  const building = performance.now();
  const { world, scene, character } = await inFile(name, () => prepare(name, options, fps));
  if (options.clip !== undefined) addDrive(world, requireClip(world, character, options.clip));
  if (options.resume !== undefined) restoreSnapshot(world, readBytes(options.resume));
  describe(world, scene.description, performance.now() - building);

  const run = new Run(world, seconds, fps, options.output, character, wholeOptions);
  const isWhole = await run.go();
  const hash = hashWorld(world);
  if (options.stats !== undefined) {
    const { bodySize } = world.certificate;
    writeOutput(options.stats, `${JSON.stringify({ scene: scene.name, bodySize, hash, steps: run.records })}\n`);
  }
  const snapshot = options.snapshot ?? (isWhole ? undefined : `${options.output[0] ?? scene.name}.snapshot`);
  if (snapshot !== undefined) writeOutput(snapshot, takeSnapshot(world));
  for (const file of run.files) console.log(`wrote ${file}`);
  if (run.records.length > 0) summarise(world, run.records, run.times, hash);
  disposeWorld(world);
  if (isWhole) return;
  const names = options.output.length > 0 ? ', and with other names for -o: files begin where it goes on' : '';
  console.error(`interrupted at ${world.time.toFixed(2)} s: go on with --resume ${snapshot}${names}`);
  process.exitCode = INTERRUPTED;
}

/** The world with all that the options say of it. */
async function prepare(name: string, options: SimulateOptions, fps: number) {
  const { scene: found, character } = await findScene(name, options.hang, readQuality(options.quality));
  const threads = positive(options.threads, '--threads');
  const { scene, options: set } = await applySettings(withSolver(found, options.solver), { threads }, options.set);
  return { world: await createWorld(scene, { ...set, dt: frameStep(scene.dt, options, fps) }), scene, character };
}

/** What is wrong in a scene file is said with its name. */
async function inFile<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isNamed = error instanceof TendonError && !error.message.includes(name);
    if (isNamed && isSceneFile(name)) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

/** Files that could not be written are refused before anything is simulated. */
function checkOutputs({ output, stats, snapshot }: SimulateOptions): void {
  for (const path of output) {
    const ending = `.${path.slice(path.lastIndexOf('.') + 1).toLowerCase()}`;
    if (!ENDINGS.includes(ending)) {
      const advice = `the file's ending says the format; there are ${ENDINGS.join(', ')}`;
      throw new TendonError('E_UNKNOWN', '-o', path, advice);
    }
  }
  for (const path of [...output, stats, snapshot]) {
    if (path === undefined || existsSync(dirname(path))) continue;
    throw new TendonError('E_FORMAT', path, dirname(path), 'the file cannot be written: there is no such folder');
  }
}

function bakeOptions({ bake, helpers, size }: SimulateOptions): BakeOptions {
  if (bake !== 'targets' && bake !== 'helpers') {
    throw new TendonError('E_UNKNOWN', '--bake', bake, 'use targets or helpers');
  }
  const sides = /^(\d{2,4})x(\d{2,4})$/.exec(size);
  if (!sides) throw new TendonError('E_FORMAT', '--size', size, 'use WIDTHxHEIGHT in pixels, as 1280x720');
  const plain: BakeOptions = { size: [Number(sides[1]), Number(sides[2])] };
  return bake === 'helpers' ? { ...plain, helpers: Math.round(positive(helpers, '--helpers')) } : plain;
}

/** The step of a bake: frames fall on steps, which are no longer than the scene's. */
function frameStep(usual = DEFAULT_DT, { dt, output }: SimulateOptions, fps: number): number | undefined {
  if (dt !== undefined) {
    const step = positive(dt, '--dt');
    const perFrame = 1 / (fps * step);
    if (output.length > 0 && (perFrame < 0.5 || Math.abs(perFrame - Math.round(perFrame)) > 1e-3 * perFrame)) {
      const near = (1 / (fps * Math.ceil(perFrame))).toPrecision(4);
      const advice = `a whole number of steps must fit into a frame of 1/${fps} s: use ${near}`;
      throw new TendonError('E_RANGE', '--dt', dt, advice);
    }
    return step;
  }
  if (output.length === 0) return undefined;
  return 1 / (fps * Math.ceil(1 / (fps * usual) - 1e-9));
}

function withSolver(scene: AnySceneDef, kind: string | undefined): AnySceneDef {
  return kind === undefined || kind === scene.solver?.kind ? scene : { ...scene, solver: { kind } };
}

function requireClip(world: World, character: Character | undefined, clip: string): Drive {
  if (character) return clipDrive(world, character, world.bodies[0], clip);
  throw new TendonError('E_UNKNOWN', '--clip', clip, 'only characters from files have clips');
}

function describe(world: World, description: string, ms: number): void {
  console.log(`${world.name}: ${description}`);
  for (const { name, model } of world.bodies) {
    const parts = `${model.vertexCount} vertices, ${model.tetCount} tets, ${model.bones.count} bones, ${model.joints.count} joints`;
    console.log(`  ${name}: ${parts}, ${model.totalMass.toFixed(1)} kg`);
  }
  console.log(`  built and factored in ${ms.toFixed(0)} ms, ${world.threads.threads} thread(s)`);
}

function summarise(world: World, records: readonly StepRecord[], times: readonly number[], hash: string): void {
  const worst = (key: 'jointGap' | 'rigidity' | 'momentumDrift' | 'inverted' | 'contacts' | 'penetration') =>
    Math.max(...records.map((one) => one[key]));
  const angular = Math.max(...records.map(({ angularDrift = Number.NEGATIVE_INFINITY }) => angularDrift));
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
  if (angular >= 0) console.log(`  worst drift of angular momentum ${angular.toExponential(1)} kg m²/s`);
  console.log(
    `  most inverted tets ${worst('inverted')}, last residual ${records[records.length - 1].residual.toExponential(2)} N`,
  );
  console.log(
    `  least volume of flesh ${(100 * Math.min(...records.map(({ volume }) => volume))).toFixed(2)} % of that at rest`,
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
