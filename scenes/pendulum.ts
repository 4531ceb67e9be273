/** One rigid rod on a ball joint in the air, starting level: the smallest scene with a joint. */
import type { SceneDef } from '../src/scene/scene-def.js';
import { buildRodChain } from './rod-chain.js';

/** Builds the scene. */
export function buildPendulumScene(): SceneDef {
  return {
    name: 'pendulum',
    description: 'One rigid rod swinging from a ball joint.',
    bodies: [{ body: buildRodChain(1, 'pendulum') }],
    dt: 1 / 60,
    iterations: 10,
  };
}
