/** The mermaid of [Li2019, Fig. 12]: her tail starts bent and swings back while she moves on. */
import { buildMermaid } from '../src/character/mermaid.js';
import type { SceneDef } from '../src/scene/scene-def.js';
import { bendPositions } from './bend.js';

/** Builds the scene. Weightless, as a body in water nearly is. */
export function buildMermaidScene(): SceneDef {
  const body = buildMermaid();
  // From just below the hip bone, which must keep its shape, to above the flukes.
  const startPositions = bendPositions(body.positions, { along: 1, toward: 2, start: 0.78, end: 0.22, angle: -1.2 });
  return {
    name: 'mermaid',
    description: 'A mermaid whose bent tail springs back as she swims.',
    bodies: [{ body, startPositions, velocity: [0, 0.5, 1] }],
    gravity: [0, 0, 0],
    dt: 0.033,
    iterations: 20,
  };
}
