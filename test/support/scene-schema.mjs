/** The published JSON Schema of scene files, made from the one the built library checks by. */
import { toJsonSchema } from '@valibot/to-json-schema';

/** Its text. */
export async function sceneSchemaText() {
  const { SCENE_FILE } = await import(
    /* @vite-ignore */ new URL('../../dist/src/scene-file/schema.js', import.meta.url).href
  );
  const schema = toJsonSchema(SCENE_FILE, { errorMode: 'ignore' });
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'tendon-scene.schema.json',
    title: 'Tendon scene',
    description: 'A scene as JSON. SI units, y up, right-handed.',
  };
  const { $schema: _, ...rest } = schema;
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}
