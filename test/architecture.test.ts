/** The rules of ARCHITECTURE.md and of determinism, checked on the sources; each check is first tried on a bad example. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findArchitectureErrors,
  findEngineMath,
  findLeftovers,
  findLongFiles,
  findNondeterminism,
  findPlatformUses,
  findWrongImports,
  importsOf,
  ROOT,
  readSources,
  type SourceFile,
  stripComments,
} from './support/source-rules.js';

const src = readSources('src', ['.ts']);
const STEP_FOLDERS = ['math', 'kernels', 'linalg', 'body', 'collision', 'contact', 'solvers'];
/** In src/math, but only for building. */
const BUILDING = ['src/math/trig.ts', 'src/math/random.ts'];

function file(path: string, text: string): SourceFile {
  return { path, text };
}

describe('stripComments', () => {
  it('removes comments and the contents of strings, and nothing else', () => {
    const stripped = stripComments('a /* b ** c */ = \'Math.sin\' // d\n+ `e\nf` * "g\\"h";');
    expect(stripped.replace(/ +/g, ' ')).toBe('a = \' \' \n+ ` \n ` * " ";');
    expect(stripComments("x = 'kept'; // gone", true).trimEnd()).toBe("x = 'kept';");
  });
});

describe('imports', () => {
  it('point down', () => {
    expect(src.length).toBeGreaterThan(20);
    expect(findWrongImports(src)).toEqual([]);
  });

  it.each([
    ['up', 'src/math/a.ts', "import { x } from '../kernels/b.js';"],
    ['up, as a type', 'src/body/a.ts', "import type { x } from '../solvers/solver.js';"],
    ['up, dynamically', 'src/mesh/a.ts', "const x = await import('../io/obj.js');"],
    ['up, by re-export', 'src/linalg/a.ts', "export { x } from '../body/model.js';"],
    ['up, from a folder in a folder', 'src/kernels/reference/a.ts', "import { x } from '../../linalg/b.js';"],
    ['sideways', 'src/io/a.ts', "import { x } from '../scene/b.js';"],
    ['into another solver', 'src/solvers/projective/a.ts', "import { x } from '../layered/b.js';"],
    ['up, from below all', 'src/constants.ts', "import { x } from './math/vec3.js';"],
    ['to the top', 'src/solvers/solver.ts', "import { x } from '../world/world.js';"],
    ['out of src', 'src/io/a.ts', "import { x } from '../scenes/bar.js';"],
    ['from a place nobody knows', 'src/misc/a.ts', ''],
  ])('are refused when they point %s', (_name, path, text) => {
    expect(findWrongImports([file(path, text)]).length).toBe(1);
  });

  it.each([
    ['src/kernels/a.ts', "import { x } from '../math/vec3.js';"],
    ['src/solvers/projective/a.ts', "import { x } from '../solver.js';\nimport { y } from './b.js';"],
    ['src/math/a.ts', "import { x } from '../errors.js';\nimport { y } from './vec3.js';"],
    ['src/index.ts', "export { x } from './world/world.js';\nexport { y } from './io/obj.js';"],
    ['src/io/a.ts', "// import { x } from '../scene/b.js';"],
  ])('are allowed in %s: %s', (path, text) => {
    expect(findWrongImports([file(path, text)])).toEqual([]);
  });
});

describe('rooms beside src', () => {
  const rooms = ['host', 'three', 'viewer'].flatMap((folder) => readSources(folder, ['.ts', '.tsx']));

  it('keep the host under the page and the adapter, which do not know each other', () => {
    const forbidden: Readonly<Record<string, RegExp>> = { host: /^(three|viewer)\//, three: /^viewer\// };
    const wrong = rooms.flatMap((one) => {
      const rule = forbidden[one.path.split('/')[0]];
      const targets = importsOf(one).map((to) => (to.startsWith('.') ? posix.join(posix.dirname(one.path), to) : to));
      return targets.filter((to) => rule?.test(to)).map((to) => `${one.path}: ${to}`);
    });
    expect(rooms.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it('have at most 20 files side by side, as all rooms have', () => {
    const counts = new Map<string, number>();
    const others = ['src', 'cli', 'scenes', 'bench', 'test'].flatMap((folder) => readSources(folder, ['.ts', '.tsx']));
    for (const { path } of [...rooms, ...others])
      counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });
});

describe('platform', () => {
  it('is not touched under src', () => {
    expect(findPlatformUses(src)).toEqual([]);
  });

  it.each([
    "import { readFileSync } from 'node:fs';",
    "const fs = await import('node:fs');",
    "import { Mesh } from 'three';",
    "import { x } from 'three/addons/x.js';",
    'document.title = 1;',
    'const w = window.innerWidth;',
    "if (typeof window !== 'undefined') x();",
    'globalThis.document.body;',
  ])('is found in: %s', (text) => {
    expect(findPlatformUses([file('src/io/a.ts', text)]).length).toBe(1);
    expect(findPlatformUses([file('src/kernels/thread-pool.ts', text)])).toEqual([]);
  });

  it('is not found in words that only look like it', () => {
    const text = "// document.title\nconst documents = 'window.x'; scene.window.y; interface A { window: number }";
    expect(findPlatformUses([file('src/io/a.ts', text)])).toEqual([]);
  });
});

describe('determinism', () => {
  it('holds in the step: no function whose bits depend on the engine, no clock, no power', () => {
    const step = src.filter(({ path }) => STEP_FOLDERS.includes(path.split('/')[1]) && !BUILDING.includes(path));
    const kernels = readSources('assembly', ['.ts']);
    expect(step.length).toBeGreaterThan(10);
    expect(kernels.length).toBeGreaterThan(3);
    expect(findNondeterminism([...step, ...kernels])).toEqual([]);
  });

  it('holds in building too: nothing under src uses powers or functions that engines work out differently', () => {
    expect(findEngineMath(src)).toEqual([]);
    expect(
      findEngineMath([file('src/mesh/a.ts', 'y = x ** 2 + Math.atan2(a, b); t = performance.now();')]).length,
    ).toBe(2);
  });

  it.each([
    ...['sin', 'cos', 'tan', 'atan', 'atan2', 'exp', 'log', 'pow', 'hypot', 'cbrt', 'random'].map(
      (f) => `Math.${f}(x)`,
    ),
    'Date.now()',
    'performance.now()',
    'x ** 2',
    'x **= 2',
  ])('is missed by: %s', (text) => {
    expect(findNondeterminism([file('src/math/a.ts', `/** fine */\ny = ${text};`)]).length).toBe(1);
  });

  it('allows sqrt, comments and strings', () => {
    const text =
      "/** x ** 2, Math.sin */\ny = Math.sqrt(x) * Math.abs(z) * Math.min(1, 2); // Math.pow\nz = 'Date.now()';";
    expect(findNondeterminism([file('src/math/a.ts', text)])).toEqual([]);
  });
});

describe('files', () => {
  it('have at most 300 lines, half of them at most 200', () => {
    const files = ['src', 'assembly', 'cli', 'scenes', 'bench', 'tools'].flatMap((folder) =>
      readSources(folder, ['.ts', '.mjs']),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(findLongFiles(files, 300, 200)).toEqual([]);
  });

  it('are found when they are too long', () => {
    expect(findLongFiles([file('a.ts', 'x\n'.repeat(451)), file('b.ts', ''), file('c.ts', '')], 450, 200)).toEqual([
      'a.ts: 451 lines',
    ]);
    expect(findLongFiles([file('a.ts', 'x\n'.repeat(450)), file('b.ts', '')], 450, 450)).toEqual([]);
    expect(findLongFiles([file('a.ts', 'x\n'.repeat(201)), file('b.ts', 'x\n'.repeat(201))], 450, 200).length).toBe(1);
  });

  it('hold nothing that was left for later, and no test that switches the others off', () => {
    const folders = ['src', 'assembly', 'cli', 'scenes', 'bench', 'tools', 'test', 'docs'];
    const files = folders.flatMap((folder) => readSources(folder, ['.ts', '.mjs', '.md']));
    expect(findLeftovers(files)).toEqual([]);
  });

  it('are found when they do', () => {
    expect(findLeftovers([file('a.ts', `// ${'TO'}${'DO'}: later`)]).length).toBe(1);
    expect(findLeftovers([file('a.ts', `/* ${'FIX'}${'ME'} */`)]).length).toBe(1);
    expect(findLeftovers([file('a.test.ts', `it${'.only'}('x', () => {});`)]).length).toBe(1);
    expect(findLeftovers([file('a.ts', 'const todos = []; commit.only')])).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const path = join(ROOT, 'ARCHITECTURE.md');
  const folders = readdirSync(join(ROOT, 'src'))
    .filter((name) => statSync(join(ROOT, 'src', name)).isDirectory())
    .map((name) => `src/${name}/`);

  it('names every folder of src, and only what exists', () => {
    expect(existsSync(path), 'ARCHITECTURE.md is missing').toBe(true);
    const errors = findArchitectureErrors(readFileSync(path, 'utf8'), (name) => existsSync(join(ROOT, name)), folders);
    expect(errors).toEqual([]);
  });

  it('is found wrong when it names what is not there, or leaves something out', () => {
    const exists = (name: string) => name === 'src/math/' || name === 'src/world/world.ts';
    expect(
      findArchitectureErrors('`src/math/` and `src/world/world.ts`, `a/b` and `x`', exists, ['src/math/']),
    ).toEqual([]);
    expect(findArchitectureErrors('`src/math/` `src/gone/`', exists, ['src/math/'])).toEqual([
      'src/gone/ does not exist',
    ]);
    expect(findArchitectureErrors('`src/math/` `src/gone.ts`', exists, [])).toEqual(['src/gone.ts does not exist']);
    expect(findArchitectureErrors('src/math/', exists, ['src/math/'])).toEqual(['src/math/ is not named']);
  });
});
