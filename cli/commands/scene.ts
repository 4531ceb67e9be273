/** `tendon scene NAME`: a scene as a file, to be changed and run again. */
import type { Command } from 'commander';
import { buildScene, sceneNames } from '../../scenes/index.js';
import { writeScene } from '../../src/scene-file-index.js';
import { writeOutput } from '../files/write-file.js';

/** Adds the command. */
export function registerScene(program: Command): void {
  program
    .command('scene')
    .description('write a scene as JSON, to be changed and run with tendon simulate')
    .argument('<name>', `one of ${sceneNames().join(', ')}`)
    .option('-o, --output <file>', 'file to write; default the terminal')
    .addHelpText('after', '\nExample:\n  tendon scene ragdoll > my.json && tendon simulate my.json')
    .action((name: string, { output }: { readonly output?: string }) => {
      const text = writeScene(buildScene(name));
      if (output === undefined) process.stdout.write(text);
      else writeOutput(output, text);
    });
}
