/** The human of [Li2019], tumbling as in a washing machine; the drum comes with contact. */
import { buildHuman } from '../src/character/human.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. */
export function buildWashingMachineScene(): SceneDef {
  return {
    name: 'washing-machine',
    description: 'A human with nine bones and eight joints, thrown up and tumbling.',
    bodies: [{ body: buildHuman(), position: [0, 1, 0], velocity: [0, 3, 0], angularVelocity: [4, 0.5, 1.5] }],
    dt: 0.033,
    iterations: 20,
  };
}
