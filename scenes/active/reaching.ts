/**
 * An arm that has learned to reach: keys of its motors' targets, found by `optimiseControls` from nothing, bring its fingertips to a ball that its
 * soft motors alone would miss, and hold them there.
 */
import type { BodyDef } from '../../src/body/body-def.js';
import type { DriveDef } from '../../src/scene/drive-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import type { ControlDef, ControlGoal } from '../../src/world/control/index.js';
import { buildFlexingArm } from '../cast/flexing-arm.js';

/** Where the fingertips are to be [m], and after how many steps of 1/60 s. */
export const REACH = { target: [0.4, 0.8, 0.28], steps: 60 } as const;
/** Times of the keys [s]; before the first and after the last they are held. */
const TIMES = [0.25, 0.7] as const;
const SHOULDER = { stiffness: 40, damping: 6 } as const;
const ELBOW = { stiffness: 14, damping: 1.5 } as const;

/** What was found, with a coarse arm from the start of the task, then with this one from there: the shoulder's rotation vector at both times, then the elbow's angle. */
export const LEARNED: readonly number[] = [0.2266, -0.5445, 0.0453, -0.5465, -0.4682, 0.4418, 0.0866, 1.9536];

/** Builds the scene; `values`: those of the controls, none where nothing is to move them; `cell`: side of the lattice cubes [m]. */
export function buildReachingScene({ values = LEARNED, cell = 0.03 } = {}): SceneDef {
  const keys = (of: (i: number) => number) =>
    ({ kind: 'keys', times: TIMES, values: TIMES.map((_, i) => of(i)) }) as const;
  const drives: DriveDef[] = [
    {
      kind: 'motor',
      body: 'arm',
      joint: 'shoulder',
      turn: [keys((i) => values[i * 3]), keys((i) => values[i * 3 + 1]), keys((i) => values[i * 3 + 2])],
      ...SHOULDER,
    },
    { kind: 'motor', body: 'arm', joint: 'elbow', angle: keys((i) => values[6 + i]), ...ELBOW },
  ];
  const [x, y, z] = REACH.target;
  return {
    name: 'reaching',
    description: 'An arm reaches for a ball, as it has learned to.',
    bodies: [{ body: buildReachingArm(cell) }],
    // beside the fingertips, so that they come to rest at it
    obstacles: [
      { name: 'ball', shape: { kind: 'sphere', radius: 0.05 }, position: [x + 0.047, y + 0.0225, z + 0.0205] },
    ],
    drives: values.length > 0 ? drives : [],
    dt: 1 / 60,
    iterations: 10,
  };
}

/** What may be changed, and what is to be reached: the place, and stillness, of the fingertips. It starts with the elbow a little bent, off its limit. */
export function reachingTask(body: BodyDef): { controls: ControlDef[]; goal: ControlGoal; start: readonly number[] } {
  const tip = body.positions.reduce(
    (low, y, i) => (i % 3 === 1 && y < body.positions[low * 3 + 1] ? (i - 1) / 3 : low),
    0,
  );
  return {
    start: [0, 0, 0, 0, 0, 0, 0.6, 0.6],
    controls: [
      { kind: 'motor', body: 'arm', joint: 'shoulder', times: TIMES, most: 2 },
      { kind: 'motor', body: 'arm', joint: 'elbow', times: TIMES, most: 2.4 },
    ],
    goal: {
      steps: REACH.steps,
      miss: ({ bodies: [{ state }] }) =>
        [0, 1, 2].flatMap((k) => [state.positions[tip * 3 + k] - REACH.target[k], 0.1 * state.velocities[tip * 3 + k]]),
      effort: 1e-5,
    },
  };
}

/** The arm of `flexing-arm` on a shoulder. */
export function buildReachingArm(cell = 0.03): BodyDef {
  const { muscles: _, ...arm } = buildFlexingArm(cell);
  return {
    ...arm,
    bones: (arm.bones ?? []).map((bone) => ({ ...bone, kinematic: false })),
    joints: [
      ...(arm.joints ?? []).map((joint) => ({ ...joint, motor: ELBOW })),
      { name: 'shoulder', type: 'ball', bones: ['upperArm'], anchor: [0, 0.9, 0], motor: SHOULDER },
    ],
  };
}
