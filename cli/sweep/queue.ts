/**
 * A sweep over machines: runs are jobs in a queue of BullMQ on Redis, workers anywhere take them. BullMQ gives a job to one worker at a
 * time, gives it to another where a worker dies, and keeps its result; both packages are installed by whoever wants this.
 */
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TendonError } from '../../src/errors.js';
import { Progress } from '../progress.js';
import type { Manifest } from './manifest.js';
import type { Sweep } from './sweep-file.js';
import { runJob, type SweepJob, type SweepResult } from './sweep-run.js';

const QUEUE = 'tendon-sweep';
/** How often results are looked for [ms]. */
const LOOK = 500;
/** Times a job is begun again before it counts as failed. */
const ATTEMPTS = 5;

/** The parts of BullMQ that are used. */
interface Job {
  readonly data: SweepJob;
  readonly returnvalue: SweepResult | null;
  readonly failedReason?: string;
  getState(): Promise<string>;
  remove(): Promise<void>;
}
interface Bull {
  readonly Queue: new (
    name: string,
    options: object,
  ) => {
    add(name: string, data: SweepJob, options: object): Promise<Job>;
    getJob(id: string): Promise<Job | undefined>;
    close(): Promise<void>;
  };
  readonly Worker: new (
    name: string,
    work: (job: Job) => Promise<SweepResult>,
    options: object,
  ) => {
    on(event: string, hear: (...values: unknown[]) => void): void;
    close(): Promise<void>;
  };
}
interface Connection {
  ping(): Promise<string>;
  quit(): Promise<unknown>;
  disconnect(): void;
  on(event: string, hear: (error: Error) => void): void;
}

/** Loads a package that is no dependency: from beside this one, or from the project in the folder the command was given in. */
async function loadOptional(name: string): Promise<Record<string, unknown>> {
  try {
    return await import(name);
  } catch {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return import(pathToFileURL(path).href);
  }
}

async function connect(url: string): Promise<{ bull: Bull; connection: Connection }> {
  let bull: Bull;
  let Redis: new (url: string, options: object) => Connection;
  try {
    bull = (await loadOptional('bullmq')) as unknown as Bull;
    const redis = await loadOptional('ioredis');
    Redis = (redis.Redis ?? redis.default) as typeof Redis;
  } catch (cause) {
    throw new TendonError('E_PROGRAM', '--queue', String(cause), 'install them first: npm install bullmq ioredis');
  }
  const connection = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 5000 });
  let problem = 'no answer';
  connection.on('error', (error) => {
    problem = error.message || String((error as { code?: string }).code);
  });
  const late = new Promise<string>((resolve) => setTimeout(() => resolve(''), 6000).unref());
  if ((await Promise.race([connection.ping(), late])) !== 'PONG') {
    connection.disconnect();
    throw new TendonError('E_PROGRAM', '--queue', url, `Redis cannot be reached: ${problem}`);
  }
  return { bull, connection };
}

/** Puts the runs that have no result yet into the queue and waits for all of them. */
export async function sweepOverQueue(sweep: Sweep, manifest: Manifest, url: string): Promise<void> {
  const { bull, connection } = await connect(url);
  const queue = new bull.Queue(QUEUE, { connection });
  const file = sweep.file && { name: sweep.file.name, base64: sweep.file.bytes.toString('base64') };
  try {
    const open = new Map<string, SweepJob>();
    for (const { id, key, settings, words } of sweep.runs) {
      if (manifest.get(key)) continue;
      const job: SweepJob = { id, key, settings, words, scene: sweep.scene, ...(file && { file }) };
      open.set(key, job);
      // a job of that name that is there already is not added a second time
      const options = { jobId: `run-${key}`, attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 500 } };
      await queue.add('simulate', job, options);
    }
    const progress = new Progress('sweep', sweep.runs.length);
    while (open.size > 0) {
      for (const [key, { id, settings }] of open) {
        const job = await queue.getJob(`run-${key}`);
        const state = (await job?.getState()) ?? 'missing';
        if (state === 'completed' && job?.returnvalue) manifest.add({ ...job.returnvalue, id });
        else if (state === 'failed') manifest.add({ id, key, settings, error: job?.failedReason ?? 'failed' });
        else continue;
        open.delete(key);
        await job?.remove();
      }
      progress.update(sweep.runs.length - open.size, `${open.size} to go`);
      if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  } finally {
    await queue.close();
    await connection.quit();
  }
}

/**
 * Takes jobs until it is interrupted; then ends the ones it has begun. A worker that says nothing for `patience` seconds is dead, and
 * its job goes to another one.
 */
export async function work(url: string, jobs: number, patience: number): Promise<void> {
  const { bull, connection } = await connect(url);
  const name = `${hostname()} ${process.pid}`;
  const timing = { lockDuration: 1000 * patience, stalledInterval: 500 * patience, maxStalledCount: ATTEMPTS };
  const worker = new bull.Worker(QUEUE, ({ data }) => runJob(data), { connection, concurrency: jobs, ...timing });
  worker.on('active', (job) => console.log(`${name}: begins ${(job as Job).data.id}`));
  worker.on('completed', (job) => console.log(`${name}: done ${(job as Job).data.id}`));
  worker.on('failed', (job, error) => console.error(`${name}: ${(job as Job | undefined)?.data.id} failed: ${error}`));
  worker.on('error', (error) => console.error(`${name}: ${error}`));
  console.log(`${name}: waits for work at ${url}  (Ctrl+C ends it)`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await worker.close();
  connection.disconnect();
}
