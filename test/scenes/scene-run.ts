/** Runs a scene with contact and gathers the worst of what is promised for every frame. */
import { addFrame, noFrames, type WorstFrame } from '../../bench/contact/worst-frame.js';
import type { SceneEntry } from '../../scenes/index.js';
import { createWorld, disposeWorld, hashWorld, stepWorld, type World } from '../../src/index.js';

/** What came of a run. */
export interface SceneRun {
  readonly worst: WorstFrame & { readonly finite: boolean };
  /** Fingerprint after `hashAt` steps. */
  readonly hash: string;
}

/** What a run needs of a scene's entry. */
export type Runnable = Pick<SceneEntry, 'build'>;

/** Takes `steps` steps; `watch` is called after each. */
export async function runScene(
  entry: Runnable,
  steps: number,
  hashAt = steps,
  watch?: (world: World) => void,
): Promise<SceneRun> {
  const world = await createWorld(entry.build());
  const worst = noFrames();
  let finite = true;
  let hash = '';
  for (let step = 1; step <= steps && finite; step++) {
    finite = stepWorld(world);
    addFrame(worst, world);
    if (step === hashAt) hash = hashWorld(world);
    watch?.(world);
  }
  disposeWorld(world);
  return { worst: { ...worst, finite }, hash };
}
