/** Three jelly boxes dropped on a floor, one after the other: contact and friction of flesh alone. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildBar } from '../cast/bar.js';

/** Builds the scene. */
export function buildJellyDropScene(): SceneDef {
  const material = { model: 'stableNeoHookean', youngModulus: 3e4, poissonRatio: 0.45, density: 1000 } as const;
  const body = buildBar({ cells: [6, 4, 4], cell: 0.05, boneLayers: 0, material });
  return {
    name: 'jelly-drop',
    description: 'Jelly bars land on a floor, turned in different ways.',
    bodies: [
      { body, name: 'flat', position: [-0.6, 0.4, 0] },
      { body, name: 'corner', position: [0, 0.7, 0], rotation: [0.2706, 0.1, 0.6533, 0.7] },
      {
        body,
        name: 'upright',
        position: [0.5, 0.5, 0],
        rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
        angularVelocity: [0, 2, 0],
      },
    ],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
    dt: 1 / 60,
    iterations: 10,
  };
}
