/**
 * What is done about a step that fails at every length: it is tried without the grips on the bodies, and, where the step before had failed
 * as well or bones are led or turned by motors, from rest, and from rest with motors that push no harder than their bodies bear, so that no world is stuck in a state it cannot leave. Else the fault says what pulled and what helps.
 */
import type { BonePoses } from '../../body/bone-poses.js';
import { TendonError } from '../../errors.js';
import { namesOfGrips, withoutGrips } from '../grab.js';
import type { WorldInside } from '../world.js';
import { namesOfMotors, withWeakMotors } from './weak-motors.js';

/** Tries `step`, which is `dt` long, again in the ways that are left; true, with the certificate saying which one, where one of them works. */
export function rescue(world: WorldInside, hasFailed: boolean, dt: number, step: () => boolean): boolean {
  const { certificate } = world;
  const grips = namesOfGrips(world);
  if (grips.length > 0 && withoutGrips(world, step)) {
    certificate.slipped = grips;
    return true;
  }
  const pushed = pushedBodies(world);
  const motors = namesOfMotors(world);
  // a force that stays would push again: it is the user's to take away
  if (
    (hasFailed || motors.length > 0 || isLed(world)) &&
    pushed.length === 0 &&
    fromRest(world, () => withoutGrips(world, step))
  ) {
    certificate.slipped = grips;
    certificate.stilled = true;
    return true;
  }
  const weakly = () => withWeakMotors(world, dt, () => withoutGrips(world, step));
  if (hasFailed && motors.length > 0 && fromRest(world, weakly)) {
    certificate.slipped = [...grips, ...motors];
    certificate.stilled = true;
    return true;
  }
  world.fault = explain(world.fault, grips, pushed);
  return false;
}

/** Takes all velocities away for a step; back where it fails. */
function fromRest({ bodies }: WorldInside, step: () => boolean): boolean {
  const kept = bodies.flatMap(({ state }) => [state.velocities, state.boneRates, state.clock]);
  const copies = kept.map((array) => array.slice());
  still(bodies);
  if (step()) {
    still(bodies);
    return true;
  }
  for (let i = 0; i < kept.length; i++) kept[i].set(copies[i]);
  return false;
}

function still(bodies: WorldInside['bodies']): void {
  for (const { state } of bodies) {
    state.velocities.fill(0);
    state.boneRates.fill(0);
    // nothing came before: methods of two steps start anew
    state.clock[1] = 0;
  }
}

/** Whether a kinematic bone is on its way: what fails now would fail again, only farther behind. */
function isLed({ bodies }: WorldInside): boolean {
  return bodies.some(({ state: { kinematic, boneTargets, poses } }) =>
    kinematic.some((isKinematic, bone) => isKinematic === 1 && isAway(boneTargets, poses, bone)),
  );
}

function isAway(targets: Float64Array, { quats, translations }: BonePoses, bone: number): boolean {
  for (let k = 0; k < 4; k++) if (targets[bone * 7 + k] !== quats[bone * 4 + k]) return true;
  for (let k = 0; k < 3; k++) if (targets[bone * 7 + 4 + k] !== translations[bone * 3 + k]) return true;
  return false;
}

/** Bodies that forces of the user act on. */
function pushedBodies({ bodies }: WorldInside): readonly string[] {
  return bodies
    .filter(({ state }) => state.forces.some((force) => force !== 0))
    .map(({ name }) => `bodies/${name}/forces`);
}

function explain(
  fault: TendonError | undefined,
  grips: readonly string[],
  pushed: readonly string[],
): TendonError | undefined {
  if (!fault) return undefined;
  const outside = [...pushed, ...grips];
  const advice =
    outside.length > 0
      ? `the step was not finite at any length and was undone; ${outside.join(', ')} acted on it: take that away or make it weaker`
      : 'the step was not finite at any length and was undone; the next one starts from rest. If that does not help either: resetWorld, shorter steps, more iterations or softer materials';
  return new TendonError(fault.code, fault.place, fault.value, advice);
}
