/** A human in its real-time version, falling onto a floor and a ball: flesh, bones, joints and contact together. */

import type { SceneDef } from '../src/scene/scene-def.js';
import { buildHuman } from './cast/human.js';

/** Builds the scene. */
export function buildRagdollScene(): SceneDef {
  return {
    name: 'ragdoll',
    description: 'A human falls over a ball onto the floor.',
    // leaning forward by a quarter of a turn less a bit: quaternion of 1.2 rad about x
    bodies: [{ body: buildHuman({ cell: 0.08 }), position: [0, 0.9, -0.6], rotation: [0.5646, 0, 0, 0.8253] }],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.6 },
      { name: 'ball', shape: { kind: 'sphere', radius: 0.3 }, position: [0.1, 0.3, 0.3], friction: 0.5 },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
