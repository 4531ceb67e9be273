/** The parts of `tendon bench` that no other test here runs as a process, each with the least it can be asked for: one line of numbers, and 0. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetPath, hasAssets } from '../support/assets.js';
import { ROOT } from '../support/source-rules.js';

function bench(...words: string[]) {
  return spawnSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), 'bench', ...words], { encoding: 'utf8' });
}

describe('bench, as a process', () => {
  it.each([
    ['coupled --scene ball-row --frames 1 --json', 'frameMs'],
    ['lattice --case falling-limb --frames 1 --json', 'cycleMs'],
    ['truth --scene bar --json', 'error'],
    ['truth --scene bar --json', 'iterationCost'],
    ['active --steps 2 --json', 'stepMs'],
    ['depth jelly-drop --steps 2 --json', 'steps'],
    ['chain --bones 3 --json', 'gap'],
    ['contact --share --steps 1 --json', 'share'],
    ['hands human --acts 1 --json', 'steps'],
    ['skeletons --count 1 --steps 5 --json', 'gap'],
    ['worlds --count 1 --steps 5 --json', 'gain'],
  ])('%s prints its numbers', (words, name) => {
    const { status, stdout } = bench(...words.split(' '));
    expect(status).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n')[0])[name]).toBeGreaterThanOrEqual(0);
  });

  it.skipIf(!hasAssets('RiggedSimple.glb')).each([
    ['layered --json --ready', 'readyMs'],
    ['deform --cells 300 --frames 1 --json', 'volume'],
    ['matrix --tets 200 --json', 'steps'],
  ])('%s MODEL prints its numbers', (words, name) => {
    const { status, stdout } = bench(...words.split(' '), assetPath('RiggedSimple.glb'));
    expect(status).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n')[0])[name]).toBeGreaterThan(0);
  });

  it('peers runs what is there, and says what is left out', () => {
    const { status, stdout, stderr } = bench('peers', '--no-install', '--into', join(ROOT, 'dist/none'), '--json');
    expect(status).toBe(0);
    expect(stderr).toContain('jolt-physics is not in');
    expect(JSON.parse(stdout.trim().split('\n')[0]).name).toMatch(/^Tendon/);
  });

  it('gradient prints how long one took', () => {
    const { status, stdout } = bench('gradient', '--steps', '1', '--rounds', '1', '--no-differences');
    expect(status).toBe(0);
    expect(stdout).toMatch(/90 numbers +rollout \d+ ms, gradient \d+ ms/);
  });

  it.each([
    ['table1 --scene cube', 'bar'],
    ['truth --scene cube', 'bar'],
    ['lattice --case cube', 'cube-32'],
    ['coupled --scene cube', 'ball-row'],
    ['large --thousands 3', '98'],
    ['hands cube', 'human'],
  ])('%s is told with what there is, instead of nothing', (words, known) => {
    const { status, stderr } = bench(...words.split(' '));
    expect(stderr).toMatch(new RegExp(`^E_UNKNOWN at .*\\b${known}\\b`));
    expect(status).toBe(1);
  });
});
