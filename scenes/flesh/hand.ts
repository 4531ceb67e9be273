/** A hand in its real-time version, hanging from a forearm that does not move, its fingers relaxed. */
import type { BodyDef } from '../../src/body/body-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHand } from '../cast/hand.js';

/** Builds the scene. */
export function buildHandScene(): SceneDef {
  const hand = buildHand({ cell: 0.0112 });
  const bones = (hand.bones ?? []).map((bone) => (bone.name === 'forearm' ? { ...bone, kinematic: true } : bone));
  const body: BodyDef = { ...hand, bones };
  return {
    name: 'hand',
    description: 'A hand hangs from its forearm; wrist and fingers sag under their weight.',
    // Fingers forward and a little down, the back of the hand up: quaternion of 1.8 rad about x.
    bodies: [{ body, position: [0, 0.4, 0], rotation: [0.7833, 0, 0, 0.6216] }],
    // few iterations bring palm and fingers along only where flesh can turn as one
    solver: { kind: 'projective', turningRegions: true },
    dt: 1 / 60,
    iterations: 10,
  };
}
