/** Writes schema/tendon-scene.schema.json from the schema the library checks scene files by. Run after `npm run build`. */
import { writeFileSync } from 'node:fs';
import { sceneSchemaText } from '../test/support/scene-schema.mjs';

writeFileSync(new URL('../schema/tendon-scene.schema.json', import.meta.url), await sceneSchemaText());
