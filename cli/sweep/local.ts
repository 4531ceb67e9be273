/** A sweep on this machine: so many processes at a time. */
import { Progress } from '../progress.js';
import type { Manifest } from './manifest.js';
import type { Sweep } from './sweep-file.js';
import { runJob } from './sweep-run.js';

/** Runs what has no result yet; false where it was interrupted before the end. */
export async function sweepHere(sweep: Sweep, manifest: Manifest, jobs: number): Promise<boolean> {
  const open = sweep.runs.filter(({ key }) => !manifest.get(key));
  const progress = new Progress('sweep', sweep.runs.length);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  let done = sweep.runs.length - open.length;
  const take = async (): Promise<void> => {
    for (let run = open.shift(); run !== undefined && !stop.signal.aborted; run = open.shift()) {
      try {
        manifest.add(await runJob({ ...run, scene: sweep.scene }, stop.signal));
      } catch (error) {
        // an interrupted run has no result; one that was killed has said why
        if (stop.signal.aborted) return;
        manifest.add({ id: run.id, key: run.key, settings: run.settings, error: String(error) });
      }
      done++;
      progress.update(done, Object.values(run.settings).join(', '));
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, Math.max(1, open.length)) }, take));
  process.removeListener('SIGINT', interrupt);
  process.removeListener('SIGTERM', interrupt);
  return !stop.signal.aborted;
}
