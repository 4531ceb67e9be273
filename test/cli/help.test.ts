/** Help: every command, and every part of `tendon bench`, shows how it is called; as a process, the program and some of them. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { sceneNames } from '../../scenes/index.js';
import { ROOT } from '../support/source-rules.js';

const program = new Command('tendon');
for (const file of readdirSync(join(ROOT, 'cli/commands')).sort()) {
  const module = await import(/* @vite-ignore */ join(ROOT, 'cli/commands', file));
  for (const [name, register] of Object.entries(module)) {
    if (name.startsWith('register')) (register as (program: Command) => void)(program);
  }
}
const all = program.commands.flatMap((command) => [command, ...command.commands]);

function helpOf(command: Command): string {
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut });
  command.outputHelp();
  return text;
}

function tendon(...words: string[]) {
  return spawnSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...words], { encoding: 'utf8' });
}

describe('help', () => {
  it('knows all commands', () => {
    const names = program.commands.map((command) => command.name());
    for (const name of [
      'view',
      'build',
      'inspect',
      'convert',
      'scene',
      'simulate',
      'deform',
      'sweep',
      'worker',
      'verify',
      'bench',
    ])
      expect(names).toContain(name);
  });

  it.each(all.map((command) => [command.name(), command] as const))(
    '%s has an example that begins with its name',
    (_, command) => {
      const path = command.parent === program ? command.name() : `${command.parent!.name()} ${command.name()}`;
      expect(helpOf(command)).toMatch(new RegExp(`Examples?:[\\s\\S]*\\n {2}tendon ${path}\\b`));
    },
  );

  it.each(['simulate', 'scene'])('of %s names the scenes of every solver', (name) => {
    const help = helpOf(program.commands.find((command) => command.name() === name)!);
    for (const scene of sceneNames()) expect(help).toContain(scene);
    for (const scene of ['bar', 'pile-1600', 'stretch', 'crowd']) expect(sceneNames()).toContain(scene);
  });

  it.each(['sweep', 'worker'])(
    'of %s is what the process prints, which reads only the command it is asked for',
    (name) => {
      const run = tendon(name, '--help');
      expect(run.status).toBe(0);
      expect(run.stdout).toContain(`Usage: tendon ${name}`);
      expect(run.stdout).toMatch(new RegExp(`\\n {2}tendon ${name} `));
    },
  );

  it('of the program names every command there is, also where a command is misspelt or asked for by "help"', () => {
    const { status, stdout } = tendon('--help');
    expect(status).toBe(0);
    for (const command of program.commands) expect(stdout).toMatch(new RegExp(`\\n {2}${command.name()} `));
    const wrong = tendon('simulat');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('Did you mean simulate?');
    expect(tendon('help', 'simulate').stdout).toContain('Usage: tendon simulate');
  });
});
