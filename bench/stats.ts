/** Timing on a noisy machine: many runs, minimum and median. */
import { cpus } from 'node:os';

/** Minimum and median of a set of times [ms]. */
export interface Spread {
  readonly min: number;
  readonly median: number;
}

/** Minimum and median. */
export function spread(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  return { min: sorted[0], median: sorted[sorted.length >> 1] };
}

/** Calls `run` `count` times after `warmUp` calls and times each [ms]. */
export function time(run: () => void, count: number, warmUp = 3): Spread {
  for (let i = 0; i < warmUp; i++) run();
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    run();
    times.push(performance.now() - began);
  }
  return spread(times);
}

/** The machine in one line, for the head of every table. */
export function machine(): string {
  const all = cpus();
  return `${all[0]?.model.trim() ?? 'unknown CPU'}, ${all.length} cores, Node ${process.version}`;
}
