/** A soft hollow tube in its real-time version, held at one end, sagging onto a bar. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildTubes } from '../cast/creatures/tubes.js';

/** Builds the scene. */
export function buildTubesScene(): SceneDef {
  return {
    name: 'tubes',
    description: 'A hollow tube held at one end sags onto a bar.',
    bodies: [{ body: buildTubes({ cell: 0.0235 }), position: [-0.2, 0.3, 0] }],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 },
      {
        name: 'bar',
        shape: { kind: 'capsule', radius: 0.03, halfLength: 0.2 },
        position: [0.06, 0.17, 0],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        friction: 0.5,
      },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
