/**
 * The documentation: every ```ts snippet of README.md and docs/ type-checks against the built package (imported as
 * 'tendon', as a user would), those of the README also run, and relative links lead somewhere. A snippet that cannot
 * run on its own is marked ```ts no-run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, readSources, type SourceFile } from './support/source-rules.js';

/** Ignored by git, and inside the package, so that 'tendon' resolves to the package itself. */
const FOLDER = join(ROOT, 'dist/snippets');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

interface Snippet {
  /** File name without ending. */
  readonly name: string;
  /** Where it stands. */
  readonly place: string;
  readonly code: string;
  readonly run: boolean;
}

/** Every ```ts fence of a document. */
function snippetsOf({ path, text }: SourceFile): Snippet[] {
  const stem = path.replace(/\.md$/, '').replace(/[^\w]+/g, '-');
  return [...text.matchAll(/^```ts(?!x)([^\n]*)\n([\s\S]*?)^```\s*$/gm)].map((match, number) => ({
    name: `${stem}-${number + 1}`,
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
    code: match[2],
    run: !match[1].includes('no-run'),
  }));
}

/** Compiles snippets in their own folder; returns the compiler's output, empty if all is well. */
function compile(folder: string, snippets: readonly Snippet[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compilerOptions = {
    rootDir: '.',
    outDir: 'out',
    noUnusedLocals: false,
    noUnusedParameters: false,
    declaration: false,
    sourceMap: false,
  };
  const up = folder
    .slice(ROOT.length)
    .split('/')
    .filter(Boolean)
    .map(() => '..')
    .join('/');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: `${up}/tsconfig.base.json`, compilerOptions, include: ['*.ts'] }),
  );
  // A snippet without imports would be a script, and share its names with the others.
  for (const { name, code } of snippets) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  const { stdout, stderr, status } = spawnSync(process.execPath, [TSC, '-p', folder], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** Runs a compiled snippet; what it wrote to stderr if it failed, empty if all is well. */
function run(folder: string, snippet: Snippet): string {
  const program = join(folder, 'out', `${snippet.name}.js`);
  const { status, signal, stderr } = spawnSync(process.execPath, [program], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 50_000,
  });
  return status === 0 ? '' : `${snippet.place}: ${signal ?? `exit code ${status}`}\n${stderr}`;
}

/** Relative links of a document that lead nowhere. Code is not looked at. */
function deadLinks({ path, text }: SourceFile, exists: (path: string) => boolean): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const dead: string[] = [];
  for (const [, target] of prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)) {
    if (/^[a-z][a-z+.-]*:/i.test(target) || target.startsWith('#')) continue;
    const file = decodeURIComponent(target.replace(/#.*$/, ''));
    if (!exists(posix.join(posix.dirname(path), file))) dead.push(`${path}: ${target}`);
  }
  return dead;
}

const readme: SourceFile[] = existsSync(join(ROOT, 'README.md'))
  ? [{ path: 'README.md', text: readFileSync(join(ROOT, 'README.md'), 'utf8') }]
  : [];
const documents = [...readme, ...readSources('docs', ['.md'])];
const others = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
  .filter((path) => existsSync(join(ROOT, path)))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

afterAll(() => rmSync(join(ROOT, 'dist/snippets-bad'), { recursive: true, force: true }));

describe('the checks themselves', () => {
  const fence = '```';
  const text = `a\n${fence}ts\nconst x = 1;\n${fence}\n${fence}ts no-run\ny();\n${fence}\n${fence}js\nz();\n${fence}\n`;

  it('find the snippets', () => {
    expect(snippetsOf({ path: 'docs/a b.md', text })).toEqual([
      { name: 'docs-a-b-1', place: 'docs/a b.md:2', code: 'const x = 1;\n', run: true },
      { name: 'docs-a-b-2', place: 'docs/a b.md:5', code: 'y();\n', run: false },
    ]);
  });

  it('find a snippet with a wrong type, a wrong name from the package, or a failing run', () => {
    const folder = join(ROOT, 'dist/snippets-bad');
    mkdirSync(dirname(folder), { recursive: true });
    const make = (name: string, code: string): Snippet => ({ name, place: name, code, run: true });
    const good = make('good', "import { TendonError } from 'tendon';\nif (!TendonError) throw new Error('none');");
    expect(compile(folder, [good])).toBe('');
    expect(run(folder, good)).toBe('');
    const bad = [
      make('type', "const x: number = 'text';\nconsole.log(x);"),
      make('name', "import { noSuchThing } from 'tendon';\nnoSuchThing();"),
    ];
    const output = compile(folder, bad);
    expect(output).toContain('type.ts');
    expect(output).toContain('noSuchThing');
    const failing = make('failing', "throw new Error('on purpose');");
    expect(compile(folder, [failing])).toBe('');
    expect(run(folder, failing)).toContain('on purpose');
  });

  it('find dead links', () => {
    const exists = (path: string) => path === 'docs/b.md';
    const links = '[a](b.md#part) [b](https://x.y) [c](#here) `[d](code.md)` ![e](gone.png) [f](../gone.md "title")';
    expect(deadLinks({ path: 'docs/a.md', text: links }, exists)).toEqual([
      'docs/a.md: gone.png',
      'docs/a.md: ../gone.md',
    ]);
  });
});

describe('documentation', () => {
  it('has a README with a program in it', () => {
    expect(readme.length, 'README.md is missing').toBe(1);
    expect(snippetsOf(readme[0]).filter((snippet) => snippet.run).length).toBeGreaterThan(0);
  });

  it('has only snippets that type-check, and the README only programs that run', () => {
    const snippets = documents.flatMap(snippetsOf);
    expect(compile(FOLDER, snippets.length > 0 ? snippets : [{ name: 'none', place: '', code: '', run: false }])).toBe(
      '',
    );
    const failures = readme
      .flatMap(snippetsOf)
      .filter((snippet) => snippet.run)
      .map((snippet) => run(FOLDER, snippet));
    expect(failures.filter((failure) => failure !== '')).toEqual([]);
  });

  it('has an entry in docs/papers.md for every paper that is cited anywhere', () => {
    const known = new Set(
      [...readFileSync(join(ROOT, 'docs/papers.md'), 'utf8').matchAll(/^\| (\w+) \|/gm)].map((row) => row[1]),
    );
    expect(known.size).toBeGreaterThan(10);
    const folders = ['src', 'assembly', 'three', 'viewer', 'host', 'cli', 'bench', 'scenes', 'docs', 'test'];
    const files = folders.flatMap((folder) => readSources(folder, ['.ts', '.md']));
    const cited = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\[([A-Z][A-Za-z]+\d{4})[\], ]/g)].map((match) => ({ path, key: match[1] })),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ key }) => !known.has(key))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const exists = (path: string) => existsSync(join(ROOT, path));
    expect([...documents, ...others].flatMap((document) => deadLinks(document, exists))).toEqual([]);
  });

  it('has a reference of every part of the package, under the name it is imported by', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'tools/docs-site/typedoc.json'), 'utf8'));
    const named = (entryPoints as string[]).map((path) => {
      const text = readFileSync(join(ROOT, 'tools/docs-site', path), 'utf8');
      return /@module (\S+)/.exec(text)?.[1];
    });
    // workers and package.json have no names to import
    const parts = Object.keys(exports).filter((path) => !/worker$|json$/.test(path));
    expect(named.sort()).toEqual(parts.map((path) => `tendon${path.slice(1)}`).sort());
  });

  it('is packed with all that it links to', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const packed = new Set((JSON.parse(stdout)[0].files as { path: string }[]).map(({ path }) => path));
    const shipped = [...documents, ...others].filter(({ path }) => packed.has(path));
    expect(shipped.map(({ path }) => path)).toContain('docs/three.md');
    expect(shipped.flatMap((document) => deadLinks(document, (path) => packed.has(path)))).toEqual([]);
  });
});
