/** `tendon verify`: cases can fail, the document has all of them, and the command runs as a process. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERIFY_CASES } from '../../../bench/verify/verify.js';
import { runCase } from '../../../bench/verify/verify-case.js';
import { ROOT } from '../../support/source-rules.js';

it('a case whose number is wrong, missing or thrown at fails', async () => {
  const known = { ...VERIFY_CASES[0], expected: 1, tolerance: 0.1 };
  expect((await runCase({ ...known, run: async () => 1.05 })).pass).toBe(true);
  expect((await runCase({ ...known, run: async () => 1.2 })).pass).toBe(false);
  expect((await runCase({ ...known, run: async () => Number.NaN })).pass).toBe(false);
  const thrown = () => Promise.reject(new Error('as it should'));
  expect((await runCase({ ...known, run: thrown })).pass).toBe(false);
});

it('docs/verification.md has every case, and none that fails', () => {
  const text = readFileSync(join(ROOT, 'docs/verification.md'), 'utf8');
  for (const { name } of VERIFY_CASES) expect(text).toContain(`| ${name} |`);
  expect(text.match(/\| pass \|/g)?.length).toBe(VERIFY_CASES.length);
});

it('runs as a process, as table and as JSON', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), 'verify', ...words], { encoding: 'utf8' });
  const { status, stdout } = run('--json', '--case', 'V06');
  expect(status).toBe(0);
  const result = JSON.parse(stdout.trim());
  expect(result).toMatchObject({ id: 'V06', pass: true, unit: 'rad' });
  // the independent program of the verification data
  expect(result.got).toBeCloseTo(-2.2072303765, 8);
  expect(run('--case', 'V99').status).toBe(1);
});
