/** Commands as processes, those that other tests here call from within: each does its work, says so and ends with 0. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assetPath, hasAssets } from '../support/assets.js';
import { ROOT } from '../support/source-rules.js';

const MAIN = join(ROOT, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'tendon-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function tendon(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', cwd: folder });
}

function hashOf(scene: string): string | undefined {
  const { stdout } = tendon('simulate', scene, '--seconds', '0.05');
  return /state ([0-9a-f]{16})/.exec(stdout)?.[1];
}

describe('as a process', () => {
  it('scene writes a file that runs as the scene does, and whose mistakes are told with its name', () => {
    const { status, stdout } = tendon('scene', 'flexing-arm');
    expect(status).toBe(0);
    writeFileSync(join(folder, 'arm.json'), stdout);
    expect(hashOf('arm.json')).toMatch(/^[0-9a-f]{16}$/);
    expect(hashOf('arm.json')).toBe(hashOf('flexing-arm'));
    writeFileSync(join(folder, 'wrong.json'), stdout.replace('"strength"', '"strenght"'));
    const wrong = tendon('simulate', 'wrong.json');
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(
      /^wrong\.json: E_FORMAT at bodyDefs\/.*\/strenght: no such field; did you mean strength/,
    );
  });

  it('verify compares', () => {
    const { status, stdout } = tendon('verify', '--case', 'V35');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^case +solver +what +formula +expected +got/);
    expect(stdout).toMatch(/V35.*\|U S Vᵀ − F\|.*pass/);
  });

  it('convert, inspect and build go from a scene to a character', () => {
    expect(tendon('convert', 'scene:pendulum', 'rod.node').status).toBe(0);
    expect(tendon('inspect', 'rod.node').stdout).toMatch(/25 tets/);
    expect(tendon('build', 'rod.node', '-o', 'rod.glb').status).toBe(0);
    expect(readFileSync(join(folder, 'rod.glb')).toString('latin1', 0, 4)).toBe('glTF');
  });

  it.skipIf(!hasAssets('RiggedSimple.glb'))('deform writes an animation', () => {
    const { status } = tendon(
      'deform',
      assetPath('RiggedSimple.glb'),
      '--cells',
      '300',
      '--frames',
      '0-1',
      '-o',
      'd.glb',
    );
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'd.glb')).toString('latin1', 0, 4)).toBe('glTF');
  });

  it('view serves the page until it is ended', async () => {
    const child = spawn(process.execPath, [MAIN, 'view', '--port', '0', '--no-open'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        const found = /http:\/\/\S+/.exec(String(text));
        if (found) resolve(found[0]);
      });
      void ended.then(() => reject(new Error('it ended by itself')));
    });
    expect(await (await fetch(address)).text()).toContain('<!doctype html>');
    child.kill('SIGTERM');
    await ended;
  });
});
