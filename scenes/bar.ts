/**
 * The bar of [Li2019, Table 1]: two rigid ends around a soft middle, held together by a ball joint. Dropped on a floor, tilted
 * and turning: it lands on one end and bends at the joint.
 */

import type { SceneDef } from '../src/scene/scene-def.js';
import { buildBar } from './cast/bar.js';

/** Builds the scene. */
export function buildBarScene(): SceneDef {
  return {
    name: 'bar',
    description: 'A soft bar with two rigid ends and a ball joint, tilted and turning, dropped on a floor.',
    // quaternion of 0.9 rad about z
    bodies: [
      { body: buildBar(), position: [-0.3, 0.4, 0], rotation: [0, 0, 0.435, 0.9004], angularVelocity: [0, 2, 0] },
    ],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.4 }],
    dt: 0.033,
    iterations: 20,
  };
}
