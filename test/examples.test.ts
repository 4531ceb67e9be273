/** The example programs: short, and right for the package as it is built. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { importsOf, ROOT, readSources, stripComments } from './support/source-rules.js';

const FOLDER = join(ROOT, 'dist/examples-check');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const examples = readSources('examples', ['.ts']);

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('examples', () => {
  it('type-check against the built package', () => {
    expect(examples.length).toBeGreaterThan(0);
    mkdirSync(FOLDER, { recursive: true });
    const tsconfig = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { noEmit: true, declaration: false, sourceMap: false },
      include: ['../../examples/*.ts'],
    };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(tsconfig));
    const { stdout, stderr, status } = spawnSync(process.execPath, [TSC, '-p', FOLDER], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });

  it('import only what users can', () => {
    for (const file of examples) expect(importsOf(file).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('go from a GLB to a soft body in at most 15 lines', () => {
    const { text } = examples.find(({ path }) => path.endsWith('three-glb.ts'))!;
    const lines = stripComments(text, true)
      .split('\n')
      .filter((line) => line.trim() !== '');
    expect(lines.length).toBeLessThanOrEqual(15);
  });
});
