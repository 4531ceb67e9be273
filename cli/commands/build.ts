/** `tendon build INPUT -o out.glb`: makes a character of a model, a skin or a mesh of tetrahedra. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describeQuality, fitQuality } from '../../host/world/quality.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { TendonError } from '../../src/index.js';
import { collect } from '../collect.js';
import { describeCharacter } from '../describe.js';
import { buildFromSurfaces } from '../files/build-surfaces.js';
import { loadAsCharacter } from '../files/load-input.js';
import { MESHERS } from '../files/mesher.js';
import { readQuality } from '../files/read-quality.js';
import { readRegion } from '../files/read-region.js';
import { writeOutput } from '../files/write-file.js';
import { Progress } from '../progress.js';

interface BuildCommandOptions {
  readonly skeleton?: string;
  readonly joints?: string;
  readonly cell?: string;
  readonly tets?: string;
  readonly detail?: string | true;
  readonly quality?: string;
  readonly hardParts: boolean;
  readonly smoothed?: boolean;
  readonly region: string[];
  readonly fat?: string | true;
  readonly mass?: string;
  readonly mesher: string;
  readonly output: string;
}

/** Work shorter than this needs no progress bar [ms]. */
const QUIET_FOR = 1000;

/** Adds the command. */
export function registerBuild(program: Command): void {
  program
    .command('build')
    .description('make a character (.glb) of a rigged model, a skin, or tetrahedra')
    .argument('<input>', '.glb, .gltf, .obj, .stl, .ply, .smesh, .mesh, .msh, .vtk, .vtu or .node')
    .option('--skeleton <file>', 'surfaces of the bones, for a skin without a rig')
    .option('--joints <file>', 'joints between the bones (.joint)')
    .option('--cell <m>', 'side of the lattice cubes, or length of the edges in the flesh')
    .option('--tets <n>', 'number of tetrahedra to aim for (default: 6000)')
    .option(
      '--detail [joints]',
      'more tetrahedra around hands and heads, or these joints (names with commas; * any letters)',
    )
    .option('--quality <q>', 'full, auto (tets for steps of 8 ms on this machine), or milliseconds a step')
    .option(
      '--region <where=what>',
      'bone:NAME=MATERIAL, mesh:… or group:… (several times); * stands for any letters',
      collect,
      [],
    )
    .option('--fat [m]', 'a layer of fat under the skin that moves visibly, and how deep it is')
    .option('--mass <kg>', 'what it weighs (default: its volume times the density of flesh)')
    .option('--no-hard-parts', 'pieces of skin that follow one bone alone become flesh as well')
    .option(
      '--smoothed',
      'tetrahedra share strains, so that few are as soft as many (default, but for surfaces filled by a mesher)',
    )
    .option('--no-smoothed', 'tetrahedra share no strains: stiffer, the more so the fewer they are')
    .option(
      '--mesher <name>',
      'lattice (built in), or tetgen or gmsh where installed: they keep to skin and bones',
      'lattice',
    )
    .requiredOption('-o, --output <file>', 'the character to write (.glb)')
    .addHelpText(
      'after',
      '\nExamples:\n  tendon build man.glb -o man-body.glb\n  tendon build skin.obj --skeleton bones.obj --joints man.joint --tets 20000 -o man-body.glb',
    )
    .action(build);
}

async function build(input: string, options: BuildCommandOptions): Promise<void> {
  const outside = MESHERS.has(options.mesher);
  if (!outside && options.mesher !== 'lattice') {
    throw new TendonError('E_UNKNOWN', '--mesher', options.mesher, `use lattice, ${[...MESHERS.keys()].join(' or ')}`);
  }
  if (!/\.glb$/i.test(options.output)) {
    throw new TendonError('E_FORMAT', '--output', options.output, 'a character is written as .glb');
  }
  if (resolve(options.output) === resolve(input)) {
    throw new TendonError('E_RANGE', '--output', options.output, 'that is the model itself: choose another name');
  }
  if (options.cell !== undefined && options.tets !== undefined) {
    throw new TendonError('E_RANGE', '--cell, --tets', options.cell, 'give one of the two');
  }
  const began = performance.now();
  const bar = new Progress('building', 100);
  const wishes = {
    skeleton: options.skeleton,
    joints: options.joints,
    cell: options.cell === undefined ? undefined : positive(options.cell, '--cell'),
    tets: options.tets === undefined ? undefined : positive(options.tets, '--tets'),
    detail: options.detail === undefined || options.detail === true ? options.detail : options.detail.split(','),
    hardParts: options.hardParts,
    smoothed: options.smoothed,
    regions: options.region.map(readRegion),
    fat: options.fat === undefined ? undefined : options.fat === true || positive(options.fat, '--fat'),
    mass: options.mass === undefined ? undefined : positive(options.mass, '--mass'),
    progress: (stage: string, share: number) => {
      if (performance.now() - began > QUIET_FOR) bar.update(100 * share, stage);
    },
  };
  const fitted = outside
    ? { character: await buildFromSurfaces({ ...wishes, skin: input, mesher: options.mesher }) }
    : await fitQuality(
        (tets = wishes.tets) => loadAsCharacter(input, { ...wishes, tets }),
        readQuality(options.quality),
      );
  const { character } = fitted;
  const bytes = await writeCharacter(character);
  writeOutput(options.output, bytes);
  for (const line of describeCharacter(character)) console.log(line);
  const said = describeQuality(fitted);
  if (said !== undefined) console.log(`  ${said}`);
  console.log(
    `wrote ${options.output}: ${(bytes.length / 1024).toFixed(0)} KiB in ${(performance.now() - began).toFixed(0)} ms`,
  );
}

function positive(text: string, place: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Number.POSITIVE_INFINITY) {
    throw new TendonError('E_RANGE', place, text, 'expected a positive number');
  }
  return value;
}
