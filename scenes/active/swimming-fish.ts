/** A fish that swims: motors bend its spine in a wave that runs to the tail, and the water resists. No weight: it floats. */
import type { DriveDef } from '../../src/scene/drive-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildFish } from '../cast/creatures/fish.js';

/** One beat of the tail [s]. */
const BEAT = 0.4;
/** How far the spine bends to each side, from the nape to the tail [rad]. */
const BENDS = [0.06, 0.12, 0.2, 0.28, 0.36, 0.42];

/** Builds the scene. */
export function buildSwimmingFishScene(): SceneDef {
  const bends = BENDS.map(
    (bend, i): DriveDef => ({
      kind: 'motor',
      body: 'fish',
      joint: i === 0 ? 'nape' : `spineJoint${i}`,
      angle: { kind: 'wave', from: -bend, to: bend, period: BEAT, phase: 0.25 + 0.05 * i },
      stiffness: 40,
      damping: 0.4,
    }),
  );
  return {
    name: 'swimming-fish',
    description: 'A fish swims by a wave along its spine.',
    bodies: [{ body: buildFish({ cell: 0.023 }), position: [0, 0.35, 0] }],
    gravity: [0, 0, 0],
    drives: [{ kind: 'water', body: 'fish' }, ...bends],
    dt: 1 / 60,
    iterations: 10,
  };
}
