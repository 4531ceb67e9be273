/** `tendon build INPUT -o out.glb`: makes a character of a model, a skin or a mesh of tetrahedra. */
import type { Command } from 'commander';
import { writeCharacter } from '../../src/character/character-file.js';
import { TendonError } from '../../src/index.js';
import { describeCharacter } from '../describe.js';
import { loadAsCharacter } from '../load-input.js';
import { Progress } from '../progress.js';
import { writeOutput } from '../write-file.js';

interface BuildCommandOptions {
  readonly skeleton?: string;
  readonly joints?: string;
  readonly cell?: string;
  readonly tets?: string;
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
    .option('--cell <m>', 'side of the lattice cubes')
    .option('--tets <n>', 'number of tetrahedra to aim for (default: 6000)')
    .option('--mesher <name>', 'lattice', 'lattice')
    .requiredOption('-o, --output <file>', 'the character to write (.glb)')
    .action(build);
}

async function build(input: string, options: BuildCommandOptions): Promise<void> {
  if (options.mesher === 'tetgen' || options.mesher === 'gmsh') {
    throw new TendonError('E_UNKNOWN', '--mesher', options.mesher, 'this mesher is not available yet: use lattice');
  }
  if (options.mesher !== 'lattice') throw new TendonError('E_UNKNOWN', '--mesher', options.mesher, 'use lattice');
  if (!/\.glb$/i.test(options.output)) {
    throw new TendonError('E_FORMAT', '--output', options.output, 'a character is written as .glb');
  }
  if (options.cell !== undefined && options.tets !== undefined) {
    throw new TendonError('E_RANGE', '--cell, --tets', options.cell, 'give one of the two');
  }
  const began = performance.now();
  const bar = new Progress('building', 100);
  const character = await loadAsCharacter(input, {
    skeleton: options.skeleton,
    joints: options.joints,
    cell: options.cell === undefined ? undefined : positive(options.cell, '--cell'),
    tets: options.tets === undefined ? undefined : positive(options.tets, '--tets'),
    progress: (stage, share) => {
      if (performance.now() - began > QUIET_FOR) bar.update(100 * share, stage);
    },
  });
  const bytes = await writeCharacter(character);
  writeOutput(options.output, bytes);
  for (const line of describeCharacter(character)) console.log(line);
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
