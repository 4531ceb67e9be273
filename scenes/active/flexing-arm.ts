/** An arm that lifts its forearm by a motor: the muscle on that side of the upper arm works as hard as the motor, and bulges. */
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildFlexingArm } from '../cast/flexing-arm.js';

/** Builds the scene; `muscles`: false for the same arm without them; `cell`: side of the lattice cubes [m]. */
export function buildFlexingArmScene({ muscles = true, cell = 0.02 } = {}): SceneDef {
  const arm = buildFlexingArm(cell);
  return {
    name: 'flexing-arm',
    description: 'An arm lifts its forearm, and its biceps bulges.',
    bodies: [{ body: muscles ? arm : { ...arm, muscles: [] } }],
    drives: [
      {
        kind: 'motor',
        body: 'arm',
        joint: 'elbow',
        angle: { kind: 'wave', from: 0, to: 1.7, period: 4 },
        stiffness: 60,
        damping: 4,
      },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
