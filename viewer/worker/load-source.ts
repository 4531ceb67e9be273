/** Finds what a world is built from. Files are read and meshed once, however often their world is built anew. */

import type { WornSkin } from '../../host/frames/skin-surface.js';
import type { Progress } from '../../host/line/protocol.js';
import { isFlesh } from '../../src/body/kinds/any-body-def.js';
import type { Character } from '../../src/character/character.js';
import type { AnySceneDef } from '../../src/index.js';
import { fineSkin } from './fine-skins.js';
import { buildLearned } from './learn/lessons.js';
import { buildPageScene } from './page-scenes.js';
import type { DroppedFile, Settings, Source } from './protocol.js';

/** A scene, what each of its bodies wears, and the character that came from a file. */
export interface BuiltSource {
  readonly def: AnySceneDef;
  /** One entry per body; undefined where the body's own surface is drawn. */
  readonly skins: readonly (WornSkin | undefined)[];
  /** The first body, with its motions. */
  readonly character: Character | undefined;
  readonly notes: readonly string[];
}

let last: { readonly id: number; readonly key: string; readonly built: BuiltSource } | undefined;

/** Builds a source, or takes the last one where it is the same. */
export async function buildSource(
  source: Source,
  progress: Progress,
  { quality = 'auto', deform = false, learned = '' }: Partial<Settings>,
): Promise<BuiltSource> {
  if (source.kind === 'scene') {
    const def = buildLearned(source.name, learned) ?? buildPageScene(source.name);
    const skins = def.bodies.map(({ body }) => (isFlesh(body) ? fineSkin(body) : undefined));
    return { def, skins, character: undefined, notes: [] };
  }
  const key = `${quality} ${deform}`;
  if (last?.id === source.id && last.key === key) return last.built;
  const built = await buildAny(source.files, progress, quality, deform);
  last = { id: source.id, key, built };
  return built;
}

/** A scene file, or a model. Readers and meshers are only fetched by pages that need them. */
async function buildAny(
  files: readonly DroppedFile[],
  progress: Progress,
  quality: Settings['quality'],
  deform: boolean,
): Promise<BuiltSource> {
  const scene = files.find(({ name }) => name.toLowerCase().endsWith('.json'));
  if (scene) return (await import('./load-scene-file.js')).buildSceneFile(scene, files, progress);
  const { buildFiles } = await import('./load-files.js');
  const plain = await buildFiles(files, progress, quality);
  return deform ? (await import('./deform-source.js')).deformSource(plain) : plain;
}
