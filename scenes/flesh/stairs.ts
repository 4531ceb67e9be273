/** A human in its real-time version, pushed off the top of a flight of stairs. */

import type { ObstacleDef } from '../../src/collision/obstacles/obstacle-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';

/** Height and depth of a stair, and half the width of the flight [m]. */
const RISE = 0.18;
const TREAD = 0.28;
const HALF_WIDTH = 1.2;
const STAIRS = 6;
/** How far the landing reaches behind the edge of the uppermost stair [m]. */
const LANDING = 2;

/** Builds the scene. */
export function buildStairsScene(): SceneDef {
  const landing = STAIRS * RISE;
  return {
    name: 'stairs',
    description: 'A limp human tumbles down a flight of stairs.',
    bodies: [
      {
        body: buildHuman({ cell: 0.085 }),
        position: [0, landing + 0.06, -0.25],
        velocity: [0.1, 0, 1.2],
        angularVelocity: [1, 0.2, 0],
      },
    ],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.4 }, ...buildFlight()],
    dt: 1 / 60,
    iterations: 10,
  };
}

/** Each stair reaches back under all that are above it: no box has a side where the next one begins, which could hold a foot. */
function buildFlight(): ObstacleDef[] {
  return Array.from({ length: STAIRS }, (_, i) => {
    const height = (i + 1) * RISE;
    const front = (STAIRS - 1 - i) * TREAD;
    const back = -LANDING;
    return {
      name: `stair${i + 1}`,
      shape: { kind: 'box', halfExtents: [HALF_WIDTH, height / 2, (front - back) / 2] },
      position: [0, height / 2, (front + back) / 2],
      friction: 0.4,
    };
  });
}
