/**
 * A cat dropped on its back. Nothing pushes it and it starts without spin; it bends its back, the direction of the bend goes round once
 * [Kane1969], and it has turned over: front and rear roll about the bent back one way, and it as a whole the other. Then it
 * stretches its legs and lands on them.
 */

import { cos, sin } from '../../src/math/trig.js';
import type { DriveDef, SignalDef } from '../../src/scene/drive-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildCat } from '../cast/creatures/cat.js';

/** How far the back bends [rad]; when it has bent, when the bend has gone round, and when it is straight again [s]. */
const BACK = { bend: 1.73, bent: 0.07, round: 0.33, straight: 0.415 } as const;
const BACK_JOINTS = ['back1', 'back2', 'back3'] as const;
const POINTS = 40;
/** Angles of a leg's joints, from the trunk down [rad]: limp, pulled in, reaching for the ground, giving way, standing. */
const LEGS = [
  {
    joints: ['shoulder', 'elbow', 'wrist'],
    angles: {
      limp: [0.4, -0.8, 0.7],
      tucked: [0.8, -1.6, 1],
      ready: [0.4, -0.8, 0.4],
      low: [0.6, -1.2, 0.6],
      stands: [0.15, -0.3, 0.15],
    },
  },
  {
    joints: ['hip', 'knee', 'hock'],
    angles: {
      limp: [-0.3, 0.5, -0.4],
      tucked: [-0.7, 1.2, -0.9],
      ready: [-0.4, 0.7, -0.5],
      low: [-0.6, 1.1, -0.7],
      stands: [-0.15, 0.27, -0.17],
    },
  },
] as const;
/** What legs do when [s]. */
const LEGS_OVER_TIME = [
  [0, 'limp'],
  [BACK.bent, 'tucked'],
  [BACK.round, 'tucked'],
  [BACK.straight, 'ready'],
  [0.46, 'ready'],
  [0.64, 'low'],
  [1.3, 'low'],
  [2, 'stands'],
] as const;
/** How far the legs stand apart to the sides when it lands [rad]. */
const SPLAY = 0.35;
/** How hard motors pull [N m/rad, N m s/rad, N m]. Hips and shoulders hold the body, what is below gives way when it lands. */
const BACK_MOTOR = { stiffness: 86, damping: 1.4 } as const;
const HIP_MOTOR = { stiffness: 64, damping: 3, maxTorque: 34 } as const;
const KNEE_MOTOR = { stiffness: 16.5, damping: 1.4, maxTorque: 14 } as const;
const HEAD_MOTOR = { stiffness: 30, damping: 1 } as const;
const TAIL_MOTOR = { stiffness: 4, damping: 0.05 } as const;
/** Where the feet would stand before it falls [m], and how far its head is up [rad], which it loses as it turns. */
const HEIGHT = 1.32;
const PITCH = 0.148;

/** Builds the scene. */
export function buildFallingCatScene(): SceneDef {
  return {
    name: 'falling-cat',
    description: 'A cat without spin turns over as it falls, and lands on its feet.',
    bodies: [{ body: buildCat({ cell: 0.023 }), position: [0, HEIGHT, 0], rotation: onItsBack() }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.8 }],
    drives: [...backDrives(), ...legDrives(), ...heldDrives()],
    dt: 1 / 120,
    iterations: 10,
  };
}

/** The back bends forward, the bend goes round to a side, backward, to the other side, and forward again, and the back is straight. */
function backDrives(): DriveDef[] {
  const times: number[] = [];
  const forward: number[] = [];
  const aside: number[] = [];
  for (let i = 0; i <= POINTS; i++) {
    const time = (BACK.straight * i) / POINTS;
    const out = smoothStep(time / BACK.bent) * (1 - smoothStep((time - BACK.round) / (BACK.straight - BACK.round)));
    const angle = (BACK.bend * out) / BACK_JOINTS.length;
    const round = 2 * Math.PI * smoothStep((time - 0.6 * BACK.bent) / (BACK.round - 0.6 * BACK.bent));
    times.push(time);
    forward.push(-angle * cos(round));
    aside.push(-angle * sin(round));
  }
  const keys = (values: readonly number[]): SignalDef => ({ kind: 'keys', times, values });
  const turn = [keys(forward), keys(aside), 0] as const;
  return BACK_JOINTS.map((joint) => ({ kind: 'motor', body: 'cat', joint, turn, ...BACK_MOTOR }));
}

/** Legs are pulled in while it turns, reach for the ground when the back is straight, give way when it lands, and straighten. */
function legDrives(): DriveDef[] {
  const times = LEGS_OVER_TIME.map(([time]) => time);
  return LEGS.flatMap(({ joints, angles }) =>
    joints.flatMap((name, i) => {
      const angle: SignalDef = { kind: 'keys', times, values: LEGS_OVER_TIME.map(([, pose]) => angles[pose][i]) };
      return [1, -1].map((side): DriveDef => {
        const joint = `${name}${side > 0 ? 'Left' : 'Right'}`;
        if (i > 0) return { kind: 'motor', body: 'cat', joint, angle, ...KNEE_MOTOR };
        const apart: SignalDef = { kind: 'keys', times: [BACK.round, BACK.straight], values: [0, side * SPLAY] };
        return { kind: 'motor', body: 'cat', joint, turn: [angle, 0, apart], ...HIP_MOTOR };
      });
    }),
  );
}

/** Head and tail are held where they are: a tail that swings round would turn the rest of the cat. */
function heldDrives(): DriveDef[] {
  const hold = (joint: string, motor: { stiffness: number; damping: number }): DriveDef => ({
    kind: 'motor',
    body: 'cat',
    joint,
    turn: [0, 0, 0],
    ...motor,
  });
  return [
    ...['neckBase', 'nape'].map((joint) => hold(joint, HEAD_MOTOR)),
    ...['tailRoot', 'tailJoint1', 'tailJoint2', 'tailJoint3'].map((joint) => hold(joint, TAIL_MOTOR)),
  ];
}

/** Belly up, seen from its left side, its head to the right. */
function onItsBack(): readonly [number, number, number, number] {
  const [s, c] = [Math.SQRT1_2 * sin(PITCH / 2), Math.SQRT1_2 * cos(PITCH / 2)];
  return [c, s, c, -s];
}

/** From 0 to 1, at rest at both. */
function smoothStep(share: number): number {
  const t = Math.min(1, Math.max(0, share));
  return t * t * (3 - 2 * t);
}
