/** What three/index.ts exports is what docs/three.md lists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, stripComments } from '../../support/source-rules.js';

it('exports what docs/three.md lists', () => {
  const code = stripComments(readFileSync(join(ROOT, 'three/index.ts'), 'utf8'), true);
  const exported = [...code.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, names]) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type\s+/, ''))
      .filter((name) => name !== ''),
  );
  const [, names] = readFileSync(join(ROOT, 'docs/three.md'), 'utf8').split('## Names');
  const listed = [...names.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(exported.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(exported.sort());
});
