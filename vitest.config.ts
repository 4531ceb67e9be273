import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.js';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const COMPILED = join(ROOT, 'dist');
/** Not those that are bundled after they are compiled, with a library of their own in them: three/ and react/. */
const FOLDERS = /^(src|cli|scenes|bench|host)\//;

/**
 * Tests run what is shipped: whatever they import of the library is the compiled file in `dist`, loaded by Node itself. From sources, every call from one
 * file to another went through an object of the test runner, and the whole suite took longer by half.
 */
function compiledLibrary(): Plugin {
  return {
    name: 'compiled-library',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return undefined;
      const inside = relative(ROOT, resolve(dirname(importer), source)).replace(/\.ts$/, '.js');
      const file = join(COMPILED, inside);
      return FOLDERS.test(inside) && existsSync(file) ? file : undefined;
    },
  };
}

export default defineConfig({
  plugins: [compiledLibrary()],
  test: {
    globalSetup: ['test/support/fresh-build.ts'],
    include: ['test/**/*.test.ts'],
    // only to end what hangs: nothing is judged by how long it takes, and the machine may be busy
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The machine this has to be comfortable on has two cores.
    maxWorkers: 2,
    // one start and one import of the library for all files of a worker: half the time; nothing here leaves anything behind
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    server: { deps: { external: [/\/dist\//] } },
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
});
