/** The snail of [Li2019, Fig. 10]: a rigid shell on a soft body, dropped tilted. What it lands on comes with contact. */
import { buildSnail } from '../src/character/snail.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. */
export function buildSnailScene(): SceneDef {
  return {
    name: 'snail',
    description: 'A snail with a rigid shell and a soft body, falling and turning over.',
    bodies: [{ body: buildSnail(), position: [0, 0.5, 0], angularVelocity: [0, 1, 3] }],
    dt: 0.033,
    iterations: 20,
  };
}
