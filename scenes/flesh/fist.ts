/** Two hands that close and open: one on itself, one on a ball. Their bones are driven, their flesh gives way where it touches. */
import type { BodyDef } from '../../src/body/body-def.js';
import type { DriveDef } from '../../src/scene/drive-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHand } from '../cast/hand.js';

/** Between the two wrists [m]. */
const APART = 0.3;

/** How far each joint bends when the hand is closed [rad]. */
type Grip = Readonly<Record<'Knuckle' | 'Joint' | 'Tip', number>>;
const FIST: Grip = { Knuckle: 1.1, Joint: 1.3, Tip: 0.7 };
const AROUND_BALL: Grip = { Knuckle: 0.75, Joint: 0.7, Tip: 0.4 };
/** The thumb bends less, and stays out of the way of the fingers. */
const THUMB_SHARE = 0.3;
/** From open to closed and back [s]. */
const PERIOD = 4;
const FINGERS = ['thumb', 'index', 'middle', 'ring', 'little'] as const;
const PARTS = ['Knuckle', 'Joint', 'Tip'] as const;

/** Closes and opens a hand, over and over. */
function closeHand(body: string, grip: Grip): DriveDef[] {
  return FINGERS.map((finger) => ({
    kind: 'bend',
    body,
    amount: { kind: 'wave', from: 0, to: finger === 'thumb' ? THUMB_SHARE : 1, period: PERIOD },
    joints: PARTS.map((part) => ({ joint: finger + part, angle: grip[part] })),
  }));
}

/** Builds the scene. */
export function buildFistScene(): SceneDef {
  const hand = buildHand({ cell: 0.0112 });
  const body: BodyDef = { ...hand, bones: (hand.bones ?? []).map((bone) => ({ ...bone, kinematic: true })) };
  return {
    name: 'fist',
    description: 'One hand closes to a fist, another on a ball.',
    bodies: [
      { body, name: 'fist', position: [-APART / 2, 0.1, 0], friction: 0.8 },
      { body, name: 'grip', position: [APART / 2, 0.1, 0], friction: 0.8 },
    ],
    obstacles: [
      { name: 'ball', shape: { kind: 'sphere', radius: 0.03 }, position: [APART / 2, 0.165, 0.055], friction: 0.8 },
    ],
    drives: [...closeHand('fist', FIST), ...closeHand('grip', AROUND_BALL)],
    dt: 1 / 60,
    iterations: 10,
  };
}
