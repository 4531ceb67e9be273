/** What pushes bones beside the motors of their joints, implicit like them: measured, added to the bones' system, and balanced in the same places. */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { BoneSystem } from './bone-system.js';

/** Work over a move [J]: with the forces at its start, and with those at its end. */
export interface MoveWork {
  before: number;
  after: number;
}

/** Something that pushes. */
export interface Actuator {
  /** Whether it pushes in this step. */
  readonly any: boolean;
  /** Takes forces at these poses, less what counts as balanced. */
  measure(poses: BonePoses): void;
  /** Forces as they are now count as balanced: from here on only what changes them pulls. */
  keepBase(poses: BonePoses): void;
  releaseBase(): void;
  addStiffness(system: BoneSystem, poses: BonePoses): void;
  /** Adds `share` of the forces to the right-hand side. */
  addForces(system: BoneSystem, poses: BonePoses, share: number): void;
  /** Remembers poses and forces, for `addWork`. */
  keep(poses: BonePoses): void;
  /** Adds the work since `keep`. */
  addWork(poses: BonePoses, work: MoveWork): void;
}
