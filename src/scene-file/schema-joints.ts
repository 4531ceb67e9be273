/** Joints and muscles in scene files. */
import * as v from 'valibot';
import type { JointDef, JointLimitsDef, JointMotorDef } from '../body/body-def.js';
import type { FibreMuscleDef, LineMuscleDef } from '../body/muscle-def.js';
import type { Fields } from './schema-words.js';
import { finite, indices, number, numbers, oneOf, pair, quaternion, said, vector, word } from './schema-words.js';

export const JOINT_TYPE = oneOf(['ball', 'hinge', 'universal', 'fixed'], 'what it leaves free');

const numberOrVector = (text: string) => said(v.union([finite(), vector('one for each direction')]), text);

/** How far a joint goes. */
export const LIMITS = v.strictObject({
  range: v.optional(pair('hinge, universal: least and largest angle about axis [rad]')),
  secondRange: v.optional(pair('universal: least and largest angle about secondAxis [rad]')),
  cone: v.optional(said(v.union([finite(), pair('two half angles')]), 'ball: how far it leans, one way or two [rad]')),
  twist: v.optional(pair('ball: least and largest turn about its own axis [rad]')),
  middle: v.optional(quaternion('ball: where lean and twist are nothing, x,y,z,w')),
} satisfies Fields<JointLimitsDef>);

/** What turns a joint by itself. */
export const MOTOR = v.strictObject({
  target: v.optional(said(v.union([finite(), quaternion('x,y,z,w')]), 'rotation to go to [rad], or a quaternion')),
  speed: v.optional(numberOrVector('rate to go at [rad/s]')),
  torque: v.optional(numberOrVector('that acts whatever the joint does [N m]')),
  stiffness: v.optional(number('towards target [N m/rad]')),
  damping: v.optional(number('towards speed [N m s/rad]')),
  maxTorque: v.optional(numberOrVector('largest torque [N m]; default no bound')),
} satisfies Fields<JointMotorDef>);

export const JOINT = v.strictObject({
  name: word('name of the joint'),
  type: JOINT_TYPE,
  bones: said(v.array(v.string()), 'names of its bones; one: held to the world'),
  anchor: vector('where the bones meet, in the rest shape [m]'),
  axis: v.optional(vector('hinge, universal: axis in the first bone; ball: the direction of the limb')),
  secondAxis: v.optional(vector('universal: axis in the second bone; ball: what the first angle of its cone is about')),
  limits: v.optional(LIMITS),
  motor: v.optional(MOTOR),
} satisfies Fields<JointDef>);

const ofAnyMuscle = {
  name: word('name of the muscle'),
  activation: v.optional(number('at the start, 0 to 1; default 0')),
  follows: v.optional(
    v.strictObject({
      joint: word('joint whose motor it works with'),
      about: vector('direction it turns the second bone about, in the rest frame of the first'),
      torque: v.optional(number('torque of full activation [N m]')),
    }),
  ),
  shortest: v.optional(number('length without tension, as a share of the rest length; default 0.5')),
};

const waypoint = v.strictObject({ bone: word('bone the point is on'), point: vector('in the rest shape [m]') });

/** A muscle that is a line over bones. */
export const LINE_MUSCLE = v.strictObject({
  kind: v.literal('line'),
  ...ofAnyMuscle,
  path: said(v.array(waypoint), 'from origin to insertion; at least two'),
  force: number('tension at rest length, fully active [N]'),
  damping: v.optional(number('at full activation [N s/m]; default 0')),
} satisfies Fields<LineMuscleDef>);

export const MUSCLE = v.variant('kind', [
  LINE_MUSCLE,
  v.strictObject({
    kind: v.literal('fibres'),
    ...ofAnyMuscle,
    tets: indices('tetrahedra of the body that have the fibres'),
    direction: numbers('in the rest shape: one for all, or three numbers per tetrahedron'),
    strength: number('stress at rest length, fully active [Pa]'),
    shares: v.optional(numbers('share of the strength in each tetrahedron, 0 to 1; default 1')),
    passive: v.optional(number('share of the strength with which relaxed fibres resist; default 0')),
  } satisfies Fields<FibreMuscleDef>),
]);
