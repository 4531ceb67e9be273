/**
 * How far and how hard a held point is pulled, so that nothing a hand does tears a body: a slow frame makes a pointer jump, two hands pull
 * apart, a pull goes through the floor. The target is approached at a limited speed, by a limited force, and the less the more the
 * flesh is stretched. Called when points are taken hold of and when a step with held points begins.
 */
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';

/** Fastest a point is pulled towards its target, in sizes of the body per second. */
const FASTEST = 2.4;
/** Rate at which it closes in on the target once it is near [1/s]: with the force it has, it can still brake. */
const CLOSING_IN = 30;
/** No force may be larger than moves the point this far in one step if nothing resists, in sizes of the body. */
const FARTHEST = 0.04;

/**
 * Farthest from the middle of the body that a point is pulled, relative to the body's size: a body held elsewhere is stretched to
 * about twice its length and not torn; a free one follows however far the target is.
 */
const LEASH = 1;

/** Most a point is pulled with, as an acceleration of the whole body [m/s²]: six times its weight on the ground. */
const STRONGEST_PULL = 60;
/**
 * Stretch of the flesh, anywhere in the body, from which pulls get weaker, and at which nothing of them is left. A target that
 * jumped by ten times the body's size drew single tets to 3,000 times their length without any of the three limits, to 15 with the
 * first one, to 4.4 with all.
 */
const TAUT = 1.5;
const TORN = 3;

/** Most a point is pulled with [N] that gives way by `compliance` [m/N] within a step. */
export function strongestPull({ size, totalMass, tetCount }: Model, compliance: number): number {
  const whole = STRONGEST_PULL * totalMass;
  // what has no flesh cannot be torn, and a box could not be lifted by its corner
  return tetCount === 0 ? whole : Math.min(whole, (FARTHEST * size) / compliance);
}

/** Share of that which the flesh still bears in a step of `h` [s]. */
export function borneShare(model: Model, state: BodyState, h: number): number {
  const left = (TORN - largestStretch(model, state, h)) / (TORN - TAUT);
  return left > 0 ? Math.min(1, left) : 0;
}

/**
 * Where a point at `start` is pulled to in a step of `h` [s]: as far towards its target as a step may go, to `goal` [m]. `middle` and
 * `size`: of the body [m].
 */
export function pullGoal(
  goal: Float64Array,
  start: Float64Array,
  target: Float64Array,
  middle: Float64Array,
  size: number,
  h: number,
): void {
  const share = Math.min(1, (LEASH * size) / distanceBetween(target, middle));
  for (let k = 0; k < 3; k++) goal[k] = middle[k] + share * (target[k] - middle[k]);
  const part = Math.min(1, CLOSING_IN * h, (FASTEST * h * size) / distanceBetween(goal, start));
  for (let k = 0; k < 3; k++) goal[k] = start[k] + part * (goal[k] - start[k]);
}

/** Distance of two points [m]. */
export function distanceBetween(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Largest stretch of any tet, from √(|F|² − 2): the length it is drawn to where it is drawn in one direction and keeps its volume,
 * 1 at rest. Looked at where the body will be in a time `ahead` [s] if it goes on as it does.
 */
function largestStretch(model: Model, state: BodyState, ahead: number): number {
  const { positions, velocities } = state;
  const { tets, inverseRest } = model;
  let worst = 3;
  for (let t = 0; t < tets.length; t += 4) {
    const o = (t / 4) * 9;
    const a = tets[t] * 3;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const b = tets[t + 1] * 3 + k;
      const c = tets[t + 2] * 3 + k;
      const d = tets[t + 3] * 3 + k;
      const origin = positions[a + k] + ahead * velocities[a + k];
      const x = positions[b] + ahead * velocities[b] - origin;
      const y = positions[c] + ahead * velocities[c] - origin;
      const z = positions[d] + ahead * velocities[d] - origin;
      for (let j = 0; j < 3; j++) {
        const f = x * inverseRest[o + j] + y * inverseRest[o + 3 + j] + z * inverseRest[o + 6 + j];
        square += f * f;
      }
    }
    if (!(square <= worst)) worst = square;
  }
  return Math.sqrt(worst - 2);
}
