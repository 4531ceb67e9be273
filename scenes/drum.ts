/** A human in its real-time version inside a turning drum: carried up by friction, falling back, over and over. */
import { buildHuman } from '../src/character/human.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. */
export function buildDrumScene(): SceneDef {
  return {
    name: 'drum',
    description: 'A human tumbles in a turning drum.',
    // lying on its back along x
    bodies: [
      { body: buildHuman({ cell: 0.075 }), position: [-0.85, 0.55, 0], rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] },
    ],
    obstacles: [
      {
        name: 'drum',
        shape: { kind: 'cylinder', radius: 1.1, halfLength: 0.6, container: true },
        position: [0, 1.1, 0],
        // its axis is along z
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        angularVelocity: [0, 0, 2],
        friction: 0.7,
      },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
