/** How far a step of the projective solver is from its converged end, for the certificate and for `tolerance`. */
import type { Model } from '../../../body/model.js';
import { dotVec3 } from '../../../math/vec3.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Acceleration } from './acceleration.js';
import { inertialEnergy } from './step-objective.js';

/**
 * Estimate of the distance from the converged step as a share of the correction |x − y| that was needed, in the masses. The energy that
 * is left to fall [J], which the iterations have shown (`iterated`), bounds the distance: the stiffness is at least that of inertia. In free fall nothing is needed: what gravity does in a step, of
 * which `acceleration` is the time squared [s²], counts at least. Bodies without flesh, which have no iterations to be
 * judged by, have nothing to converge to but their joints.
 */
export function estimateStepError(
  model: Model,
  rows: FleshRows,
  motion: BoneMotion,
  gravity: ArrayLike<number>,
  acceleration: number,
  iterated: Acceleration | undefined,
): number {
  if (!iterated) return rows.fleshCount > 0 ? 1 : 0;
  const { left } = iterated.convergence;
  const falling = 0.5 * model.totalMass * acceleration * dotVec3(gravity, 0, gravity, 0);
  const needed = Math.max(falling, inertialEnergy(model, rows, motion, 1 / acceleration));
  return left < needed ? Math.sqrt(left / needed) : left > 0 ? 1 : 0;
}

/**
 * Error from which on a step that was cut short is lost, and how many times its weight the correction it needed is where it is hurled about: as long as
 * shorter steps can be tried, and after that, when nothing is left but to fail.
 */
export const LOST = 0.8;
const HURLED = 3;
const HURLED_AT_LAST = 12;

/**
 * Whether flesh is hurled about by a step with this error; the other arguments as above. What hangs from a driven bone and has come to rest
 * may have as large an error, of nothing.
 */
export function isHurled(
  model: Model,
  rows: FleshRows,
  motion: BoneMotion,
  gravity: ArrayLike<number>,
  acceleration: number,
  error: number,
  isLastTry: boolean,
): boolean {
  const most = isLastTry ? HURLED_AT_LAST : HURLED;
  if (error <= LOST) return false;
  const falling = 0.5 * model.totalMass * acceleration * dotVec3(gravity, 0, gravity, 0);
  return inertialEnergy(model, rows, motion, 1 / acceleration) > most * most * falling;
}
