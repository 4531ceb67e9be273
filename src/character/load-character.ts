/** Characters as scenes: from the bytes of a file to something `createWorld` takes. */
import type { BodyDef } from '../body/body-def.js';
import { TendonError } from '../errors.js';
import { type GltfReadOptions, readGltf } from '../io/gltf/gltf.js';
import { repairGltf } from '../io/gltf/gltf-repair.js';
import { openGltfSource } from '../io/gltf/gltf-source.js';
import { unpackGltf } from '../io/gltf/gltf-unpack.js';
import { type IoLimits, resolveLimits } from '../io/text/io-limits.js';
import { isObject } from '../io/text/safe-json.js';
import type { AnySceneDef, SceneDef, SolverDef } from '../scene/scene-def.js';
import { type CellCharacter, type LatticeBuildOptions, latticeOfLayer } from './build/kinds/lattice-of.js';
import { buildLayered, type LayerCharacter, type LayerCharacterOptions } from './build/kinds/layer-character.js';
import { type BuildOptions, buildRigged } from './build/rigged.js';
import type { Character } from './character.js';
import { hasCharacter } from './character-file.js';
import { CHARACTER_EXTENSION, readCharacterModel } from './read-character.js';

/** Share of the height, from the top, that is held where a body has no bones. */
const HELD_SHARE = 0.04;

/** Reads a character, or builds one where the file is a plain glTF model; of the options only `smoothed` changes one that is read. */
export async function loadCharacter(
  bytes: Uint8Array,
  options: BuildOptions & GltfReadOptions = {},
): Promise<Character> {
  const given = openGltfSource(bytes, options);
  const unpacked = await unpackGltf(given, options.decoders ?? {}, resolveLimits(options).maxBytes);
  const source = unpacked === undefined ? given : openGltfSource(unpacked, options);
  const model = await readGltf(unpacked ?? bytes, options);
  if (hasCharacter(model)) {
    const { smoothed } = options;
    return { ...readCharacterModel(model, source), ...(smoothed !== undefined && { smoothed }) };
  }
  const { bytes: repaired, notes } = repairGltf(source);
  if (repaired === undefined) return { ...buildRigged(model, options), source };
  const character = buildRigged(await readGltf(repaired, options), options);
  const report = { ...character.report, notes: [...character.report.notes, ...notes] };
  return { ...character, report, source: openGltfSource(repaired, options) };
}

/** True where the bytes of a glTF carry a character of ours. */
export function holdsCharacter(bytes: Uint8Array, options: IoLimits = {}): boolean {
  const { extensions } = openGltfSource(bytes, options).json;
  return isObject(extensions) && extensions[CHARACTER_EXTENSION] !== undefined;
}

/** A rigged glTF as a character for the layered solver: a skin over bones, without tets. */
export async function loadLayered(
  bytes: Uint8Array,
  options: LayerCharacterOptions & GltfReadOptions = {},
): Promise<LayerCharacter> {
  return buildLayered(await readGltf(bytes, options), options);
}

/** A rigged glTF as a character for the lattice solver: its skin filled with cells that follow its bones. */
export async function loadLattice(
  bytes: Uint8Array,
  options: LatticeBuildOptions & GltfReadOptions = {},
): Promise<CellCharacter> {
  return latticeOfLayer(await loadLayered(bytes, options), options);
}

/** A scene of the lattice solver with the character at rest; its bones go where clips and programs send them. */
export function latticeScene({ body }: CellCharacter): AnySceneDef {
  const description = `The character ${body.name} as a lattice of ${body.cells.length / 3} cells.`;
  return { name: body.name, description, bodies: [{ body }], solver: { kind: 'lattice' }, dt: 1 / 60 };
}

/** What moves a character; scenes of several have that of the first. */
export function characterSolver({ smoothed = false }: Character): SolverDef {
  return { kind: 'projective', smoothed };
}

/** A scene with the character held by a bone: its root unless `hang` names another. Without bones, held at its top. */
export function characterScene(character: Character, hang?: string): SceneDef {
  const { body, skeleton } = character;
  const held = hang === undefined ? 0 : skeleton.findIndex(({ name }) => name === hang);
  if (held < 0) {
    const advice = `the bones are: ${skeleton.map(({ name }) => name).join(', ') || 'none'}`;
    throw new TendonError('E_UNKNOWN', 'hang', hang, advice);
  }
  const bones = (body.bones ?? []).map((bone, i) => (i === held ? { ...bone, kinematic: true } : bone));
  const placed: BodyDef = bones.length > 0 ? { ...body, bones } : { ...body, pins: topVertices(body.positions) };
  const by = bones.length > 0 ? `held by ${bones[held].name}` : 'held at its top';
  const description = `The character ${body.name}, ${by}.`;
  return { name: body.name, description, bodies: [{ body: placed }], solver: characterSolver(character), dt: 1 / 60 };
}

/** The scene of a character file, or of a plain glTF model, which is built first. */
export async function loadCharacterScene(
  bytes: Uint8Array,
  options: BuildOptions & GltfReadOptions & { readonly hang?: string } = {},
): Promise<SceneDef> {
  return characterScene(await loadCharacter(bytes, options), options.hang);
}

function topVertices(positions: Float64Array): Int32Array {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 1; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  const held: number[] = [];
  for (let i = 1; i < positions.length; i += 3) {
    if (positions[i] >= high - HELD_SHARE * (high - low)) held.push((i - 1) / 3);
  }
  return Int32Array.from(held);
}
