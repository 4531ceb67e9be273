/** Bones that hang on each other: a double pendulum, a limit and motors of a hinge, with the torques they bear. By the projective solver. */
import type { JointDef } from '../../src/body/body-def.js';
import { readJointTorque, type World } from '../../src/index.js';
import { buildBoxes } from '../figures/boxes.js';
import { G, inWorld, type VerifyCase } from './verify-case.js';

const LONG = [1, 0.1, 0.1] as const;
/** Weight of the bar times the distance of its centre from the hinge [N m]: 1.924501 kg at 0.5 m. */
const MOMENT = (10 / 3 ** 1.5) * G * 0.5;

function angleOf({ bodies: [{ state }] }: World, bone: number): number {
  const { rotations } = state.poses;
  return Math.atan2(rotations[9 * bone + 3], rotations[9 * bone]);
}

/** V07: two bars on a pin, 0.5 rad from the vertical, after 1 s: the angle of one of them [rad]. */
function doublePendulum(bone: number): Promise<number> {
  const boxes = [0, 1].map((i) => ({ name: `b${i}`, centre: [i + 0.5, 0, 0] as const, sides: LONG }));
  const joints: JointDef[] = [
    { name: 'pin', type: 'ball', bones: ['b0'], anchor: [0, 0, 0] },
    { name: 'elbow', type: 'ball', bones: ['b0', 'b1'], anchor: [1, 0, 0] },
  ];
  // the bars lie along x, and down is turned against them
  const gravity = [G * Math.cos(0.5), -G * Math.sin(0.5), 0] as const;
  const bodies = [{ body: buildBoxes(boxes, joints) }];
  return inWorld({ bodies, gravity, dt: 0.01 }, { iterations: 20 }, (world, step) => {
    step(100);
    return angleOf(world, bone) + 0.5;
  });
}

/** The bar on a hinge about z, level at first, for some steps of 1/30 s. */
function hinged<T>(parts: Pick<JointDef, 'limits' | 'motor'>, steps: number, read: (world: World) => T): Promise<T> {
  const joint: JointDef = { name: 'pin', type: 'hinge', bones: ['bar'], anchor: [0, 0, 0], axis: [0, 0, 1], ...parts };
  const body = buildBoxes([{ name: 'bar', centre: [0.5, 0, 0], sides: LONG }], [joint]);
  const scene = { bodies: [{ body }], gravity: [0, -G, 0] as const, dt: 1 / 30 };
  return inWorld(scene, { iterations: 20 }, (world, step) => {
    step(steps);
    return read(world);
  });
}

/** Where k (target − θ) = m g d cos θ, by bisection [rad]. */
function balance(target: number, stiffness: number): number {
  let [low, high] = [-Math.PI / 2, target];
  for (let n = 0; n < 100; n++) {
    const middle = (low + high) / 2;
    if (stiffness * (target - middle) > MOMENT * Math.cos(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const projective = { solver: 'projective' } as const;

export const SKELETON_CASES: readonly VerifyCase[] = [
  ...[-0.35793602, -0.55721572].map(
    (expected, bone): VerifyCase => ({
      id: 'V07',
      ...projective,
      name: `double pendulum after 1 s, ${bone === 0 ? 'upper' : 'lower'} bar, h = 0.01 s`,
      unit: 'rad',
      formula: 'independent program',
      expected,
      tolerance: 1e-6,
      run: () => doublePendulum(bone),
    }),
  ),
  {
    id: 'limit',
    ...projective,
    name: 'torque of a hinge that lies on its limit at −0.5 rad',
    unit: 'N m',
    formula: 'm g d cos 0.5',
    expected: MOMENT * Math.cos(0.5),
    tolerance: 1e-6,
    run: () =>
      hinged({ limits: { range: [-0.5, 1] } }, 120, (world) => readJointTorque(world.bodies[0], 'pin').limit[2]),
  },
  {
    id: 'limit',
    ...projective,
    name: 'the same with a motor of 1e6 N m/rad that wants to −2 rad',
    unit: 'N m',
    formula: 'm g d cos 0.5 + 1.5e6',
    expected: MOMENT * Math.cos(0.5) + 1.5e6,
    tolerance: 1.5,
    run: () =>
      hinged({ limits: { range: [-0.5, 1] }, motor: { target: -2, stiffness: 1e6 } }, 60, (world) => {
        return readJointTorque(world.bodies[0], 'pin').limit[2];
      }),
  },
  ...[50, 1e6].map(
    (stiffness): VerifyCase => ({
      id: 'motor',
      ...projective,
      name: `motor of ${stiffness} N m/rad to 0.5 rad under the weight, 10 s`,
      unit: 'rad',
      formula: 'k (0.5 − θ) = m g d cos θ',
      expected: balance(0.5, stiffness),
      tolerance: 1e-6,
      run: () => hinged({ motor: { target: 0.5, stiffness, damping: 5 } }, 300, (world) => angleOf(world, 0)),
    }),
  ),
];
