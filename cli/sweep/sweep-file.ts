/** The file of a sweep: a scene, and settings with the values each is to take. Every combination is a run. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { TendonError } from '../../src/errors.js';
import { parseJsonObject } from '../../src/io/text/safe-json.js';
import { nearestName } from '../../src/scene-file/nearest-name.js';
import { readBytes } from '../files/read-input.js';

/** More runs than this are a mistake. */
const MOST_RUNS = 100_000;

const FIELDS = {
  tendonSweep: v.literal(1),
  scene: v.pipe(v.string(), v.minLength(1)),
  seconds: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1e6)), 1),
  solver: v.optional(v.string()),
  clip: v.optional(v.string()),
  vary: v.record(v.string(), v.pipe(v.array(v.union([v.number(), v.string()])), v.minLength(1))),
};
const SWEEP = v.strictObject(FIELDS);

/** One combination. */
export interface SweepRun {
  /** Its place in the grid, from 0, as text of equal length. */
  readonly id: string;
  /** Changes with anything that decides the result. */
  readonly key: string;
  /** `--set` of each setting. */
  readonly settings: Readonly<Record<string, string>>;
  /** What to tell `tendon simulate`, without the scene. */
  readonly words: readonly string[];
}

/** A sweep that was read. */
export interface Sweep {
  /** Name or file of the scene, as `tendon simulate` takes it. */
  readonly scene: string;
  /** The scene's file, for machines that do not have it. */
  readonly file: { readonly name: string; readonly bytes: Buffer } | undefined;
  readonly runs: readonly SweepRun[];
}

/** Reads a sweep; files are looked for beside it. */
export function readSweep(path: string): Sweep {
  const text = Buffer.from(readBytes(path)).toString('utf8');
  const { success, output, issues } = v.safeParse(SWEEP, parseJsonObject(text, path, 8));
  // a name that does not exist says more than the one that is missing for it
  if (!success) throw complaint(issues.find(isUnknownField) ?? issues[0], path);
  const names = Object.keys(output.vary);
  const count = names.reduce((product, name) => product * output.vary[name].length, 1);
  if (count > MOST_RUNS) throw new TendonError('E_RANGE', `${path}/vary`, count, `at most ${MOST_RUNS} runs`);
  const beside = resolve(dirname(path), output.scene);
  const isFile = /[./\\]/.test(output.scene) && existsSync(beside);
  const file = isFile ? { name: basename(beside), bytes: readFileSync(beside) } : undefined;
  const digits = String(count - 1).length;
  const runs = Array.from({ length: count }, (_, n): SweepRun => {
    const settings: Record<string, string> = Object.fromEntries(names.map((name) => [name, '']));
    let rest = n;
    // the last setting changes fastest
    for (const name of [...names].reverse()) {
      const values = output.vary[name];
      settings[name] = String(values[rest % values.length]);
      rest = Math.floor(rest / values.length);
    }
    const words = ['--seconds', String(output.seconds)];
    if (output.solver !== undefined) words.push('--solver', output.solver);
    if (output.clip !== undefined) words.push('--clip', output.clip);
    for (const name of names) words.push('--set', `${name}=${settings[name]}`);
    const hash = createHash('sha256').update(JSON.stringify([output.scene, words]));
    const key = hash
      .update(file?.bytes ?? '')
      .digest('hex')
      .slice(0, 16);
    return { id: String(n).padStart(digits, '0'), key, settings, words };
  });
  return { scene: isFile ? beside : output.scene, file, runs };
}

function isUnknownField(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}

function complaint(issue: v.BaseIssue<unknown>, file: string): TendonError {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const name = keys[keys.length - 1] ?? '';
  if (isUnknownField(issue)) {
    const near = nearestName(name, Object.keys(FIELDS));
    const advice = near ? `no such field; did you mean ${near}?` : `no such field: ${Object.keys(FIELDS).join(', ')}`;
    return new TendonError('E_FORMAT', [file, ...keys].join('/'), name, advice);
  }
  return new TendonError('E_FORMAT', [file, ...keys].join('/'), issue.input, `expected ${issue.expected}`);
}
