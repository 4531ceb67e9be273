/**
 * Motors that push no harder than the parts that hang on them bear, for a step that cannot be taken otherwise: a motor of 1e5 N m/rad whose target is two
 * radians away hurls soft flesh off its bones at any length of step. For that step its torque is what turns its part by a hundredth of a
 * radian from rest. Called by rescue.ts.
 */
import { MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import { buildSubtrees } from '../../body/joints/subtrees.js';
import type { Model } from '../../body/model.js';
import type { ProjectiveState } from '../../solvers/projective/projective-state.js';
import type { WorldInside } from '../world.js';

/** How far a motor may turn its part from rest in one step [rad]. */
const TURN = 0.01;

/** Bodies whose motors lead somewhere, as places of the world. */
export function namesOfMotors({ bodies }: WorldInside): string[] {
  return bodies.filter(({ state }) => leads(state)).map(({ name }) => `bodies/${name}/motors`);
}

/** Takes a step of `dt` [s] with weak motors; they are as strong as before afterwards. */
export function withWeakMotors({ bodies }: WorldInside, dt: number, step: () => boolean): boolean {
  const led = bodies.filter(({ state }) => leads(state));
  const kept = led.map(({ state }) => (state as ProjectiveState).motors.slice());
  for (const { model, state } of led) weaken(model, (state as ProjectiveState).motors, dt);
  const done = step();
  led.forEach(({ state }, i) => {
    const { motors } = state as ProjectiveState;
    for (let o = 0; o < motors.length; o += MOTOR_STRIDE)
      for (let k = o + MOTOR.cap; k < o + MOTOR_STRIDE; k++) motors[k] = kept[i][k];
  });
  return done;
}

function leads(state: Partial<ProjectiveState>): boolean {
  const { motors } = state;
  for (let o = 0; motors && o < motors.length; o += MOTOR_STRIDE) {
    if (motors[o + MOTOR.stiffness] !== 0 || motors[o + MOTOR.damping] !== 0) return true;
  }
  return false;
}

/** Lowers the largest torques to TURN times the inertia of what hangs on each joint, over the square of the time. */
function weaken(model: Model, motors: Float64Array, dt: number): void {
  const { pairOf, inertia } = buildSubtrees(model);
  const most = new Float64Array(model.joints.count).fill(Math.min(...inertia));
  pairOf.forEach((pair, bone) => {
    if (pair >= 0) most[pair] = inertia[bone];
  });
  for (let pair = 0; pair < model.joints.count; pair++) {
    const o = pair * MOTOR_STRIDE;
    const torque = (TURN * most[pair]) / (dt * dt);
    for (let k = o + MOTOR.cap; k < o + MOTOR_STRIDE; k++) motors[k] = Math.min(motors[k], torque);
  }
}
