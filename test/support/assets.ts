/** Models made by others, which are not part of the project: looked for beside it, tests without them are skipped. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-rules.js';

const FOLDER = process.env.TENDON_ASSETS ?? join(ROOT, '../shared/assets');

/** True where the models are there; says so where they are not. */
export function hasAssets(...names: string[]): boolean {
  const missing = names.filter((name) => !existsSync(join(FOLDER, name)));
  if (missing.length > 0) console.log(`skipped: ${missing.join(', ')} not found in ${FOLDER} (set TENDON_ASSETS)`);
  return missing.length === 0;
}

/** Path of a model. */
export function assetPath(name: string): string {
  return join(FOLDER, name);
}

/** Contents of a model. */
export function readAsset(name: string): Uint8Array {
  return new Uint8Array(readFileSync(assetPath(name)));
}
