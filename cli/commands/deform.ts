/** `tendon deform CHARACTER --clip NAME -o out.glb`: a clip's skin recomputed by the lattice solver, beside blended skins. */
import type { Command } from 'commander';
import type { Character } from '../../src/character/character.js';
import { ClipPoses } from '../../src/character/deform/clip-poses.js';
import { type DeformReport, SkinDeformer } from '../../src/character/deform/skin-deformer.js';
import { holdsCharacter, loadCharacter } from '../../src/character/load-character.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { TendonError } from '../../src/errors.js';
import { findBakeFormat } from '../../src/record/formats/formats.js';
import type { BoneHold } from '../../src/solvers/lattice/bones/bone-ties.js';
import { collect } from '../collect.js';
import { DeformCheck } from '../deform-check.js';
import { CorrectiveRecorder } from '../deform-correctives.js';
import { FrameRecorder, type Way } from '../deform-recorder.js';
import { DECODERS } from '../files/decoders.js';
import { readInput } from '../files/read-input.js';
import { readRegion } from '../files/read-region.js';
import { writeOutput } from '../files/write-file.js';
import { Progress } from '../progress.js';

interface DeformCommand {
  readonly clip?: string;
  readonly cells: string;
  readonly frames?: string;
  readonly rate: string;
  readonly threads: string;
  readonly poisson?: string;
  readonly contact: boolean;
  readonly region: string[];
  readonly fat?: string | true;
  readonly bones: BoneHold;
  readonly floor?: string;
  readonly obstacles?: string;
  readonly beside?: string;
  readonly bake: string;
  readonly shapes: string;
  readonly output: string;
}

/** Adds the command. */
export function registerDeform(program: Command): void {
  program
    .command('deform')
    .description(
      'recompute the skin of a clip with volume and creases, and write it as an animation that any viewer plays',
    )
    .argument('<character>', 'a rigged model (.glb, .gltf) or a character file')
    .option('--clip <name>', 'the clip (default: the first)')
    .option('--cells <n>', 'cells of the lattice', '8000')
    .option('--frames <a-b>', 'first and last frame (default: all)')
    .option('--rate <fps>', 'frames per second', '30')
    .option(
      '--poisson <nu>',
      'how well the flesh keeps its volume, 0 to 0.499 (default: 0.495, or 0.47 with fewer than 2000 cells)',
    )
    .option(
      '--region <where=what>',
      'bone:NAME=MATERIAL, mesh:… or group:… (several times), as in tendon build',
      collect,
      [],
    )
    .option('--fat [m]', 'a layer of fat under the skin, and how deep it is')
    .option('--no-contact', 'let the skin go through itself')
    .option('--bones <how>', 'how bones hold the flesh: exact, soft or sliding', 'exact')
    .option('--floor <height>', 'a floor at this height [m] that the skin cannot enter')
    .option('--obstacles <file>', 'obstacles that it cannot enter: a list as JSON, as in scene files')
    .option('--threads <n>', 'threads', '1')
    .option('--beside <ways>', 'blended skins to set beside it: linear, dual or linear,dual')
    .option(
      '--bake <how>',
      'motion: every frame as it is; correctives: the file with a few shapes driven by the pose',
      'motion',
    )
    .option('--shapes <n>', 'corrective shapes, at most', '12')
    .requiredOption('-o, --output <file>', 'the file to write: .glb, or .pc2, .mdd, .usda, .csv, .obj or .vtp')
    .addHelpText(
      'after',
      '\nExample:\n  tendon deform CesiumMan.glb --cells 8000 --beside linear,dual -o man-deformed.glb',
    )
    .action(deform);
}

async function deform(input: string, options: DeformCommand): Promise<void> {
  // what cannot be meant is said before anything is built
  const rate = numberOf(options.rate, '--rate');
  const ways = waysOf(options.beside);
  const shapes = numberOf(options.shapes, '--shapes');
  if (options.bake !== 'motion' && options.bake !== 'correctives') {
    throw new TendonError('E_UNKNOWN', '--bake', options.bake, 'use motion or correctives');
  }
  checkOutput(options);
  const settings = {
    cells: numberOf(options.cells, '--cells'),
    ...(options.poisson !== undefined && { poissonRatio: numberOf(options.poisson, '--poisson') }),
    threads: numberOf(options.threads, '--threads'),
    selfContact: options.contact,
    bones: holdOf(options.bones),
    obstacles: obstaclesOf(options),
  };
  const character = await loadModel(input, options);
  const poses = new ClipPoses(character);
  const clip = poses.clip(options.clip ?? character.clips[0].name);
  const [first, last] = frameRange(options.frames, Math.max(1, Math.round(clip.duration * rate)));
  const deformer = await SkinDeformer.create(character, settings);
  const { lattice } = deformer;
  console.log(
    `${deformer.cellCount} cells of ${(1000 * lattice.fill.lattice.cellSize).toFixed(1)} mm, ${character.skeleton.length} bones`,
  );
  for (const note of lattice.notes) console.log(note);
  const recorder = new FrameRecorder(character, ways);
  const correctives = options.bake === 'correctives' ? new CorrectiveRecorder(character) : undefined;
  const check = new DeformCheck(character);
  const progress = new Progress(clip.name, last - first + 1);
  const summary = new Summary();
  poses.leadIn(clip, first / rate, () => deformer.pose(poses.transforms));
  for (let frame = first; frame <= last; frame++) {
    const began = performance.now();
    let report: DeformReport | undefined;
    const visit = (): void => {
      report = deformer.pose(poses.transforms, 1 / rate / steps);
    };
    const steps = poses.stepsTo(clip, frame / rate);
    poses.advance(clip, Math.max(first, frame - 1) / rate, frame / rate, visit);
    summary.add(report!, performance.now() - began);
    (correctives ?? recorder).add(deformer.positions, poses);
    check.add(deformer.positions, poses);
    progress.update(frame - first + 1, `${report!.iterations} iterations`);
  }
  deformer.dispose();
  const baked = await correctives?.write(clip.name, rate, shapes);
  const files = baked
    ? new Map<string, Uint8Array>([[options.output, baked.bytes]])
    : await recorder.files(options.output, clip.name, rate);
  summary.print();
  console.log(check.describe());
  if (baked) console.log(baked.note);
  writeFiles(files);
}

function writeFiles(files: ReadonlyMap<string, Uint8Array>): void {
  let total = 0;
  for (const [path, bytes] of files) {
    writeOutput(path, bytes);
    total += bytes.length;
  }
  const [first, ...others] = files.keys();
  const names = others.length > 0 ? `${first} ... ${others[others.length - 1]}` : first;
  console.log(`wrote ${names}: ${(total / 1024 / 1024).toFixed(1)} MiB`);
}

/** The ending says the format; shapes that a pose drives are glTF's alone. */
function checkOutput({ output, bake }: DeformCommand): void {
  const format = findBakeFormat(output);
  if (bake === 'correctives' && format.kind !== 'whole') {
    throw new TendonError('E_UNKNOWN', '--output', output, 'correctives are written as .glb');
  }
}

/** The model as a character, its flesh of what is asked for. A character file says itself what it is made of. */
async function loadModel(input: string, { region, fat: given }: DeformCommand): Promise<Character> {
  const regions = region.map(readRegion);
  const fat = given === undefined || given === true ? given : numberOf(given, '--fat');
  const { bytes, resources } = readInput(input);
  if ((regions.length > 0 || fat !== undefined) && holdsCharacter(bytes)) {
    const advice = 'this file is a character already: its regions are those it was built with (tendon build --region)';
    throw new TendonError('E_RANGE', '--region, --fat', input, advice);
  }
  const character = await loadCharacter(bytes, { resources, regions, fat, decoders: DECODERS });
  if (character.clips.length > 0) return character;
  const advice = 'the model has no animation: there is nothing to deform it by';
  throw new TendonError('E_EMPTY', 'CHARACTER', input, advice);
}

function holdOf(text: string): BoneHold {
  if (text === 'exact' || text === 'soft' || text === 'sliding') return text;
  throw new TendonError('E_UNKNOWN', '--bones', text, 'use exact, soft or sliding');
}

/** The floor and whatever the file of obstacles has. */
function obstaclesOf({ floor, obstacles }: DeformCommand): ObstacleDef[] {
  const list: ObstacleDef[] = [];
  if (floor !== undefined) {
    list.push({ name: 'floor', shape: { kind: 'plane' }, position: [0, numberOf(floor, '--floor'), 0] });
  }
  if (obstacles === undefined) return list;
  const given: unknown = readJson(obstacles);
  return [...list, ...((Array.isArray(given) ? given : [given]) as ObstacleDef[])];
}

function readJson(path: string): unknown {
  const { bytes } = readInput(path);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new TendonError('E_FORMAT', '--obstacles', path, `not JSON: ${(error as Error).message}`);
  }
}

function waysOf(text: string | undefined): Way[] {
  return (text ?? '')
    .split(',')
    .filter((way) => way !== '')
    .map((way) => {
      if (way !== 'linear' && way !== 'dual') throw new TendonError('E_UNKNOWN', '--beside', way, 'use linear or dual');
      return way;
    });
}

function frameRange(text: string | undefined, count: number): [number, number] {
  if (text === undefined) return [0, count];
  const match = /^(\d+)-(\d+)$/.exec(text);
  const [first, last] = match ? [Number(match[1]), Number(match[2])] : [1, 0];
  if (first > last || last > count) {
    throw new TendonError('E_RANGE', '--frames', text, `use a-b with 0 <= a <= b <= ${count}`);
  }
  return [first, last];
}

function numberOf(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new TendonError('E_NOT_FINITE', name, text, 'a number was expected');
  return value;
}

/** What all frames said together. */
class Summary {
  readonly #ms: number[] = [];
  readonly #iterations: number[] = [];
  #least = Infinity;
  #mean = Infinity;
  #inverted = 0;
  #stalls = 0;
  #depth = 0;

  add(report: DeformReport, ms: number): void {
    if (!report.finite) throw new TendonError('E_NOT_FINITE', 'frame', this.#ms.length, 'the flesh diverged');
    this.#ms.push(ms);
    this.#iterations.push(report.iterations);
    this.#least = Math.min(this.#least, report.least);
    this.#mean = Math.min(this.#mean, report.mean);
    this.#stalls += report.stalls;
    this.#inverted = Math.max(this.#inverted, report.inverted);
    this.#depth = Math.max(this.#depth, report.depth);
  }

  print(): void {
    const ms = [...this.#ms].sort((a, b) => a - b);
    const total = this.#iterations.reduce((sum, n) => sum + n, 0);
    console.log(
      `${ms.length} frames: median ${ms[Math.floor(ms.length / 2)].toFixed(1)} ms, worst ${ms[ms.length - 1].toFixed(1)} ms, ` +
        `${(total / ms.length).toFixed(1)} iterations a frame (at most ${Math.max(...this.#iterations)})${this.#stalls > 0 ? `, ${this.#stalls} stalls` : ''}`,
    );
    console.log(
      `volume: at least ${(100 * this.#mean).toFixed(2)} % on average over the cells, ${(100 * this.#least).toFixed(0)} % in the ` +
        `most squeezed one; cells inside out at the end of a frame: ${this.#inverted}; skin behind skin or in obstacles: at most ${this.#depth.toFixed(2)} cells`,
    );
  }
}
