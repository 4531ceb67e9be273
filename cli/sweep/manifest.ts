/** What a sweep has so far: a line of JSON per run that ended, in one file. What is in it is not run again. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { TendonError } from '../../src/errors.js';
import { writeOutput } from '../files/write-file.js';
import type { Sweep } from './sweep-file.js';
import type { SweepResult } from './sweep-run.js';

/** Results by key. */
export class Manifest {
  readonly #path: string;
  readonly #results = new Map<string, SweepResult>();

  constructor(path: string) {
    this.#path = path;
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (existsSync(path)) this.#read(readFileSync(path, 'utf8'));
    } catch (cause) {
      throw new TendonError('E_FORMAT', path, String(cause), 'the results cannot be read or written');
    }
  }

  get(key: string): SweepResult | undefined {
    return this.#results.get(key);
  }

  /** Adds a result at once; one that is there already stays. */
  add(result: SweepResult): void {
    if (this.#results.has(result.key)) return;
    this.#results.set(result.key, result);
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
  }

  /** The results of a sweep as a table for spreadsheets, in the order of its grid, beside the results; all lines of it. */
  summarise({ runs }: Sweep): string[] {
    const names = Object.keys(runs[0]?.settings ?? {});
    const numbers = ['steps', 'msPerStep', 'jointGap', 'momentumDrift', 'penetration', 'residual'] as const;
    const head = ['run', ...names, ...numbers, 'hash', 'error'].join(',');
    const lines = runs.flatMap(({ id, key, settings }) => {
      const result = this.#results.get(key);
      if (!result) return [];
      const cells = [id, ...names.map((name) => settings[name]), ...numbers.map((name) => shortly(result[name]))];
      return [[...cells, result.hash ?? '', quoted(result.error ?? '')].join(',')];
    });
    writeOutput(this.#path.replace(/\.jsonl$/, '.csv'), `${[head, ...lines].join('\n')}\n`);
    return [head, ...lines];
  }

  /** The last line may be cut off where the process was killed: it is left out, and its run is run again. */
  #read(text: string): void {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) {
      if (line === '') continue;
      const result = JSON.parse(line) as SweepResult;
      this.#results.set(result.key, result);
    }
    if (whole !== text) writeOutput(this.#path, whole);
  }
}

function shortly(value: number | undefined): string {
  return value === undefined ? '' : String(Number(value.toPrecision(6)));
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
