/** The worst of all frames of a run: what a scene with contact promises for each of them. */
import type { World } from '../../src/index.js';

/** Worst of all frames; lengths relative to the size of the body they are in. */
export interface WorstFrame {
  penetration: number;
  jointGap: number;
  /** Share of all tets. */
  inverted: number;
  /** Contacts that found no room in the buffer. */
  dropped: number;
  /** What may have passed through something unseen, summed over the frames. */
  unswept: number;
  substeps: number;
  /** Most contacts at a time. */
  contacts: number;
}

/** Before the first frame. */
export function noFrames(): WorstFrame {
  return { penetration: 0, jointGap: 0, inverted: 0, dropped: 0, unswept: 0, substeps: 1, contacts: 0 };
}

/** Takes the world's last step into account. */
export function addFrame(worst: WorstFrame, { bodies, certificate }: World): void {
  let tets = 0;
  for (const { model, report } of bodies) {
    worst.penetration = Math.max(worst.penetration, report.penetration / model.size);
    worst.jointGap = Math.max(worst.jointGap, report.jointGap / model.size);
    tets += model.tetCount;
  }
  worst.inverted = Math.max(worst.inverted, certificate.inverted / tets);
  worst.dropped = Math.max(worst.dropped, certificate.droppedContacts);
  worst.unswept += certificate.unswept;
  worst.substeps = Math.max(worst.substeps, certificate.substeps);
  worst.contacts = Math.max(worst.contacts, certificate.contacts);
}
