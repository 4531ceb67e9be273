/** What an argument means: a scene by name, a scene file with the files it names, or a model that becomes a character. */
import { dirname, relative, resolve } from 'node:path';
import { describeQuality, fitQuality, type Quality } from '../../host/world/quality.js';
import { buildScene, SCENES } from '../../scenes/index.js';
import { type Character, characterScene } from '../../src/character-index.js';
import { type AnySceneDef, TendonError } from '../../src/index.js';
import { type BodyLoader, readScene } from '../../src/scene-file-index.js';
import { loadAsCharacter, loadInput } from './load-input.js';
import { readBytes } from './read-input.js';

/** Whether a name is that of a scene file. */
export function isSceneFile(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}

/** A scene by name; anything that looks like a file is loaded, and built into a character where it is none yet. */
export async function findScene(
  name: string,
  hang?: string,
  quality: Quality = 'full',
): Promise<{ scene: AnySceneDef; character?: Character }> {
  if (isSceneFile(name)) return { scene: await readScene(readBytes(name), loadBodyBeside(name)) };
  if (SCENES.has(name) || !/[./\\]/.test(name)) return { scene: buildScene(name) };
  const build = async (tets?: number): Promise<Character> => {
    const loaded = await loadInput(name, { tets });
    return loaded.kind === 'character' ? loaded.character : loadAsCharacter(name, { tets });
  };
  const fitted = await fitQuality(build, quality);
  const { character, iterations } = fitted;
  const said = describeQuality(fitted);
  if (said !== undefined) console.log(said);
  return { scene: { ...characterScene(character, hang), ...(iterations !== undefined && { iterations }) }, character };
}

/** Bodies that a scene file names are looked for beside it, and nowhere else. */
function loadBodyBeside(sceneFile: string): BodyLoader {
  const folder = dirname(resolve(sceneFile));
  return async (file, hang, path) => {
    const target = resolve(folder, file);
    if (relative(folder, target).startsWith('..')) {
      throw new TendonError('E_FORMAT', path, file, 'the file is outside the folder of the scene');
    }
    const { scene } = await findScene(target, hang);
    return scene.bodies[0].body;
  };
}
