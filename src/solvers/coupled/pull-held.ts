/** What holds points of bodies: a spring and a damper as stiff as a substep allows, as forces on the vertices held. */
import type { BodyState } from '../../body/state.js';
import type { HeldPoint, SolverSite } from '../solver.js';
import type { BodyWriter } from './body-writer.js';

/**
 * Share of a distance, and of a velocity, that a substep takes away from the mass that is held. At the end of a rod a pull meets a
 * quarter of the mass and acts for all substeps of a step, so more than a tenth would overshoot.
 */
const SPRING = 0.02;
const DAMPER = 0.1;
/** Share of a soft body's mass that moves with a grip. */
const SOFT_SHARE = 0.25;

const FORCE = new Float64Array(3);

/** Pulls every held point to its target. */
export function pullHeld(
  held: readonly (readonly HeldPoint[])[],
  states: readonly BodyState[],
  site: SolverSite,
  writer: BodyWriter,
  h: number,
): void {
  for (let i = 0; i < held.length; i++) {
    // positions may be worked out when they are asked for
    if (held[i].length === 0) continue;
    const { positions, velocities } = states[i];
    const { model } = site.bodies[i];
    for (let n = 0; n < held[i].length; n++) {
      const { vertices, weights, target } = held[i][n];
      const bone = model.bones.ofVertex[vertices[0]];
      const mass = bone >= 0 ? model.bones.mass[bone] : SOFT_SHARE * model.totalMass;
      for (let k = 0; k < 3; k++) {
        let x = 0;
        let v = 0;
        for (let m = 0; m < vertices.length; m++) {
          x += weights[m] * positions[vertices[m] * 3 + k];
          v += weights[m] * velocities[vertices[m] * 3 + k];
        }
        // a grip carries what it holds
        FORCE[k] = mass * ((SPRING * (target[k] - x)) / (h * h) - (DAMPER * v) / h - site.gravity[k]);
      }
      for (let m = 0; m < vertices.length; m++) writer.addVertexForce(i, vertices[m], FORCE, weights[m]);
    }
  }
}
