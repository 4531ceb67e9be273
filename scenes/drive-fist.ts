/** Closes and opens the hands of the scene `fist`, over and over. */
import { cos } from '../src/math/trig.js';
import type { World } from '../src/world/world.js';
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
