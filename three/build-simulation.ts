/** From what a user asked for to a scene: reads or builds the character, holds its bones, puts it in its place. */
import type { Progress } from '../host/line/protocol.js';
import { describeQuality, fitQuality } from '../host/world/quality.js';
import type { BodyDef } from '../src/body/body-def.js';
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import { type CellCharacter, latticeOfCharacter } from '../src/character/build/kinds/lattice-of.js';
import type { Character } from '../src/character/character.js';
import { characterScene, latticeScene, loadCharacter } from '../src/character/load-character.js';
import { TendonError } from '../src/errors.js';
import type { AnySceneDef, PlacementDef } from '../src/scene/scene-def.js';
import type { KinematicBones, SimulationSource, SimulationSpec } from './protocol.js';

/** A scene, and the characters that its bodies are, where they are. */
export interface BuiltScene {
  readonly scene: AnySceneDef;
  readonly characters: readonly Character[];
}

/** Makes the scene of a simulation. Throws a TendonError that says what cannot be used. */
export async function buildSpecScene(spec: SimulationSpec, progress: Progress): Promise<BuiltScene> {
  const { source, obstacles, gravity } = spec;
  const built = source.kind === 'scene' ? { scene: source.scene, characters: [] } : await gather(source, progress);
  const scene: AnySceneDef = {
    ...built.scene,
    obstacles: [...(built.scene.obstacles ?? []), ...obstacles],
    ...(gravity && { gravity }),
  };
  return { ...built, scene };
}

/** Builds characters one after the other and puts them into one scene, each under a name of its own. */
async function gather(
  { characters: sources, solver, bodies: others = [] }: Extract<SimulationSource, { kind: 'characters' }>,
  progress: Progress,
): Promise<BuiltScene> {
  const characters: Character[] = [];
  const scenes: AnySceneDef[] = [];
  let iterations: number | undefined;
  for (const { bytes, resources, build, kinematic } of sources) {
    const part = (stage: string, share: number): void => {
      progress(stage, (characters.length + share) / sources.length);
    };
    const { quality = 'full', ...settings } = build;
    const load = (tets = settings.tets) =>
      loadCharacter(bytes, { ...settings, tets, progress: part, ...(resources && { resources }) });
    const fitted = await fitQuality(load, quality);
    const said = describeQuality(fitted);
    const character = said === undefined ? fitted.character : withNote(fitted.character, said);
    // the slowest of several says how often all of them iterate
    if (fitted.iterations !== undefined) iterations = Math.min(iterations ?? fitted.iterations, fitted.iterations);
    if (solver === 'lattice') {
      const lattice = latticeOfCharacter(character);
      scenes.push(holdLattice(lattice, kinematic));
      characters.push({ ...character, embedding: lattice.embedding });
      continue;
    }
    scenes.push(holdCharacter(character, kinematic));
    characters.push(character);
  }
  const taken = new Set<string>();
  const named = (placed: PlacementDef<AnyBodyDef>): PlacementDef<AnyBodyDef> => {
    const wanted = placed.name ?? placed.body.name;
    let name = wanted;
    while (taken.has(name)) name = `${wanted} ${taken.size + 1}`;
    taken.add(name);
    return { ...placed, name };
  };
  const placed = scenes.map(({ bodies: [own] }, i) => {
    const { position, rotation } = sources[i];
    return named({ ...own, ...(position && { position }), ...(rotation && { rotation }) });
  });
  const bodies = [...placed, ...others.map(named)];
  const first = scenes[0] ?? { name: bodies[0].body.name, description: '' };
  const kind = solver === 'coupled' ? { solver: { kind: 'coupled' } } : {};
  return { scene: { ...first, ...kind, bodies, ...(iterations !== undefined && { iterations }) }, characters };
}

function withNote(character: Character, note: string): Character {
  return { ...character, report: { ...character.report, notes: [...character.report.notes, note] } };
}

/** The character's scene with these bones kinematic and the others free. */
function holdCharacter(character: Character, kinematic: KinematicBones): AnySceneDef {
  const scene = characterScene(character);
  if (kinematic === 'root') return scene;
  const held = heldBones(character.body.bones ?? [], kinematic);
  const bones = (character.body.bones ?? []).map((bone) => ({ ...bone, kinematic: held.includes(bone.name) }));
  const body: BodyDef = { ...character.body, bones };
  return { ...scene, bodies: [{ body }] };
}

/** The same for a lattice, whose free bones go along with those they are joined to. */
function holdLattice(lattice: CellCharacter, kinematic: KinematicBones): AnySceneDef {
  const given = lattice.body.bones ?? [];
  const held = heldBones(given, kinematic === 'root' ? given.slice(0, 1).map(({ name }) => name) : kinematic);
  const bones = given.map((bone) => ({ ...bone, kinematic: held.includes(bone.name) }));
  return { ...latticeScene(lattice), bodies: [{ body: { ...lattice.body, bones } }] };
}

/** Names of the bones that are to be kinematic. */
function heldBones(
  bones: readonly { readonly name: string }[],
  kinematic: Exclude<KinematicBones, 'root'>,
): readonly string[] {
  const names = bones.map(({ name }) => name);
  const held = kinematic === 'all' ? names : kinematic === 'none' ? [] : kinematic;
  for (const name of held) {
    if (names.includes(name)) continue;
    throw new TendonError('E_UNKNOWN', 'kinematic', name, `the bones are: ${names.join(', ') || 'none'}`);
  }
  return held;
}
