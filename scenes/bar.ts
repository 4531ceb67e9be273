/**
 * The bar of [Li2019, Table 1]: two rigid ends around a soft middle, held together by a ball joint. It starts bent at
 * the joint, weightless and turning, so that momentum must be conserved while the bend springs back.
 */
import { buildBar } from '../src/character/bar.js';
import type { SceneDef } from '../src/scene/scene-def.js';
import { bendPositions } from './bend.js';

/** Builds the scene. */
export function buildBarScene(): SceneDef {
  const body = buildBar();
  // The six cells past each bone's last layer of vertices: bones are 6 * 0.03 m long, the bar 34 * 0.03 m.
  const startPositions = bendPositions(body.positions, { along: 0, toward: 1, start: 0.18, end: 0.84, angle: 1 });
  return {
    name: 'bar',
    description: 'A soft bar with two rigid ends and a ball joint, released bent and spinning, weightless.',
    bodies: [{ body, startPositions, angularVelocity: [0, 2, 0] }],
    gravity: [0, 0, 0],
    dt: 0.033,
    iterations: 20,
  };
}
