/** From a file of any known format, or `scene:NAME`, to what is in it. */
import { buildScene } from '../../scenes/index.js';
import { isFlesh } from '../../src/body/kinds/any-body-def.js';
import type { BuildOptions } from '../../src/character/build/rigged.js';
import { buildFromSkin, buildFromTets, splitSkeleton } from '../../src/character/build/surfaces/plain.js';
import type { Character } from '../../src/character/character.js';
import { holdsCharacter, loadCharacter } from '../../src/character/load-character.js';
import { TendonError } from '../../src/errors.js';
import type { AnySceneDef, BodyDef } from '../../src/index.js';
import { readJointFile } from '../../src/io/joint-file.js';
import type { TetData } from '../../src/io/mesh-data.js';
import { type MeshData, readMesh } from '../../src/io/read-mesh.js';
import { readObj } from '../../src/io/surfaces/obj.js';
import { DECODERS } from './decoders.js';
import { readInput } from './read-input.js';

/** What an argument led to. */
export type Loaded =
  | { readonly kind: 'scene'; readonly scene: AnySceneDef }
  | { readonly kind: 'character'; readonly character: Character; readonly built: boolean }
  | { readonly kind: 'mesh'; readonly mesh: MeshData };

/** How to build what is not a character yet. */
export interface LoadOptions extends BuildOptions {
  readonly skeleton?: string;
  readonly joints?: string;
}

const SCENE_PREFIX = 'scene:';

/** Loads a file or scene without building anything but glTF models. */
export async function loadInput(input: string, options: LoadOptions = {}): Promise<Loaded> {
  if (input.startsWith(SCENE_PREFIX)) return { kind: 'scene', scene: buildScene(input.slice(SCENE_PREFIX.length)) };
  const file = readInput(input);
  if (file.ending === '.glb' || file.ending === '.gltf') {
    const isCharacter = holdsCharacter(file.bytes);
    if (isCharacter || options.skeleton === undefined) {
      const wishes = { name: nameOf(file.name), ...options, resources: file.resources, decoders: DECODERS };
      return { kind: 'character', character: await loadCharacter(file.bytes, wishes), built: !isCharacter };
    }
  }
  return { kind: 'mesh', mesh: await readMesh(file.name, file.bytes, { resources: file.resources }) };
}

/** Loads a file and builds a character of it, whatever it holds. */
export async function loadAsCharacter(input: string, options: LoadOptions): Promise<Character> {
  const loaded = await loadInput(input, options);
  if (loaded.kind === 'scene') {
    throw new TendonError('E_FORMAT', 'INPUT', input, 'a scene is built already: use tendon convert or tendon inspect');
  }
  if (loaded.kind === 'character') {
    if (loaded.built) return loaded.character;
    throw new TendonError('E_FORMAT', 'INPUT', input, 'the file is a character already');
  }
  const named = { name: nameOf(input), ...options };
  const jointFile = options.joints === undefined ? undefined : readJointFile(readInput(options.joints).bytes);
  if (loaded.mesh.kind === 'tets') return buildFromTets(loaded.mesh.tets, named, jointFile);
  if (options.skeleton === undefined) return buildFromSkin(loaded.mesh.surface, named, [], jointFile?.joints);
  const file = readInput(options.skeleton);
  if (file.ending === '.obj') {
    const obj = readObj(file.bytes);
    return buildFromSkin(loaded.mesh.surface, named, splitSkeleton(obj, obj.parts, jointFile), jointFile?.joints);
  }
  const skeleton = await readMesh(file.name, file.bytes, { resources: file.resources });
  if (skeleton.kind !== 'surface') {
    throw new TendonError('E_FORMAT', '--skeleton', options.skeleton, 'a surface was expected');
  }
  return buildFromSkin(loaded.mesh.surface, named, splitSkeleton(skeleton.surface, [], jointFile), jointFile?.joints);
}

/** All bodies of flesh of a scene as one mesh of tetrahedra, where they stand at the start; the region is the body's number. */
export function sceneTets(scene: AnySceneDef): TetData {
  const positions: number[] = [];
  const tets: number[] = [];
  const regions: number[] = [];
  scene.bodies.forEach(({ body, position = [0, 0, 0], rotation = [0, 0, 0, 1], startPositions }, region) => {
    if (!isFlesh(body)) return;
    const base = positions.length / 3;
    const places = startPositions ?? body.positions;
    for (let i = 0; i < places.length; i += 3) positions.push(...placed(places, i, rotation, position));
    for (const vertex of body.tets) tets.push(base + vertex);
    for (let t = 0; t < body.tets.length / 4; t++) regions.push(region);
  });
  const several = scene.bodies.length > 1 && { regions: Int32Array.from(regions) };
  return { positions: Float64Array.from(positions), tets: Int32Array.from(tets), ...several };
}

/** The tetrahedra of a body. */
export function bodyTets(body: BodyDef): TetData {
  return {
    positions: body.positions,
    tets: body.tets,
    ...(body.regions && { regions: Int32Array.from(body.regions) }),
  };
}

/** Turns by a quaternion, then moves. */
function placed(p: ArrayLike<number>, i: number, q: readonly number[], move: readonly number[]): number[] {
  const length = Math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2) || 1;
  const [x, y, z, w] = q.map((value) => value / length);
  const tx = 2 * (y * p[i + 2] - z * p[i + 1]);
  const ty = 2 * (z * p[i] - x * p[i + 2]);
  const tz = 2 * (x * p[i + 1] - y * p[i]);
  return [
    p[i] + w * tx + (y * tz - z * ty) + move[0],
    p[i + 1] + w * ty + (z * tx - x * tz) + move[1],
    p[i + 2] + w * tz + (x * ty - y * tx) + move[2],
  ];
}

function nameOf(path: string): string {
  const file = path.replace(/^.*[/\\]/, '');
  const dot = file.lastIndexOf('.');
  return dot > 0 ? file.slice(0, dot) : file;
}
