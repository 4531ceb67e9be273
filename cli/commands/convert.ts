/** `tendon convert IN OUT`: from one format to another, by the endings of the names. */
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { writeCharacter } from '../../src/character/character-file.js';
import { type MeshData, readMesh, writeMesh } from '../../src/io/read-mesh.js';
import { bodyTets, type Loaded, loadInput, sceneTets } from '../files/load-input.js';
import { readInput } from '../files/read-input.js';
import { writeOutput } from '../files/write-file.js';

/** Endings of formats that hold only a surface: they get the skin of a character. */
const SURFACE_ENDING = /\.(obj|stl|ply|smesh)$/i;

/** Adds the command. */
export function registerConvert(program: Command): void {
  program
    .command('convert')
    .description('convert a mesh, a character or scene:NAME by the ending of the output')
    .argument('<in>', 'a file of any known format, or scene:NAME')
    .argument('<out>', '.obj, .stl, .ply, .smesh, .mesh, .msh, .vtk, .vtu, .node (with .ele) or .glb')
    .addHelpText('after', '\nExamples:\n  tendon convert man-body.glb man.node\n  tendon convert spot.obj spot.ply')
    .action(convert);
}

async function convert(input: string, output: string): Promise<void> {
  const files = await convertTo(input, output);
  for (const [name, bytes] of files) {
    const path = join(dirname(output), name);
    writeOutput(path, bytes);
    console.log(`wrote ${path}: ${(bytes.length / 1024).toFixed(1)} KiB`);
  }
}

async function convertTo(input: string, output: string): Promise<Map<string, Uint8Array>> {
  const name = basename(output);
  const toGlb = /\.glb$/i.test(name);
  const isModel = /\.(glb|gltf)$/i.test(input);
  // the surface of a plain model needs no character built around it
  if (isModel && SURFACE_ENDING.test(name)) {
    const file = readInput(input);
    return writeMesh(name, await readMesh(file.name, file.bytes, { resources: file.resources }));
  }
  const loaded = await loadInput(input);
  if (toGlb && loaded.kind === 'character') return new Map([[name, await writeCharacter(loaded.character)]]);
  return writeMesh(name, meshOf(loaded));
}

function meshOf(loaded: Loaded): MeshData {
  if (loaded.kind === 'mesh') return loaded.mesh;
  const tets = loaded.kind === 'scene' ? sceneTets(loaded.scene) : bodyTets(loaded.character.body);
  return { kind: 'tets', tets };
}
