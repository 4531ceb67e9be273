/** What the rows of a track ask for: how fast contacts must open at least, and when velocities are as good as solved. */
import type { CoupledOptions } from '../options.js';

/** Share of a velocity scale below which a change no longer counts. */
const SETTLED = 1e-6;
const FAST = 1e-2;

/** Least velocity along the normal [m/s]: positions stop at the surface, and come out of it not all at once. */
export function leastVelocity(options: CoupledOptions, gap: number, track: 0 | 1, h: number): number {
  const { pushOut, pushOutSpeed, pushOutBy } = options;
  if (track === 1 || (gap < 0 && pushOutBy === 'centralBody')) return 0;
  return gap >= 0 ? -gap / h : Math.min((-gap * pushOut) / h, pushOutSpeed);
}

/** Velocities this close are as good as solved [m/s]: a share of what gravity adds in a step, and of the fastest body's. */
export function settledSpeed(gravity: Float64Array, twists: Float64Array, h: number): number {
  let fastest = 0;
  for (let i = 0; i < twists.length; i++) fastest = Math.max(fastest, Math.abs(twists[i]));
  return SETTLED * (h * (Math.abs(gravity[0]) + Math.abs(gravity[1]) + Math.abs(gravity[2])) + FAST * fastest);
}
