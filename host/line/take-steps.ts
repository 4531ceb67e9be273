/**
 * Steps for one picture, one after the other, with a sign of life between them and between the parts of one: a step may suddenly cost twenty of those before,
 * and one that is taken again in eight parts seconds.
 */
import { addDrive, removeDrive } from '../../src/world/drives.js';
import type { World } from '../../src/world/world.js';

/** Takes steps until one fails. `step` hears how many are left, itself included; `alive` is called after each, and before every part of those of `worlds`. */
export function takeSteps(
  steps: number,
  step: (left: number) => boolean,
  alive?: () => void,
  worlds: readonly World[] = [],
): { readonly steps: number; readonly stepMs: number } {
  const began = performance.now();
  let taken = 0;
  if (alive) for (const world of worlds) addDrive(world, alive);
  try {
    while (taken < steps && step(steps - taken)) {
      taken++;
      alive?.();
    }
  } finally {
    if (alive) for (const world of worlds) removeDrive(world, alive);
  }
  return { steps: taken, stepMs: taken > 0 ? (performance.now() - began) / taken : 0 };
}
