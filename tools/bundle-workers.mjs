/**
 * Makes the simulation of `tendon/three` whole: the worker, its threads and the same for the page's own thread, with everything
 * they import beside them, so that they start on a page without a bundler (import maps do not reach into workers) and in
 * any bundler's default settings (some cannot split workers, some stumble over what packages have for Node alone). Takes
 * the place of what tsc compiled.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const ERRORS = `${DIST}src/errors.js`;
/** Who wrote what is copied into the files. */
const BANNER = '/*! contains parts of @gltf-transform/core and property-graph, MIT licence, (c) Don McCurdy */';

await build({
  input: {
    'simulation-worker': `${DIST}three/simulation-worker.js`,
    'simulation-core': `${DIST}three/simulation-core.js`,
    'crowd-worker': `${DIST}three/crowd-worker.js`,
    'crowd-core': `${DIST}three/crowd-core.js`,
    // the simulation starts its threads by this name beside its own
    'thread-worker': `${DIST}src/kernels/thread-worker.js`,
  },
  platform: 'browser',
  // an error is the same class on both sides of the line; of what is for Node alone nothing is left
  external: [ERRORS, 'node:fs', 'node:path'],
  output: {
    dir: `${DIST}three`,
    chunkFileNames: 'whole-[name].js',
    banner: BANNER,
    paths: { [ERRORS]: '../src/errors.js' },
  },
});
