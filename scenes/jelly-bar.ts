/** A soft bar without bones, held at one end: the plain finite-element case, for comparison with other engines. */
import { buildBar } from '../src/character/bar.js';
import type { SceneDef } from '../src/scene/scene-def.js';

/** Builds the scene. */
export function buildJellyBarScene(): SceneDef {
  return {
    name: 'jelly-bar',
    description: 'A soft bar held at one end, sagging under its weight.',
    bodies: [{ body: { ...buildBar({ boneLayers: 0, pinLayers: 1 }), name: 'jelly-bar' } }],
    dt: 1 / 60,
    iterations: 10,
  };
}
