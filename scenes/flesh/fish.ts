/** A fish in its real-time version, dropped on a floor in mid flap: spinning and bent to one side. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildFish } from '../cast/creatures/fish.js';

/** Builds the scene. */
export function buildFishScene(): SceneDef {
  return {
    name: 'fish',
    description: 'A fish lands on the floor, flapping.',
    bodies: [{ body: buildFish({ cell: 0.023 }), position: [0, 0.35, 0], angularVelocity: [3, 6, 5] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.3 }],
    // few iterations bring its tail and fins along only where flesh can turn as one
    solver: { kind: 'projective', turningRegions: true },
    dt: 1 / 60,
    iterations: 10,
  };
}
