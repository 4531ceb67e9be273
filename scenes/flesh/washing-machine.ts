/** The human of [Li2019, Fig. 1] in the turning drum of a washing machine: carried up by friction, falling back, over and over. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';
import { tumblingScene } from './drum.js';

/** Builds the scene. */
export function buildWashingMachineScene(): SceneDef {
  return {
    ...tumblingScene(buildHuman()),
    name: 'washing-machine',
    description: 'A human with nine bones and eight joints tumbles in a washing machine.',
    dt: 0.033,
    iterations: 20,
  };
}
