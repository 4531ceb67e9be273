/** `tendon bench scenes` in its own process, with a comparator that only pretends. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tendon-native-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Keeps the mesh it was given, and says it took 2.5 ms.
const RUN = `#!/bin/sh
cp "$1.node" "$1.ele" '${folder}'
echo "$2 $3" > '${folder}/arguments'
echo '{"vertices":1,"tets":1,"threads":1,"textbookMs":50,"optimisedMs":2.5,"amdNnz":9}'
`;
writeFileSync(join(folder, 'run'), RUN, { mode: 0o755 });

function tendon(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, 'bench', ...args], { encoding: 'utf8' });
}

describe('tendon bench scenes', () => {
  it('gives the comparator the tets of the scene and one thread, and relates the times', () => {
    const { status, stdout, stderr } = tendon('scenes', '--native', folder, '--scene', 'bar', '--json');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const row = JSON.parse(stdout);
    expect(row).toMatchObject({ scene: 'bar', tets: 7344, bones: 2, joints: 1, optimisedMs: 2.5, textbookMs: 50 });
    expect(row.ratio).toBeCloseTo(row.totalMs.min / 2.5, 12);
    expect(row.jointShare).toBeCloseTo(row.jointMs.min / row.totalMs.min, 12);
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe('1 20\n');
    expect(readFileSync(join(folder, 'mesh.node'), 'utf8').split('\n')[0]).toMatch(/^1715 3 /);
    const ele = readFileSync(join(folder, 'mesh.ele'), 'utf8').trim().split('\n');
    expect(ele[0]).toMatch(/^7344 4 0/);
    expect(ele).toHaveLength(7345);
  });

  it.each([
    [['scenes'], 2, /--native/],
    [['scenes', '--native', '/nowhere'], 1, /E_UNKNOWN at --native/],
    [['scenes', '--native', folder, '--scene', 'pendulum'], 1, /E_UNKNOWN at --scene.*mermaid/],
  ])('says what is wrong with %j', (args, code, message) => {
    const { status, stderr } = tendon(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(code);
  });
});
