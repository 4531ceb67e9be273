/** A dog in its real-time version, limp, dropped onto its feet from 0.3 m: its legs give way under it. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildQuadruped } from '../cast/creatures/quadruped.js';

/** Builds the scene. */
export function buildQuadrupedScene(): SceneDef {
  return {
    name: 'quadruped',
    description: 'A limp dog drops onto the floor and collapses.',
    bodies: [{ body: buildQuadruped({ cell: 0.047 }), position: [0, 0.3, 0] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }],
    dt: 1 / 60,
    iterations: 10,
  };
}
