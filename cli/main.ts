#!/usr/bin/env node
/** The command line: a table of commands, one file each. Exit codes: 0 done, 1 failed, 2 wrong use. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { TendonError } from '../src/errors.js';
import { registerBench } from './commands/bench.js';
import { registerBuild } from './commands/build.js';
import { registerConvert } from './commands/convert.js';
import { registerDeform } from './commands/deform.js';
import { registerInspect } from './commands/inspect.js';
import { registerScene } from './commands/scene.js';
import { registerSimulate } from './commands/simulate.js';
import { registerSweep } from './commands/sweep.js';
import { registerVerify } from './commands/verify.js';
import { registerView } from './commands/view.js';

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

registerView(program);
registerBuild(program);
registerInspect(program);
registerConvert(program);
registerScene(program);
registerSimulate(program);
registerDeform(program);
registerSweep(program);
registerVerify(program);
registerBench(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  console.error(error instanceof TendonError ? error.message : error);
  process.exit(1);
}
