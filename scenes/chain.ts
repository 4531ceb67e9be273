/** Rigid rods joined end to end and hung up by the first: joints and nothing else. */
import type { SceneDef } from '../src/scene/scene-def.js';
import { buildRodChain } from './rod-chain.js';

/** Builds the scene with `links` rods. */
export function buildChainScene(links = 8): SceneDef {
  return {
    name: 'chain',
    description: `${links} rigid rods joined by ball joints, swinging from one end.`,
    bodies: [{ body: buildRodChain(links, 'chain') }],
    dt: 1 / 60,
    iterations: 10,
  };
}
