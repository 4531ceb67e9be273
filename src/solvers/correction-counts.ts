/** How often the forces of contacts are corrected in a step, for side-by-side.ts. */

import { type SidePart, turnsRegions } from './body-solver.js';

/**
 * Times the forces of many contacts are corrected in one step where no body has flesh, at most (and once more in the last iteration): what forces do to rigid bodies is known beforehand, but for how
 * far they turn. Flesh has its contacts corrected in every iteration, however many they are: what it is left alone with pushes it farther than was reckoned with (docs/decisions/0063).
 */
export const RIGID_CORRECTIONS = 2;
export const MANY_CONTACTS = 400;
/** And share of the sweeps that many contacts are worth otherwise; sweeps alone: some contact of a heap is always at the edge of its cone, where gradients begin anew. */
const RIGID_SWEEPS = 1 / 6;
/** Corrections in the last iteration, at most. */
export const LAST_ROUNDS = 2;
/**
 * How many times the sweeps that contacts are worth otherwise where regions of flesh turn: what pushes one side of a region moves all others. With as many as otherwise a fish
 * that lay on 107 contacts trembled, a fifth off in the median of its steps; with 2 to 8 times as many 0.03 % off, in as much time.
 */
const TURNING_SWEEPS = 2.5;

/** How many times the sweeps that contacts are worth otherwise. */
export function worthOf(parts: readonly SidePart[], isHeap: boolean): number {
  if (isHeap) return RIGID_SWEEPS;
  return parts.some(turnsRegions) ? TURNING_SWEEPS : 1;
}
