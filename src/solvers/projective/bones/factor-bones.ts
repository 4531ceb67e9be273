/**
 * Assembles and factors the system of a body's bones. What turning regions take off the metric was made for rotations the bones may have left by a little since
 * (turning-regions.ts); taken off askew it can leave less than nothing, and bones and contacts then go the wrong way. The factor shows it: unknowns of bones have
 * positive pivots, and rows of joints negative ones as long as those before them are as they should be. Then it is made anew for the rotations as they
 * are, which leaves at least the bones' inertia. Called by BoneStep.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { TurningRegions } from '../regions/turning-regions.js';
import type { ActiveRows } from './active-rows.js';
import type { BoneCurvature } from './bone-curvature.js';
import type { BoneSystem } from './bone-system.js';
import type { Motors } from './motors.js';

/** What the system is made of. */
export interface BoneParts {
  readonly system: BoneSystem;
  readonly curvature: BoneCurvature;
  readonly motors: Motors;
  readonly active: ActiveRows;
}

/** What counts beside metric, curvature and joints. */
export type Resisting = 'joints alone' | 'motors' | 'motors and limits';

/** Factors the system at these poses, `regions` turning along, joints giving way by `give`; returns how many joint rows were redundant. */
export function factorBones(
  parts: BoneParts,
  poses: BonePoses,
  regions: TurningRegions | undefined,
  give: number,
  resisting: Resisting,
): number {
  const { system } = parts;
  system.eased = regions?.easedAt(poses.rotations);
  const redundant = factorNow(parts, poses, give, resisting);
  if (!regions || !hasNegative(system)) return redundant;
  regions.easeFor(poses.rotations);
  return factorNow(parts, poses, give, resisting);
}

/** Whether some move of bones costs less than nothing. */
function hasNegative({ order: { start, coupledStart }, ldlt: { inverse } }: BoneSystem): boolean {
  for (let bone = 0; bone + 1 < coupledStart.length; bone++) {
    for (let i = start[bone]; i < start[bone] + 6; i++) if (inverse[i] < 0) return true;
  }
  return false;
}

function factorNow(
  { system, curvature, motors, active }: BoneParts,
  poses: BonePoses,
  give: number,
  resisting: Resisting,
): number {
  system.assemble(poses, curvature.values, give);
  if (resisting !== 'joints alone' && active.any) {
    motors.addStiffness(system, poses);
    active.addCurvature(system, poses);
    if (resisting === 'motors and limits') active.addStiffness(system, poses);
  }
  return system.ldlt.factor();
}
