/** `tendon simulate -o` as a process: what it writes, what an interruption and a kill leave behind, and going on from a snapshot. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetPath, hasAssets } from '../support/assets.js';
import { playGlb } from '../support/checks/play-glb.js';
import { ROOT } from '../support/source-rules.js';

const MAIN = join(ROOT, 'dist/cli/main.js');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tendon-bake-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string) => join(folder, name);

function simulate(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, 'simulate', ...words], { encoding: 'utf8' });
}

/** Counts of a PC2 file, and whether it is as long as they say. */
function readPc2(path: string) {
  const bytes = readFileSync(path);
  const [vertices, frames] = [bytes.readInt32LE(16), bytes.readInt32LE(28)];
  expect(bytes.length).toBe(32 + 12 * vertices * frames);
  const position = (frame: number, v: number) =>
    [0, 1, 2].map((k) => bytes.readFloatLE(32 + 12 * (vertices * frame + v) + 4 * k));
  return { vertices, frames, first: bytes.readFloatLE(20), position };
}

const hashOf = (stdout: string) => /state ([0-9a-f]{16})/.exec(stdout)?.[1];

describe('a bake', () => {
  it('writes all formats at once, frame by frame', () => {
    const outputs = ['a.pc2', 'a.mdd', 'a.usda', 'a.csv', 'a.obj', 'a.vtp'].flatMap((name) => ['-o', at(name)]);
    const { status, stdout, stderr } = simulate('pendulum', '--seconds', '0.5', '--fps', '20', ...outputs);
    expect(stderr + stdout).not.toContain('Error');
    expect(status).toBe(0);
    const { frames, vertices, position } = readPc2(at('a.pc2'));
    expect(frames).toBe(11);
    const mdd = readFileSync(at('a.mdd'));
    expect([mdd.readInt32BE(0), mdd.readInt32BE(4)]).toEqual([11, vertices]);
    expect(mdd.readFloatBE(8 + 40)).toBeCloseTo(0.5, 6);
    // the same vertex in both, and it has fallen
    const last = [0, 1, 2].map((k) => mdd.readFloatBE(8 + 44 + 12 * (10 * vertices + 1) + 4 * k));
    expect(last).toEqual(position(10, 1));
    expect(readdirSync(folder).filter((name) => /^a\.\d{4}\.obj$/.test(name)).length).toBe(11);
    expect(readdirSync(folder).filter((name) => /\.(part|whole)$/.test(name))).toEqual([]);
    // bones of the table move as the vertices do: y of the centre of mass falls
    const rows = readFileSync(at('a.csv'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(',bone,'))
      .map((line) => Number(line.split(',')[5]));
    expect(rows.length).toBe(11);
    expect(rows[10]).toBeLessThan(rows[0]);
  });

  it('goes on from a snapshot as if it had never stopped', () => {
    const whole = simulate('bar', '--seconds', '0.4', '--set', 'iterations=3', '-o', at('whole.pc2'));
    simulate(
      'bar',
      '--seconds',
      '0.2',
      '--set',
      'iterations=3',
      '-o',
      at('half.pc2'),
      '--snapshot',
      at('half.snapshot'),
    );
    const rest = simulate(
      'bar',
      '--seconds',
      '0.4',
      '--set',
      'iterations=3',
      '-o',
      at('rest.pc2'),
      '--resume',
      at('half.snapshot'),
    );
    expect(rest.status).toBe(0);
    expect(hashOf(rest.stdout)).toBe(hashOf(whole.stdout));
    const [all, end] = [readPc2(at('whole.pc2')), readPc2(at('rest.pc2'))];
    expect(end.first).toBe(6);
    expect(end.position(end.frames - 1, 3)).toEqual(all.position(all.frames - 1, 3));
  });

  it.skipIf(!hasAssets('RiggedSimple.glb'))("is of a character's own skin, moved by its clip", () => {
    const { status, stdout } = simulate(
      assetPath('RiggedSimple.glb'),
      '--clip',
      'clip 0',
      '--seconds',
      '0.5',
      '-o',
      at('skin.pc2'),
      '-o',
      at('skin.glb'),
    );
    expect(stdout).toContain('wrote');
    expect(status).toBe(0);
    const { vertices, position } = readPc2(at('skin.pc2'));
    // the vertices of the file itself: 160 in its one mesh
    expect(vertices).toBe(160);
    const moved = Array.from({ length: vertices }, (_, v) =>
      Math.hypot(...position(0, v).map((x, k) => x - position(15, v)[k])),
    );
    expect(Math.max(...moved)).toBeGreaterThan(0.1);
    // the same places in the .glb, to its tolerance
    const played = playGlb(new Uint8Array(readFileSync(at('skin.glb'))), 'Cylinder');
    expect(played.length).toBe(16);
    const off = Array.from({ length: vertices }, (_, v) =>
      Math.hypot(...position(15, v).map((x, k) => x - played[15][3 * v + k])),
    );
    expect(Math.max(...off)).toBeLessThan(5e-4 * 8);
  });

  it('of a scene as .glb is as true as it says, whatever falls on whatever', () => {
    const { status, stdout } = simulate('ragdoll', '--seconds', '1', '-o', at('fall.pc2'), '-o', at('fall.glb'));
    expect(status).toBe(0);
    const { vertices, frames, position } = readPc2(at('fall.pc2'));
    const played = playGlb(new Uint8Array(readFileSync(at('fall.glb'))), 'human skin');
    expect(played.length).toBe(frames);
    let worst = 0;
    for (let frame = 0; frame < frames; frame++) {
      for (let v = 0; v < vertices; v++) {
        const place = position(frame, v);
        worst = Math.max(worst, Math.hypot(...place.map((x, k) => x - played[frame][3 * v + k])));
      }
    }
    // a two-thousandth of a body of 1.7 m, and the 16 bits of its offsets
    expect(worst).toBeLessThan(1e-3);
    const said = Number(/off by at most ([\d.e+-]+) mm/.exec(stdout)?.[1]) / 1000;
    expect(Math.abs(worst - said)).toBeLessThan(3e-4);
  });

  it.each([
    [['nobody'], 1, 'E_UNKNOWN'],
    [['bar', '-o', 'x.doc'], 1, '.webm'],
    [['bar', '-o', 'nowhere/x.glb'], 1, 'no such folder'],
    [['bar', '--dt', '0.01', '-o', 'x.pc2'], 1, 'whole number of steps'],
    [['bar', '--set', 'material.youngModuls=1'], 1, 'did you mean material.youngModulus'],
    [['bar', '--clip', 'Walk'], 1, '--clip'],
    [['bar', '--fps', '0'], 1, '--fps'],
    [['bar', '--solver', 'magic'], 1, 'magic'],
    [['bar', '--resume', 'missing.snapshot'], 1, 'missing.snapshot'],
    [['bar', '-o', '/proc/nowhere/x.pc2'], 1, 'x.pc2'],
    [['bar', '--sideways'], 2, 'sideways'],
  ])('that cannot be says why: %j', (words, code, part) => {
    const { status, stderr } = simulate(...words);
    expect(stderr).toContain(part);
    expect(status).toBe(code);
  });
});

describe('a run that ends early', () => {
  /** Starts a long bake and waits until its first frames are written. */
  async function begin(output: string, ...words: string[]) {
    const args = [MAIN, 'simulate', 'jelly-bar', '--seconds', '600', '-o', at(output), ...words];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.on('exit', (code, signal) => resolve({ code, signal }));
    });
    const isGrowing = () =>
      readdirSync(folder).some((name) => name.startsWith(output) && readFileSync(at(name)).length > 100_000);
    while (!isGrowing()) await new Promise((resolve) => setTimeout(resolve, 20));
    return { child, ended };
  }

  it('by Ctrl-C leaves what was baked, complete, and a snapshot that leads to where one long run does', async () => {
    const { child, ended } = await begin('cut.pc2');
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(readPc2(at('cut.pc2')).frames).toBeGreaterThan(1);
    const seconds = String(Number(/interrupted at ([\d.]+) s/.exec(said)?.[1]) + 0.1);
    const hashAfter = (...words: string[]) => hashOf(simulate('jelly-bar', '--seconds', seconds, ...words).stdout);
    const whole = hashAfter('-o', at('whole.pc2'));
    expect(whole).toBeDefined();
    expect(hashAfter('-o', at('rest.pc2'), '--resume', at('cut.pc2.snapshot'))).toBe(whole);
  });

  it('by kill -9 leaves the name with what it held', async () => {
    writeFileSync(at('kept.pc2'), 'before');
    const { child, ended } = await begin('kept.pc2');
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    expect(readFileSync(at('kept.pc2'), 'utf8')).toBe('before');
  });

  it('by a listener that goes away does not: files are written to their end', async () => {
    const args = [MAIN, 'simulate', 'pendulum', '--seconds', '0.3', '-o', at('piped.pc2')];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    expect(readPc2(at('piped.pc2')).frames).toBe(10);
  });
});
