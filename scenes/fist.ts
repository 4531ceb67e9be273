/** Two hands that close and open: one on itself, one on a ball. Their bones are driven, their flesh gives way where it touches. */
import type { BodyDef } from '../src/body/body-def.js';
import { buildHand } from '../src/character/hand.js';
import { cos } from '../src/math/trig.js';
import type { SceneDef } from '../src/scene/scene-def.js';
import type { World } from '../src/world.js';
import { bendChain } from './bend-chain.js';

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
/** Between the two wrists [m]. */
const APART = 0.3;

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
    dt: 1 / 60,
    iterations: 10,
  };
}

/** Bends the fingers of both hands as far as they are to be at the end of the next step. */
export function driveFist(world: World): void {
  // 0 at the start, 1 after half a period
  const closed = (1 - cos((2 * Math.PI * (world.time + world.dt)) / PERIOD)) / 2;
  for (const body of world.bodies) {
    const grip = body.name === 'fist' ? FIST : AROUND_BALL;
    for (const finger of FINGERS) {
      const share = finger === 'thumb' ? closed * THUMB_SHARE : closed;
      bendChain(
        body,
        PARTS.map((part) => ({ joint: finger + part, angle: share * grip[part] })),
      );
    }
  }
}
