/** The bar of [Li2019, Fig. 6]: two rigid ends around a soft middle, held together by a ball joint, thrown spinning. */
import { buildBar } from '../src/character/bar.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. */
export function buildBarScene(): SceneDef {
  return {
    name: 'bar',
    description: 'A soft bar with two rigid ends and a ball joint, pinned at one end and swinging down.',
    bodies: [{ body: buildPinnedBar() }],
    dt: 0.033,
    iterations: 20,
  };
}

