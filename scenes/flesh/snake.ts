/** A snake in its real-time version, falling across the edge of a low box onto the floor. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildSnake } from '../cast/creatures/snake.js';

/** Builds the scene. */
export function buildSnakeScene(): SceneDef {
  return {
    name: 'snake',
    description: 'A snake falls on a floor and over a low box.',
    bodies: [{ body: buildSnake({ cell: 0.028 }), position: [0.55, 0.35, 0] }],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 },
      { name: 'box', shape: { kind: 'box', halfExtents: [0.2, 0.06, 0.25] }, position: [0.1, 0.06, 0], friction: 0.5 },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
