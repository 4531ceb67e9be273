/**
 * Makes the simulation of `tendon/three` whole: the worker, its threads and the same for the page's own thread, with everything
 * they import beside them, so that they start on a page without a bundler (import maps do not reach into workers) and in
 * any bundler's default settings (some cannot split workers, some stumble over what packages have for Node alone). Takes
 * the place of what tsc compiled.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** What both sides of the line share with `tendon`: an error is the same class, and solvers that were added are known. */
const SHARED = ['src/errors.js', 'src/solvers/added-kinds.js'];
/** Who wrote what is copied into the files. */
const BANNER = '/*! contains parts of @gltf-transform/core and property-graph, MIT licence, (c) Don McCurdy */';

await build({
  input: {
    'simulation-worker': `${DIST}three/simulation-worker.js`,
    'simulation-core': `${DIST}three/simulation-core.js`,
    'crowd-worker': `${DIST}three/crowd-worker.js`,
    'crowd-core': `${DIST}three/crowd-core.js`,
    // reads packed models on the page's thread, with a decoder that an import map need not know
    'fetch-model': `${DIST}three/fetch-model.js`,
    // the simulation starts its threads by this name beside its own
    'thread-worker': `${DIST}src/kernels/thread-worker.js`,
  },
  platform: 'browser',
  // of what is for Node alone nothing is left
  external: [...SHARED.map((file) => DIST + file), 'node:fs', 'node:path'],
  output: {
    dir: `${DIST}three`,
    chunkFileNames: 'whole-[name].js',
    banner: BANNER,
    paths: Object.fromEntries(SHARED.map((file) => [DIST + file, `../${file}`])),
  },
});
