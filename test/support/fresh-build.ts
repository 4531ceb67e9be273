/** Before all tests: they run the compiled library, so one that is older than its sources would be tested in the place of what was changed. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readSources } from './source-rules.js';

/** The folders that `tsc -p tsconfig.build.json` compiles. */
const FOLDERS = ['src', 'cli', 'scenes', 'bench', 'host', 'three', 'react'];

/** Sources without a compiled file, or newer than it. */
export function findStale(): string[] {
  const dated = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);
  const compiled = (path: string): string => join(ROOT, 'dist', path.replace(/\.tsx?$/, '.js'));
  const sources = FOLDERS.flatMap((folder) => readSources(folder, ['.ts', '.tsx']));
  return sources.map(({ path }) => path).filter((path) => dated(join(ROOT, path)) > dated(compiled(path)));
}

/** Called by the test runner once. */
export default function requireFreshBuild(): void {
  const stale = findStale();
  if (stale.length > 0) throw new Error(`dist is older than ${stale[0]} (${stale.length} files in all): npm run build`);
}
