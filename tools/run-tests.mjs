/**
 * All tests: those in Node and those in Chromium side by side. Pages wait for pictures and answers much of the time, and the tests in Node have work for the
 * cores meanwhile. What the pages' tests say comes when the others are through.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/** Runs vitest; resolves with its exit code and with what it said, where that is kept. */
function run(args, stdio) {
  const child = spawn(process.execPath, [VITEST, 'run', ...args], { stdio });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said: Buffer.concat(said) })));
}

const pages = run(['test/browser', '--no-file-parallelism'], ['ignore', 'pipe', 'pipe']);
const node = await run(['--exclude', 'test/browser/**'], 'inherit');
const { code, said } = await pages;
process.stdout.write(said);
process.exitCode = node.code === 0 && code === 0 ? 0 : 1;
