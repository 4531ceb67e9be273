/** From what a user asked for to a scene: reads or builds the character, holds its bones, puts it in its place. */
import type { Progress } from '../host/line/protocol.js';
import type { BodyDef } from '../src/body/body-def.js';
import type { Character } from '../src/character/character.js';
import { characterScene, loadCharacter } from '../src/character/load-character.js';
import { TendonError } from '../src/errors.js';
import type { AnySceneDef } from '../src/scene/scene-def.js';
import type { KinematicBones, SimulationSource, SimulationSpec } from './protocol.js';

/** A scene, and the character it shows where there is one. */
export interface BuiltScene {
  readonly scene: AnySceneDef;
  readonly character?: Character;
}

/** Makes the scene of a simulation. Throws a TendonError that says what cannot be used. */
export async function buildSpecScene(spec: SimulationSpec, progress: Progress): Promise<BuiltScene> {
  const { source, obstacles, gravity } = spec;
  const built = source.kind === 'scene' ? { scene: source.scene } : await buildCharacterScene(source, progress);
  const scene: AnySceneDef = {
    ...built.scene,
    obstacles: [...(built.scene.obstacles ?? []), ...obstacles],
    ...(gravity && { gravity }),
  };
  return { ...built, scene };
}

async function buildCharacterScene(
  source: Extract<SimulationSource, { kind: 'character' }>,
  progress: Progress,
): Promise<BuiltScene> {
  const { bytes, resources, build, kinematic, position, rotation } = source;
  const character = await loadCharacter(bytes, { ...build, progress, ...(resources && { resources }) });
  const scene = holdCharacter(character, kinematic);
  const bodies = scene.bodies.map((placed) => ({
    ...placed,
    ...(position && { position }),
    ...(rotation && { rotation }),
  }));
  return { scene: { ...scene, bodies }, character };
}

/** The character's scene with these bones kinematic and the others free. */
function holdCharacter(character: Character, kinematic: KinematicBones): AnySceneDef {
  const scene = characterScene(character);
  if (kinematic === 'root') return scene;
  const names = (character.body.bones ?? []).map(({ name }) => name);
  const held = kinematic === 'all' ? names : kinematic === 'none' ? [] : kinematic;
  for (const name of held) {
    if (names.includes(name)) continue;
    throw new TendonError('E_UNKNOWN', 'kinematic', name, `the bones are: ${names.join(', ') || 'none'}`);
  }
  const bones = (character.body.bones ?? []).map((bone) => ({ ...bone, kinematic: held.includes(bone.name) }));
  const body: BodyDef = { ...character.body, bones };
  return { ...scene, bodies: [{ body }] };
}
