/** `tendon sweep FILE`: a grid of settings, run on this machine or over many. `tendon worker`: a machine that takes part. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { TendonError } from '../../src/errors.js';
import { INTERRUPTED } from '../run.js';
import { sweepHere } from '../sweep/local.js';
import { Manifest } from '../sweep/manifest.js';
import { sweepOverQueue, work } from '../sweep/queue.js';
import { readSweep } from '../sweep/sweep-file.js';

interface SweepOptions {
  readonly jobs?: string;
  readonly output?: string;
  readonly queue?: string;
  readonly patience?: string;
}

const SWEEP_EXAMPLE = `
Example: sweep.json holds
  { "tendonSweep": 1, "scene": "jelly-bar", "seconds": 1,
    "vary": { "material.youngModulus": [2e4, 5e4, 1e5], "iterations": [5, 10, 20] } }
  tendon sweep sweep.json                                  nine runs, sweep.results.jsonl and .csv
  tendon sweep sweep.json --queue redis://farm:6379        the same by every "tendon worker" of that queue
Settings are those of simulate --set. What has a result is not run again, so that a sweep that was killed goes on.
Exit codes: 0 done, 1 a run failed, 2 wrong use, 130 interrupted.`;

const WORKER_EXAMPLE = `
Example:
  tendon worker --queue redis://farm:6379 --jobs 4
Needs BullMQ and ioredis (npm install bullmq ioredis). A worker that dies loses nothing: its run goes to another one.`;

/** Adds both commands. */
export function registerSweep(program: Command): void {
  program
    .command('sweep')
    .description('run a scene with every combination of some settings, here or over machines')
    .argument('<file>', 'the sweep (.json)')
    .option('--jobs <n>', 'processes at a time (default: one per processor)')
    .option('-o, --output <file>', 'where results go (default: beside the sweep, as NAME.results.jsonl)')
    .option('--queue <url>', 'Redis, as redis://host:port: the runs are left to workers')
    .addHelpText('after', SWEEP_EXAMPLE)
    .action(sweep);
  program
    .command('worker')
    .description('take runs of sweeps from a queue')
    .requiredOption('--queue <url>', 'Redis, as redis://host:port')
    .option('--jobs <n>', 'runs at a time', '1')
    .option('--patience <s>', 'seconds after which a silent worker is taken for dead', '8')
    .addHelpText('after', WORKER_EXAMPLE)
    .action(({ queue, jobs, patience }: Required<SweepOptions>) =>
      work(queueOf(queue), wholeOf(jobs, '--jobs'), wholeOf(patience, '--patience')),
    );
}

async function sweep(file: string, options: SweepOptions): Promise<void> {
  const plan = readSweep(file);
  const output = options.output ?? `${file.replace(/\.json$/i, '')}.results.jsonl`;
  const manifest = new Manifest(output);
  const before = plan.runs.filter(({ key }) => manifest.get(key)).length;
  console.log(`${plan.runs.length} runs of ${plan.scene}${before > 0 ? `, ${before} of them done already` : ''}`);
  const jobs = options.jobs === undefined ? availableParallelism() : wholeOf(options.jobs, '--jobs');
  let isWhole = true;
  if (options.queue !== undefined) await sweepOverQueue(plan, manifest, queueOf(options.queue));
  else isWhole = await sweepHere(plan, manifest, jobs);
  for (const line of manifest.summarise(plan)) console.log(line);
  console.log(`results in ${output} and ${output.replace(/\.jsonl$/, '.csv')}`);
  if (!isWhole) process.exitCode = INTERRUPTED;
  else if (plan.runs.some(({ key }) => manifest.get(key)?.error !== undefined)) process.exitCode = 1;
}

function queueOf(url: string): string {
  if (/^rediss?:\/\/\S+$/.test(url)) return url;
  throw new TendonError('E_FORMAT', '--queue', url, 'use redis://host:port');
}

function wholeOf(text: string, place: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1024) return value;
  throw new TendonError('E_RANGE', place, text, 'a whole number from 1 to 1024 was expected');
}
