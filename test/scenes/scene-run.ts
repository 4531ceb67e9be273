/** Runs a scene with contact and gathers the worst of what is promised for every frame. */
import { addFrame, noFrames, type WorstFrame } from '../../bench/contact/worst-frame.js';
import type { SceneEntry } from '../../scenes/index.js';
import { stepWorld, type World } from '../../src/index.js';

/** What a run needs of a scene's entry. */
export type Runnable = Pick<SceneEntry, 'build'>;

/** Takes `steps` steps, or as many as are finite; `watch` is called after each. */
export function runWorld(world: World, steps: number, watch: () => void): WorstFrame & { readonly finite: boolean } {
  const worst = noFrames();
  let finite = true;
  for (let step = 1; step <= steps && finite; step++) {
    finite = stepWorld(world);
    addFrame(worst, world);
    watch();
  }
  return { ...worst, finite };
}
