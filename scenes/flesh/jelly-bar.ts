/** A soft bar without bones, held at one end: the plain finite-element case, for comparison with other engines. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildBar } from '../cast/bar.js';

/** Builds the scene. */
export function buildJellyBarScene(): SceneDef {
  // neo-Hookean: at the clamp, where it is bent most, a corotated bar of this stiffness turns a dozen tets inside out
  const material = { model: 'stableNeoHookean', youngModulus: 2e5, poissonRatio: 0.4, density: 1000 } as const;
  return {
    name: 'jelly-bar',
    description: 'A soft bar held at one end, sagging under its weight.',
    bodies: [{ body: { ...buildBar({ boneLayers: 0, pinLayers: 1, material }), name: 'jelly-bar' } }],
    dt: 1 / 60,
    iterations: 10,
  };
}
