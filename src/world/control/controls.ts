/** Numbers of a rollout that may be changed to reach a goal: keys of motor targets, of activations, and velocities at the start. */
import { JOINT_TYPES } from '../../body/joints/joint-table.js';
import { MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import { requireInRange, TendonError } from '../../errors.js';
import { conjugateQuat, multiplyQuat } from '../../math/quat.js';
import { quatToRotationVector } from '../../math/rotation-vector.js';
import { dotVec3 } from '../../math/vec3.js';
import type { ControlSlopes, StateSlopes } from '../../solvers/step-slopes.js';
import { motorState, pairsOf } from '../joint-control.js';
import { findMuscle } from '../muscle-control.js';
import { checkTimes, findKey, writeTurn } from '../signals.js';
import type { World, WorldBody } from '../world.js';

/** What may be changed. Values between the times lie on straight lines. */
export type ControlDef =
  /** Where the motor of a joint leads: one angle per time for a hinge, a rotation vector for others [rad]. */
  | {
      readonly kind: 'motor';
      readonly body: string;
      readonly joint: string;
      readonly times: readonly number[];
      /** Largest angle, either way [rad]; default π. */
      readonly most?: number;
    }
  /** Activation of a muscle, 0 to 1. */
  | { readonly kind: 'activation'; readonly body: string; readonly muscle: string; readonly times: readonly number[] }
  /** Velocity at the start, on top of what is there [m/s]. */
  | { readonly kind: 'velocity'; readonly body: string; readonly most?: number };

/** A control that can be applied. */
export interface Control {
  /** How many numbers it is, and their bounds. */
  readonly size: number;
  readonly low: number;
  readonly high: number;
  /** Acts before a step that ends at `time` [s] since the start of the rollout; the numbers begin at values[o]. */
  apply(values: ArrayLike<number>, o: number, time: number, isFirst: boolean): void;
  /** Number of the body it acts on. */
  readonly body: number;
  /**
   * Adds what its numbers are worth by the way they act in that step to out[to + o...]: from slopes by the state before the step, and by what acts in it.
   */
  addSlopes(
    values: ArrayLike<number>,
    o: number,
    time: number,
    isFirst: boolean,
    before: StateSlopes,
    acting: ControlSlopes,
    out: Float64Array,
    to: number,
  ): void;
}

/** Makes controls of their descriptions, or throws a TendonError that names what is wrong. */
export function makeControls(world: World, defs: readonly ControlDef[]): Control[] {
  return defs.map((def, i) => {
    const path = `controls/${i}`;
    const body = world.bodies.find(({ name }) => name === def.body);
    if (!body) {
      const known = world.bodies.map(({ name }) => name).join(', ');
      throw new TendonError('E_UNKNOWN', `${path}/body`, def.body, `the bodies are: ${known}`);
    }
    if (def.kind === 'velocity') return velocityControl(body, requireInRange(def.most ?? 10, 0, 1e6, `${path}/most`));
    if (def.kind !== 'motor' && def.kind !== 'activation') {
      const { kind } = def as { kind?: unknown };
      throw new TendonError('E_UNKNOWN', `${path}/kind`, kind, 'use motor, activation or velocity');
    }
    checkTimes(def.times, path);
    if (def.kind === 'motor') {
      const most = requireInRange(def.most ?? Math.PI, 0, 2 * Math.PI, `${path}/most`);
      return motorControl(body, def.joint, def.times, most);
    }
    const muscle = findMuscle(body, def.muscle);
    return {
      body: body.index,
      size: def.times.length,
      low: 0,
      high: 1,
      apply(values, o, time) {
        motorState(body).activations[muscle] = between(values, o, def.times, time, 1, 0);
      },
      addSlopes(_, o, time, __, ___, { activations }, out, to) {
        spread(out, to + o, def.times, time, 1, 0, activations[muscle]);
      },
    };
  });
}

function motorControl(body: WorldBody, joint: string, times: readonly number[], most: number): Control {
  const { joints } = body.model;
  const [pair] = pairsOf(body, joint);
  const isHinge = JOINT_TYPES[joints.types[pair]] === 'hinge';
  const width = isHinge ? 1 : 3;
  const way = new Float64Array(3);
  const worth = new Float64Array(3);
  const readWay = (values: ArrayLike<number>, o: number, time: number) => {
    for (let k = 0; k < 3; k++) {
      const value = between(values, o, times, time, width, isHinge ? 0 : k);
      way[k] = isHinge ? value * joints.frame[pair * 9 + k] : value;
    }
  };
  return {
    body: body.index,
    size: times.length * width,
    low: -most,
    high: most,
    apply(values, o, time) {
      readWay(values, o, time);
      writeTurn(motorState(body).motors, pair * MOTOR_STRIDE + MOTOR.target, way);
    },
    addSlopes(values, o, time, _, __, { targets }, out, to) {
      readWay(values, o, time);
      turnWorth(worth, way, targets, pair * 3);
      if (isHinge) spread(out, to + o, times, time, 1, 0, dotVec3(joints.frame, pair * 9, worth, 0));
      else for (let k = 0; k < 3; k++) spread(out, to + o, times, time, 3, k, worth[k]);
    },
  };
}

function velocityControl({ state, index, model }: WorldBody, most: number): Control {
  return {
    body: index,
    size: 3,
    low: -most,
    high: most,
    apply(values, o, _, isFirst) {
      for (let i = 0; isFirst && i < state.velocities.length; i++) state.velocities[i] += values[o + (i % 3)];
      for (let i = 9; isFirst && i < state.boneRates.length; i += 12)
        for (let k = 0; k < 3; k++) state.boneRates[i + k] += values[o + k];
    },
    addSlopes(_, o, __, isFirst, { velocities, boneRates }, ___, out, to) {
      for (let i = 0; isFirst && i < velocities.length; i++) {
        if (model.bones.ofVertex[Math.floor(i / 3)] < 0) out[to + o + (i % 3)] += velocities[i];
      }
      for (let i = 9; isFirst && i < boneRates.length; i += 12)
        for (let k = 0; k < 3; k++) out[to + o + k] += boneRates[i + k];
    },
  };
}

/** The value at a time on the straight lines between keys of `width` numbers. */
function between(
  values: ArrayLike<number>,
  o: number,
  times: readonly number[],
  time: number,
  width: number,
  k: number,
): number {
  const { key, share } = findKey(times, time, false);
  const value = values[o + key * width + k];
  const next = Math.min(key + 1, times.length - 1);
  return value + share * (values[o + next * width + k] - value);
}

/** Adds what the value at a time is worth to the keys it lies between: `between`, the other way round. */
function spread(
  out: Float64Array,
  o: number,
  times: readonly number[],
  time: number,
  width: number,
  k: number,
  worth: number,
): void {
  const { key, share } = findKey(times, time, false);
  const next = Math.min(key + 1, times.length - 1);
  out[o + key * width + k] += (1 - share) * worth;
  out[o + next * width + k] += share * worth;
}

/** Change of a rotation vector for the slope of its turn. */
const NUDGE = 1e-5;

/** From what turns of a rotation are worth (targets[t..t+3)) to what the numbers of its rotation vector are. */
function turnWorth(out: Float64Array, way: Float64Array, targets: Float64Array, t: number): void {
  const nudged = new Float64Array(3);
  const [above, below] = [new Float64Array(4), new Float64Array(4)];
  const turn = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    for (const [end, sign] of [
      [above, 1],
      [below, -1],
    ] as const) {
      nudged.set(way);
      nudged[k] += sign * NUDGE;
      writeTurn(end, 0, nudged);
    }
    conjugateQuat(below, 0, below, 0);
    multiplyQuat(above, 0, above, 0, below, 0);
    quatToRotationVector(turn, 0, above, 0);
    out[k] = dotVec3(targets, t, turn, 0) / (2 * NUDGE);
  }
}
