/** The snail of [Li2019, Fig. 10]: a rigid shell on a soft body. It falls on a ball, slides off and comes to lie on the floor. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildSnail } from '../cast/creatures/snail.js';

/** How to build the scene. */
export interface SnailSceneOptions {
  /** Side of the lattice cubes [m]; default that of the paper's counts. */
  readonly cell?: number;
}

/** Builds the scene. */
export function buildSnailScene({ cell }: SnailSceneOptions = {}): SceneDef {
  return {
    name: 'snail',
    description: 'A snail with a rigid shell falls on a ball and off it.',
    // upside down, leaning to one side: quaternion of 2.6 rad about x
    bodies: [{ body: buildSnail({ cell }), position: [0, 0.3, 0], rotation: [0.9636, 0, 0, 0.2675] }],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 },
      // sunk into the floor, so that what slides off it does not fall far
      { name: 'ball', shape: { kind: 'sphere', radius: 0.2 }, position: [0, -0.08, 0], friction: 0.5 },
    ],
    dt: 0.033,
    iterations: 20,
  };
}
