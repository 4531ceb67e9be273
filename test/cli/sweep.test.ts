/** `tendon sweep` as a process: the grid, going on after a kill, and a queue on a real Redis with workers of which one is killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSweep } from '../../cli/sweep/sweep-file.js';
import { ROOT } from '../support/source-rules.js';

const MAIN = join(ROOT, 'dist/cli/main.js');
const REDIS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));
/** Put there by tools/ensure-programs.mjs. */
const PACKAGES = join(ROOT, 'dist/queue-packages');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tendon-sweep-test-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string) => join(folder, name);
const tendon = (...words: string[]) => spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
const start = (...words: string[]) =>
  spawn(process.execPath, [MAIN, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: existsSync(PACKAGES) ? PACKAGES : ROOT,
  });
const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.on('exit', resolve));
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
};
const linesOf = (name: string) =>
  existsSync(at(name))
    ? readFileSync(at(name), 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
    : [];

function writeSweep(name: string, seconds: number, iterations: number[]): void {
  const vary = { 'material.density': [900, 1000], iterations };
  writeFileSync(at(name), JSON.stringify({ tendonSweep: 1, scene: 'pendulum', seconds, vary }));
}

/** Every run has one result, in the order of the grid. */
function expectWhole(name: string, count: number): void {
  const results = linesOf(`${name}.results.jsonl`).map((line) => JSON.parse(line));
  expect(new Set(results.map(({ id }) => id)).size).toBe(count);
  expect(results.length).toBe(count);
  expect(results.every(({ hash, error }) => /^[0-9a-f]{16}$/.test(hash) && error === undefined)).toBe(true);
  const table = readFileSync(at(`${name}.results.csv`), 'utf8')
    .trim()
    .split('\n');
  expect(table.length).toBe(count + 1);
  expect(table[0].startsWith('run,material.density,iterations,steps,')).toBe(true);
  expect(table.slice(1).map((row) => Number(row.split(',')[0]))).toEqual(results.map((_, i) => i));
}

describe('a sweep', () => {
  it('goes on where it was killed, with the hash of a run by itself', async () => {
    writeSweep('a.json', 0.1, [1, 2]);
    const child = start('sweep', at('a.json'), '--jobs', '1');
    await until(() => linesOf('a.results.jsonl').length > 0);
    child.kill('SIGKILL');
    await ended(child);
    expect(linesOf('a.results.jsonl').length).toBeLessThan(4);
    const { status, stdout } = tendon('sweep', at('a.json'));
    expect(status).toBe(0);
    expect(stdout).toMatch(/[123] of them done already/);
    expectWhole('a', 4);
    const alone = tendon(
      'simulate',
      'pendulum',
      '--seconds',
      '0.1',
      '--set',
      'material.density=900',
      '--set',
      'iterations=2',
    );
    const hash = /state ([0-9a-f]{16})/.exec(alone.stdout)?.[1];
    expect(readFileSync(at('a.results.csv'), 'utf8').split('\n')[2]).toContain(hash);
  });

  it.each([
    [{ tendonSweep: 1, scen: 'bar', vary: {} }, 'did you mean scene?'],
    [{ tendonSweep: 2, scene: 'bar', vary: {} }, 'tendonSweep'],
    [{ tendonSweep: 1, scene: 'bar', vary: { iterations: [] } }, 'vary/iterations'],
  ])('that is wrong says where: %j', (sweep, part) => {
    writeFileSync(at('bad.json'), JSON.stringify(sweep));
    expect(() => readSweep(at('bad.json'))).toThrow(part);
  });
});

const isReady = REDIS !== undefined && existsSync(join(PACKAGES, 'node_modules/bullmq'));
if (!isReady) console.log('skipped: the queue, redis-server or bullmq is not there');

describe.skipIf(!isReady)('a sweep over a queue', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('loses nothing and does nothing twice where one of three workers is killed in the middle of a run', async () => {
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    const quiet = ['--save', '', '--appendonly', 'no', '--dir', folder, '--bind', '127.0.0.1'];
    children.push(spawn(REDIS!, ['--port', String(port), ...quiet], { stdio: 'ignore' }));
    writeSweep('q.json', 0.5, [1, 2, 3]);
    const sweep = start('sweep', at('q.json'), '--queue', url);
    children.push(sweep);
    const done = ended(sweep);
    const begun: string[] = [];
    const workers = Array.from({ length: 3 }, (_, n) => {
      const worker = start('worker', '--queue', url, '--patience', '2');
      worker.stdout!.on('data', (text) => {
        for (const [, id] of String(text).matchAll(/begins (\d+)/g)) begun.push(`${n} ${id}`);
      });
      children.push(worker);
      return worker;
    });
    await until(() => begun.some((line) => line.startsWith('0 ')));
    workers[0].kill('SIGKILL');
    const lost = begun.find((line) => line.startsWith('0 '))!.slice(2);
    expect(await done).toBe(0);
    expectWhole('q', 6);
    // the run of the dead one was begun again by another
    expect(begun.filter((line) => line.endsWith(` ${lost}`)).length).toBe(2);
    workers[1].kill('SIGTERM');
    expect(await ended(workers[1])).toBe(0);
  }, 60_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
