/** The rules of the house as functions from source files to complaints, so that each can be tried on a bad example. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every file below `folder` whose name ends in one of `endings`, generated ones left out; none if it is missing. */
export function readSources(folder: string, endings: readonly string[]): SourceFile[] {
  const found: SourceFile[] = [];
  const visit = (path: string): void => {
    for (const name of readdirSync(join(ROOT, path)).sort()) {
      const child = posix.join(path, name);
      if (statSync(join(ROOT, child)).isDirectory()) {
        if (name !== 'node_modules' && name !== 'dist') visit(child);
      } else if (endings.some((ending) => name.endsWith(ending)) && !name.includes('.generated.')) {
        found.push({ path: child, text: readFileSync(join(ROOT, child), 'utf8') });
      }
    }
  };
  try {
    visit(folder);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  return found;
}

/** The code without comments and without the contents of strings; lines stay where they are. */
export function stripComments(text: string, keepStrings = false): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return text.replace(pattern, (match) => {
    if (match.startsWith('/')) return match.replace(/[^\n]/g, ' ');
    if (keepStrings) return match;
    return match[0] + match.slice(1, -1).replace(/[^\n]/g, ' ') + match[0];
  });
}

/** What a file imports or re-exports, static or dynamic. */
export function importsOf(file: SourceFile): string[] {
  const code = stripComments(file.text, true);
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*(['"`])([^'"`]+)\1/g;
  return [...code.matchAll(pattern)].map((match) => match[2]);
}

/** Layer of each folder of src; a folder may import from lower layers only. */
const LAYERS: Readonly<Record<string, number>> = {
  math: 0,
  kernels: 1,
  linalg: 2,
  mesh: 3,
  body: 4,
  collision: 5,
  contact: 6,
  solvers: 7,
  // characters are built from what files hold
  character: 8.5,
  // what was simulated, on its way out
  record: 8.6,
  'scene-file': 8.6,
  scene: 8,
  io: 8,
  debug: 8,
  world: 9,
};
const BELOW_ALL = ['src/errors.ts', 'src/constants.ts'];

/** Layer of a file under src; undefined when the table above does not know it. */
function layerOf(path: string): number | undefined {
  if (BELOW_ALL.includes(path)) return -1;
  const [, folder, rest] = path.split('/');
  // index.ts and whatever else lies in src itself: above all folders
  if (rest === undefined) return 10;
  return Object.hasOwn(LAYERS, folder) ? LAYERS[folder] : undefined;
}

/** The solver a file belongs to: "projective" for src/solvers/projective/x.ts, none for what solvers share. */
function solverOf(path: string): string | undefined {
  const [, folder, solver, rest] = path.split('/');
  return folder === 'solvers' && rest !== undefined ? solver : undefined;
}

/** Imports that point up, sideways, or from one solver into another. */
export function findWrongImports(files: readonly SourceFile[]): string[] {
  const complaints: string[] = [];
  for (const file of files) {
    const layer = layerOf(file.path);
    if (layer === undefined) {
      complaints.push(`${file.path}: no layer is known for this place`);
      continue;
    }
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
      const targetLayer = layerOf(target);
      const sameFolder = target.split('/')[1] === file.path.split('/')[1];
      if (!target.startsWith('src/')) complaints.push(`${file.path}: imports ${specifier}, outside src`);
      else if (targetLayer === undefined) complaints.push(`${file.path}: imports ${specifier}, which has no layer`);
      else if (sameFolder && layer >= 0 && layer < 10) {
        const [from, to] = [solverOf(file.path), solverOf(target)];
        if (from !== undefined && to !== undefined && from !== to) {
          complaints.push(`${file.path}: solver ${from} imports solver ${to}`);
        }
      } else if (targetLayer > layer || (targetLayer === layer && layer >= 0 && layer < 10)) {
        complaints.push(`${file.path}: imports ${specifier}, which is not in a lower layer`);
      }
    }
  }
  return complaints;
}

/** The files that start threads and may ask where they run. */
const THREAD_FILES = ['src/kernels/thread-pool.ts', 'src/kernels/helper-thread.ts', 'src/kernels/thread-worker.ts'];

/** Imports of Node or three, and uses of the page, outside the files that start threads. */
export function findPlatformUses(files: readonly SourceFile[]): string[] {
  const complaints: string[] = [];
  for (const file of files) {
    if (THREAD_FILES.includes(file.path)) continue;
    for (const specifier of importsOf(file)) {
      if (/^(node:|three(\/|$)|fs$|path$|worker_threads$)/.test(specifier)) {
        complaints.push(`${file.path}: imports ${specifier}`);
      }
    }
    const page =
      /(?<![\w.$])(?:document|window)\s*(?:\.|\[|\?\.)|globalThis\s*\.\s*(?:document|window)\b|typeof\s+(?:document|window)\b/g;
    for (const match of stripComments(file.text).matchAll(page)) complaints.push(`${file.path}: uses ${match[0]}`);
  }
  return complaints;
}

const INEXACT =
  /\bMath\s*\.\s*(?:sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|expm1|log|log2|log10|log1p|pow|hypot|cbrt|random)\b/g;
const CLOCKS = /\bDate\s*\.\s*now\b|\bnew\s+Date\b|\bperformance\s*\.\s*now\b/g;
const POWER = /\*\*=?/g;

/** Functions whose bits depend on the engine, and clocks, in files of the step. */
export function findNondeterminism(files: readonly SourceFile[]): string[] {
  return findUses(files, [INEXACT, CLOCKS, POWER]);
}

/** Functions whose bits depend on the engine, anywhere: what is built must be the same in every one. */
export function findEngineMath(files: readonly SourceFile[]): string[] {
  return findUses(files, [INEXACT, POWER]);
}

function findUses(files: readonly SourceFile[], patterns: readonly RegExp[]): string[] {
  const complaints: string[] = [];
  for (const file of files) {
    const code = stripComments(file.text);
    for (const pattern of patterns) {
      for (const match of code.matchAll(pattern)) {
        complaints.push(`${file.path}:${code.slice(0, match.index).split('\n').length}: ${match[0]}`);
      }
    }
  }
  return complaints;
}

/** Number of lines of a file. */
export function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Files above `most` lines, and a median above `median`. */
export function findLongFiles(files: readonly SourceFile[], most: number, median: number): string[] {
  const complaints: string[] = [];
  const sizes = files.map((file) => lineCount(file.text)).sort((a, b) => a - b);
  for (const file of files) {
    if (lineCount(file.text) > most) complaints.push(`${file.path}: ${lineCount(file.text)} lines`);
  }
  const middle = sizes[Math.floor(sizes.length / 2)];
  if (middle > median) complaints.push(`half of the files have more than ${middle} lines`);
  return complaints;
}

/** Paths in backticks that do not exist, and folders of src that are never named. */
export function findArchitectureErrors(
  text: string,
  exists: (path: string) => boolean,
  folders: readonly string[],
): string[] {
  const complaints: string[] = [];
  const named = new Set([...text.matchAll(/`([^`\s]+)`/g)].map((match) => match[1]));
  for (const name of named) {
    const isPath = /^(?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|mjs|md))?$/.test(name);
    if (isPath && !exists(name)) complaints.push(`${name} does not exist`);
  }
  for (const folder of folders) {
    if (!named.has(folder)) complaints.push(`${folder} is not named`);
  }
  return complaints;
}

/** Notes to be done later, and tests that switch the others off. */
export function findLeftovers(files: readonly SourceFile[]): string[] {
  const complaints: string[] = [];
  // Put together here so that this file does not complain about itself.
  const note = new RegExp(`\\b(?:${['TO', 'FIX'].map((start, k) => start + ['DO', 'ME'][k]).join('|')})\\b`, 'g');
  const only = /\b(?:it|test|describe|suite|bench)\.only\b/g;
  for (const file of files) {
    for (const match of file.text.matchAll(note)) complaints.push(`${file.path}: ${match[0]}`);
    for (const match of stripComments(file.text).matchAll(only)) complaints.push(`${file.path}: ${match[0]}`);
  }
  return complaints;
}
