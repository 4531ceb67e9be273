/** One run of a sweep: `tendon simulate` as a process of its own, and what came out of it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StepRecord } from '../run.js';

/** What is known of a run that ended. */
export interface SweepResult {
  readonly id: string;
  readonly key: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Why there is no result; undefined where there is one. */
  readonly error?: string;
  readonly hash?: string;
  readonly steps?: number;
  /** Median time of a step [ms]. */
  readonly msPerStep?: number;
  /** Worst over all steps [m], [kg m/s], [m]. */
  readonly jointGap?: number;
  readonly momentumDrift?: number;
  readonly penetration?: number;
  /** At the end [N]. */
  readonly residual?: number;
}

/** What a run needs to know, as data that can be sent to another machine. */
export interface SweepJob {
  readonly id: string;
  readonly key: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly scene: string;
  /** The scene's file in base64, where it has one and the machine may not have it. */
  readonly file?: { readonly name: string; readonly base64: string };
}

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** Runs a job. A simulation that fails is a result; only what stops the process itself is thrown. */
export async function runJob(job: SweepJob, signal?: AbortSignal): Promise<SweepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-sweep-'));
  try {
    const stats = join(folder, 'stats.json');
    const scene = job.file ? join(folder, job.file.name) : job.scene;
    if (job.file) writeFileSync(scene, Buffer.from(job.file.base64, 'base64'));
    const { code, text } = await simulate([scene, ...job.words, '--stats', stats], signal);
    const known = { id: job.id, key: job.key, settings: job.settings };
    if (code === undefined) throw new Error(`the process ended by itself: ${text}`);
    if (code !== 0) return { ...known, error: text };
    return { ...known, ...summarise(JSON.parse(readFileSync(stats, 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Exit code, undefined where a signal ended it, and the last line it said. */
function simulate(words: readonly string[], signal?: AbortSignal): Promise<{ code: number | undefined; text: string }> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 1 << 26, ...(signal && { signal, killSignal: 'SIGKILL' as const }) };
    execFile(process.execPath, [MAIN, 'simulate', ...words], options, (error, _stdout, stderr) => {
      const text = stderr.trim().split('\n').pop() ?? '';
      if (error === null) resolve({ code: 0, text });
      else resolve({ code: typeof error.code === 'number' ? error.code : undefined, text });
    });
  });
}

function summarise({ hash, steps }: { hash: string; steps: StepRecord[] }) {
  const worst = (of: (step: StepRecord) => number): number => steps.reduce((most, step) => Math.max(most, of(step)), 0);
  const times = steps.map(({ ms }) => ms.total ?? Object.values(ms).reduce((sum, part) => sum + part, 0));
  return {
    hash,
    steps: steps.length,
    msPerStep: times.sort((a, b) => a - b)[times.length >> 1],
    jointGap: worst(({ jointGap }) => jointGap),
    momentumDrift: worst(({ momentumDrift }) => momentumDrift),
    penetration: worst(({ penetration }) => penetration),
    residual: steps[steps.length - 1]?.residual,
  };
}
