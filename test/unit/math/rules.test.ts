/** The rules of the folder that a machine can check: deterministic operations only, and no allocation. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../src/math/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));

/** The code of a file without its comments (no string in this folder contains a comment mark). */
function code(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*/g, '');
}

describe('src/math', () => {
  it('has the files this test is about', () => {
    expect(files).toContain('svd3.ts');
    expect(files).toContain('polar3.ts');
    expect(files.length).toBeGreaterThanOrEqual(8);
  });

  // An engine is free in the last bits of every other function of Math, and of **. trig.ts and random.ts keep the rule
  // too: they are written in terms of these.
  it.each(files)('%s uses of Math only what is exact or correctly rounded', (name) => {
    const used = Array.from(code(name).matchAll(/\bMath\s*\.\s*(\w+)/g), (match) => match[1]);
    expect(used.filter((member) => !['sqrt', 'abs', 'floor', 'imul', 'PI', 'LN2'].includes(member))).toEqual([]);
    // No way around the list: no Math[...] and no destructuring.
    expect(code(name)).not.toMatch(/\bMath\b(?!\s*\.)/);
    expect(code(name)).not.toMatch(/\*\*/);
    expect(code(name)).not.toMatch(/\b(Date|performance|crypto)\b/);
  });

  it.each(files.filter((name) => name !== 'random.ts'))('%s allocates nothing', (name) => {
    // Construction, array and object literals, and closures; types and imports may have braces, values may not.
    expect(code(name)).not.toMatch(/\bnew\b|=>|\.\.\.|[=(,:?]\s*\[|return\s*[[{]|[=(]\s*\{/);
  });
});
