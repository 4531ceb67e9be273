/** The public API: what src/index.ts exports is what docs/api.md lists, and every name has a doc comment. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, stripComments } from './support/source-rules.js';

interface ExportedName {
  /** The name users import. */
  readonly name: string;
  /** The name it has in its file. */
  readonly local: string;
  /** The file it comes from, as written, or undefined if it is declared here. */
  readonly from: string | undefined;
}

/** Names exported by a module that only has `export { ... } from` and plain declarations. */
function exportsOf(text: string): ExportedName[] {
  const code = stripComments(text, true);
  const names: ExportedName[] = [];
  for (const match of code.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*['"]([^'"]+)['"])?/g)) {
    for (const part of match[1].split(',')) {
      const words = part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/);
      if (words[0] !== '') names.push({ name: words[words.length - 1], local: words[0], from: match[2] });
    }
  }
  const declaration =
    /export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|const|let)\s+([A-Za-z_$][\w$]*)/g;
  for (const match of code.matchAll(declaration)) names.push({ name: match[1], local: match[1], from: undefined });
  return names;
}

/** Names in the first column of every table, in backticks. */
function tableNames(markdown: string): string[] {
  return [...markdown.matchAll(/^\|\s*`([^`]+)`\s*\|/gm)].map((match) => match[1]);
}

/** True when the declaration of `name` is preceded by a doc comment. */
function hasDocComment(text: string, name: string): boolean {
  const declaration = new RegExp(
    `^(?:export\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(?:function\\*?|class|interface|type|const|let)\\s+${name}\\b`,
    'm',
  );
  const at = text.search(declaration);
  if (at < 0) return false;
  const before = text.slice(0, at).trimEnd();
  if (!before.endsWith('*/')) return false;
  const comment = before.slice(before.lastIndexOf('/*'));
  return comment.startsWith('/**') && /[A-Za-z]{2}/.test(comment);
}

/** Follows re-exports to the declaration; names that have no doc comment there. */
function undocumented(path: string, wanted: string | undefined, read: (path: string) => string): string[] {
  const missing: string[] = [];
  for (const { name, local, from } of exportsOf(read(path))) {
    if (wanted !== undefined && name !== wanted) continue;
    if (from === undefined) {
      if (!hasDocComment(read(path), local)) missing.push(`${local} in ${path}`);
    } else {
      const target = posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts');
      missing.push(...undocumented(target, local, read));
    }
  }
  return missing;
}

const index = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');

describe('the checks themselves', () => {
  const files: Record<string, string> = {
    'src/index.ts': "export { a, type B, c as d } from './x.js';\nexport type { E } from './x.js';",
    'src/x.ts':
      "/** Does a. */\nexport function a() {}\nexport interface B {}\n/* not a doc comment */\nexport const c = 1;\nexport { type E } from './y.js';",
    'src/y.ts': '/** What e is. */\nexport type E = number;',
  };
  const read = (path: string) => files[path];

  it('find all exports', () => {
    expect(exportsOf(files['src/index.ts']).map(({ name }) => name)).toEqual(['a', 'B', 'd', 'E']);
    expect(exportsOf(files['src/x.ts']).map(({ name }) => name)).toEqual(['E', 'a', 'B', 'c']);
    expect(exportsOf("// export { a } from './x.js'\n")).toEqual([]);
  });

  it('find names without a doc comment', () => {
    expect(undocumented('src/index.ts', undefined, read)).toEqual(['B in src/x.ts', 'c in src/x.ts']);
  });

  it('read the table', () => {
    expect(tableNames('| Name | What |\n| --- | --- |\n| `a` | does `b` |\n|`C`| x |\ntext `d`')).toEqual(['a', 'C']);
  });
});

describe('src/index.ts', () => {
  it('exports names one by one, each once', () => {
    expect(stripComments(index)).not.toMatch(/export\s*\*/);
    const names = exportsOf(index).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name, k) => names.indexOf(name) !== k)).toEqual([]);
  });

  it('exports what docs/api.md lists', () => {
    const path = join(ROOT, 'docs/api.md');
    expect(existsSync(path), 'docs/api.md is missing').toBe(true);
    const listed = tableNames(readFileSync(path, 'utf8'));
    expect(listed.filter((name, k) => listed.indexOf(name) !== k)).toEqual([]);
    expect(listed.sort()).toEqual(
      exportsOf(index)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('exports nothing without a doc comment', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    expect(undocumented('src/index.ts', undefined, read)).toEqual([]);
  });
});
