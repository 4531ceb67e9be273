/**
 * `npm run bench [-- --native DIR]`: per-kernel times on this machine, long chains of bones, and the whole local/global
 * loop, without and with bones, against a native comparator where there is one. DIR holds an executable
 * `run MESH THREADS FRAMES` that prints one JSON line (vertices, tets, textbookMs, optimisedMs, amdNnz); without it that
 * part is left out and says so.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBar } from '../scenes/cast/bar.js';
import { buildHuman } from '../scenes/cast/human.js';
import { benchFactor } from './factor.js';
import { benchKernels } from './kernels.js';
import { benchLoop } from './loop.js';
import { benchScenes } from './scenes.js';
import { benchChain } from './skeleton/chain.js';
import { machine } from './stats.js';

const { values } = parseArgs({ options: { native: { type: 'string' } } });
const run = values.native === undefined ? undefined : join(values.native, 'run');
if (run !== undefined && !existsSync(run)) {
  console.error(`no comparator at ${run}`);
  process.exit(1);
}

console.log(`${machine()}\n`);
const bodies = [buildBar(), buildHuman()];
for (const body of bodies) benchFactor(body);
for (const body of bodies) await benchKernels(body);
for (const body of bodies) await benchLoop(body, run);
await benchChain();
if (values.native !== undefined) await benchScenes({ native: values.native });
