/** What moves bodies in scene files: solvers with their options, and drives. */
import * as v from 'valibot';
import type { ContactOptions } from '../contact/options.js';
import type {
  ActivationDrive,
  BendDrive,
  MotorDrive,
  PoseDrive,
  PushDrive,
  TrackDrive,
  WaterDrive,
} from '../scene/drive-def.js';
import type { CoupledOptions } from '../solvers/coupled/options.js';
import type { LatticeOptions } from '../solvers/lattice/options.js';
import type { LayeredOptions } from '../solvers/layered/options.js';
import type { ProjectiveOptions } from '../solvers/projective/options.js';
import type { Fields } from './schema-words.js';
import { finite, flag, number, numbers, oneOf, quaternion, said, vector, word } from './schema-words.js';

interface Kind {
  readonly kind: string;
}

export const CONTACT = oneOf(['implicit', 'penalty', 'none'], 'how contact is answered');
const selfContact = v.optional(flag('whether bodies can touch themselves'));
const iterations = v.optional(number('most iterations per step'));

/** The solvers of the house and their options, those of docs/solvers.md. */
export const HOUSE_SOLVER = v.variant('kind', [
  v.strictObject({
    kind: v.literal('projective'),
    iterations,
    tolerance: v.optional(number('estimated error at which a step ends early, 0 to 1; default 0')),
    accelerated: v.optional(flag('whether iterations learn from each other; default true')),
    turningRegions: v.optional(
      said(v.union([v.boolean(), v.literal('auto')]), 'whether regions of flesh turn as a whole; default auto'),
    ),
    smoothed: v.optional(
      flag('whether tets share strains through their vertices, so that coarse flesh is as soft as fine; default false'),
    ),
    bones: v.optional(oneOf(['exact', 'published', 'stiff', 'shape'], 'how bones are kept rigid')),
    integrator: v.optional(oneOf(['backwardEuler', 'bdf2'], 'first order and damped, or second order')),
    damping: v.optional(number('rate at which velocities die away [1/s]; default 0')),
    contact: v.optional(CONTACT),
    selfContact,
  } satisfies Fields<ProjectiveOptions & ContactOptions & Kind>),
  v.strictObject({
    kind: v.literal('coupled'),
    substeps: v.optional(number('parts each step is taken in; default 2')),
    gradientRows: v.optional(number('largest island solved by conjugate gradients; default 400')),
    sweeps: v.optional(said(v.strictTuple([finite(), finite()]), 'over larger islands, positions and velocities')),
    pushOut: v.optional(number('share of a penetration that one substep takes away; default 0.3')),
    pushOutSpeed: v.optional(number('and its largest speed [m/s]; default 2')),
    pushOutBy: v.optional(oneOf(['rows', 'centralBody'], 'by rows, or as published; default rows')),
    scheme: v.optional(oneOf(['exact', 'published'], 'published: the four choices as published; default exact')),
    contactBy: v.optional(oneOf(['rows', 'graph', 'shock'], 'rows, or pairs by a contact graph; default rows')),
    jointsBy: v.optional(oneOf(['rows', 'stabilisation'], 'rows, or steps before and after; default rows')),
    velocityBy: v.optional(oneOf(['rows', 'projection'], 'flesh by rows, or projected gradients; default rows')),
    touching: v.optional(number('distance within which bodies touch [m]; default 1e-4')),
    bounceSpeed: v.optional(number('slower approaches do not bounce [m/s]; default 0.2')),
    spinDamping: v.optional(number('rate at which spins of bodies die away [1/s]; default 0')),
    damping: v.optional(number('rate at which flesh and sheets come to rest within themselves [1/s]; default 0')),
    sleepSpeed: v.optional(number('what stays slower for half a second sleeps [m/s]; default 0: nothing')),
    selfContact,
    edges: v.optional(flag('whether edges of soft bodies touch edges; default false')),
    incompressible: v.optional(
      said(
        v.union([v.boolean(), v.array(v.string())]),
        'flesh that keeps its volume: names of bodies, or true for all; default false',
      ),
    ),
  } satisfies Fields<CoupledOptions & Kind>),
  v.strictObject({
    kind: v.literal('lattice'),
    mode: v.optional(oneOf(['quasistatic', 'dynamic'], 'without or with inertia')),
    cells: v.optional(number('cells to fill each body with')),
    cell: v.optional(number('side of the cells instead [m]')),
    kappa: v.optional(number('hourglass share; default 0.25')),
    volume: v.optional(oneOf(['trace', 'determinant'], 'what resists a change of volume')),
    bones: v.optional(oneOf(['exact', 'soft', 'sliding'], 'how bones hold the flesh; default exact')),
    iterations,
    tolerance: v.optional(number('largest move of a node in the last iteration [cells]; default 0.01')),
    preconditioner: v.optional(
      oneOf(
        ['laplacian', 'warped'],
        'what directions start from: warped for long flesh with few bones; default laplacian',
      ),
    ),
    weight: v.optional(flag('whether weight pulls the flesh in quasistatic worlds; default true')),
    contact: v.optional(CONTACT),
    selfContact,
  } satisfies Fields<LatticeOptions & Kind>),
  v.strictObject({
    kind: v.literal('layered'),
    sweeps: v.optional(number('over the contacts in a step; default 10')),
    limpFrequency: v.optional(number('of limp joints [Hz]; default 1')),
    limpDamping: v.optional(number('share of the critical one; default 0.5')),
    driveFrequency: v.optional(number('of joints that follow a pose [Hz]; default 16')),
    driveDamping: v.optional(number('share of the critical one; default 1')),
    driveStrength: v.optional(number('largest acceleration of a root [m/s²]; default 50')),
    contact: v.optional(oneOf(['exact', 'printed'], 'how contacts give way; default exact')),
    coreShare: v.optional(number('share of the soft depth that can be pressed in; default 0.8')),
    selfContact,
    gripFrequency: v.optional(number('how fast a grip pulls [Hz]; default 4')),
  } satisfies Fields<LayeredOptions & Kind>),
]);

/** One that a program has added: it knows its options itself. */
const OTHER_SOLVER = v.looseObject({
  kind: v.pipe(
    v.string(),
    v.regex(/^(?!(?:projective|coupled|lattice|layered)$)/),
    v.description('name of an added solver'),
  ),
});

export const SOLVER = v.union([HOUSE_SOLVER, OTHER_SOLVER]);

const WAVE_OR_KEYS = v.variant('kind', [
  v.strictObject({
    kind: v.literal('wave'),
    from: finite(),
    to: finite(),
    period: number('there and back [s]'),
    phase: v.optional(number('share of a period, 0 to 1; default 0')),
  }),
  v.strictObject({
    kind: v.literal('keys'),
    times: numbers('ascending [s]'),
    values: numbers('one per time; straight lines in between'),
    loop: v.optional(flag('starts over after the last')),
  }),
]);
const signal = (text: string) => said(v.union([finite(), WAVE_OR_KEYS]), `${text}; a number, or one that changes`);
const signals = (text: string) => said(v.strictTuple([signal('x'), signal('y'), signal('z')]), text);
const body = word('name of the body in the scene');
const jointName = word('name of the joint');
const boneName = word('name of the bone');

export const DRIVE = v.variant('kind', [
  v.strictObject({
    kind: v.literal('bend'),
    body,
    amount: v.optional(signal('factor for all angles; default 1')),
    joints: v.array(v.strictObject({ joint: jointName, angle: signal('[rad]') })),
  } satisfies Fields<BendDrive>),
  v.strictObject({
    kind: v.literal('motor'),
    body,
    joint: jointName,
    angle: v.optional(signal('hinge: angle to go to [rad]')),
    speed: v.optional(signal('hinge: rate [rad/s]')),
    torque: v.optional(signal('hinge: [N m]')),
    turn: v.optional(signals('rotation vector to go to [rad]')),
    stiffness: v.optional(number('[N m/rad]')),
    damping: v.optional(number('[N m s/rad]')),
    maxTorque: v.optional(number('[N m]')),
  } satisfies Fields<MotorDrive>),
  v.strictObject({
    kind: v.literal('pose'),
    body,
    bone: boneName,
    times: numbers('ascending [s]'),
    offsets: v.optional(said(v.array(vector('[m]')), 'from its rest place, one per time')),
    turns: v.optional(said(v.array(quaternion('x,y,z,w')), 'from its rest pose, one per time')),
    loop: v.optional(flag('starts over after the last')),
  } satisfies Fields<PoseDrive>),
  v.strictObject({
    kind: v.literal('track'),
    body,
    strength: v.optional(number('frequency joints swing back with [Hz]; default 6')),
    effort: v.optional(number('largest torque, in what holds what hangs on the joint; default no bound')),
    root: v.optional(word('bone that the skeleton starts from; default the first')),
    rootMode: v.optional(oneOf(['kinematic', 'assisted', 'free'], 'what holds the root')),
    shift: v.optional(signals('of the root from its rest place [m]')),
    turn: v.optional(signals('of the root, rotation vector [rad]')),
    joints: v.optional(
      v.array(
        v.strictObject({
          joint: jointName,
          angle: v.optional(signal('hinge [rad]')),
          turn: v.optional(signals('rotation vector [rad]')),
        }),
      ),
    ),
    bones: v.optional(
      v.array(
        v.strictObject({
          bone: boneName,
          mode: v.optional(oneOf(['kinematic', 'tracked', 'limp'], 'what it does')),
          weight: v.optional(number('how much it follows, 0 to 1')),
          strength: v.optional(number('[Hz]')),
        }),
      ),
    ),
  } satisfies Fields<TrackDrive>),
  v.strictObject({
    kind: v.literal('push'),
    body,
    bone: boneName,
    force: signals('world axes [N]'),
  } satisfies Fields<PushDrive>),
  v.strictObject({
    kind: v.literal('activation'),
    body,
    muscle: word('name of the muscle'),
    activation: signal('0 to 1'),
  } satisfies Fields<ActivationDrive>),
  v.strictObject({
    kind: v.literal('water'),
    body,
    density: v.optional(number('[kg/m³]; default 1000')),
    drag: v.optional(number('drag coefficient of a plate; default 1')),
  } satisfies Fields<WaterDrive>),
]);
