/** A human in its real-time version inside a turning drum: carried up by friction, falling back, over and over. */
import type { BodyDef } from '../../src/body/body-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';

/** Radius of the drum [m]; a human of 1.7 m has room in it lying, standing and folded. */
const RADIUS = 1.1;

/** Builds the scene. */
export function buildDrumScene(): SceneDef {
  return {
    ...tumblingScene(buildHuman({ cell: 0.08, skull: true })),
    name: 'drum',
    description: 'A human tumbles in a turning drum.',
    dt: 1 / 60,
    iterations: 10,
  };
}

/** A human in the drum, at first on its back across the bottom. */
export function tumblingScene(body: BodyDef): Pick<SceneDef, 'bodies' | 'obstacles'> {
  return {
    // face up, the head towards -x
    bodies: [{ body, position: [0.85, 0.6, 0], rotation: [-0.5, 0.5, 0.5, 0.5] }],
    obstacles: [
      {
        name: 'drum',
        shape: { kind: 'cylinder', radius: RADIUS, halfLength: 0.75, container: true },
        position: [0, RADIUS, 0],
        // its axis is along z
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        angularVelocity: [0, 0, 2],
        friction: 0.5,
      },
    ],
  };
}
