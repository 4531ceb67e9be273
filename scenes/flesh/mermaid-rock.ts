/** The mermaid in her real-time version, at the bottom of the sea: she sinks onto a rock, her tail still swinging. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { bendPositions } from '../bend.js';
import { buildMermaid } from '../cast/creatures/mermaid.js';

/** Builds the scene. Light, as a body in water is: her flesh alone holds her bones together. */
export function buildMermaidRockScene(): SceneDef {
  const body = buildMermaid({ cell: 0.065 });
  return {
    name: 'mermaid-rock',
    description: 'A mermaid sinks onto a rock under water.',
    bodies: [
      {
        body,
        startPositions: bendPositions(body.positions, { along: 1, toward: 2, start: 0.78, end: 0.22, angle: -0.9 }),
        // upright but for a lean of 0.8 rad to her left: quaternion about z
        position: [-0.75, 0.3, 0],
        rotation: [0, 0, -0.3894, 0.9211],
      },
    ],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.6 },
      // sunk into the floor
      { name: 'rock', shape: { kind: 'sphere', radius: 0.45 }, position: [0.1, -0.1, 0], friction: 0.6 },
    ],
    gravity: [0, -1.5, 0],
    dt: 1 / 60,
    iterations: 10,
  };
}
