/** From dropped files to a character: a glTF model, a surface, a surface with a skeleton, or a mesh of tetrahedra. */

import type { Progress } from '../../host/line/protocol.js';
import { describeQuality, fitQuality } from '../../host/world/quality.js';
import { buildFromSkin, buildFromTets, splitSkeleton } from '../../src/character/build/surfaces/plain.js';
import type { Character } from '../../src/character/character.js';
import { characterScene, characterSolver, loadCharacter } from '../../src/character/load-character.js';
import { TendonError } from '../../src/errors.js';
import { readJointFile } from '../../src/io/joint-file.js';
import { readMesh } from '../../src/io/read-mesh.js';
import { readObj } from '../../src/io/surfaces/obj.js';
import { loadDraco } from '../decode/draco.js';
import type { BuiltSource } from './load-source.js';
import type { DroppedFile, Settings } from './protocol.js';

/** How far under the lowest vertex the floor is, in sizes of the body. */
const FLOOR_GAP = 0.02;
/** Endings that are a body, not something that comes with one. */
const MESHES = ['.glb', '.gltf', '.obj', '.stl', '.ply', '.node', '.ele', '.mesh', '.msh', '.vtk', '.vtu', '.smesh'];

/** Builds a scene from files: the character held by its root, over a floor. */
export async function buildFiles(
  files: readonly DroppedFile[],
  progress: Progress,
  quality: Settings['quality'],
): Promise<BuiltSource> {
  const fitted = await fitQuality((tets) => buildCharacter(files, progress, tets), quality);
  const { character, iterations } = fitted;
  const said = describeQuality(fitted);
  const { positions, name } = character.body;
  // What has no bones to be held by stands on the floor.
  const bodies = [{ body: character.body }];
  const free = { name, description: `The model ${name}, free to move.`, bodies, solver: characterSolver(character) };
  const scene = character.skeleton.length > 0 ? characterScene(character) : free;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  const description = said === undefined ? scene.description : `${scene.description} C${said.slice(1)}.`;
  const y = low - FLOOR_GAP * (high - low);
  const floor = { name: 'floor', shape: { kind: 'plane' as const }, position: [0, y, 0] as const };
  return {
    def: { ...scene, description, obstacles: [floor], ...(iterations !== undefined && { iterations }) },
    skins: [character],
    character,
    // which pictures are KTX2 is for programs that cannot show them
    notes: character.report.notes.filter((note) => !note.includes('KTX2')),
  };
}

async function buildCharacter(files: readonly DroppedFile[], progress: Progress, tets?: number): Promise<Character> {
  const meshes = files.filter(({ name }) => MESHES.includes(endingOf(name)));
  if (meshes.length === 0) {
    const found = files.map(({ name }) => name).join(', ');
    const advice = `drop a model (${MESHES.join(', ')}), or a scene file (.json); save other models as .glb first, for instance in Blender`;
    throw new TendonError('E_FORMAT', 'files', found, advice);
  }
  const joints = files.find(({ name }) => endingOf(name) === '.joint');
  const jointFile = joints && readJointFile(joints.bytes);
  const objects = meshes.filter(({ name }) => endingOf(name) === '.obj');
  const [skeleton] = objects.length === 2 ? objects.filter(isSkeleton) : [];
  const main = meshes.find((file) => file !== skeleton) ?? meshes[0];
  const options = { name: main.name.replace(/\.[^.]*$/, ''), tets, progress };
  const resources = new Map(files.filter((file) => file !== main).map(({ name, bytes }) => [name, bytes]));
  progress('reading', 0);
  if (['.glb', '.gltf'].includes(endingOf(main.name))) {
    return loadCharacter(main.bytes, { ...options, resources, decoders: { draco: loadDraco } });
  }
  const mesh = await readMesh(main.name, main.bytes, { resources });
  if (mesh.kind === 'tets') return buildFromTets(mesh.tets, options, jointFile);
  if (!skeleton) return buildFromSkin(mesh.surface, options, [], []);
  const bones = readObj(skeleton.bytes);
  return buildFromSkin(mesh.surface, options, splitSkeleton(bones, bones.parts, jointFile), jointFile?.joints);
}

/** Of two OBJ files the one whose name says so is the skeleton. */
function isSkeleton({ name }: DroppedFile): boolean {
  return /skel|bone/i.test(name);
}

function endingOf(name: string): string {
  return /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? '';
}
