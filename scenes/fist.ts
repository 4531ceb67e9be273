/** Two hands that close and open: one on itself, one on a ball. Their bones are driven, their flesh gives way where it touches. */
import type { BodyDef } from '../src/body/body-def.js';
import type { SceneDef } from '../src/scene/scene-def.js';
import { buildHand } from './cast/hand.js';

/** Between the two wrists [m]. */
const APART = 0.3;

/** Builds the scene. */
export function buildFistScene(): SceneDef {
  const hand = buildHand({ cell: 0.0112 });
  const body: BodyDef = { ...hand, bones: (hand.bones ?? []).map((bone) => ({ ...bone, kinematic: true })) };
  return {
    name: 'fist',
    description: 'One hand closes to a fist, another on a ball.',
    bodies: [
      { body, name: 'fist', position: [-APART / 2, 0.1, 0], friction: 0.8 },
      { body, name: 'grip', position: [APART / 2, 0.1, 0], friction: 0.8 },
    ],
    obstacles: [
      { name: 'ball', shape: { kind: 'sphere', radius: 0.03 }, position: [APART / 2, 0.165, 0.055], friction: 0.8 },
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}
