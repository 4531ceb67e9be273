/**
 * The objective of a step, a/2 |x − y|² in the masses of flesh and bones plus the elastic energy [Li2019 eq. 13], for the question
 * whether a step that had to be shortened came far enough. Staying where the step began costs what the body has in kinetic and elastic
 * energy; a result that costs clearly more has gained energy from nowhere. Called at the end of such steps by the projective solver.
 */
import type { Model } from '../../../body/model.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';
import { boneMass } from '../system.js';

/** The inertial part of the objective at positions and poses of the step in progress [J]; `inertia` is a [1/s²]. */
export function inertialEnergy(model: Model, rows: FleshRows, motion: BoneMotion, inertia: number): number {
  const x = rows.x.view;
  const y = rows.target.view;
  const weights = rows.weights.view;
  let sum = 0;
  for (let row = 0; row < weights.length; row++) {
    for (let k = row * 4; k < row * 4 + 3; k++) sum += weights[row] * (x[k] - y[k]) * (x[k] - y[k]);
  }
  for (let bone = 0; bone < motion.count; bone++) {
    for (let p = 0; p < 4; p++) {
      for (let q = 0; q < 4; q++) {
        const mass = inertia * boneMass(model, bone, p, q);
        for (let k = 0; k < 3; k++) sum += mass * motion.wayToTarget(bone, p, k) * motion.wayToTarget(bone, q, k);
      }
    }
  }
  return sum / 2;
}

/** The objective at positions and poses of the step in progress, once a local step has been taken there; `inertia` is a [1/s²]. */
export function stepObjective(model: Model, rows: FleshRows, motion: BoneMotion, inertia: number): number {
  return rows.elasticEnergy() + inertialEnergy(model, rows, motion, inertia);
}

/** Puts positions and poses of the step in progress back to where the step began. */
export function goToStart(layout: Layout, rows: FleshRows, motion: BoneMotion, state: ProjectiveState): void {
  const x = rows.x.view;
  for (let i = 0; i < layout.fleshVertices.length; i++) {
    const v = layout.fleshVertices[i];
    const row = rows.rowOfVertex[v] * 4;
    for (let k = 0; k < 3; k++) x[row + k] = state.positions[v * 3 + k];
  }
  motion.poses.copy(state.poses);
}
