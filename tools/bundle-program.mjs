/**
 * Puts the command line into a few files: read one by one, its several hundred modules take longer to load than a short command
 * takes to run. Takes the place of what tsc compiled. Parts that are found from where a file lies (the viewer, the threads) are
 * as many folders above or beside it as before.
 */
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const PACKAGES = Object.keys({ ...dependencies, ...peerDependencies });

rmSync(`${DIST}cli/whole`, { recursive: true, force: true });
await build({
  input: { main: `${DIST}cli/main.js`, 'thread-worker': `${DIST}src/kernels/thread-worker.js` },
  platform: 'node',
  external: (name) => PACKAGES.some((one) => name === one || name.startsWith(`${one}/`)),
  output: {
    dir: `${DIST}cli`,
    entryFileNames: ({ name }) => (name === 'main' ? '[name].js' : 'whole/[name].js'),
    chunkFileNames: 'whole/[name].js',
  },
});
