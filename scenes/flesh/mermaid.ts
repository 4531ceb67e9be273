/** The mermaid of [Li2019, Fig. 12] in a cylindrical glass: her tail starts bent and swings back while she drifts to the wall. */

import type { SceneDef } from '../../src/scene/scene-def.js';
import { bendPositions } from '../bend.js';
import { buildMermaid } from '../cast/creatures/mermaid.js';

/** How to build the scene. */
export interface MermaidSceneOptions {
  /** Side of the lattice cubes [m]; default that of the paper's counts. */
  readonly cell?: number;
}

/** Builds the scene. Nearly weightless, as a body in water is. */
export function buildMermaidScene({ cell }: MermaidSceneOptions = {}): SceneDef {
  const body = buildMermaid({ cell });
  // From just below the hip bone, which must keep its shape, to above the flukes.
  const startPositions = bendPositions(body.positions, { along: 1, toward: 2, start: 0.78, end: 0.22, angle: -1.2 });
  return {
    name: 'mermaid',
    description: 'A mermaid in a cylindrical glass; her bent tail springs back as she swims.',
    bodies: [{ body, startPositions, velocity: [0, 0.5, 1] }],
    obstacles: [
      {
        name: 'glass',
        shape: { kind: 'cylinder', radius: 0.95, halfLength: 1.1, container: true },
        position: [0, 1, 0],
        friction: 0.1,
      },
    ],
    gravity: [0, -0.5, 0],
    dt: 0.033,
    iterations: 20,
  };
}
