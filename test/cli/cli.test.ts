/** The command line as a user meets it: the compiled program in its own process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildHuman } from '../../scenes/cast/human.js';
import { buildFromTets } from '../../src/character/build/surfaces/plain.js';
import { writeCharacter } from '../../src/character-index.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tendon-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function tendon(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', cwd: folder });
}

describe('tendon simulate', () => {
  it('runs a scene, reports and writes one record per step', () => {
    const { status, stdout, stderr } = tendon(
      'simulate',
      'pendulum',
      '--seconds',
      '0.5',
      '--dt',
      '0.01',
      '--stats',
      'stats.json',
    );
    expect(stderr).toContain('100 %');
    expect(status).toBe(0);
    expect(stdout).toContain('50 steps, 0.50 s simulated');
    const stats = JSON.parse(readFileSync(join(folder, 'stats.json'), 'utf8'));
    expect(stats.scene).toBe('pendulum');
    expect(stats.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(stdout).toContain(stats.hash);
    expect(stats.steps).toHaveLength(50);
    const errors = ['angularDrift', 'inverted', 'jointGap', 'momentumDrift', 'residual', 'rigidity', 'volume'];
    const contact = ['contacts', 'droppedContacts', 'penetration', 'unswept'];
    expect(Object.keys(stats.steps[0]).sort()).toEqual([...errors, ...contact, 'ms', 'time'].sort());
    expect(stats.steps[49].time).toBeCloseTo(0.5, 12);
    for (const step of stats.steps) expect(step.jointGap).toBeLessThan(1e-9 * stats.bodySize);
  });

  it('takes settings, and they matter', () => {
    const hash = (...set: string[]) => {
      const { status, stdout } = tendon(
        'simulate',
        'jelly-bar',
        '--seconds',
        '0.05',
        ...set.flatMap((s) => ['--set', s]),
      );
      expect(status).toBe(0);
      return stdout.match(/state ([0-9a-f]{16})/)?.[1];
    };
    const plain = hash();
    expect(hash()).toBe(plain);
    expect(hash('threads=2')).toBe(plain);
    const others = ['iterations=3', 'gravity=0,0,0', 'integrator=bdf2', 'damping=5', 'material.youngModulus=1e4'].map(
      (s) => hash(s),
    );
    expect(new Set([plain, ...others]).size).toBe(6);
  });

  it('takes a character file, hung by its root or by the bone that is named', async () => {
    const { positions, tets } = buildHuman({ cell: 0.09 });
    const character = buildFromTets({ positions, tets }, { name: 'small' });
    writeFileSync(join(folder, 'small.glb'), await writeCharacter(character));
    const { status, stdout, stderr } = tendon('simulate', './small.glb', '--seconds', '0.1');
    expect(stderr).not.toContain('E_');
    expect(status).toBe(0);
    expect(stdout).toContain('The character small, held');
    expect(tendon('simulate', './small.glb', '--hang', 'nonsense').stderr).toMatch(/E_UNKNOWN at hang/);
    expect(tendon('simulate', './missing.glb').status).toBe(1);
  });

  it.each([
    [['simulate', 'nonsense'], 1, /E_UNKNOWN at scene.*bar, snail/],
    [['simulate', 'bar', '--set', 'magic=1'], 1, /E_UNKNOWN at --set.*iterations/],
    [['simulate', 'bar', '--set', 'iterations=many'], 1, /E_FORMAT/],
    [['simulate', 'bar', '--set', '__proto__=1'], 1, /E_UNKNOWN/],
    [['simulate', 'bar', '--seconds', '-1'], 1, /E_RANGE at --seconds/],
    [['simulate', 'bar', '--dt', '1'], 1, /E_RANGE/],
    [['simulate'], 2, /missing required argument/],
    [['simulate', 'bar', '--nonsense'], 2, /unknown option/],
    [['dance'], 2, /unknown command/],
    [['bench', 'table1', '--scene', 'nonsense'], 1, /E_UNKNOWN at --scene/],
    [['bench', 'soak', 'pendulum', 'nonsense'], 1, /E_UNKNOWN at scene/],
    [['bench', 'soak', 'pendulum', '--steps', 'many'], 1, /E_NOT_FINITE at --steps/],
    [['bench', 'soak', 'pendulum', '--threads', '0'], 1, /E_RANGE at .*threads/],
  ])('says what is wrong with %j', (args, code, message) => {
    const { status, stderr } = tendon(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(code);
  });

  it('leaves nothing behind where the output cannot be written', () => {
    const before = readdirSync(folder);
    const { status, stderr } = tendon('simulate', 'pendulum', '--seconds', '0.05', '--stats', 'missing/stats.json');
    expect(status).toBe(1);
    expect(stderr).toContain('missing/stats.json');
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

describe('tendon bench', () => {
  it('prints one JSON object per scene', () => {
    const { status, stdout } = tendon('bench', 'table1', '--json', '--scene', 'bar', '--frames', '3');
    expect(status).toBe(0);
    const row = JSON.parse(stdout);
    expect(row).toMatchObject({ scene: 'bar', bones: 2, joints: 1, iterations: 20, threads: 1, paperTotalMs: 76 });
    for (const key of ['affineMs', 'jointMs', 'totalMs', 'pdMs']) {
      expect(row[key].min).toBeGreaterThan(0);
      expect(row[key].median).toBeGreaterThanOrEqual(row[key].min);
    }
    expect(row.jointGap).toBeLessThan(1e-9);
  });

  it('runs scenes for long and says what the worst of all frames was', () => {
    const { status, stdout } = tendon('bench', 'soak', 'chain', 'jelly-drop', '--steps', '60', '--json');
    expect(status).toBe(0);
    const [chain, drop] = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(chain).toMatchObject({ scene: 'chain', steps: 60, contacts: 0, penetration: 0, dropped: 0, unswept: 0 });
    // eight rods hang from a joint: closed to rounding, and not because nothing was measured
    expect(chain.jointGap).toBeGreaterThan(0);
    expect(chain.jointGap).toBeLessThan(1e-12);
    expect(drop.contacts).toBeGreaterThan(0);
    expect(drop.penetration).toBeGreaterThan(0);
    expect(drop.penetration).toBeLessThan(0.01);
    expect(tendon('bench', 'soak', 'chain', '--steps', '60').stdout).toMatch(
      new RegExp(`chain +60 +0\\.000 .* ${chain.hash}`),
    );
  });
});
