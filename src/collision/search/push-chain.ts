/**
 * What bodies may do to each other's speed within one step: what is hit goes on with what hits it, into the next one, and what
 * lands stops what comes behind it. Without this a row of boxes with small gaps was pushed into each other by 6 % of their width.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { NearPairs } from './near-pairs.js';

/** Bodies a push is handed on through, at most, in one step. */
const LONGEST = 8;
/** Share of a push that must be left to be worth handing on. */
const WORTH = 1.01;

/** Way in one step, in mean edge lengths, against the body as a whole, from which parts of a body count as flung. */
const FLUNG = 2;

/** Fills `push` of every body: the change of velocity it may be given by those it can meet, and by those they can meet; and `isFlung`. */
export function spreadPushes(
  bodies: readonly SurfaceMotion[],
  { starts, others }: NearPairs,
  h: number,
  pull: number,
): void {
  for (let i = 0; i < bodies.length; i++) {
    bodies[i].push.fill(0);
    bodies[i].pushSpeed = 0;
    bodies[i].isFlung = h * bodies[i].spread > FLUNG * bodies[i].surface.edgeLength;
  }
  for (let round = 0, changed = true; round < LONGEST && changed; round++) {
    changed = false;
    for (let a = 0; a < bodies.length; a++) {
      for (let n = starts[a]; n < starts[a + 1]; n++) {
        const to = bodies[others[n]];
        if (canMeet(bodies[a], to, h, pull) && handOn(bodies[a], to)) changed = true;
      }
    }
  }
}

/** Whether the boxes around two bodies can overlap within the step. */
export function canMeet(a: SurfaceMotion, b: SurfaceMotion, h: number, pull: number): boolean {
  const margin = Math.max(a.margin, b.margin) + h * (a.spread + b.spread + h * pull);
  for (let k = 0; k < 3; k++) {
    const closing = Math.abs(b.velocity[k] - a.velocity[k]);
    const grow = margin + h * (closing + Math.max(Math.abs(a.push[k]), Math.abs(b.push[k])));
    if (a.box[k] > b.box[3 + k] + grow || b.box[k] > a.box[3 + k] + grow) return false;
  }
  return true;
}

/** Body `to` may come to move as `from` does, if that is more than it is pushed already; says whether it is. */
function handOn(from: SurfaceMotion, to: SurfaceMotion): boolean {
  // a light body makes a heavy one no faster than an elastic hit would
  const share = Math.min(1, (2 * from.model.totalMass) / (from.model.totalMass + to.model.totalMass));
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = share * (from.velocity[k] + from.push[k] - to.velocity[k]);
    sum += d * d;
  }
  const speed = Math.sqrt(sum);
  if (!(speed > WORTH * to.pushSpeed)) return false;
  to.pushSpeed = speed;
  for (let k = 0; k < 3; k++) to.push[k] = share * (from.velocity[k] + from.push[k] - to.velocity[k]);
  return true;
}
