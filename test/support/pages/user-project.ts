/**
 * A project of somebody who uses the package: an empty folder with what `npm pack` makes of the repository in its node_modules,
 * the packages it needs beside it, and one page. What works here works outside the repository.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../source-rules.js';

export interface UserProject {
  readonly folder: string;
  /** Puts a file there. */
  write(path: string, contents: string | Uint8Array): void;
  remove(): void;
}

/** Makes a project with the packed library and the named packages; dist/ must have been built. */
export function makeUserProject(packages: readonly string[]): UserProject {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-user-'));
  const write = (path: string, contents: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  };
  write('package.json', '{ "name": "user", "private": true, "type": "module" }');
  const home = join(folder, 'node_modules/tendon');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['xzf', packLibrary(), '-C', home, '--strip-components', '1']);
  for (const name of packages) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), target, 'dir');
  }
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

let packed: string | undefined;

/** What `npm pack` makes of the repository, once for all files of a test process. */
function packLibrary(): string {
  if (packed !== undefined) return packed;
  const folder = mkdtempSync(join(tmpdir(), 'tendon-packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  packed = join(folder, execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }).trim());
  return packed;
}
