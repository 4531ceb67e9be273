/** From a dropped scene file, with the models it names beside it, to a scene. */
import type { WornSkin } from '../../host/frames/skin-surface.js';
import type { Progress } from '../../host/line/protocol.js';
import { type AnyBodyDef, isFlesh } from '../../src/body/kinds/any-body-def.js';
import { characterScene, loadCharacter } from '../../src/character/load-character.js';
import { TendonError } from '../../src/errors.js';
import { type BodyLoader, readScene } from '../../src/scene-file-index.js';
import { loadDraco } from '../decode/draco.js';
import { fineSkin } from './fine-skins.js';
import type { BuiltSource } from './load-source.js';
import type { DroppedFile } from './protocol.js';

/** Builds the scene; bodies that it takes from files have to be dropped with it. */
export async function buildSceneFile(
  file: DroppedFile,
  files: readonly DroppedFile[],
  progress: Progress,
): Promise<BuiltSource> {
  const worn = new Map<AnyBodyDef, WornSkin>();
  const notes: string[] = [];
  const load: BodyLoader = async (name, hang, path) => {
    const model = files.find((one) => one.name === name.replace(/^.*[/\\]/, ''));
    if (!model) throw new TendonError('E_FORMAT', path, name, 'drop this file together with the scene');
    const modelName = model.name.replace(/\.[^.]*$/, '');
    const decoders = { draco: loadDraco };
    const character = await loadCharacter(model.bytes, { name: modelName, progress, decoders });
    notes.push(...character.report.notes);
    const { body } = characterScene(character, hang).bodies[0];
    worn.set(body, character);
    return body;
  };
  progress('reading', 0);
  const def = await readScene(file.bytes, load);
  const skins = def.bodies.map(({ body }) => worn.get(body) ?? (isFlesh(body) ? fineSkin(body) : undefined));
  return { def, skins, character: undefined, notes };
}
