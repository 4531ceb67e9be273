/** Runs a scene with contact and gathers the worst of what is promised for every frame. */
import type { SceneEntry } from '../../scenes/index.js';
import { createWorld, disposeWorld, hashWorld, stepWorld, type World } from '../../src/index.js';

/** Worst of all frames; lengths relative to the size of the body they are in. */
export interface WorstFrame {
  penetration: number;
  jointGap: number;
  /** Share of all tets. */
  inverted: number;
  dropped: number;
  substeps: number;
  finite: boolean;
  /** Most contacts at a time. */
  contacts: number;
}

/** What came of a run. */
export interface SceneRun {
  readonly worst: WorstFrame;
  /** Fingerprint after `hashAt` steps. */
  readonly hash: string;
}

/** What a run needs of a scene's entry. */
export type Runnable = Pick<SceneEntry, 'build' | 'drive'>;

/** Takes `steps` steps; `watch` is called after each. */
export async function runScene(
  entry: Runnable,
  steps: number,
  hashAt = steps,
  watch?: (world: World) => void,
): Promise<SceneRun> {
  const world = await createWorld(entry.build());
  const tets = world.bodies.reduce((sum, { model }) => sum + model.tetCount, 0);
  const worst: WorstFrame = {
    penetration: 0,
    jointGap: 0,
    inverted: 0,
    dropped: 0,
    substeps: 1,
    finite: true,
    contacts: 0,
  };
  let hash = '';
  for (let step = 1; step <= steps && worst.finite; step++) {
    entry.drive?.(world);
    worst.finite = stepWorld(world);
    addFrame(worst, world, tets);
    if (step === hashAt) hash = hashWorld(world);
    watch?.(world);
  }
  disposeWorld(world);
  return { worst, hash };
}

function addFrame(worst: WorstFrame, { bodies, certificate }: World, tets: number): void {
  for (const { model, report } of bodies) {
    worst.penetration = Math.max(worst.penetration, report.penetration / model.size);
    worst.jointGap = Math.max(worst.jointGap, report.jointGap / model.size);
  }
  worst.inverted = Math.max(worst.inverted, certificate.inverted / tets);
  worst.dropped = Math.max(worst.dropped, certificate.droppedContacts);
  worst.substeps = Math.max(worst.substeps, certificate.substeps);
  worst.contacts = Math.max(worst.contacts, certificate.contacts);
}
