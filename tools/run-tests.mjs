/**
 * All tests: those in Node on both cores, then the pages, one file at a time, and beside them, with what processor time the pages leave, the tests of
 * physics. These only compute: no timer, no other process, nothing that minds being late. What they print comes at the end, in one piece.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const PAGES = 'test/browser';
const PHYSICS = 'test/physics';

/** Runs vitest to its end; the exit code, and what it printed unless it did so itself. */
function vitest(args, { beside = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['inherit', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'];
    const child = spawn(process.execPath, [VITEST, 'run', ...args], { stdio });
    // its workers inherit it
    if (beside && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const printed = [];
    child.stdout?.on('data', (part) => printed.push(part));
    child.stderr?.on('data', (part) => printed.push(part));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, printed: Buffer.concat(printed) }));
  });
}

const first = await vitest(['--exclude', `${PAGES}/**`, '--exclude', `${PHYSICS}/**`]);
if (first.code !== 0) process.exit(first.code);
const physics = vitest([PHYSICS, '--maxWorkers', '1'], { beside: true });
const pages = await vitest([PAGES, '--no-file-parallelism']);
const { code, printed } = await physics;
process.stdout.write(printed);
process.exitCode = pages.code || code;
