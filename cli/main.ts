#!/usr/bin/env node
/** The command line: a table of commands, one file each, of which only the one that is asked for is read. Exit codes: 0 done, 1 failed, 2 wrong use. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { TendonError } from '../src/errors.js';

type Register = (program: Command) => void;

const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  view: async () => (await import('./commands/view.js')).registerView,
  build: async () => (await import('./commands/build.js')).registerBuild,
  inspect: async () => (await import('./commands/inspect.js')).registerInspect,
  convert: async () => (await import('./commands/convert.js')).registerConvert,
  scene: async () => (await import('./commands/scene.js')).registerScene,
  simulate: async () => (await import('./commands/simulate.js')).registerSimulate,
  deform: async () => (await import('./commands/deform.js')).registerDeform,
  // with `tendon worker`, which works off a sweep's queue
  sweep: async () => (await import('./commands/sweep.js')).registerSweep,
  verify: async () => (await import('./commands/verify.js')).registerVerify,
  bench: async () => (await import('./commands/bench.js')).registerBench,
};

// whoever listened has gone: what is written to files goes on
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const program = new Command('tendon')
  .description('Physical bodies for characters: soft flesh, rigid bones and joints.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(add --help for the options)');

// help and mistakes need to know them all
const [, , asked = ''] = process.argv;
const wanted = Object.hasOwn(COMMANDS, asked) ? [COMMANDS[asked]] : Object.values(COMMANDS);
for (const register of await Promise.all(wanted.map((load) => load()))) register(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  console.error(error instanceof TendonError ? error.message : error);
  process.exit(1);
}
